"""One space of documents by their words: an index of tantivy's, and what each document is known by, as arrays.

Documents are numbered in the order they come. What is read of an index is the state of one commit; a change is the
next one. Whatever cannot be read raises IndexDamaged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import tantivy

from companion.store.files import PRIVATE_FOLDER
from companion.store.text.trouble import cannot_be_written, first_line, panicked

Ints = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]

_COUNT_LIMIT = 255
"""The highest count of a term in a document that is kept: it says no more."""

_HEAP_BYTES = 15_000_000
"""What is collected before a part of an index is written: the least that the library takes."""

_META = "meta.json"


class IndexDamaged(Exception):
    """What lies there is not readable as an index of ours."""


@dataclass(frozen=True, slots=True)
class Document:
    """What is indexed of one document.

    `words` are counted terms for ranking; `labels` exact keys for `having`; `state` is compared to see whether it
    changed; `facets` is a fixed-size packed record of the space's own, `record` any text.
    """

    key: str
    state: int
    words: Mapping[str, int]
    labels: tuple[str, ...] = ()
    facets: bytes = b""
    record: str = ""


Head = tuple[str, int, bytes]
"""A document's key, state and facets."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """Document numbers with their scores, best first, and which terms each has.

    `whole` is about what a document of usual length with every term of the query once would score; `covers` is
    how much of that each document's terms are worth, 0 to 1, however often it says them.
    """

    ords: Ints
    scores: npt.NDArray[np.float32]
    matched: tuple[tuple[str, ...], ...] = ()
    whole: float = 0.0
    covers: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """The documents of a space as arrays over their numbers; `facets` is the packed records joined."""

    alive: Flags
    facets: bytes


@dataclass(frozen=True)
class HeldState:
    """What is known of a space at one commit: its documents' heads by number, and where they stand."""

    searcher: tantivy.Searcher | None = None
    heads: Mapping[int, Head] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    places: Mapping[int, tantivy.DocAddress] = field(default_factory=dict)
    view: View = field(default_factory=lambda: View(np.zeros(0, dtype=np.bool_), b""))

    @classmethod
    def of(cls, searcher: tantivy.Searcher, known: Mapping[int, Head]) -> HeldState:
        """The state of a searcher; heads that are `known` are not read again."""
        everything = tantivy.Query.all_query()
        order = tantivy.Order.Asc
        hits = searcher.search(
            everything, max(1, searcher.num_docs), count=False, order_by_field="number", order=order
        ).hits
        places = {int(number): address for number, address in hits}
        heads = {n: known[n] if n in known else _head(searcher.doc(address)) for n, address in places.items()}
        size = max(heads, default=-1) + 1
        width = max((len(facets) for _, _, facets in heads.values()), default=0)
        alive = np.zeros(size, dtype=np.bool_)
        alive[list(heads)] = True
        empty = bytes(width)
        packed = b"".join(heads[n][2] if n in heads else empty for n in range(size))
        if len(packed) != width * size:
            raise IndexDamaged("documents of one space have records of different sizes")
        return cls(searcher, heads, {head[0]: n for n, head in heads.items()}, places, View(alive, packed))

    def numbered(self, hits: Iterable[tuple[float, tantivy.DocAddress]]) -> list[tuple[int, float]]:
        """Document numbers and scores of what was found."""
        listed = list(hits)
        if self.searcher is None or not listed:
            return []
        numbers = self.searcher.fast_field_values("number", [address for _, address in listed])
        return [(int(number or 0), float(score)) for number, (score, _) in zip(numbers, listed, strict=True)]


