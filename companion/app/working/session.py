"""What goes on in one checkout while someone works: folded from the newest events of the store.

Whatever is known here follows from what is written, so a restart knows it again, and two requests at the
same state of the store get the same answer. An observation is written before the session takes it in.
Readers never wait for a writer: they see the session as it was at the last event.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from itertools import takewhile

from msgspec import Struct

from companion.app.prefetch import Prefetched
from companion.engine import usefulness
from companion.engine.attending.activity import Sign, infer
from companion.engine.attending.interest import (
    FOLDED_EVENTS,
    RUN_MOST,
    Centre,
    edited_files,
    interest_after,
    opened_files,
)
from companion.engine.attending.usual import usual_steps
from companion.engine.predicting import accuracy
from companion.records import Event, Happening, Serving
from companion.store import projects
from companion.store.database import Database
from companion.store.history import accuracy as measured
from companion.store.memories import usage
from companion.store.working import commands
from companion.store.working import events as store

OPENED_MOST = 6
"""Open files that an ask is completed with: as many as prediction follows."""
EDITED_MOST = 4
"""Edited files that an ask is completed with; six of them brought less of what came next (`eval prefetch`)."""
EDITED_LEAST_DEGREE = 0.25
"""An edited file under this has left the centre: opened, edited and saved once, some seventy events ago."""
PEOPLE_MOST = 5
"""Other people whose work came in lately: more of them are a whole team, and say nothing."""
PEOPLE_EVENTS = 200
"""Events for which somebody whose commits came in counts as being there."""
USUAL_FROM = timedelta(weeks=8)
"""How far back customs are looked for: two months of work, older ones may have been given up."""
SERVINGS_HELD = 60
"""Served contexts that use is looked for in."""
JUDGED_MOST = 200
"""Events judged after a restart: what was shown before has nothing to do with older ones any more."""
REPEAT_NOTED_EVERY = timedelta(minutes=1)
"""A touch that only repeats the last ones is written down so often: it changes nothing but the time."""


class AtHand(Struct, frozen=True, dict=True):
    """What is at hand after some events (oldest first); all else follows from them when it is asked for."""

    events: tuple[Event, ...] = ()

    @cached_property
    def centre(self) -> Centre:
        """How much each file and symbol is at the centre."""
        return interest_after(self.events)

    @property
    def newest(self) -> int:
        """Number of the newest event; 0 before the first."""
        return self.events[-1].number if self.events else 0

    @cached_property
    def current_file(self) -> str:
        """The file touched last that is not closed."""
        return self.centre.current()

    def opened(self, without: str) -> tuple[str, ...]:
        """Open files but for one, most interesting first."""
        return opened_files(self.centre, OPENED_MOST, without)

    def edited(self, without: str) -> tuple[str, ...]:
        """Files edited lately but for one, most interesting first."""
        return edited_files(self.centre, EDITED_MOST, EDITED_LEAST_DEGREE, without)

    @cached_property
    def branch(self) -> str | None:
        """The branch noted last; None if none was."""
        return next((event.branch for event in reversed(self.events) if event.what is Happening.BRANCH), None)

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Others whose commits came in lately, the latest first."""
        lately = [event for event in self.events if event.number > self.newest - PEOPLE_EVENTS]
        return tuple(dict.fromkeys(name for event in reversed(lately) for name in event.people))[:PEOPLE_MOST]

    @cached_property
    def diagnosed(self) -> dict[str, tuple[int, int]]:
        """Errors and other diagnostics of each file, as noted last."""
        return {
            event.path: (event.errors, event.warnings) for event in self.events if event.what is Happening.DIAGNOSED
        }

    def doing(self, branch: str) -> Sign | None:
        """What is being done, as events and branch tell; None if nothing does."""
        return infer(self.events, branch)

    def since(self, moment: datetime) -> tuple[Event, ...]:
        """Events noted at or after a moment."""
        return tuple(event for event in self.events if event.at >= moment)

    @cached_property
    def last_run(self) -> int:
        """Number of the newest event of a command; 0 if there was none."""
        return max((event.number for event in self.events if event.what is Happening.RAN), default=0)

    def repeats(self, event: Event) -> bool:
        """Whether an event tells nothing that the last ones have not told."""
        if event.what is Happening.DIAGNOSED:
            return self.diagnosed.get(event.path, (0, 0)) == (event.errors, event.warnings)
        row = list(takewhile(lambda one: _touch(one) == _touch(event), reversed(self.events)))
        return len(row) >= RUN_MOST and event.at - row[0].at < REPEAT_NOTED_EVERY

    def after(self, more: Sequence[Event]) -> AtHand:
        """What is at hand once these events have happened too."""
        return AtHand((*self.events, *more)[-FOLDED_EVENTS:])


