"""Nudges: what could be offered is looked for when somebody saves or opens a file, and at no other time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, time
from itertools import islice

from msgspec.structs import replace

from companion.api import NUDGES_TOLD
from companion.app.checkout import Service
from companion.app.given import page
from companion.config import Switch, chosen
from companion.errors import CompanionError, UsageError, WrongState
from companion.escape import one_line
from companion.records import Happening
from companion.records.nudges import Nudge, NudgeAnswer, NudgeSort, NudgeState
from companion.records.talk import Conversation, Item, ItemState, ItemType, Message, Role, TalkState, TodoSort
from companion.records.wording import counted
from companion.store.memories import contradictions
from companion.store.talk import acts, conversations, items
from companion.store.talk import nudges as offers
from companion.talk import nudging
from companion.talk.nudging import Moment, Night, NudgeCandidate

CHANNEL = "nudge"
"""The channel by which an offer joins a conversation."""
CONTRADICTIONS_MOST = 20
"""Open contradictions that could be offered, those about a file at hand first, then surest: later the others' turn."""
TASKS_MOST = 20
"""Stale tasks that could be offered, the one touched last first: nobody is reminded of more."""
TEXT_MAX = 300
"""Characters of an offer: it is read in passing."""
ID_SHOWN = 12
"""Signs of an id that are enough to name it."""
_TOUCHES = {Happening.EDITED, Happening.SAVED}
_GONE = "It has been resolved or removed."
_COMMANDS = {
    NudgeSort.LULL: "companion talk close",
    NudgeSort.CONTRADICTION: "companion contradictions",
    NudgeSort.STALE_TASK: "companion threads --type task",
}
"""Where each sort leads further."""


