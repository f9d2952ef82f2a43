"""What conversations left open, what is to be done, and what a day begins with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from companion.api import LONG_OVERDUE_DAYS, TALKS_TOLD, Greeting, Todo
from companion.app.checkout import Service
from companion.app.given import line_of, page
from companion.app.verbs.memory.acts import act_named, acts_of
from companion.app.working.traces import traces_of
from companion.engine.telling.greeting import in_words
from companion.errors import UsageError
from companion.records.talk import DECIDED, THREADS, Item, ItemState, ItemType, Settles, TodoSort
from companion.store import judgements, projects
from companion.store.memories import contradictions
from companion.store.talk import conversations, items, known

TEXT_TOKENS = 600
"""Tokens of a greeting in words: an assistant is told it before anybody has asked for anything."""
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
OPEN = (*THREADS, ItemType.WAITING_ON, ItemType.TASK)
"""Sorts of items that wait for something to happen."""
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


class OpenEnds(Service):
    """Open items, and the greeting."""

    def add_todo(self, todo: Todo) -> Item:
        text = " ".join(todo.text.split())
        if not text or len(text) > TODO_MAX:
            raise UsageError(f"A to-do has 1 to {TODO_MAX} characters.", 'Say it: `companion todo "…"`.')
        if todo.due and _day(todo.due) is None:
            raise UsageError(f"`{line_of(todo.due)}` is not a date.", "Write it as 2026-01-31.")
        known = {"due": todo.due, "who": line_of(todo.who), "status": DECIDED, "sort": _SORTS[todo.sort][1]}
        type_ = ItemType.WAITING_ON if todo.who else _SORTS[todo.sort][0]
        details = {name: value for name, value in known.items() if value}
        act = act_named(self.here, todo.act).id if todo.act else acts_of(self.here)[0].id
        new = Item("", type_, text, 0, details=details, act=act)
        return items.add(self.store.database, new, line_of(todo.persona), self.here.now())

    def threads(
        self, types: Sequence[ItemType] = (), act: str = "", persona: str = "", limit: int = TALKS_TOLD
    ) -> tuple[Item, ...]:
        which = act_named(self.here, act).id if act else "*"
        wanted = tuple(types) or OPEN
        there = items.open_ones(self.store.database, page(limit), types=wanted, act=which, persona=line_of(persona))
        return tuple(_marked(one, self.here.now().date()) for one in there)

    def settle_thread(self, id_: str) -> Item:
        database = self.store.database
        one = items.get(database, self.here.fit(id_))
        if one.state is ItemState.CANDIDATE:
            raise UsageError(f"{one.id[:12]} is not open yet: nobody has reviewed it.", "`companion review` shows it.")
        items.settle(database, [Settles(one.id, BY_HAND, 1.0, "by hand")], self.here.now())
        return items.get(database, one.id)

    def greeting(self, persona: str = "", *, everywhere: bool = False) -> Greeting:
        database, by, now = self.store.database, line_of(persona), self.here.now()
        waits = conversations.holder(database, self.store.user)
        held_in = projects.project_name(database, waits.project) if waits is not None and waits.project else ""
        left = traces_of(self.here, by)
        if waits is not None and waits.project in {"", self.here.project}:
            return self._worded(Greeting(waits, held_in, traces=left))
        every = everywhere or not self.here.checkout

        def order(one: Item) -> tuple[bool, bool, str]:
            return one.project != self.here.project, one.project != "", one.project

        def found(*types: ItemType, since: datetime | None = None) -> tuple[Item, ...]:
            return items.open_ones(database, OPEN_MOST, types=types, persona=by, since=since)

        def is_here(one: Item) -> bool:
            return every or one.project in {"", self.here.project}

        def most(there: Iterable[Item]) -> tuple[Item, ...]:
            told: dict[str, list[Item]] = {}
            for one in sorted(filter(is_here, there), key=order):
                told.setdefault(one.project, []).append(one)
            return tuple(one for group in told.values() for one in group[:GREETED_MOST])

        open_ = found(*OPEN)
        threads, waiting, tasks = (
            tuple(one for one in open_ if one.type in types)
            for types in (THREADS, (ItemType.WAITING_ON,), (ItemType.TASK,))
        )
        dated = _by_date((*tasks, *waiting), now.date())
        told_ids = {one.id for some in (dated.due, dated.overdue, dated.long_overdue) for one in some}
        found_here = Greeting(
            waits,
            held_in,
            traces=left,
            threads=most(threads),
            waiting_on=most(one for one in waiting if one.id not in told_ids),
            todos=most(one for one in tasks if not _is_stale(one, now) and one.id not in told_ids),
            decisions=most(found(ItemType.DECISION, since=now - DECIDED_WITHIN)),
            stale=most(one for one in tasks if _is_stale(one, now) and one.id not in told_ids),
            due=most(dated.due),
            overdue=most(dated.overdue),
            long_overdue=sum(map(is_here, dated.long_overdue)),
            ended=known.ended(
                database, self.here.project, self.store.user, by, since=now - ENDED_WITHIN, limit=GREETED_MOST
            ),
            elsewhere=tuple(one for one in (*dated.overdue, *dated.due) if not is_here(one))[:ELSEWHERE_MOST],
            open_elsewhere=Counter(one.project_name for one in (*threads, *waiting, *tasks) if not is_here(one)),
            contradictions=len(contradictions.open_ones(database, self.here.project)),
            questions=len(judgements.waiting(database, self.here.project)),
        )
        return self._worded(found_here)

    def _worded(self, found: Greeting) -> Greeting:
        name = self.here.name if self.here.checkout and self.here.was_read() else ""
        return replace(found, project=name, text=in_words(found, self.runtime.adapters.counter.count, TEXT_TOKENS))


def _is_stale(one: Item, now: datetime) -> bool:
    return one.touched_at is not None and one.touched_at < now - items.STALE_AFTER


class _Dated(Struct, frozen=True):
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