class Session:
    """One checkout's state, shared by all requests for it. Thread-safe."""

    def __init__(self, database: Database, checkout: str) -> None:
        self.checkout = checkout
        self.prefetched = Prefetched()
        self._database = database
        self._noting = threading.Lock()
        self._at_hand: AtHand | None = None
        self._judging = threading.Lock()
        self._judged: int | None = None
        self._servings: tuple[Serving, ...] | None = None
        self._serving = threading.Lock()
        self._usual: tuple[tuple[int, ...], tuple[str, ...]] = ((), ())

    def at_hand(self) -> AtHand:
        """What is at hand now."""
        if self._at_hand is None:
            read = AtHand(store.newest(self._database, self.checkout, FOLDED_EVENTS))
            if self._at_hand is None:
                self._at_hand = read
        return self._at_hand

    def note(self, seen: Sequence[Event]) -> tuple[Event, ...]:
        """Write down what was seen, then take it in; returns what was not mere repetition, numbered."""
        with self._noting:
            now = self.at_hand()
            fresh: list[Event] = []
            ahead = now
            for event in seen:
                if not ahead.repeats(event):
                    fresh.append(event)
                    ahead = ahead.after((event,))
            noted = store.append(self._database, self.checkout, fresh, after=now.newest)
            self._at_hand = now.after(noted)
        return noted

    def served(self, serving: Serving) -> None:
        """A context was served, and is written down already."""
        with self._serving:
            if self._servings is not None:
                self._servings = (*self._servings, serving)[-SERVINGS_HELD:]

    def servings(self) -> tuple[Serving, ...]:
        """The contexts served last, oldest first."""
        with self._serving:
            if self._servings is None:
                self._servings = store.servings(self._database, self.checkout, SERVINGS_HELD)
            return self._servings

    def usual_steps(self, project: str, now: datetime) -> tuple[str, ...]:
        """Steps of workflows that are usual at this time; counted once an hour, and after each command."""
        asked = (now.toordinal(), now.hour, self.at_hand().last_run)
        known = self._usual
        if known[0] != asked:
            rows = commands.used_at(self._database, project, now - USUAL_FROM)
            known = (asked, usual_steps(((row.weekday, row.hour, row.step, row.runs) for row in rows), now))
            self._usual = known
        return known[1]

    def judge(self, now: datetime) -> None:
        """Log which memories the events since the last time show to have been of use, or not; count what was foreseen.

        What is logged and how far was judged are one commit: an event that was written down and not judged when
        the process was killed is judged by the next one, and none is judged twice.
        """
        with self._judging:
            events, servings = self.at_hand().events, self.servings()
            newest = self.at_hand().newest
            judged = self._judged_upto() if servings else newest
            fresh = [event for event in events[-JUDGED_MOST:] if event.number > judged]
            found = [
                (event, what, rule, ids) for event in fresh for what, rule, ids in _came_of(event, servings, events)
            ]
            came = [one for event in fresh if (one := accuracy.foreseen(servings, events, event)) is not None]
            if found or came:
                with self._database.write(quiet=True):
                    for event, what, rule, ids in found:
                        usage.record(self._database, ids, what, rule, min(event.at, now))
                    measured.count(self._database, self.checkout, now, accuracy.rates(came))
                    projects.set_value(self._database, f"judged:{self.checkout}", str(newest))
            self._judged = newest

    def _judged_upto(self) -> int:
        """Number of the newest event that was judged, by this process or one before it."""
        if self._judged is None:
            self._judged = int(projects.get_value(self._database, f"judged:{self.checkout}") or 0)
        return self._judged


def _touch(event: Event) -> tuple[object, ...]:
    return (event.path, event.symbol, event.what, event.exit_code, event.branch, event.people)


def _came_of(
    event: Event, servings: Sequence[Serving], events: Sequence[Event]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """What an event says of the memories shown before it: cited or ignored, by which rule, their ids."""
    shown = [serving for serving in servings if serving.after < event.number]
    if not shown or event.what not in usefulness.TOUCHES:
        return
    before = [one for one in events if one.number <= event.number]
    if ids := usefulness.cited(shown, before, event):
        yield "cited", f"{usefulness.rule_of(event)}: {event.path}", ids
    since = (one.number for one in before if one.number > shown[-1].after and one.what in usefulness.TOUCHES)
    if next(since) == event.number and (left := usefulness.passed_over(shown, before)):
        yield "ignored", usage.SHOWN_AND_LEFT, left
