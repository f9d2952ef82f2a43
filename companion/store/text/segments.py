"""What a segment of an index consists of: documents as they come in, and their packed arrays.

Pure: documents to postings, postings joined, what was struck off left out. Nothing here knows a file.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np

from companion.store.text.bm25 import Flags, Floats, Ints

_COUNT_LIMIT = 255
"""The highest count of a term in a document that is kept: it takes a byte, and says no more."""


class IndexDamaged(Exception):
    """The file is not readable as an index of ours."""


@dataclass(frozen=True, slots=True)
class Document:
    """What is indexed of one document.

    `words` are counted terms for ranking; `labels` exact keys for `having`, which never rank and
    must begin with a mark no word begins with; `state` is compared to see whether it changed;
    `facets` is a fixed-size packed record of the space's own, `record` any text.
    """

    key: str
    state: int
    words: Mapping[str, int]
    labels: tuple[str, ...] = ()
    facets: bytes = b""
    record: str = ""


Amendment = Callable[[str, str, bytes], tuple[int, str, bytes]]
"""From a document's key, record and facets to its state, record and facets as they are now."""


class PackedFacets:
    """Facets of some documents of a space, by number, where they lie in its segments."""

    def __init__(self, segments: Iterable[tuple[int, bytes, bytes]], wanted: Ints) -> None:
        self._blobs: dict[int, bytearray] = {}
        self._places: dict[int, tuple[bytearray, int]] = {}
        self._width = 0
        for id_, ords, facets in segments:
            numbers = np.frombuffer(ords, dtype=np.int32)
            places = np.nonzero(np.isin(numbers, wanted))[0]
            if len(places):
                self._width = len(facets) // len(numbers)
                blob = self._blobs[id_] = bytearray(facets)
                self._places.update((int(numbers[place]), (blob, int(place) * self._width)) for place in places)

    def __getitem__(self, ord_: int) -> bytes:
        blob, start = self._places[ord_]
        return bytes(blob[start : start + self._width])

    def __setitem__(self, ord_: int, facets: bytes) -> None:
        blob, start = self._places[ord_]
        if len(facets) != self._width:
            raise ValueError("facets keep their size")
        blob[start : start + self._width] = facets

    def written(self) -> list[tuple[bytes, int]]:
        """The segments' facets as they are now, with the segments' ids."""
        return [(bytes(blob), id_) for id_, blob in self._blobs.items()]


def postings_of(documents: Sequence[Document], first: int) -> dict[str, tuple[array[int], bytearray]]:
    """Numbers and counts by term of documents that are numbered from `first` on."""
    gathered: dict[str, tuple[array[int], bytearray]] = {}
    for ord_, document in enumerate(documents, start=first):
        entries = chain(document.words.items(), zip(dict.fromkeys(document.labels), repeat(1)))
        for term, count in entries:
            parts = gathered.get(term)
            if parts is None:
                parts = gathered[term] = (array("i"), bytearray())
            parts[0].append(ord_)
            parts[1].append(count if count < _COUNT_LIMIT else _COUNT_LIMIT)
    return gathered


def without_dead(ords: bytes, lengths: bytes, facets: bytes, alive: Flags) -> tuple[bytes, bytes, bytes]:
    """A segment's arrays without the documents that were struck off."""
    numbers = np.frombuffer(ords, dtype=np.int32)
    keep = alive[numbers]
    packed = np.frombuffer(facets, dtype=np.uint8).reshape(len(numbers), len(facets) // max(1, len(numbers)))
    kept = np.frombuffer(lengths, dtype=np.float32)[keep]
    return numbers[keep].tobytes(), kept.tobytes(), packed[keep].tobytes()


def still_alive(ords: Sequence[bytes], counts: Sequence[bytes], alive: Flags) -> tuple[bytes, bytes]:
    """Joined postings of one term without the documents that were struck off."""
    numbers = np.frombuffer(b"".join(ords), dtype=np.int32)
    keep = alive[numbers]
    return numbers[keep].tobytes(), np.frombuffer(b"".join(counts), dtype=np.uint8)[keep].tobytes()


def joined_postings(ords: Sequence[bytes], counts: Sequence[bytes], size: int) -> tuple[Ints, Floats]:
    """The arrays of one term. Raises IndexDamaged if they name documents that do not exist."""
    numbers = np.frombuffer(ords[0] if len(ords) == 1 else b"".join(ords), dtype=np.int32)
    if len(numbers) and int(numbers.max()) >= size:
        raise IndexDamaged("a posting names documents that do not exist")
    joined = np.frombuffer(counts[0] if len(counts) == 1 else b"".join(counts), dtype=np.uint8)
    return numbers, joined.astype(np.float32)
