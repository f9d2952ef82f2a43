"""Observing: what happens in editors and shells, and what is at the centre of work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.api import AtWork
from companion.app.checkout import OpenCheckout
from companion.app.given import scope_inside
from companion.app.scanning.arriving import branch_event
from companion.app.working.completing import complete
from companion.engine.attending.focus import focus
from companion.errors import UsageError
from companion.records import (
    Diagnosed,
    Event,
    Happening,
    Observation,
    Ran,
    Severity,
    Signals,
    Touch,
    Touched,
)
from companion.records.command_line import steps_of

INTERESTS_SHOWN = 20
"""Files and symbols named as being at the centre: more than anybody has in mind."""
EXIT_CODE_MAX = 2**31 - 1
"""The largest exit code that is kept as it is."""
LONGEST_SYMBOL = 400
"""Characters of a qualified name that are kept; a longer one is not a name."""


class Observing(OpenCheckout):
    """The verbs about the present. See `companion.api.Companion`."""

    def observe(self, seen: Sequence[Observation]) -> None:
        """Take note of what happened in an editor or shell; written down before it is acted on.

        What lies outside the repository, or is nowhere, is left out: editors open all sorts of files.
        """
        self._need_reading()
        seen = [_storable(one) if isinstance(one, Ran) else one for one in seen]
        self.session().note(tuple(self._events(seen)))
        for one in seen:
            if isinstance(one, Ran):
                self._ran(one)
            elif isinstance(one, Diagnosed):
                self._diagnosed(one)
        self.session().judge(self.now())

    def at_work(self) -> AtWork:
        """What is at the centre of work now, and how that is known."""
        self._need_reading()
        session = self.session()
        at_hand, done = session.at_hand(), complete(self, Signals())
        meant = focus(done.signals, (*self._errors(done.signals), *done.errors), self.library(done.signals))
        counts = session.prefetched.counts()
        return AtWork(
            activity=meant.activity.value,
            why_activity=done.inferred.get("activity", meant.why_activity),
            branch=self.state.branch,
            current_file=done.signals.current_file,
            interests=at_hand.centre.interests(INTERESTS_SHOWN),
            events=len(at_hand.events),
            prefetched=counts.prepared,
            prefetch_served=counts.served,
        )

    def _events(self, seen: Sequence[Observation]) -> Iterator[Event]:
        now = self.now()
        yield from branch_event(self)
        for one in seen:
            if isinstance(one, Ran):
                if steps_of(one.command):  # looking around tells nothing of what is being done
                    yield Event(0, now, Happening.RAN, exit_code=one.exit_code)
            elif path := self._path_of(one):
                if isinstance(one, Touched):
                    yield Event(
                        0,
                        now,
                        Happening(one.how.value),
                        path,
                        self._fit(one.symbol)[:LONGEST_SYMBOL],
                        one.line,
                        unindexed=path not in self.library().paths(),
                    )
                else:
                    errors = sum(found.severity is Severity.ERROR for found in one.diagnostics)
                    others = len(one.diagnostics) - errors
                    yield Event(0, now, Happening.DIAGNOSED, path, errors=errors, warnings=others)

    def _path_of(self, one: Touched | Diagnosed) -> str:
        """The file as the repository knows it; empty if it is none of this repository's."""
        if one.path in self.library().paths():
            return one.path
        gone = isinstance(one, Diagnosed) or one.how is Touch.CLOSED
        try:
            path = self._fit(scope_inside(one.path, self.state)) if gone else self._inside(one.path)
        except UsageError:
            return ""
        return "" if path == ".git" or path.startswith(".git/") else path

    def _ran(self, ran: Ran) -> None:
        from companion.app.working.commands import note_ran

        note_ran(self, ran)

    def _diagnosed(self, diagnosed: Diagnosed) -> None:
        from companion.app.working.failures import note_diagnosed

        note_diagnosed(self, diagnosed)


def _storable(ran: Ran) -> Ran:
    """A command with an exit code that 32 bits hold: Windows has larger ones, and a failure must stay one."""
    return replace(ran, exit_code=max(-EXIT_CODE_MAX - 1, min(ran.exit_code, EXIT_CODE_MAX)))
