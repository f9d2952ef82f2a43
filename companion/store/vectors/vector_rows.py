"""A project's vectors as they are searched: a matrix, or an index and a matrix of what came since it was made.

A rows never changes, so any number of threads search one while another is made beside it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from usearch.index import Index

Floats = npt.NDArray[np.float32]
Keys = npt.NDArray[np.uint64]


class VectorRows(Struct, frozen=True, dict=True):
    """Keys and the vectors of unit length that belong to them, one a row; an index holds others."""

    keys: Keys
    matrix: Floats
    index: Index | None = None

    def __len__(self) -> int:
        """How many vectors there are."""
        return len(self.keys) + (0 if self.index is None else len(self.index))

    def rows_of(self, keys: Keys) -> npt.NDArray[np.int64]:
        """Rows of the matrix by key, -1 where there is none."""
        known, rows = self._order
        if not len(known):
            return np.full(keys.shape, -1)
        place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return np.where(known[place] == keys, rows[place], -1)

    @cached_property
    def _order(self) -> tuple[Keys, npt.NDArray[np.int64]]:
        """Keys of the matrix in ascending order, and their rows."""
        by_key = np.argsort(self.keys)
        return self.keys[by_key], by_key

    def with_more(self, keys: Keys, matrix: Floats) -> VectorRows:
        """Rows with these vectors too; they take the place of others with their keys."""
        stay = ~np.isin(self.keys, keys)
        before = (self.keys, self.matrix) if stay.all() else (self.keys[stay], self.matrix[stay])
        both = np.concatenate([before[1], matrix.astype(np.float32, copy=False)])
        return replace(self, keys=np.concatenate([before[0], keys]), matrix=both)

    def nearest(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """The keys of the nearest `k` vectors with their cosine similarity, nearest first."""
        if k < 1:
            return []
        exact = self._exactly(vector, k)
        if self.index is None or not len(self.index):
            return exact
        found = self.index.search(vector, k)
        near = {
            key: 1.0 - distance for key, distance in zip(found.keys.tolist(), found.distances.tolist(), strict=True)
        }
        if not exact:
            return list(near.items())
        return sorted((near | dict(exact)).items(), key=lambda one: -one[1])[:k]

    def _exactly(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        if not len(self.matrix):
            return []
        # Not `@`: its worker threads wait for each other, 20 times as long on a busy machine.
        scores = np.einsum("ij,j->i", self.matrix, vector.astype(np.float32))
        k = min(k, len(scores))
        best = np.argpartition(-scores, k - 1)[:k]
        order = best[np.lexsort((best, -scores[best]))]
        return list(zip(self.keys[order].tolist(), scores[order].tolist(), strict=True))

    def similarities(self, vector: Floats, keys: Keys) -> Floats:
        """Cosine similarity by key: an array of the shape of `keys`; 0 for what is not here."""
        found = np.zeros(keys.shape, dtype=np.float32) if self.index is None else _by_index(self.index, vector, keys)
        rows = self.rows_of(keys)
        found[rows >= 0] = self.matrix[rows[rows >= 0]] @ vector.astype(np.float32)
        return found


def _by_index(index: Index, vector: Floats, keys: Keys) -> Floats:
    asked, place = np.unique(keys, return_inverse=True)
    found = np.zeros(len(asked), dtype=np.float32)
    known = np.flatnonzero(index.contains(asked)) if len(index) and len(asked) else np.empty(0, dtype=np.int64)
    if len(known):
        stored = np.asarray(index.get(asked[known]), dtype=np.float32).reshape(len(known), -1)
        lengths = np.maximum(np.linalg.norm(stored, axis=1), 1e-9)
        found[known] = (stored @ vector.astype(np.float32)) / lengths
    return found[place].reshape(keys.shape)
