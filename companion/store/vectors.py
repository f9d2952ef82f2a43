"""Vectors of what memories say: kept once for each text and model, searched by nearness.

The table `embeddings` is the truth. Up to EXACT_VECTORS a project's vectors are simply multiplied
with the asked one, which is exact and nearly as fast as any index; above that an index is asked.
Either lies in a file beside the store from FILED_VECTORS on, so that a cold process need not read
the table; it can be made anew at any time, and without it the table answers, slower.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from companion.store import vector_file
from companion.store.bulk import insert_rows
from companion.store.text_index import FULL_TEXT_CHARACTERS, TextIndex, memory_space, text_key
from companion.store.vectors_sql import EXTENT, FORGET_TEXTS, FORGET_UNUSED, HASHES, PENDING, VALUES

if TYPE_CHECKING:
    from companion.ports import Embedder, Progress
    from companion.store.database import Database

Floats = npt.NDArray[np.float32]
Keys = npt.NDArray[np.uint64]
Save = Callable[[], None]

EXACT_VECTORS = 10_000
"""Up to here exact search takes about 1.5 ms and 15 MB; above, an index is worth its making."""

FILED_VECTORS = 1_000
"""Up to here the table is read in less than 0.1 s, and a file is not worth its place."""

_READ_AT_ONCE = 5_000
"""Vectors read from the table by one statement: 8 MB here, and several times that in DuckDB."""

_KEPT_AT_ONCE = 1_000
"""Vectors written by one statement: as Python numbers each takes 12 kB, and as much again in DuckDB."""

BATCH_TEXTS = 64
"""Texts embedded and committed at a time: a quarter of a second of work that a kill can lose."""

_PENDING_AT_ONCE = 1_024
"""Texts looked up at a time: finding them reads all texts of the project."""


@dataclass(slots=True)
class _Shelf:
    """A project's vectors in memory: a matrix with the keys of its rows, or an index."""

    keys: Keys
    matrix: Floats
    index: Any = None
    order: tuple[Keys, npt.NDArray[np.int64]] | None = None
    """Keys of the rows in ascending order, and the rows."""

    def rows_of(self, keys: Keys) -> npt.NDArray[np.int64]:
        """Rows by key, -1 where there is none."""
        if self.order is None:
            by_key = np.argsort(self.keys)
            self.order = (self.keys[by_key], by_key)
        known, rows = self.order
        if not len(known):
            return np.full(keys.shape, -1)
        place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return np.where(known[place] == keys, rows[place], -1)


