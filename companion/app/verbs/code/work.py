"""Code: what files declare, what editors and shells tell, and what is done with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from companion.api import FACTS_TOLD, AtWork
from companion.app.checkout import Service
from companion.app.given import scope_inside
from companion.app.scanning.arriving import branch_event
from companion.app.working.completing import complete
from companion.engine.attending.focus import focus
from companion.errors import UsageError
from companion.records import (
    Declaration,
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
from companion.store import declared

INTERESTS_SHOWN = 20
"""Files and symbols named as being at the centre: more than anybody has in mind."""
EXIT_CODE_MAX = 2**31 - 1
"""The largest exit code that is kept as it is."""
LONGEST_SYMBOL = 400
"""Characters of a qualified name that are kept; a longer one is not a name."""


class CodeAtWork(Service):
    """The verbs of code and of work on it. See `companion.api.Companion`."""

    def facts(self, words: str = "") -> tuple[Declaration, ...]:
        rows = declared.read(self.store.database, self.here.checkout)
        return declared.saying(rows, self.here.fit(words))[:FACTS_TOLD]

    def observe(self, seen: Sequence[Observation]) -> None:
        """Take note of what happened in an editor or shell; written down before it is acted on.

        What lies outside the repository, or is nowhere, is left out: editors open all sorts of files.
        """
        self.here.need_reading()
        seen = [_storable(one) if isinstance(one, Ran) else one for one in seen]
        self.here.session().note(tuple(self._events(seen)))
        for one in seen:
            if isinstance(one, Ran):
                from companion.app.working.commands import note_ran

                note_ran(self.here, one)
            elif isinstance(one, Diagnosed):
                from companion.app.working.failures import note_diagnosed

                note_diagnosed(self.here, one)
        self.here.session().judge(self.here.now())

    def at_work(self) -> AtWork:
        self.here.need_reading()
        session = self.here.session()
        at_hand, done = session.at_hand(), complete(self.here, Signals())
        meant = focus(done.signals, (*self.here.errors(done.signals), *done.errors))
        return AtWork(
            activity=meant.activity.value,
            why_activity=done.inferred.get("activity", meant.why_activity),
            branch=self.here.state.branch,
            current_file=done.signals.current_file,
            interests=at_hand.centre.interests(INTERESTS_SHOWN),
            events=len(at_hand.events),
        )

    def _events(self, seen: Sequence[Observation]) -> Iterator[Event]:
        now = self.here.now()
        yield from branch_event(self.here)
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
                        self.here.fit(one.symbol)[:LONGEST_SYMBOL],
                        one.line,
                        unindexed=path not in self.here.library().paths(),
                    )
                else:
                    errors = sum(found.severity is Severity.ERROR for found in one.diagnostics)
                    others = len(one.diagnostics) - errors
                    yield Event(0, now, Happening.DIAGNOSED, path, errors=errors, warnings=others)

    def _path_of(self, one: Touched | Diagnosed) -> str:
        """The file as the repository knows it; empty if it is none of this repository's."""
        if one.path in self.here.library().paths():
            return one.path
        gone = isinstance(one, Diagnosed) or one.how is Touch.CLOSED
        try:
            path = self.here.fit(scope_inside(one.path, self.here.state)) if gone else self.here.inside(one.path)
        except UsageError:
            return ""
        return "" if path == ".git" or path.startswith(".git/") else path


def _storable(ran: Ran) -> Ran:
    """A command with an exit code that 32 bits hold: Windows has larger ones, and a failure must stay one."""
    return replace(ran, exit_code=max(-EXIT_CODE_MAX - 1, min(ran.exit_code, EXIT_CODE_MAX)))
