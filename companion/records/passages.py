"""Passages: pieces of evidence that can be found, each with its source, its lines and its time."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

Span = tuple[int, int]
"""First and last line of a piece of a file, 1-based and inclusive."""


class PassageKind(StrEnum):
    """What a passage is a piece of."""

    COMMIT = "commit"
    DOCUMENT = "document"
    COMMENT = "comment"
    """Of a settings or CI file, with the lines that it explains."""
    DOCSTRING = "docstring"
    CHUNK = "chunk"
    """Code: a symbol, a part of a long one, or what stands between symbols."""
    NOTICE = "notice"
    """Of copyright, at the head of a source; or what a tool has written into a document."""
    TURN = "turn"


class Passage(Struct, frozen=True):
    """A piece of evidence, redacted.

    `path` and `span` say where it stands, both empty for a commit or a turn; `ref` is the full id of the commit or the
    id of the turn. `title` is its subject, heading or signature; `headings` are those above it, outermost first (for
    code: the enclosing symbols); `symbol` is the qualified name of the definition that a chunk or docstring belongs
    to. `at` is when it was said, naive UTC, None where only its file's history knows.
    """

    kind: PassageKind
    text: str
    title: str = ""
    headings: tuple[str, ...] = ()
    path: str = ""
    span: Span | None = None
    symbol: str = ""
    ref: str = ""
    at: datetime | None = None


class PassageHit(Struct, frozen=True):
    """A passage that was found.

    `score` is its BM25 value, larger is better; `covers` the share of the query that it says, 0 to 1, rare words
    counting most; `words` are the words of the query that it says, as they were asked. `near` is the cosine between its
    vector and the query's, None where either has none.
    """

    passage: Passage
    score: float
    covers: float = 0.0
    words: tuple[str, ...] = ()
    near: float | None = None
