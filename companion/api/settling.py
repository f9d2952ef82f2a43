"""What contradicts what, and how a person settles it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from companion.records import Contradiction, Resolution, Ruling, Scope, Superseded


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a person settles a contradiction; `scope_a` and `scope_b` say where each holds if both are valid.

    `merged` is the text that replaces both, where the resolution is to merge.
    """

    resolution: Resolution
    note: str = ""
    scope_a: Scope | None = None
    scope_b: Scope | None = None
    merged: str = ""


class Settling(Protocol):
    """What contradicts what. Every verb raises CompanionError with a next step."""

    def contradictions(self, *, settled: bool = False) -> tuple[Contradiction, ...]:
        """Open contradictions, newest first; `settled` adds those that were settled."""

    def judge_again(self, id_: str) -> Ruling:
        """What the judges say of a contradiction now, by all that is known of both sides; nothing is changed."""

    def superseded(self, limit: int = 50) -> tuple[Superseded, ...]:
        """What newer statements of the same source took the place of, newest first."""

    def settle(self, id_: str, verdict: Verdict) -> Contradiction:
        """Settle a contradiction as a person says; the loser is superseded, never deleted."""

    def unsettle(self, id_: str) -> Contradiction:
        """Take back how a contradiction was settled: what lost stands again, what took a side's place is archived.

        One that is open stays as it is; one that was closed because a side no longer holds is refused.
        """
