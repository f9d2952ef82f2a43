"""Vectors in a file that only grows, searched by nearness: of what lies in a derived index, so derived itself.

A record is the key of a text and its vector in half precision, with a sum of both. What a kill cut off, and what stands
behind a record that is damaged, is dropped when the file is next opened; what is before is whole. Up to `INDEXED_FROM`
vectors all are compared with the question. Above, an index of usearch knows those that were there when it was made,
and later ones are compared; until it is made the first are, which are the most useful.
"""

from __future__ import annotations

import hashlib
import os
import threading
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from companion.store.files import PRIVATE_FILE, PRIVATE_FOLDER
from companion.store.vectors import file as index_file
from companion.store.vectors.vector_rows import Floats, Keys, VectorRows

if TYPE_CHECKING:
    from usearch.index import Index

INDEXED_FROM = 20_000
"""Vectors from which on an index is made: comparing as many takes 3 ms, ten times as many 50."""
LATER_MOST = 5_000
"""Vectors that came after the index was made, before they are taken into it."""
GONE_MOST = 0.2
"""Share of the vectors that nobody needs any more, above which the file is written anew without them."""

_HEADER_BYTES = 32
_FORMAT = 1
_SUMMED_AT_ONCE = 10_000

Records = npt.NDArray[np.void]