class WordSpace:
    """The index of one space."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.index: tantivy.Index | None = None
        self.writer: tantivy.IndexWriter | None = None
        self.held = HeldState()
        self.stamp: tuple[int, int] | None = None

    def look(self) -> HeldState:
        """The state that was committed last, by whomever."""
        stamp = self._stamp()
        if stamp != self.stamp:  # by us where we write: then parts were merged, and nothing else has changed
            self._take(stamp, self.held.heads if self.writer is not None else {})
        return self.held

    def show(self, known: Mapping[int, Head]) -> None:
        """Take the state that was just committed here, of which all heads are known."""
        self._take(self._stamp(), known)

    def open_writer(self) -> tantivy.IndexWriter:
        """The writer, which makes the index where there is none."""
        if self.writer is None:
            if self.index is None:
                self.folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
                self.index = tantivy.Index(SCHEMA, path=str(self.folder))
            self.writer = self.index.writer(heap_size=_HEAP_BYTES, num_threads=1)
        return self.writer

    def rest(self) -> None:
        """Let go of the right to write, once what is being merged is merged."""
        writer, self.writer = self.writer, None
        if writer is not None:
            writer.wait_merging_threads()

    def _take(self, stamp: tuple[int, int] | None, known: Mapping[int, Head]) -> None:
        if stamp is None:
            self.index, self.held = None, HeldState()
        else:
            if self.index is None:
                self.index = tantivy.Index(SCHEMA, path=str(self.folder))
            self.index.reload()
            self.held = HeldState.of(self.index.searcher(), known)
        self.stamp = stamp

    def _stamp(self) -> tuple[int, int] | None:
        try:
            found = (self.folder / _META).stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns


class SpaceChange:
    """What one commit of a space changes; the numbers of new documents go on from what there is."""

    def __init__(self, space: WordSpace) -> None:
        self.space = space
        self.writer = space.open_writer()
        self.heads = dict(space.held.heads)
        self._numbers = dict(space.held.numbers)
        self._next = max(self.heads, default=-1) + 1

    def put(self, document: Document) -> None:
        number = self._numbers.get(document.key, self._next)
        self.remove(document.key)
        self._next = max(self._next, number + 1)
        self.heads[number] = (document.key, document.state, document.facets)
        self._numbers[document.key] = number
        made = tantivy.Document(
            number=number,
            key=document.key,
            state=document.state,
            words=" ".join(" ".join([term] * min(count, _COUNT_LIMIT)) for term, count in document.words.items()),
            record=document.record.encode("utf-8", "replace"),
            facets=document.facets,
        )
        for label in dict.fromkeys(document.labels):
            made.add_text("label", label)
        self.writer.add_document(made)

    def remove(self, key: str) -> None:
        number = self._numbers.pop(key, None)
        if number is not None:
            del self.heads[number]
            self.writer.delete_documents_by_term("key", key)


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("number", indexed=True, fast=True)
    builder.add_text_field("words", tokenizer_name="whitespace", index_option="freq", stored=True)
    builder.add_text_field("key", tokenizer_name="raw", index_option="basic", stored=True)
    builder.add_text_field("label", tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("state", stored=True)
    for packed in ("facets", "record"):
        builder.add_bytes_field(packed, stored=True)
    return builder.build()


SCHEMA = _schema()


def _head(stored: tantivy.Document) -> Head:
    return str(stored["key"][0]), int(stored["state"][0]), bytes(stored.get_first("facets") or b"")


def record_of(stored: tantivy.Document) -> str:
    """The record of a stored document."""
    return bytes(stored.get_first("record") or b"").decode("utf-8")


@contextmanager
def guarded() -> Iterator[None]:
    """What the library or numpy cannot make sense of is one error of ours."""
    try:
        yield
    except (IndexDamaged, OSError):
        raise
    except BaseException as wrong:
        if cannot_be_written(wrong):
            raise OSError(f"the text index cannot be written: {first_line(wrong)}") from wrong
        if isinstance(wrong, (ValueError, LookupError, TypeError, RuntimeError)) or panicked(wrong):
            raise IndexDamaged(first_line(wrong).partition("(")[0].rstrip(": '\"")) from wrong
        raise
