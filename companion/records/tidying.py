"""What a pass may propose: changes, each with its reason, what it touches and how it is told.

A change is a record here and its statements in `companion.store.consolidation.changes`: nothing else need know of it.
It says itself how reports tell it; the memories that it is about come to `told` by name, as "“a title” (its source)".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import attrgetter
from typing import ClassVar, get_args

from msgspec import Struct

from companion.records import headings
from companion.records.findings import Relation
from companion.records.headings import ERASED, Heading, several
from companion.records.memory import Levels
from companion.records.sorts import Importance, Level, Warmth

_LENGTHS = {Level.SUMMARY: "its summary", Level.COMPRESSED: "one line", Level.INDEX: "its title"}


class _Change(Struct, frozen=True):
    """What is known of every sort of change: names of its fields, and words."""

    about: ClassVar[tuple[str, ...]] = ("id",)
    """Ids of the memories it is about: it is refused if one of them has changed since."""
    ends: ClassVar[tuple[str, ...]] = ()
    """Ids of the memories that go to the archive by it."""
    holds: ClassVar[tuple[str, ...]] = ()
    """Ids of the memories that no later change of the run ends, because of it."""
    names: ClassVar[tuple[str, ...]] = ()
    """The entities it is about."""
    figure: ClassVar[str] = ""
    """What must lie between -1 and 1."""
    lane: ClassVar[str] = "memory"
    """What it moves. Changes of two lanes may change places, but nothing passes one that moves a memory as such."""
    fleeting: ClassVar[bool] = False
    """Whether it is worked out anew each run: of a memory that the run ends it is left out."""
    folded: ClassVar[bool] = False
    """Whether reports fold it away."""
    filled: ClassVar[tuple[str, ...]] = ()
    """What may not be empty."""
    unfilled: ClassVar[str] = "it names no memory"
    """What is said where it is."""
    heading: ClassVar[Heading]
    """What reports tell it under."""
    counted: ClassVar[str] = ""
    """The figure of a report that it counts in; empty: it is counted by its name."""
    counts: ClassVar[str] = "changes"
    """What it counts there, a field of `Tally`."""
    says: ClassVar[str] = ""
    """How it is told: `{0}` and `{1}` are its memories, `{one}` is the change."""

    def told(self, named: Sequence[str], was: str) -> str:
        """What it did, or would do (`was`), to which memories, by their names."""
        first, second, *_ = (*named, ERASED, ERASED)
        return self.says.format(first, second, one=self, was=was, were=_were(was))


class Retire(_Change, frozen=True):
    """A memory that nothing has asked for is archived; explicit search still finds it."""

    ends: ClassVar[tuple[str, ...]] = ("id",)
    heading: ClassVar[Heading] = headings.FORGOTTEN
    says: ClassVar[str] = "{0} {was} forgotten"
    counted: ClassVar[str] = "forgotten"

    id: str
    reason: str


class Merge(_Change, frozen=True):
    """Several memories say the same: one stays, with the evidence, entities and artifacts of all."""

    about: ClassVar[tuple[str, ...]] = ("keep", "drop")
    ends: ClassVar[tuple[str, ...]] = ("drop",)
    holds: ClassVar[tuple[str, ...]] = ("keep",)
    filled: ClassVar[tuple[str, ...]] = ("drop",)
    unfilled: ClassVar[str] = "it drops nothing"
    heading: ClassVar[Heading] = headings.MERGED
    counted: ClassVar[str] = "deduped"
    counts: ClassVar[str] = "dropped"

    keep: str
    drop: tuple[str, ...]
    reason: str

    def told(self, named: Sequence[str], was: str) -> str:
        """What it did, or would do, to which memories."""
        were = _were(was) if len(self.drop) > 1 else was
        return f"{several(named[1:], len(self.drop))} {were} merged into {named[0]}"


class Supersede(_Change, frozen=True):
    """A newer statement of the same source about the same slot: the older one is over, no contradiction."""

    about: ClassVar[tuple[str, ...]] = ("old", "new")
    ends: ClassVar[tuple[str, ...]] = ("old",)
    filled: ClassVar[tuple[str, ...]] = ("old", "new")
    heading: ClassVar[Heading] = headings.OVER
    says: ClassVar[str] = "{0} {was} superseded by {1}"
    counted: ClassVar[str] = "superseded"

    old: str
    new: str
    reason: str


class Outdate(_Change, frozen=True):
    """What a memory of history says holds no longer: what it speaks of is gone, or was taken back. It is archived."""

    ends: ClassVar[tuple[str, ...]] = ("id",)
    heading: ClassVar[Heading] = headings.OVER
    says: ClassVar[str] = "{0} {was} put in the archive"
    counted: ClassVar[str] = "superseded"

    id: str
    reason: str


class Decide(_Change, frozen=True):
    """What a commit did was decided: its episode becomes the decision `choice`, for the reason `why`."""

    heading: ClassVar[Heading] = headings.DECIDED
    says: ClassVar[str] = "{0} {was} made a decision in force"

    id: str
    choice: str
    why: str
    reason: str


class Oppose(_Change, frozen=True):
    """Two memories cannot both hold: a contradiction is opened, `a` the older one.

    `conflict` names the conflict that it is a pair of; empty: none but its own.
    """

    about: ClassVar[tuple[str, ...]] = ("a", "b")
    holds: ClassVar[tuple[str, ...]] = ("a", "b")
    figure: ClassVar[str] = "confidence"
    lane: ClassVar[str] = "contradictions"
    heading: ClassVar[Heading] = headings.OPPOSED
    says: ClassVar[str] = "{0} and {1} {were} noted as a contradiction"
    counted: ClassVar[str] = "contradictions_found"
    counts: ClassVar[str] = "conflicts"

    a: str
    b: str
    confidence: float
    judge: str
    reason: str
    conflict: str = ""


class Revive(_Change, frozen=True):
    """An archived memory is wanted again: what it hangs on came back, or somebody asked for it."""

    heading: ClassVar[Heading] = headings.BACK
    says: ClassVar[str] = "{0} {was} brought back"
    counted: ClassVar[str] = "revived"

    id: str
    reason: str


class Reword(_Change, frozen=True):
    """Better words at the shorter levels; the full text stays as it is. `by` names rules or a model."""

    lane: ClassVar[str] = "words"
    filled: ClassVar[tuple[str, ...]] = ("levels.summary", "levels.compressed", "levels.index")
    unfilled: ClassVar[str] = "it leaves a level empty"
    heading: ClassVar[Heading] = headings.SUMMARISED
    says: ClassVar[str] = (
        "{0} {was} summarised by {one.by}, {one.tokens_saved:,} tokens shorter: “{one.levels.summary}”"
    )
    counted: ClassVar[str] = "reworded"

    id: str
    levels: Levels
    tokens_saved: int
    by: str
    reason: str


class Shorten(_Change, frozen=True):
    """An old episode is offered at a shorter level; `expand` still reaches all of it."""

    lane: ClassVar[str] = "length"
    fleeting: ClassVar[bool] = True
    heading: ClassVar[Heading] = headings.SUMMARISED
    counted: ClassVar[str] = "compressed"

    id: str
    level: Level
    tokens_saved: int
    reason: str

    def told(self, named: Sequence[str], was: str) -> str:
        """What it did, or would do, to which memories."""
        length = _LENGTHS.get(self.level, self.level.value)
        return f"{named[0]} {was} shortened to {length}, {self.tokens_saved:,} tokens less"


class Unite(_Change, frozen=True):
    """An entity is another spelling of one that stays; memories keep theirs, lookups know both."""

    about: ClassVar[tuple[str, ...]] = ()
    names: ClassVar[tuple[str, ...]] = ("entity", "stands_for")
    lane: ClassVar[str] = "names"
    filled: ClassVar[tuple[str, ...]] = ("entity", "stands_for")
    unfilled: ClassVar[str] = "an entity cannot stand for itself"
    heading: ClassVar[Heading] = headings.RENAMED
    counted: ClassVar[str] = "united"

    entity: str
    stands_for: str
    reason: str

    def told(self, named: Sequence[str], was: str) -> str:
        """What it did, or would do, to which memories."""
        return f"“{_bare(self.entity)}” {was} made an alias of “{_bare(self.stands_for)}”"


class Rescope(_Change, frozen=True):
    """What a memory hangs on was renamed from `path` to `to`: runs of earlier versions have it, no pass proposes it."""

    heading: ClassVar[Heading] = headings.RENAMED
    says: ClassVar[str] = "{0} {was} moved from {one.path} to {one.to}"
    counted: ClassVar[str] = "moved"

    id: str
    path: str
    to: str
    reason: str


class Weigh(_Change, frozen=True):
    """What use taught of a memory: its importance, and how far its rank moves (-1 to 1)."""

    figure: ClassVar[str] = "usefulness"
    lane: ClassVar[str] = "rank"
    fleeting: ClassVar[bool] = True
    folded: ClassVar[bool] = True
    heading: ClassVar[Heading] = headings.RANKED
    says: ClassVar[str] = "{0} {was} reranked (use {one.usefulness:+.2f}, importance {one.importance:d})"
    counted: ClassVar[str] = "moved"

    id: str
    importance: Importance
    usefulness: float
    reason: str


class Warm(_Change, frozen=True):
    """A memory moves between hot, warm and cold."""

    lane: ClassVar[str] = "warmth"
    fleeting: ClassVar[bool] = True
    folded: ClassVar[bool] = True
    heading: ClassVar[Heading] = headings.RANKED
    says: ClassVar[str] = "{0} {was} moved to {one.warmth.value}"
    counted: ClassVar[str] = "moved"

    id: str
    warmth: Warmth
    reason: str


class Relate(_Change, frozen=True):
    """Two memories have to do with one another; found again, it takes the new score (0 to 1)."""

    about: ClassVar[tuple[str, ...]] = ("a", "b")
    figure: ClassVar[str] = "score"
    lane: ClassVar[str] = "links"
    folded: ClassVar[bool] = True
    heading: ClassVar[Heading] = headings.RELATED
    says: ClassVar[str] = "{0} and {1} {were} linked: {one.relation.value} ({one.score:.2f})"
    counted: ClassVar[str] = "linked"

    relation: Relation
    a: str
    b: str
    score: float
    reason: str


class Unrelate(_Change, frozen=True):
    """What two memories had to do with one another is no longer so."""

    about: ClassVar[tuple[str, ...]] = ("a", "b")
    lane: ClassVar[str] = "links"
    folded: ClassVar[bool] = True
    heading: ClassVar[Heading] = headings.RELATED
    says: ClassVar[str] = "the link between {0} and {1} ({one.relation.value}) {was} removed"

    relation: Relation
    a: str
    b: str
    reason: str


Change = (
    Retire
    | Merge
    | Supersede
    | Outdate
    | Decide
    | Oppose
    | Revive
    | Reword
    | Shorten
    | Unite
    | Rescope
    | Weigh
    | Warm
    | Relate
    | Unrelate
)
"""What a pass may propose, in the order in which a person wants to see it: what is gone and what became one, then how
the rest is shown. The store alone carries it out."""

CHANGES: dict[str, type[_Change]] = {one.__name__: one for one in get_args(Change)}
"""The sorts of change by their names, in that order."""


def ids_in(change: Change, fields: tuple[str, ...]) -> tuple[str, ...]:
    """What stands in some fields of a change (`change.about`, `change.ends`), one after the other."""
    given = [getattr(change, name) for name in fields]
    return tuple(id_ for one in given for id_ in ((one,) if isinstance(one, str) else one))


def misfit(change: Change) -> str:
    """Why a change cannot be carried out whatever the store holds; empty where it can."""
    touched = ids_in(change, change.about)
    if len(set(touched)) < len(touched):
        return "it names one memory twice"
    figure = getattr(change, change.figure) if change.figure else 0.0
    if not (math.isfinite(figure) and -1 <= figure <= 1):
        return "its value is out of range"
    names = ids_in(change, change.names)
    filled = all(attrgetter(name)(change) for name in change.filled)
    return "" if filled and len(set(names)) == len(names) else change.unfilled


def _were(was: str) -> str:
    return was.replace("was", "were")


def _bare(entity: str) -> str:
    """What an entity is called, without its sort."""
    return entity.partition(":")[2] or entity
