"""Vectors of what memories say: kept once for each text and model, searched by nearness.

The table `embeddings` is the truth. Up to EXACT_VECTORS a project's vectors are simply multiplied
with the asked one, which is exact and as fast as any index; above that an index file is kept, which
can be made anew at any time.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from companion.store import vector_file
from companion.store.bulk import insert_rows
from companion.store.text_index import FULL_TEXT_CHARACTERS, TextIndex, memory_space, text_key

if TYPE_CHECKING:
    from usearch.index import Index

    from companion.ports import Embedder, Progress
    from companion.store.database import Database

Floats = npt.NDArray[np.float32]
Keys = npt.NDArray[np.uint64]

EXACT_VECTORS = 20_000
"""Up to here exact search takes under 1.5 ms and 31 MB; an index file is not faster to open."""

BATCH_TEXTS = 64
"""Texts embedded and committed at a time: a quarter of a second of work that a kill can lose."""

_PENDING_AT_ONCE = 1_024
"""Texts looked up at a time: finding them reads all texts of the project."""

_TEXTS = f"""
with texts as (
    select
        left(content_summary, {FULL_TEXT_CHARACTERS}) as text,
        0 as level, importance, cited_count, retrieved_count, id,
        coalesce(try_cast(body->>'occurred_at' as timestamp), valid_from, created_at) as about
    from memories
    where project_id = $project and status = 'active'
    union all
    select
        left(content_full, {FULL_TEXT_CHARACTERS}),
        1, importance, cited_count, retrieved_count, id,
        coalesce(try_cast(body->>'occurred_at' as timestamp), valid_from, created_at)
    from memories
    where project_id = $project and status = 'active'
)
"""  # noqa: S608 - constants

_PENDING = (
    _TEXTS  # noqa: S608 - constants of this module
    + """
select left(sha256(text), 32) as text_hash, any_value(text)
from texts
where trim(text) <> ''
group by text_hash
having text_hash not in (select text_hash from embeddings where model = $model)
order by min(level), max(importance) desc, max(cited_count) desc, max(retrieved_count) desc,
    max(about) desc, min(id)
limit $limit
"""
)

_EXTENT = (
    _TEXTS  # noqa: S608 - constants of this module
    + """
, hashes as (
    select distinct left(sha256(text), 32) as text_hash
    from texts
    where trim(text) <> ''
)
select count(*), count(e.text_hash)
from hashes h
left join embeddings e on e.text_hash = h.text_hash and e.model = $model
"""
)

_HASHES = (
    _TEXTS  # noqa: S608 - constants of this module
    + """
select e.text_hash
from embeddings e
where e.model = $model
    and len(e.vector) = $dimension
    and e.text_hash in (select left(sha256(text), 32) from texts)
order by e.text_hash
"""
)

_VALUES = """
select unnest(vector) as value
from (
    select vector
    from embeddings
    where model = $model
        and text_hash in (select unnest($hashes::varchar[]))
    order by text_hash
)
"""
"""The numbers of some vectors in one column: ten times as fast as one Python tuple a vector."""

_FORGET_TEXTS = """
delete from embeddings
where model = $model
    and text_hash in (select unnest($hashes::varchar[]))
