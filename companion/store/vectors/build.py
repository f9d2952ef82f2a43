"""Making a project's shelf of vectors from its file and the table, some vectors at a time, beside what is searched.

What is kept meanwhile is written into the build's journal by whoever keeps it, and is taken in at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.store.vectors import file as vector_file
from companion.store.vectors.shelf import Floats, Keys, Shelf, nothing
from companion.store.vectors.table import VectorTable, keys_of

Save = Callable[[], None]
Journal = list[tuple[Keys, Floats]]
"""Vectors that were kept since somebody began to read the table."""


@dataclass(frozen=True, slots=True)
class Place:
    """Which vectors: a project's by one model; and the file they lie in."""

    folder: Path
    name: str
    project: str
    model: str
    dimension: int


@dataclass(frozen=True, slots=True)
class Sizes:
    """Up to how many vectors neither file nor index is made (`filed`), and no index (`exact`)."""

    filed: int
    exact: int


@dataclass
class Build:
    """One making of a shelf. For one thread at a time."""

    table: VectorTable
    place: Place
    sizes: Sizes
    journal: Journal = field(default_factory=list)
    _lacking: list[str] = field(default_factory=list, init=False)
    _index: Any = field(default=None, init=False)
    _keys: Keys = field(default_factory=lambda: np.empty(0, np.uint64), init=False)
    _matrix: Floats = field(default_factory=lambda: np.empty((0, 0), np.float32), init=False)
    _rows: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64), init=False)
    """Rows of the matrix that those which lack belong into."""
    _at: int = field(default=0, init=False)
    _changed: bool = field(default=False, init=False)
    large_and_new: bool = field(default=False, init=False)
    """Whether an index is made from nothing: until it is there, who comes first finds none."""

    def begin(self) -> None:
        """See what is in the file and what has to be read from the table; the journal is being kept already."""
        hashes = self.table.hashes(self.place.project, self.place.model, self.place.dimension)
        self._keys = keys_of(hashes)
        there = self._from_matrix() if len(hashes) <= self.sizes.exact else self._from_index()
        self._rows = np.flatnonzero(~there)
        self._lacking = [hashes[row] for row in self._rows.tolist()]
        self._changed |= bool(self._lacking)

    @property
    def done(self) -> bool:
        """Whether all vectors of the table are taken in."""
        return self._at >= len(self._lacking)

    def go_on(self, vectors: int) -> None:
        """Take in at most so many vectors more."""
        rows = slice(self._at, self._at + vectors)
        some = self._lacking[rows]
        values = self.table.values(self.place.model, self.place.dimension, some)
        if self._index is not None:
            self._index.add(keys_of(some), values)
        else:
            self._matrix[self._rows[rows]] = values
        self._at += len(some)

    def end(self, journal: Journal) -> tuple[Shelf, Save]:
        """The shelf with what was kept meanwhile, and how to save it."""
        if self._index is not None:
            for keys, matrix in journal:
                self._take_in(keys, matrix)
            return Shelf(*self._no_rows(), self._index), self._save_index
        shelf = Shelf(self._keys, self._matrix)
        for keys, matrix in journal:
            shelf = shelf.with_more(keys, matrix)
            self._changed = True
        return shelf, partial(self._save_matrix, shelf)

    def _take_in(self, keys: Keys, matrix: Floats) -> None:
        for key in keys[self._index.contains(keys)].tolist():
            self._index.remove(key)
        self._index.add(keys, matrix)
        self._changed = True

    def _from_matrix(self) -> npt.NDArray[np.bool_]:
        """Begin with the saved matrix; which vectors it has."""
        place = self.place
        saved = vector_file.load_matrix(place.folder, place.name, place.model, place.dimension)
        there = np.zeros(len(self._keys), dtype=np.bool_)
        self._matrix = np.empty((len(self._keys), place.dimension), dtype=np.float32)
        if saved is not None and len(saved):
            rows = Shelf(saved["key"], saved["vector"]).rows_of(self._keys)
            there = rows >= 0
            self._matrix[there] = saved["vector"][rows[there]]
        self._changed = saved is None or not np.array_equal(saved["key"], self._keys)
        return there

    def _from_index(self) -> npt.NDArray[np.bool_]:
        """Begin with the saved index without what is gone; which vectors it has."""
        place = self.place
        saved = vector_file.load(place.folder, place.name, place.model, place.dimension)
        self._index = vector_file.new_index(place.dimension) if saved is None else saved
        self.large_and_new = saved is None
        there = np.asarray(self._index.keys, dtype=np.uint64)
        gone = there[~np.isin(there, self._keys)].tolist()
        for key in gone:
            self._index.remove(key)
        self._changed = bool(gone)
        return np.isin(self._keys, there)

    def _no_rows(self) -> tuple[Keys, Floats]:
        empty = nothing(self.place.dimension)
        return empty.keys, empty.matrix

    def _save_index(self) -> None:
        if self._changed:
            vector_file.save(self.place.folder, self.place.name, self._index, self.place.model)

    def _save_matrix(self, shelf: Shelf) -> None:
        if len(shelf) <= self.sizes.filed:
            vector_file.remove(self.place.folder, self.place.name)
        elif self._changed:
            made = vector_file.new_matrix(shelf.keys, shelf.matrix)
            vector_file.save_matrix(self.place.folder, self.place.name, made, self.place.model)
