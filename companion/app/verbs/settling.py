"""Settling: what contradicts what, and how a person decides it."""

from __future__ import annotations

from companion.api import Verdict
from companion.app.checkout import OpenCheckout
from companion.records import Contradiction
from companion.store import contradictions


class Settling(OpenCheckout):
    """The verbs about contradictions. See `companion.api.Companion`."""

    def contradictions(self, *, settled: bool = False) -> tuple[Contradiction, ...]:
        """Open contradictions, newest first; `settled` adds those that were settled."""
        return contradictions.open_ones(self.rooms.database, self.project, settled=settled)

    def settle(self, id_: str, verdict: Verdict) -> Contradiction:
        """Settle a contradiction as a person says; the loser is superseded, never deleted."""
        return self.rooms.memories.settle(self._fit(id_), verdict.resolution, self._fit(verdict.note), self.now())
