"""A passage as a document of the index: its words in three fields, where it belongs, and itself to be shown.

Words are analysed here, so that identifiers are split and words stemmed as in every other index, and the library
only splits at blanks. A source (a file, a commit) is known by one document more, which holds its state, and by which
a file is found as a whole.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

import tantivy

from companion.records import ParsedFile, Passage, PassageKind
from companion.store.passages.meaning import KEY_DIGITS, meaning_key, meant, turn_of
from companion.store.text import analysis

FORMAT = f"6.{analysis.VERSION}"
"""Version of what is written; an index of another one is made anew."""

BOOSTS = {"title": 2.0, "above": 1.0, "text": 1.0}
"""Fields that words are looked for in, and what a word there counts: a title or symbol says what a passage is about."""

_REQUEST = re.compile(r"\s*\(#\d+\)$")
"""The number of the pull request behind a subject, which nobody types."""

PASSAGES_KEPT = 4_000
"""Passages whose terms are kept counted: those of ten contexts, some 8 kB each."""

BETWEEN = "\x1f"
"""Between the parts of a key; it stands in no path, name or id."""


WHOLE = "file"
"""What stands for a kind in the views of files as wholes."""

_SYMBOLS_PER_FILE = 1_000
"""Names of one file that are indexed; a generated file has more and says no more."""


class _Whole(NamedTuple):
    """What a file is found by as a whole, beside its path: its description, its names and what is said of them."""

    doc: str
    names: str


@dataclass(frozen=True, slots=True)
class SourcePassages:
    """All passages of a file or commit, and what its content was known by when they were cut.

    `branch` names the branch that a commit is on alone; `whole` says what a file is as a whole.
    """

    source: str
    state: str
    passages: tuple[Passage, ...]
    branch: str = ""
    whole: _Whole | None = None


def whole_of(parsed: ParsedFile) -> _Whole:
    """What a parsed file is found by."""
    said = [text for symbol in parsed.symbols for text in (symbol.qualname, symbol.doc) if text]
    return _Whole(parsed.doc, " ".join(said[: 2 * _SYMBOLS_PER_FILE]))


def schema() -> tantivy.Schema:
    """What the index keeps of a document."""
    builder = tantivy.SchemaBuilder()
    for field in BOOSTS:
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    for field in ("view", "source", "state", "path", "ref", "subject", "meaning"):
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("at", indexed=True, fast=True)
    builder.add_bytes_field("passage", stored=True)
    builder.add_bytes_field("whole", stored=True)
    return builder.build()


def documents(space: str, cut: SourcePassages) -> Iterable[tantivy.Document]:
    """The documents of one source."""
    source = source_key(space, cut.source)
    known = tantivy.Document(source=source, state=state_key(space, cut.source, cut.state))
    if cut.whole is not None:
        path = cut.source.replace("/", " ")
        known.add_text("view", view_key(space, WHOLE, cut.branch))
        known.add_text("title", _words(path))
        known.add_text("above", _words(cut.whole.doc))
        known.add_text("text", _words(cut.whole.names))
        known.add_bytes("whole", _packed_whole(cut.source, cut.whole))
    yield known
    for passage in cut.passages:
        document = tantivy.Document(
            source=source,
            view=view_key(space, passage.kind.value, cut.branch),
            title=_words(passage.title, passage.symbol),
            above=_words(*passage.headings, passage.path),
            text=_words(_said_below(passage)),
            passage=packed(passage),
        )
        if passage.path:
            document.add_text("path", passage.path)
        if passage.ref:
            document.add_text("ref", passage.ref)
        if passage.kind is PassageKind.COMMIT:
            subject = subject_key(passage.title)
            for said in {subject, _REQUEST.sub("", subject)}:
                document.add_text("subject", said)
        second = seconds(passage.at) if passage.at is not None else None
        if second is not None:
            document.add_integer("at", second)
        if text := meant(passage):
            key = meaning_term(meaning_key(text))
            document.add_text("meaning", key)
            document.add_text("meaning", f"{space}{BETWEEN}{turn_of(passage, second)}{key}")
        yield document


def _said_below(passage: Passage) -> str:
    """The text of a passage; of a commit without its subject, which stands in the title and would count three times."""
    return passage.text.removeprefix(passage.title) if passage.kind is PassageKind.COMMIT else passage.text


def words_of(passage: Passage, *, title_only: bool = False) -> Set[str]:
    """The terms that a passage is found by, or those of its title."""
    if title_only:
        return analysis.distinct((passage.title, passage.symbol))
    return terms_of(passage).keys()


@lru_cache(maxsize=PASSAGES_KEPT)
def terms_of(passage: Passage) -> Counter[str]:
    """The same, each with how often it stands there."""
    texts = (passage.title, passage.symbol, *passage.headings, passage.path, passage.text)
    return Counter(term for text in texts for term in analysis.terms(text))


def subject_key(subject: str) -> str:
    """A commit's subject as it may be typed, whatever its case."""
    return " ".join(subject.casefold().split())


def meaning_term(key: int) -> str:
    """What passages are found by that have the vector of a key."""
    return f"{key:0{KEY_DIGITS}x}"


def source_key(space: str, source: str) -> str:
    """What the documents of a source are known by."""
    return f"{space}{BETWEEN}{source}"


def state_key(space: str, source: str, state: str) -> str:
    """A source with its state; what is before the last part tells the source."""
    return f"{space}{BETWEEN}{source}{BETWEEN}{state}"


def view_key(space: str, kind: str, branch: str) -> str:
    """What filters are made of: the passages of a space of one kind, on every branch or on one alone."""
    return f"{space}{BETWEEN}{kind}{BETWEEN}{branch}"


def seconds(moment: datetime) -> int:
    """A naive UTC moment in seconds since 1970."""
    return int(moment.replace(tzinfo=UTC).timestamp())


def packed(passage: Passage) -> bytes:
    """A passage as bytes."""
    at = passage.at.isoformat() if passage.at else ""
    where = (passage.path, passage.span or (), passage.symbol, passage.ref, at)
    row = (passage.kind.value, passage.title, passage.headings, *where, passage.text)
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def unpacked(data: bytes) -> Passage:
    """The passage of these bytes. Raises ValueError."""
    kind, title, headings, path, span, symbol, ref, at, text = json.loads(data)
    return Passage(
        kind=PassageKind(kind),
        text=text,
        title=title,
        headings=tuple(headings),
        path=path,
        span=(span[0], span[1]) if span else None,
        symbol=symbol,
        ref=ref,
        at=datetime.fromisoformat(at) if at else None,
    )


def _packed_whole(path: str, whole: _Whole) -> bytes:
    terms = " ".join(sorted(analysis.distinct((path, *whole))))
    return json.dumps((path, *whole, terms), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def unpacked_whole(data: bytes) -> tuple[str, _Whole, frozenset[str]]:
    """A file's path, what it says as a whole, and the terms of that. Raises ValueError."""
    path, doc, names, terms = json.loads(data)
    return path, _Whole(doc, names), frozenset(terms.split())


def _words(*texts: str) -> str:
    return " ".join(term for text in texts for term in analysis.terms(text))