class NudgeOffers(Service):
    """The verbs of nudges. See `companion.api.Companion`."""

    def offer_nudge(self, path: str = "") -> Nudge | None:
        runtime, now = self.runtime, self.here.now()
        going_on = conversations.holder(runtime.store.database, runtime.store.user)
        found = list(self._candidates(self._at_hand_path(path), going_on, now))
        if not found:
            return None
        seen = offers.past(runtime.store.database, runtime.store.user, [one.subject for one in found])
        offered = [one for one in seen if one.state is NudgeState.OFFERED]
        decided = nudging.decide(found, self._now_here(going_on, now), offered)
        known = {(row.sort, row.subject): row for row in seen}
        told = [(one.sort, one.subject, why) for one, why in decided.kept_back if _is_news(known, one, why)]
        if told:
            offers.keep_back(runtime.store.database, runtime.store.user, self.here.project, told, now)
        chosen_ = decided.chosen
        if chosen_ is None or not self._words(chosen_.sort, chosen_.subject)[0]:
            return None
        if not offers.offer(
            runtime.store.database, runtime.store.user, self.here.project, chosen_.sort, chosen_.subject, seen, now
        ):
            return None
        id_ = offers.nudge_id(runtime.store.user, chosen_.sort, chosen_.subject)
        self._join(id_, chosen_, going_on)
        return self._worded(offers.get(runtime.store.database, runtime.store.user, id_))

    def nudges(self, limit: int = NUDGES_TOLD) -> tuple[Nudge, ...]:
        rows = offers.latest(self.store.database, self.store.user, page(limit))
        return tuple(self._worded(row) for row in rows)

    def answer_nudge(self, id_: str, answer: NudgeAnswer) -> Nudge:
        database, user = self.store.database, self.store.user
        row = offers.get(database, user, self.here.fit(id_))
        if row.state is not NudgeState.OFFERED:
            raise UsageError(f"{row.id[:ID_SHOWN]} was not offered.", "`companion call nudges` shows what was.")
        if answer is NudgeAnswer.NONE:
            raise UsageError("That is not an answer.", "Choose one of: done, later, never, open, dismissed.")
        offers.answer(database, row.id, answer, self.here.now())
        if answer is NudgeAnswer.DONE:
            with suppress(UsageError):  # it was settled or closed by another way meanwhile
                self._done(row.sort, row.subject)
        return self._worded(offers.get(database, user, row.id))

    def _done(self, sort: NudgeSort, subject: str) -> None:
        if sort is NudgeSort.STALE_TASK:
            self.verbs.settle_thread(subject)
        elif sort is NudgeSort.LULL:
            self.verbs.close_conversation(subject)

    def _candidates(self, path: str, going_on: Conversation | None, now: datetime) -> Iterator[NudgeCandidate]:
        """What could be offered, the most pressing first."""
        if going_on is not None and going_on.state is TalkState.ACTIVE and going_on.last_turn_at is not None:
            rests = now - going_on.last_turn_at >= nudging.LULL
            if rests and going_on.turns >= nudging.LULL_TURNS:
                yield NudgeCandidate(NudgeSort.LULL, going_on.id, going_on.last_turn_at)
        if self.here.checkout:
            opened = contradictions.open_ones(self.store.database, self.here.project)
            found = sorted(
                opened, key=lambda one: (path not in dict(one.places), -one.confidence, one.detected_at, one.id)
            )
            for one in found[:CONTRADICTIONS_MOST]:
                yield NudgeCandidate(NudgeSort.CONTRADICTION, one.id, one.detected_at)
        yield from islice(self._stale_tasks(now), TASKS_MOST)

    def _stale_tasks(self, now: datetime) -> Iterator[NudgeCandidate]:
        """Tasks of this project, of Your Story and of acts of no project that nobody has touched for days."""
        there = acts.all_of(self.store.database, self.store.user)
        here = {"", *(act.id for act in there if act.project in ("", self.here.project))}
        before = now - items.STALE_AFTER
        for one in items.open_ones(self.store.database, items.LISTED_MOST, types=(ItemType.TASK,), before=before):
            if one.act in here and one.details.get("sort") != TodoSort.HABIT.value and one.touched_at is not None:
                yield NudgeCandidate(NudgeSort.STALE_TASK, one.id, one.touched_at)

    def _now_here(self, going_on: Conversation | None, now: datetime) -> Moment:
        settings = self.runtime.settings
        since = self.here.session().at_hand().since(now - nudging.FLOW) if self.here.checkout else ()
        return Moment(
            now,
            self.runtime.adapters.on_the_wall(now).time(),
            night_of(settings.quiet_hours),
            on=chosen(Switch, "nudges", settings.nudges) is Switch.ON,
            paused=going_on is not None and going_on.paused,
            last_turn_at=None if going_on is None else going_on.last_turn_at,
            touches=sum(event.what in _TOUCHES for event in since),
        )

    def _at_hand_path(self, path: str) -> str:
        try:
            return self.here.inside(path) if path and self.here.checkout else ""
        except UsageError:
            return ""

    def _join(self, id_: str, one: NudgeCandidate, going_on: Conversation | None) -> None:
        """An offer becomes part of the conversation that is going on: told without its words, which may be deleted."""
        if going_on is None or going_on.state is not TalkState.ACTIVE:
            return
        said = f"Companion suggested: {_HEADS[one.sort]} ({one.subject[:ID_SHOWN]})."
        with suppress(WrongState):  # it was closed this moment
            self.verbs.add_turn([Message(Role.SYSTEM, said)], going_on.id, CHANNEL)
            offers.join(self.store.database, id_, going_on.id)

    def _worded(self, row: Nudge) -> Nudge:
        text, opens = self._words(row.sort, row.subject)
        return replace(row, text=text or _GONE, opens=opens, next_step=_COMMANDS[row.sort])

    def _words(self, sort: NudgeSort, subject: str) -> tuple[str, str]:
        """What a nudge says as things stand, and the memory that shows it; empty where there is nothing to it now."""
        say: dict[NudgeSort, Callable[[str], tuple[str, str]]] = {
            NudgeSort.LULL: self._of_lull,
            NudgeSort.CONTRADICTION: self._of_contradiction,
            NudgeSort.STALE_TASK: self._of_task,
        }
        try:
            text, opens = say[sort](subject)
        except CompanionError:  # it was deleted
            return "", ""
        return one_line(text, TEXT_MAX), opens

    def _of_lull(self, subject: str) -> tuple[str, str]:
        one = conversations.get(self.store.database, subject)
        if one.state is not TalkState.ACTIVE:
            return "", ""
        called = f" “{one.title}”" if one.title else ""
        idle = f"is idle after {counted(one.turns, 'turn')}"
        return f"The conversation{called} {idle}. Done? It would be prepared for review.", ""

    def _of_contradiction(self, subject: str) -> tuple[str, str]:
        one = contradictions.contradiction(self.store.database, subject)
        if one.resolved_at is not None:
            return "", ""
        sides = [memory.draft.levels.index for memory in (one.a, one.b)]
        return f"Two memories cannot both hold: “{sides[0]}” and “{sides[1]}”. Resolve it?", one.a.id

    def _of_task(self, subject: str) -> tuple[str, str]:
        one: Item = items.get(self.store.database, subject)
        if one.state is not ItemState.OPEN or one.touched_at is None:
            return "", ""
        days = (self.here.now() - one.touched_at).days
        return f"“{one.text}” has not been mentioned for {days} days. Is it done?", one.memory


_HEADS = {
    NudgeSort.LULL: "to end the idle conversation",
    NudgeSort.CONTRADICTION: "to resolve a contradiction",
    NudgeSort.STALE_TASK: "to look at a task that nobody has touched for days",
}
"""What is told of an offer in the conversation that it joins."""


def night_of(said: str) -> Night:
    """The hours of the setting `quiet_hours`, `22-8`; empty: none. Raises UsageError."""
    begins, _, ends = said.partition("-")
    try:
        return Night(time(int(begins)), time(int(ends))) if said.strip() else Night(time(0), time(0))
    except ValueError:
        raise UsageError(f"Setting `quiet_hours` is {said!r}.", "Write two hours, as 22-8, or nothing.") from None


def _is_news(known: dict[tuple[NudgeSort, str], Nudge], one: NudgeCandidate, why: str) -> bool:
    """Whether a reason is another than the one that is kept: only that is worth a write."""
    row = known.get((one.sort, one.subject))
    return row is None or (row.state is NudgeState.KEPT_BACK and row.why != why)