"""

_FORGET_UNUSED = """
delete from embeddings
where text_hash not in (
    select left(sha256(left(content_summary, $characters)), 32) from memories
    union all
    select left(sha256(left(content_full, $characters)), 32) from memories
)
"""


@dataclass(slots=True)
class _Shelf:
    """A project's vectors in memory: a matrix with the hashes of its rows, or an index."""

    hashes: list[str]
    matrix: Floats
    index: Any = None
    order: tuple[Keys, npt.NDArray[np.int64]] | None = None
    """Keys of the rows in ascending order, and the rows."""

    def rows_of(self, keys: Keys) -> npt.NDArray[np.int64]:
        """Rows by key, -1 where there is none."""
        if self.order is None:
            known = _keys(self.hashes)
            by_key = np.argsort(known)
            self.order = (known[by_key], by_key)
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
    ) -> None:
        """`text_index` knows who says a text; a project of more than `exact_vectors` gets an index file."""
        self._exact = exact_vectors
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
            rows = connection.execute(_PENDING, asked).fetchall()
        return [(digest, text) for digest, text in rows]

    def extent(self, project: str, model: str) -> tuple[int, int]:
        """How many texts a project has, and how many of them have a vector."""
        with self._database.read() as connection:
            row = connection.execute(_EXTENT, {"project": project, "model": model}).fetchone()
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
        """Bring the project's index up to date with the table; needed above EXACT_VECTORS only."""
        model, dimension = embedder.model, embedder.dimension
        with self._lock:
            hashes = self._hashes(project, model, dimension)
            self.missing.pop(project, None)
            if len(hashes) <= self._exact:
                self._shelves[project, model] = _Shelf(hashes, self._values(model, dimension, hashes))
                return
            name = _name(project, model)
            index = vector_file.load(self._folder, name, model, dimension)
            if index is None:
                index = vector_file.new_index(dimension)
            if self._bring(index, hashes, model):
                vector_file.save(self._folder, name, index, model)
            self._shelves[project, model] = _Shelf([], np.empty((0, dimension), dtype=np.float32), index)

    def _bring(self, index: Index, hashes: Sequence[str], model: str) -> bool:
        """Remove from an index what is gone and add what is new; whether anything was done."""
        keys, there = _keys(hashes), np.asarray(index.keys, dtype=np.uint64)
        gone = there[~np.isin(there, keys)].tolist()
        for key in gone:
            index.remove(key)
        lacking = np.flatnonzero(~np.isin(keys, there)).tolist()
        for start in range(0, len(lacking), self._exact):
            some = [hashes[i] for i in lacking[start : start + self._exact]]
            index.add(_keys(some), self._values(model, index.ndim, some))
        return bool(gone or lacking)

    def rebuild(self, project: str, embedder: Embedder) -> None:
        """Make the project's index anew from the table."""
        with self._lock:
            vector_file.remove(self._folder, _name(project, embedder.model))
            self._shelves.pop((project, embedder.model), None)
            self.refresh(project, embedder)

    def forget_unused(self) -> None:
        """Delete the vectors of texts that no memory, active or archived, says any more."""
        with self._database.write(quiet=True) as connection:
            connection.execute(_FORGET_UNUSED, {"characters": FULL_TEXT_CHARACTERS})
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
            return [(text_key(shelf.hashes[i]), float(scores[i])) for i in order.tolist()]

    def keep(self, project: str, model: str, hashes: Sequence[str], matrix: Floats) -> None:
        """Commit the vectors of some texts, one row of `matrix` for each hash that `pending` gave."""
        rows = [(digest, model, row.tolist()) for digest, row in zip(hashes, matrix, strict=True)]
        with self._database.write(quiet=True) as connection:
            connection.execute(_FORGET_TEXTS, {"model": model, "hashes": list(hashes)})
            insert_rows(connection, "embeddings", ("text_hash", "model", "vector"), rows)
        with self._lock:
            self.revision += 1
            shelf = self._shelves.get((project, model))
            if shelf is not None and shelf.index is None:
                shelf.order = None
                shelf.hashes.extend(hashes)
                shelf.matrix = np.concatenate([shelf.matrix, matrix.astype(np.float32)])

    def check(self, project: str, embedder: Embedder) -> str:
        """What is wrong with the project's index; empty if nothing is, or none is needed."""
        with self._lock:
            hashes = self._hashes(project, embedder.model, embedder.dimension)
            if len(hashes) <= self._exact:
                return ""
            name = _name(project, embedder.model)
            index = vector_file.load(self._folder, name, embedder.model, embedder.dimension)
        if index is None:
            return "The vector index is missing or damaged."
        lacking = int((~np.isin(_keys(hashes), np.asarray(index.keys, dtype=np.uint64))).sum())
        return f"The vector index lacks {lacking} vectors." if lacking else ""

    def _shelf(self, project: str, model: str, dimension: int) -> _Shelf:
        """The project's vectors, loaded when first asked for."""
        known = self._shelves.get((project, model))
        if known is not None:
            return known
        empty = np.empty((0, dimension), dtype=np.float32)
        if self._count(model) > self._exact:
            index = vector_file.load(self._folder, _name(project, model), model, dimension)
            if index is not None:
                shelf = _Shelf([], empty, index)
                self._shelves[project, model] = shelf
                return shelf
        hashes = self._hashes(project, model, dimension)
        if len(hashes) > self._exact:
            self.missing[project] = "the vector index is missing or damaged: run `companion rebuild`"
        shelf = _Shelf(hashes, self._values(model, dimension, hashes))
        self._shelves[project, model] = shelf
        return shelf

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
            return [digest for (digest,) in connection.execute(_HASHES, asked).fetchall()]

    def _values(self, model: str, dimension: int, hashes: Sequence[str]) -> Floats:
        """The vectors of some hashes, given in ascending order, one a row."""
        with self._database.read() as connection:
            found = connection.execute(_VALUES, {"model": model, "hashes": list(hashes)}).fetchnumpy()
        return np.asarray(found["value"], dtype=np.float32).reshape(len(hashes), dimension)


def _name(project: str, model: str) -> str:
    """A file name for a project's index of one model."""
    return f"{project}-{hashlib.sha256(model.encode()).hexdigest()[:8]}"


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