class Vectors:
    """All vectors of a store. `missing` says what is wrong with a project's index, if anything."""

    def __init__(
        self,
        database: Database,
        text_index: TextIndex,
        folder: Path | None = None,
        exact_vectors: int = EXACT_VECTORS,
        filed_vectors: int = FILED_VECTORS,
    ) -> None:
        """`text_index` knows who says a text.

        A project of more than `filed_vectors` gets a file, one of more than `exact_vectors` an index.
        """
        self._exact = exact_vectors
        self._filed = min(filed_vectors, exact_vectors)
        self._database = database
        self._text_index = text_index
        self._folder = folder or database.home / "vectors"
        self._shelves: dict[tuple[str, str], _Shelf] = {}
        self._lock = threading.RLock()
        self._said: dict[str, tuple[object, Keys, npt.NDArray[np.int64]]] = {}
        self.missing: dict[str, str] = {}
        self.revision = 0
        """Raised when vectors were added or removed."""

    def pending(self, project: str, model: str, limit: int) -> list[tuple[str, str]]:
        """Hash and text of what has no vector yet: summaries first, then by importance, use and age."""
        asked = {"project": project, "model": model, "limit": limit}
        with self._database.read() as connection:
            rows = connection.execute(PENDING, asked).fetchall()
        return [(digest, text) for digest, text in rows]

    def extent(self, project: str, model: str) -> tuple[int, int]:
        """How many texts a project has, and how many of them have a vector."""
        with self._database.read() as connection:
            row = connection.execute(EXTENT, {"project": project, "model": model}).fetchone()
        return (int(row[0]), int(row[1])) if row else (0, 0)

    def embed_pending(
        self,
        project: str,
        embedder: Embedder,
        budget: int | None = None,
        progress: Progress | None = None,
    ) -> int:
        """Give vectors to what has none, at most `budget` texts; each batch is committed.

        Returns how many were made. The index is brought up to date at the end.
        """
        total, done_before = self.extent(project, embedder.model)
        wanted = total - done_before if budget is None else min(budget, total - done_before)
        done = 0
        while done < wanted:
            found = self.pending(project, embedder.model, min(_PENDING_AT_ONCE, wanted - done))
            if not found:
                break
            # Texts of like length together: a batch costs as much as its longest.
            found.sort(key=lambda one: (len(one[1]), one[0]))
            for start in range(0, len(found), BATCH_TEXTS):
                batch = found[start : start + BATCH_TEXTS]
                made = embedder.embed([text for _, text in batch])
                self.keep(project, embedder.model, [digest for digest, _ in batch], made)
                done += len(batch)
                if progress is not None:
                    progress.step("vectors", done, wanted)
        self.refresh(project, embedder)
        return done

    def refresh(self, project: str, embedder: Embedder) -> None:
        """Bring the project's file up to date with the table; needed above FILED_VECTORS only.

        A file that cannot be written is named in `missing`; the vectors themselves are in the table.
        """
        model, dimension = embedder.model, embedder.dimension
        with self._lock:
            hashes = self._hashes(project, model, dimension)
            self.missing.pop(project, None)
            bring = self._bring_matrix if len(hashes) <= self._exact else self._bring_index
            self._shelves[project, model], save = bring(_name(project, model), hashes, model, dimension)
            try:
                save()
            except OSError as wrong:
                self.missing[project] = f"the file of vectors cannot be written ({wrong.strerror or wrong})"

    def _bring_matrix(self, name: str, hashes: Sequence[str], model: str, dimension: int) -> tuple[_Shelf, Save]:
        """The saved matrix with what is gone left out and what is new read, and how to save it."""
        keys = _keys(hashes)
        saved = vector_file.load_matrix(self._folder, name, model, dimension)
        if saved is not None and np.array_equal(saved["key"], keys):
            return _Shelf(keys, saved["vector"]), _nothing
        vectors = np.empty((len(keys), dimension), dtype=np.float32)
        there = np.zeros(len(keys), dtype=np.bool_)
        if saved is not None and len(saved):
            rows = _Shelf(saved["key"], saved["vector"]).rows_of(keys)
            there = rows >= 0
            vectors[there] = saved["vector"][rows[there]]
        lacking = np.flatnonzero(~there)
        vectors[lacking] = self._values(model, dimension, [hashes[i] for i in lacking.tolist()])
        if len(keys) <= self._filed:
            return _Shelf(keys, vectors), partial(vector_file.remove, self._folder, name)
        made = vector_file.new_matrix(keys, vectors)
        return _Shelf(keys, vectors), partial(vector_file.save_matrix, self._folder, name, made, model)

    def _bring_index(self, name: str, hashes: Sequence[str], model: str, dimension: int) -> tuple[_Shelf, Save]:
        """The saved index without what is gone and with what is new, and how to save it."""
        saved = vector_file.load(self._folder, name, model, dimension)
        index = vector_file.new_index(dimension) if saved is None else saved
        keys, there = _keys(hashes), np.asarray(index.keys, dtype=np.uint64)
        gone = there[~np.isin(there, keys)].tolist()
        for key in gone:
            index.remove(key)
        lacking = np.flatnonzero(~np.isin(keys, there)).tolist()
        for start in range(0, len(lacking), _READ_AT_ONCE):
            some = [hashes[i] for i in lacking[start : start + _READ_AT_ONCE]]
            index.add(_keys(some), self._values(model, dimension, some))
        shelf = _Shelf(np.empty(0, dtype=np.uint64), np.empty((0, dimension), dtype=np.float32), index)
        changed = gone or lacking
        return shelf, partial(vector_file.save, self._folder, name, index, model) if changed else _nothing

    def rebuild(self, project: str, embedder: Embedder) -> None:
        """Make the project's index anew from the table."""
        with self._lock:
            vector_file.remove(self._folder, _name(project, embedder.model))
            self._shelves.pop((project, embedder.model), None)
            self.refresh(project, embedder)

    def forget_unused(self) -> None:
        """Delete the vectors of texts that no memory, active or archived, says any more."""
        with self._database.write(quiet=True) as connection:
            connection.execute(FORGET_UNUSED, {"characters": FULL_TEXT_CHARACTERS})
        with self._lock:
            self.revision += 1
            self._shelves.clear()

    def nearest(self, project: str, model: str, vector: Floats, k: int) -> list[tuple[str, float]]:
        """Ids of the memories nearest to a unit vector, with their cosine similarity, nearest first."""
        found: list[tuple[str, float]] = []
        self._text_index.update(project)
        with self._text_index.asked() as file:
            if file is not None:
                alive = file.view(memory_space(project)).alive
                near: dict[int, float] = {}
                for number, similarity in self.nearest_numbers(project, model, vector, 2 * k):
                    if alive[number]:
                        near.setdefault(number, similarity)
                ids = file.records(memory_space(project), list(near))
                found = [(ids[number][0], similarity) for number, similarity in near.items()]
        return found[:k]

    def nearest_numbers(self, project: str, model: str, vector: Floats, texts: int) -> list[tuple[int, float]]:
        """Document numbers of the memories that say the nearest `texts` texts, nearest first.

        A memory whose summary and full text are both near comes twice, the better one first; ones
        that were struck off the text index are among them.
        """
        near = self.nearest_texts(project, model, vector, texts)
        keys, numbers = self._sayers(project)
        asked = np.array([key for key, _ in near], dtype=np.uint64)
        first, last = np.searchsorted(keys, asked, "left"), np.searchsorted(keys, asked, "right")
        return [
            (number, similarity)
            for (_, similarity), start, end in zip(near, first.tolist(), last.tolist(), strict=True)
            for number in numbers[start:end].tolist()
        ]

    def _sayers(self, project: str) -> tuple[Keys, npt.NDArray[np.int64]]:
        """Keys of all texts in ascending order, and the document number of who says each."""
        table = self._text_index.table(project)
        with self._lock:
            kept = self._said.get(project)
            if kept is None or kept[0] is not table.base:
                keys = np.ascontiguousarray(table["texts"]).ravel()
                order = np.argsort(keys, kind="stable")
                kept = (table.base, keys[order], order // 2)
                self._said[project] = kept
            return kept[1], kept[2]

    def similarities(self, project: str, model: str, vector: Floats, keys: Keys) -> Floats:
        """How near texts are, by key: an array of the shape of `keys`; 0 for what has no vector."""
        with self._lock:
            shelf = self._shelf(project, model, len(vector))
            if shelf.index is not None:
                return _by_index(shelf.index, vector, keys)
            rows = shelf.rows_of(keys)
            found = np.zeros(keys.shape, dtype=np.float32)
            found[rows >= 0] = shelf.matrix[rows[rows >= 0]] @ vector.astype(np.float32)
            return found

    def nearest_texts(self, project: str, model: str, vector: Floats, k: int) -> list[tuple[int, float]]:
        """Keys of the nearest texts with their cosine similarity, nearest first."""
        with self._lock:
            shelf = self._shelf(project, model, len(vector))
            if shelf.index is not None:
                found = shelf.index.search(vector, k)
                return [
                    (key, 1.0 - distance)
                    for key, distance in zip(found.keys.tolist(), found.distances.tolist(), strict=True)
                ]
            if not len(shelf.matrix) or k < 1:
                return []
            # Not `@`: its worker threads wait for each other, 20 times as long on a busy machine.
            scores = np.einsum("ij,j->i", shelf.matrix, vector.astype(np.float32))
            k = min(k, len(scores))
            best = np.argpartition(-scores, k - 1)[:k]
            order = best[np.lexsort((best, -scores[best]))]
            return list(zip(shelf.keys[order].tolist(), scores[order].tolist(), strict=True))

    def keep(self, project: str, model: str, hashes: Sequence[str], matrix: Floats) -> None:
        """Commit the vectors of some texts, one row of `matrix` for each hash that `pending` gave."""
        with self._database.write(quiet=True) as connection:
            connection.execute(FORGET_TEXTS, {"model": model, "hashes": list(hashes)})
            for start in range(0, len(hashes), _KEPT_AT_ONCE):
                some = slice(start, start + _KEPT_AT_ONCE)
                rows = [(digest, model, row.tolist()) for digest, row in zip(hashes[some], matrix[some], strict=True)]
                insert_rows(connection, "embeddings", ("text_hash", "model", "vector"), rows)
        with self._lock:
            self.revision += 1
            shelf = self._shelves.get((project, model))
            if shelf is not None and shelf.index is None:
                shelf.order = None
                shelf.keys = np.concatenate([shelf.keys, _keys(hashes)])
                shelf.matrix = np.concatenate([shelf.matrix, matrix.astype(np.float32)])

    def check(self, project: str, embedder: Embedder) -> str:
        """What is wrong with the project's file of vectors; empty if nothing is, or none is needed."""
        model, dimension = embedder.model, embedder.dimension
        with self._lock:
            hashes = self._hashes(project, model, dimension)
            if len(hashes) <= self._filed:
                return ""
            there = self._saved_keys(_name(project, model), model, dimension, by_index=len(hashes) > self._exact)
        if there is None:
            return "The vector index is missing or damaged."
        lacking = int((~np.isin(_keys(hashes), there)).sum())
        return f"The vector index lacks {lacking} vectors." if lacking else ""

    def _saved_keys(self, name: str, model: str, dimension: int, *, by_index: bool) -> Keys | None:
        if by_index:
            index = vector_file.load(self._folder, name, model, dimension)
            return None if index is None else np.asarray(index.keys, dtype=np.uint64)
        matrix = vector_file.load_matrix(self._folder, name, model, dimension)
        return None if matrix is None else matrix["key"]

    def _shelf(self, project: str, model: str, dimension: int) -> _Shelf:
        """The project's vectors, loaded when first asked for: from their file, else from the table."""
        known = self._shelves.get((project, model))
        if known is None:
            known = self._loaded(project, model, dimension) or self._read(project, model, dimension)
            self._shelves[project, model] = known
        return known

    def _loaded(self, project: str, model: str, dimension: int) -> _Shelf | None:
        """Whichever file there is; which one depends on how many vectors there were when it was saved."""
        if self._count(model) <= self._filed:
            return None
        name = _name(project, model)
        matrix = vector_file.load_matrix(self._folder, name, model, dimension)
        if matrix is not None:
            return _Shelf(matrix["key"], matrix["vector"])
        index = vector_file.load(self._folder, name, model, dimension)
        if index is not None:
            return _Shelf(np.empty(0, dtype=np.uint64), np.empty((0, dimension), dtype=np.float32), index)
        return None

    def _read(self, project: str, model: str, dimension: int) -> _Shelf:
        hashes = self._hashes(project, model, dimension)
        if len(hashes) > self._filed:
            self.missing[project] = "the vector index is missing or damaged: run `companion rebuild`"
        return _Shelf(_keys(hashes), self._values(model, dimension, hashes))

    def _count(self, model: str) -> int:
        with self._database.read() as connection:
            row = connection.execute(
                "select count(*) from embeddings where model = $model", {"model": model}
            ).fetchone()
        return int(row[0]) if row else 0

    def _hashes(self, project: str, model: str, dimension: int) -> list[str]:
        """Hashes of the project's texts that have a vector of this length, ascending."""
        asked = {"project": project, "model": model, "dimension": dimension}
        with self._database.read() as connection:
            return [digest for (digest,) in connection.execute(HASHES, asked).fetchall()]

    def _values(self, model: str, dimension: int, hashes: Sequence[str]) -> Floats:
        """The vectors of some hashes, given in ascending order, one a row."""
        values = np.empty((len(hashes), dimension), dtype=np.float32)
        for start in range(0, len(hashes), _READ_AT_ONCE):
            some = list(hashes[start : start + _READ_AT_ONCE])
            with self._database.read() as connection:
                found = connection.execute(VALUES, {"model": model, "hashes": some}).fetchnumpy()
            values[start : start + len(some)] = np.asarray(found["value"]).reshape(len(some), dimension)
        return values


def _name(project: str, model: str) -> str:
    """A file name for a project's index of one model."""
    return f"{project}-{hashlib.sha256(model.encode()).hexdigest()[:8]}"


def _nothing() -> None:
    """What is there needs no saving."""


def _keys(hashes: Sequence[str]) -> Keys:
    return np.array([text_key(digest) for digest in hashes], dtype=np.uint64)


def _by_index(index: Any, vector: Floats, keys: Keys) -> Floats:
    """Cosine similarity of single vectors of an index; 0 for keys it does not have."""
    asked, place = np.unique(keys, return_inverse=True)
    found = np.zeros(len(asked), dtype=np.float32)
    known = np.flatnonzero(index.contains(asked)) if len(index) and len(asked) else np.empty(0, dtype=np.int64)
    if len(known):
        stored = np.asarray(index.get(asked[known]), dtype=np.float32).reshape(len(known), -1)
        lengths = np.maximum(np.linalg.norm(stored, axis=1), 1e-9)
        found[known] = (stored @ vector.astype(np.float32)) / lengths
    return found[place].reshape(keys.shape)
