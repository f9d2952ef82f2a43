"""One remembered thing: what it says, at four lengths, where it came from and where it applies."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime

from msgspec import Struct, field

from companion.records.sorts import (
    ArtifactKind,
    DecisionStatus,
    EvidenceKind,
    Importance,
    Kind,
    Level,
    Resolution,
    Source,
    Status,
    Visibility,
    Warmth,
)

ASSISTANT = "assistant "
"""What stands before the name of an assistant in the origin of what it told."""


TEAM = "team"
"""Learner of what others shared, and what stands before its author in its origin."""
TEAM_FOLDER = ".companion/team"
"""Where a repository has what its people share, a file a record."""


class Scope(Struct, frozen=True):
    """Where a memory applies; an empty field means everywhere.

    `path` is a folder or file of the repository with forward slashes.
    """

    language: str = ""
    path: str = ""
    environment: str = ""
    version: str = ""
    branch: str = ""

    def label(self) -> str:
        """The scope in one short text, empty when it is everywhere."""
        parts = (self.language, self.path, self.environment, self.version, self.branch)
        return " ".join(part for part in parts if part)


class Evidence(Struct, frozen=True):
    """Where it can be checked.

    `ref` is a path in the repository, a full commit id, a conversation id, a command or a person as git writes one;
    `line` is 1-based; `quote` is at most 200 characters of the source, redacted, of a person what was done and when.
    """

    kind: EvidenceKind
    ref: str
    line: int | None = None
    quote: str = ""

    def label(self) -> str:
        """`src/app.py:12`, `commit 1a2b3c4` and the like: the form shown to people."""
        if self.kind is EvidenceKind.COMMIT:
            return f"commit {self.ref[:10]}"
        if self.kind is EvidenceKind.FILE:
            return self.ref if self.line is None else f"{self.ref}:{self.line}"
        if self.kind is EvidenceKind.CONVERSATION:
            turn = "" if self.line is None else f" turn {self.line}"
            return f"conversation {self.ref[:12]}{turn}"
        if self.kind is EvidenceKind.PERSON:
            name = self.ref.partition(" <")[0]
            return f"{name}, {self.quote}" if self.quote else name
        return f"{self.kind.value} {self.ref}".strip()

    @property
    def words(self) -> str:
        """What is written there, as far as the label does not say it."""
        return "" if self.kind is EvidenceKind.PERSON else self.quote


def places(evidence: Iterable[Evidence], most: int) -> tuple[str, ...]:
    """The first places where something can be checked, each once, in the form shown to people."""
    return tuple(dict.fromkeys(one.label() for one in evidence))[:most]


class Artifact(Struct, frozen=True):
    """A thing in the project that an episode made or changed."""

    kind: ArtifactKind
    ref: str


class Levels(Struct, frozen=True):
    """The same content at four lengths; `index` is at most 50 characters."""

    full: str
    summary: str
    compressed: str
    index: str

    def at(self, level: Level) -> str:
        """The text at one level."""
        return str(getattr(self, level.value))


class Decision(Struct, frozen=True):
    """A question, what was chosen, and why."""

    question: str
    choice: str
    reason: str
    status: DecisionStatus


class Episode(Struct, frozen=True):
    """Something that happened: its title, when, and who took part (display names)."""

    title: str
    occurred_at: datetime
    people: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()
    change: str = ""
    """`fix`, `feature`, `refactor`, `revert`, `docs`, `test`, `performance`, `removal` or empty."""


class Failure(Struct, frozen=True):
    """An error that was seen: its fingerprint and, once known, what made it go away."""

    fingerprint: str
    error_type: str
    message: str
    fix: str = ""
    fix_commit: str = ""
    verified: bool = False


class Pattern(Struct, frozen=True):
    """A structure that recurs in the syntax trees.

    `support` counts the places that follow it; `exceptions` and `examples` are files with lines.
    """

    trigger: str
    template: Mapping[str, str]
    hint: str
    support: int
    exception_count: int = 0
    examples: tuple[Evidence, ...] = ()
    exceptions: tuple[Evidence, ...] = ()


class Workflow(Struct, frozen=True):
    """Ordered steps with a trigger; `details` gives each step's command or prerequisites."""

    trigger: str
    steps: tuple[str, ...]
    details: Mapping[str, str] = field(default_factory=dict)
    runs: int = 0
    successes: int = 0
    usual_seconds: float | None = None


Body = Decision | Episode | Failure | Pattern | Workflow | None
"""What a kind knows beyond subject, attribute and value; a plain fact has none."""


