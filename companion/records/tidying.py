"""What a pass may propose: changes, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass

from companion.records.findings import Relation
from companion.records.memory import Levels
from companion.records.sorts import Importance, Level, Warmth


@dataclass(frozen=True, slots=True)
class Merge:
    """Several memories say the same: one stays, with the evidence, entities and artifacts of all."""

    keep: str
    drop: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Supersede:
    """A newer statement of the same source about the same slot: the older one is over, no contradiction."""

    old: str
    new: str
    reason: str


@dataclass(frozen=True, slots=True)
class Reword:
    """Better words at the shorter levels; the full text stays as it is. `by` names rules or a model."""

    id: str
    levels: Levels
    tokens_saved: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Shorten:
    """An old episode is offered at a shorter level; `expand` still reaches all of it."""

    id: str
    level: Level
    tokens_saved: int
    reason: str


@dataclass(frozen=True, slots=True)
class Weigh:
    """What use taught of a memory: its importance, and how far its rank moves (-1 to 1)."""

    id: str
    importance: Importance
    usefulness: float
    reason: str


@dataclass(frozen=True, slots=True)
class Warm:
    """A memory moves between hot, warm and cold."""

    id: str
    warmth: Warmth
    reason: str


@dataclass(frozen=True, slots=True)
class Oppose:
    """Two memories cannot both hold: a contradiction is opened, `a` the older one.

    `conflict` names the conflict that it is a pair of; empty: none but its own.
    """

    a: str
    b: str
    confidence: float
    judge: str
    reason: str
    conflict: str = ""


@dataclass(frozen=True, slots=True)
class Retire:
    """A memory that nothing has asked for is archived; explicit search still finds it."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Outdate:
    """What a memory of history says holds no longer: what it speaks of is gone, or was taken back. It is archived."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Revive:
    """An archived memory is wanted again: what it hangs on came back, or somebody asked for it."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Rescope:
    """What a memory hangs on was renamed: its scope's path and its entities follow from `path` to `to`."""

    id: str
    path: str
    to: str
    reason: str


@dataclass(frozen=True, slots=True)
class Relate:
    """Two memories have to do with one another; found again, it takes the new score (0 to 1)."""

    relation: Relation
    a: str
    b: str
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Unrelate:
    """What two memories had to do with one another is no longer so."""

    relation: Relation
    a: str
    b: str
    reason: str


@dataclass(frozen=True, slots=True)
class Unite:
    """An entity is another spelling of one that stays; memories keep theirs, lookups know both."""

    entity: str
    stands_for: str
    reason: str


Change = (
    Merge
    | Supersede
    | Outdate
    | Reword
    | Shorten
    | Weigh
    | Warm
    | Oppose
    | Retire
    | Revive
    | Rescope
    | Relate
    | Unrelate
    | Unite
)
"""What a pass may propose; the store alone carries it out."""


def touched(change: Change) -> tuple[str, ...]:
    """The ids of the memories that a change is about: it is refused if one of them has changed since."""
    match change:
        case Merge(keep, drop):
            return (keep, *drop)
        case Supersede(old, new):
            return (old, new)
        case Oppose(a, b) | Relate(_, a, b) | Unrelate(_, a, b):
            return (a, b)
        case Unite():
            return ()
        case _:
            return (change.id,)
