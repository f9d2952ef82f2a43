"""A passage as a document of the index: its words in three fields, where it belongs, and itself to be shown.

Words are analysed here, so that identifiers are split and words stemmed as in every other index, and the library
only splits at blanks. A source (a file, a commit) is known by one document more, which holds its state, and by which
a file is found as a whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from datetime import UTC, datetime
from functools import lru_cache

import tantivy
from msgspec import Struct

from companion import wire
from companion.records import ParsedFile, Passage, PassageKind
from companion.store.passages.meaning import KEY_DIGITS, meaning_of, turn_of
from companion.store.text import analysis

BOOSTS = {"title": 2.0, "above": 1.0, "text": 1.0}
"""Fields that words are looked for in, and what a word there counts: a title or symbol says what a passage is about."""

_REQUEST = re.compile(r"\s*\(#\d+\)$")
"""The number of the pull request behind a subject, which nobody types."""

PASSAGES_KEPT = 8_000
"""Passages kept with their terms: those of twenty contexts, some 6 kB each."""

BETWEEN = "\x1f"
"""Between the parts of a label; it stands in no path, name or id."""

WHOLE = "file"
"""What stands for a kind in the views of files as wholes."""

_SYMBOLS_PER_FILE = 1_000
"""Names of one file that are indexed; a generated file has more and says no more."""


class _Whole(Struct, frozen=True):
    """What a file is found by as a whole: path, names, the terms of both."""

    path: str
    names: str
    terms: tuple[str, ...]


class SourcePassages(Struct, frozen=True):
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
    names = " ".join(symbol.qualname for symbol in parsed.symbols[:_SYMBOLS_PER_FILE])
    return _named(parsed.path, names)


def _named(path: str, names: str) -> _Whole:
    return _Whole(path, names, tuple(sorted(analysis.distinct((path, names)))))


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
        known.add_text("text", _words(cut.whole.names))
        moved = cut.whole.path != cut.source
        whole = _named(cut.source, cut.whole.names) if moved else cut.whole
        known.add_bytes("record", wire.keep(whole, _Whole).encode("utf-8", "replace"))
    yield known
    for passage in cut.passages:
        second = seconds(passage.at) if passage.at is not None else None
        document = _labelled(
            source, label("view", space, passage.kind.value, cut.branch), *_labels(space, passage, second)
        )
        document.add_text("title", _words(passage.title, passage.symbol))
        document.add_text("above", _words(*passage.headings, passage.path))
        document.add_text("text", _words(_said_below(passage)))
        document.add_bytes("record", wire.keep(passage, Passage, wire.Spelling.PACKED).encode("utf-8", "replace"))
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
    if key := meaning_of(passage):
        yield meaning_label(key)
        yield label("turn", space, f"{turn_of(passage, second)}{key:0{KEY_DIGITS}x}")


def _said_below(passage: Passage) -> str:
    """The text of a passage; of a commit without its subject, which stands in the title and would count three times."""
    return passage.text.removeprefix(passage.title) if passage.kind is PassageKind.COMMIT else passage.text


@lru_cache(maxsize=PASSAGES_KEPT)
def terms_of(passage: Passage) -> Counter[str]:
    """The terms that a passage is found by, each with how often it stands there."""
    texts = (passage.title, passage.symbol, *passage.headings, passage.path, passage.text)
    return Counter(analysis.terms("\n".join(texts)))


@lru_cache(maxsize=PASSAGES_KEPT)
def title_terms(passage: Passage) -> Set[str]:
    """Those of its title."""
    return analysis.distinct((passage.title, passage.symbol))


def subject_key(subject: str) -> str:
    """A commit's subject as it may be typed, whatever its case."""
    return " ".join(subject.casefold().split())


def seconds(moment: datetime) -> int:
    """A naive UTC moment in seconds since 1970."""
    return int(moment.replace(tzinfo=UTC).timestamp())


def unpacked(document: tantivy.Document) -> Passage:
    """The passage of a stored document. Raises ValueError."""
    passage: Passage = wire.kept(Passage, record_of(document))
    return passage


def whole_in(document: tantivy.Document) -> _Whole | None:
    """What a document says of a file as a whole; None where it is no such document. Raises ValueError."""
    record = record_of(document)
    return wire.kept(_Whole, record) if record.startswith("{") else None


def record_of(document: tantivy.Document) -> str:
    """What is kept in a stored document; empty where it only holds a state. Raises ValueError."""
    return (document.get_first("record") or b"").decode()


def _words(*texts: str) -> str:
    return " ".join(term for text in texts for term in analysis.terms(text))
