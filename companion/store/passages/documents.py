"""A passage as a document of the index: its words in three fields, where it belongs, and itself to be shown.

Words are analysed here, so that identifiers are split and words stemmed as in every other index, and the library
only splits at blanks. A source (a file, a commit) is known by one document more, which holds its state, and by which
a file is found as a whole.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

import tantivy

from companion.records import ParsedFile, Passage, PassageKind
from companion.store.passages.meaning import KEY_DIGITS, meaning_key, meant, turn_of
from companion.store.text import analysis

BOOSTS = {"title": 2.0, "above": 1.0, "text": 1.0}
"""Fields that words are looked for in, and what a word there counts: a title or symbol says what a passage is about."""

_REQUEST = re.compile(r"\s*\(#\d+\)$")
"""The number of the pull request behind a subject, which nobody types."""

PASSAGES_KEPT = 4_000
"""Passages whose terms are kept counted: those of ten contexts, some 8 kB each."""

BETWEEN = "\x1f"
"""Between the parts of a label; it stands in no path, name or id."""

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


def label(sort: str, *parts: str) -> str:
    """An exact key: of which sort it is, and what it names.

    A `source` names its space and itself, its `state` that too; a `view` names a space, a kind and a branch, all that
    filters need. `path`, `ref`, `subject` and `meaning` are found whatever their space; a `turn` says when in a space
    something gets its vector.
    """
    return BETWEEN.join((sort, *parts))


def meaning_label(key: int) -> str:
    """What passages are found by that have the vector of a key."""
    return label("meaning", f"{key:0{KEY_DIGITS}x}")


def documents(space: str, cut: SourcePassages) -> Iterable[tantivy.Document]:
    """The documents of one source."""
    source = label("source", space, cut.source)
    known = _labelled(source, label("state", space, cut.source, cut.state))
    if cut.whole is not None:
        path = cut.source.replace("/", " ")
        known.add_text("label", label("view", space, WHOLE, cut.branch))
        known.add_text("title", _words(path))
        known.add_text("above", _words(cut.whole.doc))
        known.add_text("text", _words(cut.whole.names))
        known.add_bytes("record", _packed_whole(cut.source, cut.whole))
    yield known
    for passage in cut.passages:
        second = seconds(passage.at) if passage.at is not None else None
        document = _labelled(
            source, label("view", space, passage.kind.value, cut.branch), *_labels(space, passage, second)
        )
        document.add_text("title", _words(passage.title, passage.symbol))
        document.add_text("above", _words(*passage.headings, passage.path))
        document.add_text("text", _words(_said_below(passage)))
        document.add_bytes("record", packed(passage))
        if second is not None:
            document.add_integer("at", second)
        yield document


def _labelled(*labels: str) -> tantivy.Document:
    document = tantivy.Document()
    for one in labels:
        document.add_text("label", one)
    return document


def _labels(space: str, passage: Passage, second: int | None) -> Iterator[str]:
    if passage.path:
        yield label("path", passage.path)
    if passage.ref:
        yield label("ref", passage.ref)
    if passage.kind is PassageKind.COMMIT:
        subject = subject_key(passage.title)
        yield from (label("subject", said) for said in dict.fromkeys((subject, _REQUEST.sub("", subject))))
    if text := meant(passage):
        key = meaning_key(text)
        yield meaning_label(key)
        yield label("turn", space, f"{turn_of(passage, second)}{key:0{KEY_DIGITS}x}")


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


def seconds(moment: datetime) -> int:
    """A naive UTC moment in seconds since 1970."""
    return int(moment.replace(tzinfo=UTC).timestamp())


def packed(passage: Passage) -> bytes:
    """A passage as bytes."""
    at = passage.at.isoformat() if passage.at else ""
    where = (passage.path, passage.span or (), passage.symbol, passage.ref, at)
    return _json(passage.kind.value, passage.title, passage.headings, *where, passage.text)


def unpacked(document: tantivy.Document) -> Passage:
    """The passage of a stored document. Raises ValueError."""
    return as_passage(row_of(document))


def row_of(document: tantivy.Document) -> list[Any]:
    """What is kept in a stored document; empty where it only holds a state. Raises ValueError."""
    record = document.get_first("record")
    return list(json.loads(record)) if record is not None else []


def as_passage(row: Sequence[Any]) -> Passage:
    """The passage of a row. Raises ValueError."""
    kind, title, headings, path, span, symbol, ref, at, text = row
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
    return _json(WHOLE, path, *whole, " ".join(sorted(analysis.distinct((path, *whole)))))


def as_whole(row: Sequence[Any]) -> tuple[str, _Whole, frozenset[str]]:
    """Of the row of a file as a whole its path, what it says, and the terms of that. Raises ValueError."""
    _, path, doc, names, terms = row
    return path, _Whole(doc, names), frozenset(terms.split())


def _json(*row: object) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _words(*texts: str) -> str:
    return " ".join(term for text in texts for term in analysis.terms(text))
