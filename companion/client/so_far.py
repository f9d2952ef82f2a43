"""What the reading of a repository came to so far, and about how long it goes on, for whoever shows that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from companion.ports import FOUND

COUNTS = {"reading history": "commits", "reading code": "files"}
"""Stages that say by how far they are what was found."""
SHARES = {
    "reading history": 0.18,
    "reading code": 0.16,
    "linking code": 0.03,
    "indexing commits": 0.05,
    "indexing passages": 0.12,
    "learning": 0.22,
    "tracing lines": 0.22,
    "indexing words": 0.02,
}
"""Part of the time that each stage takes until contexts are complete, in their order (flask and celery)."""
VECTORS = "vectors"
"""The stage after contexts are complete: how long it takes is told by its own pace."""
SURE_FROM = 0.1
"""Part of the work after which the time left is told: earlier it jumps."""
COARSE_S = 5
"""A guess is told in steps of as many seconds, and from a minute on in minutes."""


@dataclass
class ReadingSoFar:
    """Takes the steps of a reading as they come; `now` tells seconds that only grow."""

    now: Callable[[], float]
    counts: dict[str, int] = field(default_factory=dict)
    _begun: float = field(init=False)
    _part: float = field(default=0.0, init=False)
    _vectors: list[tuple[float, int]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self._begun = self.now()

    def step(self, stage: str, done: int, total: int | None) -> None:
        """Take in how far a stage is, or what was found; other stages tell nothing here."""
        if stage.startswith(FOUND):
            self.counts[stage.removeprefix(FOUND)] = done
        if stage in COUNTS:
            self.counts[COUNTS[stage]] = done
        if stage in SHARES:
            before = list(SHARES)[: list(SHARES).index(stage)]
            inside = SHARES[stage] * min(1.0, done / total) if total else 0.0
            self._part = max(self._part, sum(SHARES[one] for one in before) + inside)
        if stage == VECTORS and total:
            self._vectors.append((self.now(), total - done))

    @property
    def found(self) -> str:
        """What was found, in words: `5,531 commits, 230 files`; empty before anything was."""
        told = ((number, what.removesuffix("s") if number == 1 else what) for what, number in self.counts.items())
        return ", ".join(f"{number:,} {what}" for number, what in told if number)

    @property
    def percent(self) -> int | None:
        """How much is done until contexts are complete, which only grows; None behind that."""
        return None if self._vectors else int(100 * self._part)

    @property
    def left(self) -> str:
        """About how long it takes until contexts are complete, and then all: `about 20 s left`; empty if unknown."""
        if self._vectors:
            (begun, lacked), (_, lack) = self._vectors[0], self._vectors[-1]
            if not 0 < lack < lacked:
                return ""
            left_s = (self.now() - begun) * lack / (lacked - lack)
        elif SURE_FROM <= self._part < 1.0:
            left_s = (self.now() - self._begun) * (1 - self._part) / self._part
        else:
            return ""
        if left_s > 60:
            return f"about {round(left_s / 60)} min left"
        return f"about {max(1, round(left_s / COARSE_S)) * COARSE_S} s left"
