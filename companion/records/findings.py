"""What a run finds for its passes to weigh, memories in short: twins, spellings, use, ties, statements to judge."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct, field

from companion.records.memory import Levels, Scope
from companion.records.sorts import Kind


class Relation(StrEnum):
    """What one memory has to do with another."""

    SAME_FILE = "same file"
    CO_CHANGE = "co-change"
    SAME_ENTITY = "same entity"
    NEAR = "near"
    FIXED_BY = "fixed by"
    SUPERSEDES = "supersedes"


class Alike(StrEnum):
    """How it is known that of two memories one says all that the other says."""

    SAME_WORDS = "same words"
    SAME_TERMS = "same terms"
    CONTAINED = "contained"


class Twins(Struct, frozen=True):
    """Memories of which one says all: the one that stays, those to fold into it, and how near the farthest is (cosine).

    `how` tells whether they say the same, and how that is known.
    """

    keep: str
    drop: tuple[str, ...]
    cosine: float
    how: Alike


class Wording(Struct, frozen=True):
    """A memory in its four levels, as a language model may put the shorter ones better.

    `statement` is the part whose identifiers, numbers, names and negations every level keeps. `text_hash` is
    that of the full text: under it is noted what became of asking, `tries` times so far.
    """

    id: str
    kind: Kind
    statement: str
    levels: Levels
    tokens: tuple[int, int, int, int]
    text_hash: str
    tries: int = 0


class CheckResult(Struct, frozen=True):
    """What the check against today says of a memory of history: why it is outdated, or (empty) that it holds again."""

    id: str
    outdated: str


class Linked(Struct, frozen=True):
    """A memory that another has to do with, as it is shown beside that one."""

    id: str
    title: str
    relation: Relation
    score: float
    reason: str


class Nearness(Struct, frozen=True):
    """From which cosine on two texts mean the same, or have to do with one another; each model has its own.

    From `merge` on two memories are compared term by term, to be merged if nothing keeps them apart; from `asked` on
    a judge is asked how two that people told stand to one another.
    """

    same: float
    related: float
    merge: float = 0.92
    asked: float = 0.6


class Statement(Struct, frozen=True):
    """What a judge reads: one claim, where and when it holds, and who says so.

    `subject` and `attribute` are empty where the text alone says it. `said_by` names the source (a
    person, or source, learner and origin): its later statement about the same slot replaces the earlier one.
    """

    text: str
    scope: Scope = field(default_factory=Scope)
    subject: str = ""
    attribute: str = ""
    value: str = ""
    said_by: str = ""
    valid_from: datetime | None = None
    valid_to: datetime | None = None


class Ruling(Struct, frozen=True):
    """What a judge says of two statements. `contradict` is None where it cannot say; `confidence` is 0 to 1."""

    contradict: bool | None
    confidence: float
    reason: str
    judge: str


class Judged(Struct, frozen=True):
    """Two memories that a judge has compared, `a` the older one; `fixed` ones are not superseded by time.

    Pairs of one `conflict` have twins for sides; it is `opened` where one of its pairs stands open already.
    """

    a: str
    b: str
    of_a: Statement
    of_b: Statement
    ruling: Ruling
    fixed: bool = False
    conflict: str = ""
    opened: bool = False
