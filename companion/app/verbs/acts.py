"""What conversations left behind: acts and Your Story, what is open, and what a day begins with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from companion.api import LONG_OVERDUE_DAYS, TALKS_TOLD, Card, Greeting, Todo
from companion.app.checkout import OpenCheckout
from companion.app.given import page
from companion.errors import StoreUnwritable, UsageError
from companion.records import (
    Decision,
    Erased,
    FactType,
    Identity,
    Importance,
    Kind,
    Memory,
    Profile,
    SearchQuery,
    Signals,
    Source,
)
from companion.records.talk import Act, Item, ItemState, ItemType, Settles, TodoSort
from companion.store import judgements, projects
from companion.store.memories import contradictions
from companion.store.subjects import is_id
from companion.store.talk import act_memories, acts, conversations, forgetting, items, known

if TYPE_CHECKING:
    from companion.store.care.erasing import Delete, Holds

OPEN_MOST = 1_000
"""Open items that are looked at: more than anybody keeps open."""
GREETED_MOST = 10
"""Items of each sort in a greeting: it is read at a glance."""
ELSEWHERE_MOST = 3
"""Items of other projects in a greeting, and only what is soon due: who works here is not to sort five lists."""
DECIDED_WITHIN = timedelta(days=7)
"""Decisions this young are told again in the morning; spec V6."""
ENDED_WITHIN = timedelta(days=3)
"""Notes that ended this lately are named once more: over a weekend."""
DUE_WITHIN = timedelta(days=7)
"""What is due this soon is told in the morning; spec V6."""
REVISED_MAX = 20_000
"""Characters of a memory in other words, as of a note."""
THREADS = (ItemType.QUESTION, ItemType.BLOCKER)
"""Sorts of items that are open threads."""
OPEN = (*THREADS, ItemType.WAITING_ON, ItemType.TASK)
"""Sorts of items that wait for something to happen."""
THEMES_MOST, THEMES_FROM = 10, 500
"""Themes told at once, and memories they are looked for in: some years of Your Story."""
NOTICED = frozenset({FactType.HABIT.value, FactType.PREFERENCE.value})
"""Types of facts that tell how somebody goes about things."""
HABITS_FROM = 300
"""Facts that are looked through for them, the most important and newest."""
LATEST = 10
"""Memories and anchors that tell who somebody is: a page."""
CARD_FACTS = 3
"""Facts on a card; spec M5."""
CARDS_MOST, CARDS_FROM, FACTS_READ = 8, 50, 60
"""Cards shown at once, memories they are made from, and facts looked at for each: a screen, and no slow answer."""
TODO_MAX = 500
"""Characters of a to-do: a long sentence."""
_SORTS = {
    TodoSort.COMMITMENT: (ItemType.TASK, ""),
    TodoSort.HABIT: (ItemType.TASK, TodoSort.HABIT.value),
    TodoSort.THREAD: (ItemType.QUESTION, ""),
    TodoSort.FRICTION: (ItemType.TASK, TodoSort.FRICTION.value),
}
"""The type of item that each sort of to-do is, and how it is told from others of the type."""
OVERDUE = "overdue_since"
"""The detail that takes the place of `due` where that day is past."""
BY_HAND = "user"
"""What settles an item when a person does."""


class Acts(OpenCheckout):
    """The verbs of what is left of conversations. See `companion.api.Companion`."""

    def add_todo(self, todo: Todo) -> Item:
        """Keep a commitment, habit, thread or friction by hand; it is open until it is settled."""
        text = " ".join(todo.text.split())
        if not text or len(text) > TODO_MAX:
            raise UsageError(f"A to-do has 1 to {TODO_MAX} characters.", 'Say it: `companion todo "…"`.')
        if todo.due and _day(todo.due) is None:
            raise UsageError(f"`{self._line(todo.due)}` is no day.", "Write it as 2026-01-31.")
        known = {"due": todo.due, "who": self._line(todo.who), "status": "decided", "sort": _SORTS[todo.sort][1]}
        type_ = ItemType.WAITING_ON if todo.who else _SORTS[todo.sort][0]
        details = {name: value for name, value in known.items() if value}
        act = self._act(todo.act).id if todo.act else self.acts()[0].id
        new = Item("", type_, text, 0, details=details, act=act)
        return items.add(self.rooms.database, new, self._line(todo.persona), self.now())

    def acts(self) -> tuple[Act, ...]:
        """Your Story first, one of each project, other lines of work."""
        database, now = self.rooms.database, self.now()
        there = acts.all_of(database, self.rooms.user)
        if not there or (self.checkout and all(act.project != self.project for act in there)):
            acts.your_story(database, self.rooms.user, now)
            if self.checkout:
                acts.ensure(database, self.rooms.user, self._name[: acts.NAME_MAX], now, project=self.project)
            there = acts.all_of(database, self.rooms.user)
        return there

    def make_act(self, name: str) -> Act:
        """Make an act for a line of work; the one of that name if it is there."""
        fit = " ".join(name.split())
        known = [act for act in self.acts() if act.name.casefold() == fit.casefold()]
        return known[0] if known else acts.ensure(self.rooms.database, self.rooms.user, fit, self.now())

    def delete_act(self, act: str) -> Act:
        """Delete an act; what it holds goes to Your Story."""
        gone = self._act(act)
        acts.delete(self.rooms.database, gone, self.rooms.user, self.now())
        return gone

    def story(self, act: str = "", persona: str = "", limit: int = 20, offset: int = 0) -> tuple[Memory, ...]:
        """Memories of Your Story, or of an act, newest first."""
        which = self._act(act) if act else self.acts()[0]
        return act_memories.of_act(self.rooms.database, which, self._line(persona), page(limit), max(0, offset))

    def threads(
        self, types: Sequence[ItemType] = (), act: str = "", persona: str = "", limit: int = TALKS_TOLD
    ) -> tuple[Item, ...]:
        """What conversations left open, by type and act; the one spoken of last first."""
        which = self._act(act).id if act else "*"
        wanted = tuple(types) or OPEN
        there = items.open_ones(self.rooms.database, page(limit), types=wanted, act=which, persona=self._line(persona))
        return tuple(_marked(one, self.now().date()) for one in there)

    def settle_thread(self, id_: str) -> Item:
        """Settle an open item by hand."""
        database = self.rooms.database
        one = items.get(database, self._fit(id_))
        if one.state is ItemState.CANDIDATE:
            raise UsageError(f"{one.id[:12]} is not open yet: nobody has reviewed it.", "`companion review` shows it.")
        items.settle(database, [Settles(one.id, BY_HAND, 1.0, "by hand")], self.now())
        return items.get(database, one.id)

    def identity(self, persona: str = "") -> Identity:
        """Who the user is: what recurs in Your Story, its latest memories, and what was said for good."""
        from companion.kinds.themes import themes

        database, by = self.rooms.database, self._line(persona)
        told = act_memories.of_act(database, self.acts()[0], by, THEMES_FROM, 0)
        mine = [act for act in self.acts()[1:] if self.checkout and act.project == self.project]
        facts = self.library(Signals(persona=by)).search(
            SearchQuery(kinds=(Kind.FACT,), profile=Profile.MEMORY, limit=HABITS_FROM)
        )
        first = [
            one
            for act in (self.acts()[0], *mine)
            for one in items.open_ones(database, LATEST, types=(ItemType.PRIORITY,), act=act.id, persona=by)
        ]
        return Identity(
            themes=themes(told, THEMES_MOST),
            memories=told[:LATEST],
            anchors=known.anchored(database, self.rooms.user, by, LATEST),
            patterns=tuple(hit.memory for hit in facts if hit.memory.draft.type in NOTICED)[:LATEST],
            priorities=tuple(first[:LATEST]),
        )

    def cards(self, ids: Sequence[str], persona: str = "") -> tuple[Card, ...]:
        """For whom and what these memories name, up to three more facts each; the most named first."""
        found = self.rooms.memories.get([self._resolved(id_) for id_ in ids[:CARDS_FROM] if not is_id(id_)])
        shown = {memory.id for memory in found}
        named = Counter(name for memory in found for name in memory.draft.entities if not name.startswith("act:"))
        library = self.library(Signals(persona=self._line(persona)))
        told: list[Card] = []
        for name, _ in named.most_common():
            more = [one for one in library.about((name,), FACTS_READ) if one.id not in shown and _is_telling(one)]
            if more and len(told) < CARDS_MOST:
                more.sort(key=lambda one: (not one.draft.pinned, -one.draft.importance))
                told.append(Card(name, name.partition(":")[2].replace("_", " "), tuple(more[:CARD_FACTS])))
        return tuple(told)

    def revise(self, id_: str, text: str) -> Memory:
        """Put a memory that a person told into other words; returns its new version, the old one stays beside it."""
        from companion.kinds.by_hand import validity_of
        from companion.kinds.levels import ladder

        old, words = self._told_by_a_person(id_), self._fit(text.strip())
        if not words or len(words) > REVISED_MAX:
            raise UsageError(f"A memory has 1 to {REVISED_MAX:,} characters.", "`companion revise ID TEXT`.")
        body = old.draft.body
        if isinstance(body, Decision):
            body = replace(body, choice=words, reason="")
        now = self.now()
        holds = validity_of(words, old.draft.kind, now)
        draft = replace(old.draft, value=words, levels=ladder(words), body=body)
        draft = replace(draft, valid_from=max(now, holds.first or now), valid_to=holds.after)
        return self.rooms.memories.revise(old.id, draft, self.now())

    def route(self, id_: str, act: str) -> Memory:
        """Send a memory that was told to another act, with what it left open."""
        memory, to = self._told_by_a_person(id_), self._act(act)
        act_memories.move(self.rooms.database, memory, to, to.project or self.rooms.user)
        return self.rooms.memories.get([memory.id])[0]

    def erase(self, id_: str) -> Erased:
        """Delete a memory that was told, for good; the conversation it comes from stays."""
        memory = self._told_by_a_person(id_)
        if memory.draft.pinned:
            raise UsageError(f"{memory.id} is pinned and stays.", f"`companion unpin {memory.id[:12]}`")
        versions = self.rooms.memories.versions(memory.id)
        ids = [one.id for one in versions]
        gone = forgetting.erase(self.rooms.database, ids)
        self._taken_in([memory.project])
        self._gone_for_good(
            lambda copy: forgetting.has_memories(copy, ids), lambda database: forgetting.erase(database, ids)
        )
        return Erased(memory.draft.origin, 0, gone, len(versions))

    def greeting(self, persona: str = "", *, everywhere: bool = False) -> Greeting:
        """The conversation to go on with, or what is open, waited for, decided, stale and due; here, or everywhere."""
        database, by, now = self.rooms.database, self._line(persona), self.now()
        waits = conversations.holder(database, self.rooms.user)
        held_in = projects.project_name(database, waits.project) if waits is not None and waits.project else ""
        if waits is not None and waits.project in {"", self.project}:
            return Greeting(waits, held_in)
        every = everywhere or not self.checkout

        def order(one: Item) -> tuple[bool, bool, str]:
            return one.project != self.project, one.project != "", one.project

        def found(*types: ItemType, since: datetime | None = None) -> tuple[Item, ...]:
            return items.open_ones(database, OPEN_MOST, types=types, persona=by, since=since)

        def is_here(one: Item) -> bool:
            return every or one.project in {"", self.project}

        def most(there: Iterable[Item]) -> tuple[Item, ...]:
            told: dict[str, list[Item]] = {}
            for one in sorted(filter(is_here, there), key=order):
                told.setdefault(one.project, []).append(one)
            return tuple(one for group in told.values() for one in group[:GREETED_MOST])

        threads, waiting, tasks = found(*THREADS), found(ItemType.WAITING_ON), found(ItemType.TASK)
        dated = _by_date((*tasks, *waiting), now.date())
        told = {one.id for some in (dated.due, dated.overdue, dated.long_overdue) for one in some}
        return Greeting(
            waits,
            held_in,
            threads=most(threads),
            waiting_on=most(one for one in waiting if one.id not in told),
            decisions=most(found(ItemType.DECISION, since=now - DECIDED_WITHIN)),
            stale=most(one for one in tasks if _is_stale(one, now) and one.id not in told),
            due=most(dated.due),
            overdue=most(dated.overdue),
            long_overdue=sum(map(is_here, dated.long_overdue)),
            ended=known.ended(
                database, self.project, self.rooms.user, by, since=now - ENDED_WITHIN, limit=GREETED_MOST
            ),
            elsewhere=tuple(one for one in (*dated.overdue, *dated.due) if not is_here(one))[:ELSEWHERE_MOST],
            open_elsewhere=Counter(one.project_name for one in (*threads, *waiting, *tasks) if not is_here(one)),
            contradictions=len(contradictions.open_ones(database, self.project)),
            questions=len(judgements.waiting(database, self.project)),
        )

    def _gone_for_good(self, holds: Holds, delete: Delete) -> None:
        """What was deleted leaves the file and the copies in the home; the user is told which, and what is left."""
        from companion.store.care import erasing

        rooms = self.rooms
        erasing.want_anew(rooms.database)
        rooms.text_index.drop()
        if rooms.shared:
            self._notices.append("The space it had in the store's file is cleared when that is opened the next time.")
        else:
            try:
                erasing.write_anew_if_wanted(rooms.database, rooms.settings.memory_limit)
            except StoreUnwritable as wrong:  # it is deleted all the same; the next who opens the store tries again
                self._notices.append(str(wrong))
        with rooms.database.copying:
            reached = erasing.reach_copies(rooms.home, holds, delete, rooms.settings.memory_limit)
        if reached.mended:
            names = ", ".join(path.name for path in reached.mended)
            self._notices.append(f"It was taken out of the copies of the store as well: {names}.")
        if reached.left:
            names = ", ".join(str(path) for path in reached.left)
            self._notices.append(
                f"It may still be in {names}, which could not be changed: delete what you do not need."
            )
        self._notices.append("Copies and exports that you put elsewhere are yours to delete.")

    def _told_by_a_person(self, id_: str) -> Memory:
        """A memory that was not read from files or history: those say it anew. Raises UsageError for any other."""
        (memory,) = self.rooms.memories.get([self._resolved(id_)])
        if memory.draft.source is Source.SCAN:
            where = memory.draft.evidence[0].label() if memory.draft.evidence else memory.draft.origin
            raise UsageError(
                f"{memory.id[:12]} is read from {where}, which would say it again.",
                f"Change it there, or leave it out: `companion forget {memory.id[:12]}`.",
            )
        return memory

    def _taken_in(self, spaces: Iterable[str]) -> None:
        """What was deleted leaves the indexes at once."""
        for space in spaces:
            self.rooms.text_index.update(space)
            if self.rooms.embedder is not None:
                self.rooms.vectors.refresh(space, self.rooms.embedder)

    def _act(self, given: str) -> Act:
        self.acts()
        return acts.named(self.rooms.database, self.rooms.user, self._fit(given))


def _is_telling(one: Memory) -> bool:
    """Whether a fact is worth a line on a card."""
    return one.draft.kind is Kind.FACT and (one.draft.pinned or one.draft.importance >= Importance.SIGNIFICANT)


def _is_stale(one: Item, now: datetime) -> bool:
    return one.touched_at is not None and one.touched_at < now - items.STALE_AFTER


@dataclass(frozen=True, slots=True)
class _Dated:
    """What is due soon, overdue, and overdue for so long that it is only counted."""

    due: list[Item]
    overdue: list[Item]
    long_overdue: list[Item]


def _by_date(there: Iterable[Item], today: date) -> _Dated:
    """What is due in a week or was before today, the earliest first."""
    found = _Dated([], [], [])
    days = ((day, one) for one in there if (day := _day(one.details.get("due", ""))) and day <= today + DUE_WITHIN)
    for day, one in sorted(days, key=lambda dated: (dated[0], dated[1].id)):
        late = (today - day).days
        some = found.due if late <= 0 else found.overdue if late <= LONG_OVERDUE_DAYS else found.long_overdue
        some.append(_marked(one, today))
    return found


def _marked(one: Item, today: date) -> Item:
    """An item that says since when it is overdue, if it is."""
    day = _day(one.details.get("due", ""))
    if day is None or day >= today:
        return one
    return replace(
        one, details={**{name: said for name, said in one.details.items() if name != "due"}, OVERDUE: day.isoformat()}
    )


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
