"""What is seen at work, told to an owner, and what it shows there."""

from __future__ import annotations

from collections.abc import Sequence

from companion import wire
from companion.api import AtWork
from companion.client.remote.asker import Asker, result_of
from companion.records import Hint, Mark, Observation, Why


class Observing(Asker):
    """See `companion.api.observing.Observing` for the verbs."""

    def observe(self, seen: Sequence[Observation]) -> None:
        """Take note of what happened in an editor or shell; written down before it is acted on."""
        self._write("/observe", seen=wire.encode(tuple(seen), tuple[Observation, ...]))

    def at_work(self) -> AtWork:
        """What is at the centre of work now, and how that is known."""
        return result_of(AtWork, self._read("/at-work"))

    def why(self, path: str, line: int) -> Why:
        """Why the definition around a line (from 1) is as it is."""
        return result_of(Why, self._read("/why", path=path, line=line))

    def marks(self, path: str) -> tuple[Mark, ...]:
        """The definitions of a file that something is remembered about, by line."""
        return result_of(tuple[Mark, ...], self._read("/marks", path=path))

    def hints(self, path: str) -> tuple[Hint, ...]:
        """Open contradictions and departures from conventions in a file, by line."""
        return result_of(tuple[Hint, ...], self._read("/hints", path=path))