class VectorFile:
    """The vectors of one project by one model. Threads may share it; one process writes."""

    def __init__(self, folder: Path, name: str, model: str, dimension: int, indexed_from: int = INDEXED_FROM) -> None:
        """Nothing is read before it is needed."""
        self._folder, self._name, self._model, self._dimension = folder, name, model, dimension
        self._indexed_from = indexed_from
        self._path = folder / f"{name}.vectors"
        self._record = np.dtype([("key", "<u8"), ("sum", "<u8"), ("vector", "<f2", (dimension,))])
        self._rows: VectorRows | None = None
        self._making: tuple[Index, npt.NDArray[np.int64]] | None = None
        """An index that is being made, and the rows that it lacks."""
        self._lock = threading.RLock()

    def keys(self) -> Keys:
        """Whose vectors are here, in the order in which they came."""
        with self._lock:
            return np.asarray(self._records["key"])

    def add(self, keys: Keys, matrix: Floats) -> None:
        """Append vectors, one a row; they are on disk before they are searched. Raises OSError.

        What is here already is passed over: two may have made the vector of the same text.
        """
        with self._lock:
            first = np.unique(keys, return_index=True)[1]
            new = np.sort(first[~np.isin(keys[first], self._records["key"])])
            keys, matrix = keys[new], matrix[new]
            rows, there = self._searched(), len(self._records)
            self._append(self._path, there, keys, matrix)
            self._forget_records()
            self._rows = rows.with_more(keys, matrix.astype(np.float16))  # as they are read again: equal ones stay so

    def retain(self, keys: Keys, gone_most: float = GONE_MOST) -> None:
        """Write the file anew without all vectors but those of some keys, if that is worth it. Raises OSError."""
        with self._lock:
            stay = np.isin(self._records["key"], keys)
            if (~stay).sum() <= gone_most * len(stay):
                return
            fresh, left = self._path.with_suffix(".new"), self._records[stay]
            fresh.unlink(missing_ok=True)
            self._append(fresh, 0, left["key"], left["vector"])
            self._let_go()
            fresh.replace(self._path)
            index_file.remove(self._folder, self._name)

    def nearest(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """Keys of the nearest `k` vectors with their cosine similarity, nearest first."""
        return self._searched().nearest(vector, k)

    def similarities(self, vector: Floats, keys: Keys) -> Floats:
        """How near the texts of some keys are; 0 for those without a vector."""
        return self._searched().similarities(vector, keys)

    def index_some(self, vectors: int) -> bool:
        """Take at most so many vectors into the index, where there is to be one; whether there is more to do."""
        with self._lock:
            searched, records = self._searched(), self._records
            if len(records) <= self._indexed_from or (searched.index is not None and len(searched.keys) <= LATER_MOST):
                return False
            if self._making is None:
                index = index_file.new_index(self._dimension) if searched.index is None else searched.index.copy()
                self._making = (index, np.flatnonzero(~np.asarray(index.contains(records["key"]), np.bool_)))
            index, rows = self._making
            some = records[rows[:vectors]]
            index.add(some["key"], np.ascontiguousarray(some["vector"]))
            self._making = (index, rows[vectors:])
            if len(rows) > vectors:
                return True
            self._making, self._rows = None, self._with(index)
            index_file.save(self._folder, self._name, index)
            return False

    def remove(self) -> None:
        """Delete what is on disk."""
        with self._lock:
            self._let_go()
            self._path.unlink(missing_ok=True)
            index_file.remove(self._folder, self._name)

    def _searched(self) -> VectorRows:
        if (rows := self._rows) is not None:
            return rows
        with self._lock:
            if self._rows is None:
                index = None
                if len(self._records) > self._indexed_from:
                    index = index_file.load(self._folder, self._name, self._dimension)
                self._rows = self._with(index)
            return self._rows

    def _with(self, index: Index | None) -> VectorRows:
        """An index and what it does not know; without one, the first records."""
        records, keys = self._records, self._records["key"]
        some = records[: self._indexed_from] if index is None else records[~np.asarray(index.contains(keys), np.bool_)]
        return VectorRows(some["key"].copy(), some["vector"].astype(np.float32), index)

    @cached_property
    def _records(self) -> Records:
        """The whole records of the file, not read into memory; none where it is of another model or not there."""
        try:
            with self._path.open("rb") as data:
                ours = data.read(_HEADER_BYTES) == self._header()
                count = (data.seek(0, os.SEEK_END) - _HEADER_BYTES) // self._record.itemsize if ours else 0
            if count:
                records: Records = np.memmap(self._path, self._record, "r", _HEADER_BYTES, (count,))
                wrong = np.flatnonzero(records["sum"] != _sums(records))
                return records[: wrong[0]] if len(wrong) else records
        except OSError:
            pass
        return np.empty(0, self._record)

    def _append(self, path: Path, there: int, keys: Keys, matrix: npt.NDArray[np.floating]) -> None:
        """Write vectors behind so many records, and cut off what a kill left there."""
        new = np.empty(len(keys), self._record)
        new["key"], new["vector"] = keys, matrix
        new["sum"] = _sums(new)
        if not there:
            index_file.remove(self._folder, self._name)
        self._folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE), "r+b") as out:
            if not there:
                out.write(self._header())
            out.seek(_HEADER_BYTES + there * self._record.itemsize)
            out.truncate()
            out.write(new.tobytes())
            out.flush()
            os.fsync(out.fileno())

    def _let_go(self) -> None:
        self._forget_records()
        self._rows = self._making = None

    def _forget_records(self) -> None:
        self.__dict__.pop("_records", None)

    def _header(self) -> bytes:
        return hashlib.sha256(f"{_FORMAT} {self._dimension} {self._model}".encode()).digest()


def _sums(records: Records) -> Keys:
    """What the keys and numbers of records add up to, so that damage is seen."""
    sums = [
        some["key"] + some["vector"].view("<u2").sum(axis=1, dtype=np.uint64)
        for some in (records[at : at + _SUMMED_AT_ONCE] for at in range(0, len(records), _SUMMED_AT_ONCE))
    ]
    return np.concatenate(sums) if sums else np.empty(0, np.uint64)


def keep_only(folder: Path, project: str, name: str) -> None:
    """Delete the files of a project's vectors but one: those of models that are used no more. Raises OSError."""
    for path in folder.glob(f"{project}-????????.vectors"):
        if path.stem != name:
            VectorFile(folder, path.stem, "", 0).remove()


def file_name(project: str, model: str) -> str:
    """A file name for the vectors of a project by one model."""
    return f"{project}-{hashlib.sha256(model.encode()).hexdigest()[:8]}"
