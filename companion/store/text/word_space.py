"""One space of numbered documents: their words in an index, and what each document is known by, as arrays.

Documents are numbered in the order they come.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt
import tantivy
from msgspec import Struct, field

from companion.store.text.space import IndexDamaged, Space

Ints = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]

WORDS_KEPT = 4_000
"""Documents of a space whose terms are kept: those of sixty questions, half a kB each."""
_COUNT_LIMIT = 255
"""The highest count of a term in a document that is kept: it says no more."""


class Document(Struct, frozen=True):
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


class RankedDocuments(Struct, frozen=True):
    """Document numbers with their scores, best first, and which terms each has.

    `whole` is about what a document of usual length with every term of the query once would score; `covers` is
    how much of that each document's terms are worth, 0 to 1, however often it says them.
    """

    ords: Ints
    scores: npt.NDArray[np.float32]
    matched: tuple[tuple[str, ...], ...] = ()
    whole: float = 0.0
    covers: tuple[float, ...] = ()


class HeldState(Struct, frozen=True):
    """What is known of a space at one commit: its documents' heads by number, and where they stand.

    `alive` and `facets`, the packed records joined, are arrays over the numbers.
    """

    searcher: tantivy.Searcher | None = None
    heads: Mapping[int, Head] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    places: Mapping[int, tantivy.DocAddress] = field(default_factory=dict)
    alive: Flags = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    facets: bytes = b""
    _words: dict[int, str] = field(default_factory=dict)

    def words(self, number: int) -> str:
        """The terms of a document, blanks between; those asked for last are kept."""
        known = self._words.get(number)
        if known is None:
            if len(self._words) >= WORDS_KEPT:
                self._words.clear()
            stored = self.searcher.doc(self.places[number]) if self.searcher is not None else tantivy.Document()
            known = self._words[number] = str(stored.get_first("words") or "")
        return known

    @classmethod
    def of(cls, searcher: tantivy.Searcher, known: Mapping[int, Head]) -> HeldState:
        """The state of a searcher; heads that are `known` are not read again."""
        everything = tantivy.Query.all_query()
        order = tantivy.Order.Asc
        most = max(1, searcher.num_docs)
        hits = searcher.search(everything, most, count=False, order_by_field="number", order=order).hits
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
        return cls(searcher, heads, {head[0]: n for n, head in heads.items()}, places, alive, packed)

    def numbered(self, hits: Iterable[tuple[float, tantivy.DocAddress]]) -> list[tuple[int, float]]:
        """Document numbers and scores of what was found."""
        listed = list(hits)
        if self.searcher is None or not listed:
            return []
        numbers = self.searcher.fast_field_values("number", [address for _, address in listed])
        return [(int(number or 0), float(score)) for number, (score, _) in zip(numbers, listed, strict=True)]


class WordSpace(Space):
    """The documents of one space."""

    held = HeldState()

    def look(self) -> HeldState:
        """The state that was committed last, by whomever."""
        if self.searcher() is not self.held.searcher:  # by us where we write: then parts were merged, and nothing else
            self.show(self.held.heads if self.is_written else {})
        return self.held

    def show(self, known: Mapping[int, Head]) -> None:
        """Take the state that was just committed here, of which all heads are known."""
        searcher = self.searcher()
        self.held = HeldState.of(searcher, known) if searcher is not None else HeldState()


class SpaceChange:
    """What one commit of a space changes; the numbers of new documents go on from what there is."""

    def __init__(self, space: WordSpace) -> None:
        self.space = space
        self.writer = space.writer()
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


def _head(stored: tantivy.Document) -> Head:
    return str(stored["key"][0]), int(stored["state"][0]), bytes(stored.get_first("facets") or b"")


def record_of(stored: tantivy.Document) -> str:
    """The record of a stored document."""
    return bytes(stored.get_first("record") or b"").decode("utf-8")
