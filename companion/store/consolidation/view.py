"""What is looked at when memories are compared: one project at one moment, how far, and who tells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import cached_property

from msgspec import Struct

from companion.ports import Judge, Likeness, Redactor
from companion.records.findings import Nearness
from companion.store.consolidation.neighbours import Neighbours
from companion.store.database import Database

CAUTIOUS = Nearness(same=0.95, related=0.75)
"""For a model that nobody calibrated."""
MOST_PAIRS = 6_000
"""Pairs judged in one run, those of one property first, then the nearest; the others have their turn next time.
By rules that takes four seconds. A run over a repository has some hundred new ones."""


class View(Struct, frozen=True, dict=True):
    """One project's memories, as they are compared with one another."""

    database: Database
    project: str
    now: datetime
    model: str = ""
    """The model whose vectors say what is near; empty: the one that most texts have a vector of."""
    nearness: Nearness = CAUTIOUS
    """From when on two texts are near for that model."""
    by_meaning: bool = True
    """Whether vectors are looked at."""
    judge: Judge | None = None
    """Who says whether two statements can both hold; None: nobody is asked, and nothing new is found."""
    redactor: Redactor | None = None
    """For the reasons a judge gives; needed with a judge."""
    likeness: Likeness | None = None
    """Tells whether two texts say the same in other words; None: only the same words count."""
    since: datetime | None = None
    """Twins and contradictions are looked for among what was learned at that moment or later and all the rest."""
    among: Sequence[str] | None = None
    """The memories that are judged; None: all."""
    gone: Collection[str] = ()
    """What this run has done with already: judged no more."""
    pairs_most: int = MOST_PAIRS
    """Pairs that are judged at most."""
    until_s: float | None = None
    """A moment of the monotonic clock: pairs that are not judged by then wait for another time."""
    put_off: Callable[[], object] = lambda: None
    """Called where pairs have to wait."""
    breathe: Callable[[], object] = lambda: None
    """Called every few milliseconds while something is looked for; may wait while others are answered."""

    @cached_property
    def near(self) -> Neighbours | None:
        """What is near in meaning, found once; None where there are no vectors, or none are looked at."""
        floor = min(self.nearness.related, self.nearness.merge)
        near = Neighbours(self.database, self.project, self.model, floor, self.breathe)
        return near if self.by_meaning and not near.none else None