class Draft(Struct, frozen=True):
    """What a kind proposes to remember, before the store gives it an id and a history.

    `type` is a FactType for facts, an EpisodeType for episodes, else empty.
    `value` is the canonical value that two drafts of the same key are compared by.
    `origin` names what it was read from (a path, or `history`): when that source is read again,
    what it no longer says is retired. `entities` are `type:slug` keys (see `entity`).
    """

    kind: Kind
    type: str
    subject: str
    attribute: str
    value: str
    levels: Levels
    origin: str
    evidence: tuple[Evidence, ...] = ()
    body: Body = None
    entities: tuple[str, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    scope: Scope = Scope()
    visibility: Visibility = Visibility.PROJECT_SHARED
    source: Source = Source.SCAN
    confidence: float = 1.0
    importance: Importance = Importance.DEFAULT
    label: str = ""
    pinned: bool = False
    persona: str = ""
    valid_from: datetime | None = None
    valid_to: datetime | None = None


def told_at(draft: Draft) -> tuple[str, ...]:
    """The first two places where a memory can be checked; where there is none, who told it or the way it came in."""
    by_assistant = draft.source is Source.BY_HAND and draft.origin.startswith(ASSISTANT)
    return places(draft.evidence, 2) or (draft.origin if by_assistant else draft.source.value,)


def sharer(origin: str) -> str:
    """The name of who shared what has this origin; empty where nobody else did."""
    return origin.removeprefix(f"{TEAM}:").partition(" <")[0] if origin.startswith(f"{TEAM}:") else ""


def with_sharer(title: str, origin: str) -> str:
    """A memory's title, with the name of who shared it where somebody else did."""
    by = sharer(origin)
    return f"{title} (shared by {by})" if by else title


class Usage(Struct, frozen=True):
    """How a memory has been used."""

    retrieved: int = 0
    cited: int = 0
    ignored: int = 0
    last_access_at: datetime | None = None


class Memory(Struct, frozen=True):
    """A draft that was kept. Times are naive UTC.

    `created_at` is when it was learned; validity (when it is true) is in the draft.
    `tokens` gives the exact token count of each level, in the order of `Level`.
    """

    id: str
    project: str
    user: str
    key: str
    draft: Draft
    created_at: datetime
    tokens: tuple[int, int, int, int]
    status: Status = Status.ACTIVE
    archived_reason: str = ""
    supersedes: str = ""
    superseded_by: str = ""
    usage: Usage = Usage()
    offered: Level = Level.FULL
    """The longest level a context offers unasked; a run may shorten what is old."""
    warmth: Warmth = Warmth.HOT
    usefulness: float = 0.0
    """What its use says of it, -1 to 1; moved by the run alone."""
    checkout: str = ""
    """The checkout whose files it was read from; empty for what belongs to the whole project."""


def over_since(memory: Memory, now: datetime) -> datetime | None:
    """Since when what a memory says is over, as far as that is known; None while it holds."""
    end = memory.draft.valid_to
    return end if end is not None and end <= now else None


class Contradiction(Struct, frozen=True):
    """Two memories that cannot both hold; `resolution` is None while it is open.

    Of twins that say the same on one side, the best evidenced is shown; it is settled for all of them.
    """

    id: str
    project: str
    a: Memory
    b: Memory
    reason: str
    confidence: float
    detected_at: datetime
    resolved_at: datetime | None = None
    resolution: Resolution | None = None
    note: str = ""
    judge: str = ""
    """Who found it: name and version of a judge; empty where equal keys with other values did."""
    scope_a: Scope | None = None
    scope_b: Scope | None = None
    """Where each side may hold, if the words of both name such places; proposed, not applied."""
    merged: str = ""
    """What one text in place of both could say; proposed, not applied."""
    also_a: tuple[Memory, ...] = ()
    also_b: tuple[Memory, ...] = ()
    """Who else says what a side says."""
    pairs: tuple[str, ...] = ()
    """The ids of all pairs that were noted of it."""

    @property
    def side_a(self) -> tuple[Memory, ...]:
        """All who say what A says."""
        return (self.a, *self.also_a)

    @property
    def side_b(self) -> tuple[Memory, ...]:
        """All who say what B says."""
        return (self.b, *self.also_b)

    @property
    def members(self) -> tuple[Memory, ...]:
        """All memories of both sides."""
        return (*self.side_a, *self.side_b)

    @property
    def places(self) -> tuple[tuple[str, int | None], ...]:
        """Where in files its memories were read: path and, as far as it is known, line, from 1."""
        seen = (one for memory in self.members for one in memory.draft.evidence if one.kind is EvidenceKind.FILE)
        return tuple((one.ref, one.line) for one in seen)


class Superseded(Struct, frozen=True):
    """A memory whose place another took because it is newer: `old` is archived, `at` is when that was noted."""

    old: Memory
    new: Memory
    at: datetime | None
    reason: str


_DROPPED = re.compile(r"[^\w\s-]", re.UNICODE)
_JOINTS = re.compile(r"[\s-]+")


def entity(type_: str, name: str) -> str:
    """The key `type:slug` of what a memory refers to.

    Files keep their path and symbols their qualified name; all else is lower-cased, stripped of
    punctuation, with spaces and hyphens as underscores.
    """
    if type_ in {"file", "symbol"}:
        return f"{type_}:{name}"
    plain = unicodedata.normalize("NFKC", name).lower()
    return f"{type_}:{_JOINTS.sub('_', _DROPPED.sub('', plain).strip())}"


def memory_key(draft: Draft, project: str) -> str:
    """What makes two memories speak of the same thing: 32 hexadecimal digits.

    Made of kind, subject, attribute, scope, visibility, project and persona, normalised. Where
    there is no attribute the text itself decides.
    """
    scope = draft.scope
    attribute = draft.attribute or hashlib.sha256(draft.levels.full.encode("utf-8", "surrogatepass")).hexdigest()
    parts = (
        draft.kind.value,
        _plain(draft.subject),
        _plain(attribute),
        *(_plain(p) for p in (scope.language, scope.environment, scope.version)),
        scope.path,
        scope.branch,
        draft.visibility.value,
        project,
        draft.persona,
    )
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _plain(text: str) -> str:
    return _JOINTS.sub(" ", unicodedata.normalize("NFKC", text).lower()).strip()
