"""An ask and its answer: signals in, a context of four tiers out, with a reason for each item."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from msgspec import Struct, field

from companion.records.instructions import fits
from companion.records.memory import Evidence
from companion.records.passages import Span


class Tier(StrEnum):
    """The four parts of a context, most urgent first."""

    CRITICAL = "critical"
    RELEVANT = "relevant"
    BACKGROUND = "background"
    INDEX = "index"


class Activity(StrEnum):
    """What the developer is doing; it shifts the split between tiers and what fills them."""

    NEW_FEATURE = "new-feature"
    DEBUGGING = "debugging"
    REVIEW = "review"
    REFACTORING = "refactoring"
    EXPLORING = "exploring"


class Format(StrEnum):
    """How a context is written out."""

    MARKDOWN = "md"
    XML = "xml"
    JSON = "json"

    @classmethod
    def _missing_(cls, value: object) -> Format | None:
        """Markdown by its own name, as people and assistants write it."""
        return cls.MARKDOWN if value == "markdown" else None


class Signals(Struct, frozen=True):
    """What is observed now. Paths are relative to the repository, with forward slashes.

    `opened` and `edited` are other files at hand; `errors` are raw tracebacks or messages; `at` is
    the moment to answer for (None: now), naive UTC. `assistant` is the name that an assistant which asks
    gives itself, empty where a person asks; `has` names what the asking side holds beside the current file
    and an assistant's own instruction files: paths, folders, patterns of names, ids of items it was shown.
    `only` are the ids of what a person chose; where it is not empty nothing else is shown.
    """

    current_file: str = ""
    query: str = ""
    errors: tuple[str, ...] = ()
    branch: str = ""
    activity: Activity | None = None
    collaborators: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    persona: str = ""
    at: datetime | None = None
    usual: tuple[str, ...] = ()
    """Steps of workflows that are usually taken at this time of day or week, most often first."""
    assistant: str = ""
    has: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    @property
    def holds_current(self) -> bool:
        """Whether the asking side has the current file before it: an editor does, an assistant where it says so."""
        return not self.assistant or not self.query or fits(self.current_file, self.has)


class Reason(Struct, frozen=True):
    """One part of a score: a named feature, its value and weight, and a sentence for people."""

    feature: str
    value: float
    weight: float
    says: str


class Prediction(Struct, frozen=True):
    """A file that is likely needed. `probability` is calibrated on the project's own past."""

    path: str
    probability: float
    score: float
    reasons: tuple[Reason, ...] = ()


class Forecast(Struct, frozen=True):
    """What the present signals bring: files in order, memory ids with their titles, a confidence for the whole."""

    files: tuple[Prediction, ...]
    memories: tuple[str, ...]
    confidence: float
    activity: Activity
    missing: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()


class Form(Struct, frozen=True):
    """One way to show a candidate; `worth` is the share of its value that this length keeps, 0 to 1.

    `spans` are the lines of the candidate's file that `text` shows as they are, empty where it shows names alone.
    """

    level: str
    text: str
    tokens: int
    worth: float
    spans: tuple[Span, ...] = ()


class Candidate(Struct, frozen=True):
    """Something that may enter a context, in all its forms, longest first.

    `id` is a memory id, or `file:PATH` for code; `files` are the paths it is about; candidates that
    share a `says` key (several are separated by spaces) say the same thing and at most one is shown;
    `at` is when it happened or became true, naive UTC; `kind` what sort of memory it is (a kind of memory,
    `decision` or `error`), empty for all else.
    """

    id: str
    title: str
    tier: Tier
    section: str
    score: float
    forms: tuple[Form, ...]
    reasons: tuple[Reason, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    files: tuple[str, ...] = ()
    says: str = ""
    at: datetime | None = None
    kind: str = ""


class ContextItem(Struct, frozen=True):
    """A candidate as it was put into the context; `kind` is what sort of memory it is, empty for all else.

    `path` is the file of which it shows something, None where it has none; `spans` are the lines of it that stand in
    `text` as they are, empty for names alone.
    """

    id: str
    title: str
    tier: Tier
    section: str
    level: str
    tokens: int
    score: float
    text: str
    reasons: tuple[Reason, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    files: tuple[str, ...] = ()
    at: datetime | None = None
    kind: str = ""
    path: str | None = None
    spans: tuple[Span, ...] = ()


class Dropped(Struct, frozen=True):
    """A candidate that was left out, and why (`budget`, `gap`, `said already`)."""

    id: str
    title: str
    tier: Tier
    score: float
    why: str


class TierReport(Struct, frozen=True):
    """One tier of an assembled context: its share of the budget and what it used, in tokens."""

    tier: Tier
    share_tokens: int
    tokens: int
    items: tuple[ContextItem, ...]


class Context(Struct, frozen=True):
    """An assembled context. `tokens` is the exact count of `text`, never above `budget_tokens`.

    The tiers' tokens and `overhead_tokens` (headings, labels) add up to `tokens`. `missing` names
    the parts that failed and the command that mends each.
    """

    text: str
    tokens: int
    budget_tokens: int
    overhead_tokens: int
    tokenizer: str
    format: Format
    activity: Activity
    confidence: float
    tiers: tuple[TierReport, ...]
    dropped: tuple[Dropped, ...] = ()
    missing: tuple[str, ...] = ()
    inferred: Mapping[str, str] = field(default_factory=dict)
