"""A search and what it finds."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from companion.records.context import Reason
from companion.records.memory import Memory
from companion.records.passages import Span
from companion.records.sorts import Kind, Visibility

QUERY_MAX_CHARACTERS = 4_000
"""A question in words is a page at most: what follows adds time and no meaning, and is cut."""
QUERY_CUT = f"Only the first {QUERY_MAX_CHARACTERS:,} characters of the question were looked at."


class Profile(StrEnum):
    """Named ways to rank memories (their figures are in the ranking module); `learned` ranks all that can be found."""

    LEARNED = "learned"
    MEMORY = "memory"
    RECALL = "recall"
    COLD_TURNS = "cold-turns"


class State(StrEnum):
    """Which memories somebody goes through: those that hold now, the pinned ones, those put away, or all."""

    CURRENT = "current"
    PINNED = "pinned"
    ARCHIVED = "archived"
    ALL = "all"


class SearchQuery(Struct, frozen=True):
    """What to look for. Empty fields do not restrict.

    `as_of` asks what was known at a moment, `valid_at` what was true at it; `since` and `until`
    bound the time a memory is about. `scope_path` matches scopes that contain the path. All times
    are naive UTC.
    """

    text: str = ""
    kinds: tuple[Kind, ...] = ()
    visibility: tuple[Visibility, ...] = ()
    entities: tuple[str, ...] = ()
    scope_path: str = ""
    scope_language: str = ""
    branch: str = ""
    persona: str = ""
    act: str = ""
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    valid_at: datetime | None = None
    include_archived: bool = False
    state: State | None = None
    """Only these; archived ones are among them only if `include_archived` says so."""
    profile: Profile = Profile.LEARNED
    limit: int = 10


class Hit(Struct, frozen=True):
    """A memory that a library found, its score (0 to 1) and the parts of it.

    One that hardly `fits` is among the nearest there is, and still says little of what was asked. `share` is how
    strongly it says the words of the query, `covers` how much of them, the rare ones counting most; `near` is the
    cosine, None where it has no vector to compare.
    """

    memory: Memory
    score: float
    reasons: tuple[Reason, ...] = ()
    fits: bool = True
    share: float = 0.0
    covers: float = 0.0
    near: float | None = None


class SearchHit(Struct, frozen=True):
    """Something that a search found: a memory, a declared fact, or a passage of a file, a commit or a conversation.

    `sort` is the kind of the memory, what the passage is a piece of, or `declared`; `id` opens it (a memory's, a
    commit's, a conversation's or a declared fact's, or `file:PATH`). `path` is None where it stands in no file,
    `commit` where it is no commit; `spans` are the lines of the file that `text` shows, `symbol` the qualified name of
    the definition that they are of, if they are of one. `score` is 0 to 1; what hardly `fits` is among the nearest
    there is, and says little of what was asked. `at` is when it was said or learned, naive UTC, None where only the
    file's history knows.
    """

    sort: str
    id: str
    title: str
    text: str
    score: float
    reasons: tuple[Reason, ...] = ()
    fits: bool = True
    path: str | None = None
    spans: tuple[Span, ...] = ()
    commit: str | None = None
    at: datetime | None = None
    memory: Memory | None = None
    over: datetime | None = None
    """Since when what a memory says is over; None while it holds, and for all else."""
    symbol: str = ""
