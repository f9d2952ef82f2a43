"""Vectors of what memories say: kept once for each text and model, searched by nearness.

The table `embeddings` is the truth. What is searched is a file beside the store (`packed`), so that a cold process need
not read the table; it can be made anew at any time. Nobody who searches waits for that: where it lacks more than a
few, the most useful ones are read, the others are taken in behind, and `missing` says so.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from companion.ports import Embedder
from companion.store.bulk import insert_rows
from companion.store.by_columns import delete_where
from companion.store.database import Database
from companion.store.keeping import VersionedCache
from companion.store.rows import column, groups, tuples
from companion.store.statements import execute
from companion.store.text.documents import text_key
from companion.store.text.index import TextIndex
from companion.store.vectors import sql
from companion.store.vectors.packed import INDEXED_FROM, VectorFile, file_name, keep_only
from companion.store.vectors.vector_rows import Floats, Keys

_Which = tuple[str, str]
"""A project and a model."""
MEANWHILE_VECTORS = 2_000
"""Read from the table by whoever asks first, where the file lacks them: 0.2 s, which the first question waits."""

_TAKEN_IN_AT_ONCE = 2_000
"""Vectors taken into a file between two looks at whether somebody else wants to: 2 s for an index."""

_READ_AT_ONCE = 5_000
"""Vectors read from the table by one statement: 8 MB here, and several times that in DuckDB."""

_KEPT_AT_ONCE = 1_000
"""Vectors written by one statement: as Python numbers each takes 12 kB, and as much again in DuckDB."""

BEING_MADE = "the vector index is being made: until then not all is found by meaning"

DROPPED_AT_ONCE = 4_096
"""Vectors of a model of before that are deleted by one commit, so that other writers get their turn."""


class _Checked(Struct, frozen=True):
    """How many texts a project has, how many of them have a vector, and whether not all of these are searched yet."""

    texts: int
    with_vector: int
    making: bool = False


class Vectors:
    """All vectors of a store, in the table and as they are searched."""

    def __init__(
        self,
        database: Database,
        text_index: TextIndex,
        indexed_from: int = INDEXED_FROM,
    ) -> None:
        """`text_index` knows who says a text. A project of more than `indexed_from` vectors gets an index."""
        self._database = database
        self._text_index = text_index
        self._folder = database.home / "vectors"
        self._indexed_from = indexed_from
        self._files: dict[_Which, VectorFile] = {}
        self._lacking: dict[_Which, int] = {}
        """How many vectors of the table a file lacked when it was last compared; 0 once it has all."""
        self._opening = threading.RLock()
        """Held while a file is compared with the table, or takes in what it lacks."""
        self.missing: dict[str, str] = {}
        """What is wrong with the vectors of a project, by project; empty where nothing is."""
        self.revision = 0
        """Raised when vectors were added or removed."""
        self._said = VersionedCache()

    def pending(self, project: str, model: str, limit: int, dimension: int | None = None) -> list[tuple[str, str]]:
        """Hash and text of what has no vector yet: summaries first, then by importance, use and age.

        With `dimension` a vector of another length counts for none.
        """
        return tuples(self._database, sql.PENDING, project=project, model=model, limit=limit, dimension=dimension)

    def extent(self, project: str, model: str, dimension: int | None = None) -> tuple[int, int]:
        """How many texts a project has, and how many of them have a vector."""
        ((texts, embedded),) = tuples(self._database, sql.EXTENT, project=project, model=model, dimension=dimension)
        return texts, embedded

    def _hashes(self, project: str, model: str, dimension: int) -> list[str]:
        """Hashes of the project's texts that have a vector of this length, what is needed soonest first."""
        return column(self._database, sql.HASHES, project=project, model=model, dimension=dimension)

    def _values(self, model: str, dimension: int, hashes: Sequence[str]) -> Floats:
        """The vectors of some hashes, given in ascending order, one a row."""
        values = np.empty((len(hashes), dimension), dtype=np.float32)
        for start in range(0, len(hashes), _READ_AT_ONCE):
            some = list(hashes[start : start + _READ_AT_ONCE])
            with self._database.read() as connection:
                found = execute(connection, sql.VALUES, {"model": model, "hashes": some}).fetchnumpy()
            values[start : start + len(some)] = np.asarray(found["value"]).reshape(len(some), dimension)
        return values

    def has_any(self, project: str, embedder: Embedder) -> bool:
        """Whether a project has any vector of a model; where it has none, a question needs none either."""
        return len(self._file(project, embedder.model, embedder.dimension).keys()) > 0

    def drop_others(self, project: str, model: str, dimension: int) -> bool:
        """Drop some of the vectors that a project has of other models and nobody needs; whether there are more.

        To be called once all its texts have one of `model`. Their files go with the first of them.
        """
        if not any(column(self._database, sql.OTHERS, model=model, dimension=dimension)):
            return False
        asked = {"project": project, "model": model, "dimension": dimension}
        with self._database.write(quiet=True) as connection:
            dropped = groups(connection, sql.OUTDATED, **asked, limit=DROPPED_AT_ONCE)
            for old, hashes in dropped.items():
                delete_where(connection, "embeddings", model=old, text_hash=hashes)
        for old in dropped.keys() - {model}:
            self._new(project, old, dimension).remove()
        return bool(dropped)

    def refresh(self, project: str, embedder: Embedder) -> None:
        """Have all vectors of the table searched. A file that cannot be written is named in `missing`."""
        while self.refresh_some(project, embedder, _TAKEN_IN_AT_ONCE):
            pass

    def refresh_some(self, project: str, embedder: Embedder, vectors: int) -> bool:
        """Do a part of the same, taking in at most so many vectors; whether there is more to do."""
        which = (project, embedder.model)
        with self._opening:
            try:
                file = self._file(*which, embedder.dimension)
                if self._lacking[which]:
                    lacking = _lacking(file, sorted(self._hashes(*which, embedder.dimension)))
                    self._lacking[which] = len(lacking)
                    self._add(file, which, embedder.dimension, lacking[:vectors])
                more = bool(self._lacking[which]) or file.index_some(vectors)
            except OSError as wrong:
                self.missing[project] = f"the file of vectors cannot be written ({wrong.strerror or wrong})"
                return False
        if not more:
            self.missing.pop(project, None)
        return more

    def drop_deleted(self, project: str, embedder: Embedder | None) -> None:
        """Leave no vector of a text that the store has no more in any file of a project. Raises OSError.

        Those of another model go with their file, which can be made anew from the table.
        """
        model = "" if embedder is None else embedder.model
        with self._opening:
            self._files = {
                which: file for which, file in self._files.items() if which[0] != project or which[1] == model
            }
            keep_only(self._folder, project, file_name(project, model))
            if embedder is not None:
                hashes = self._hashes(project, model, embedder.dimension)
                self._file(project, model, embedder.dimension).retain(_keys_of(hashes), gone_most=0)
                self.revision += 1

    def rebuild(self, project: str, embedder: Embedder) -> None:
        """Make the project's file anew from the table."""
        with self._opening:
            self._new(project, embedder.model, embedder.dimension).remove()
            self._files.pop((project, embedder.model), None)
        self.refresh(project, embedder)

    def _new(self, project: str, model: str, dimension: int) -> VectorFile:
        return VectorFile(self._folder, file_name(project, model), model, dimension, self._indexed_from)

    def _file(self, project: str, model: str, dimension: int) -> VectorFile:
        """What is searched of a project; compared with the table when first asked for."""
        which = (project, model)
        if (known := self._files.get(which)) is not None:
            return known
        with self._opening:
            if which not in self._files:
                file = self._new(project, model, dimension)
                hashes = self._hashes(project, model, dimension)
                with suppress(OSError):
                    file.retain(_keys_of(hashes))
                self._lacking[which] = len(_lacking(file, hashes))
                if self._lacking[which]:
                    self._add(file, which, dimension, _lacking(file, sorted(hashes[:MEANWHILE_VECTORS])))
                if self._lacking[which]:
                    self.missing[project] = BEING_MADE
                self._files[which] = file
            return self._files[which]

    def _add(self, file: VectorFile, which: _Which, dimension: int, hashes: list[str]) -> None:
        file.add(_keys_of(hashes), self._values(which[1], dimension, hashes))
        self._lacking[which] -= len(hashes)
        self.revision += 1

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

        def sayers() -> tuple[Keys, npt.NDArray[np.int64]]:
            keys = np.ascontiguousarray(table["texts"]).ravel()
            order = np.argsort(keys, kind="stable")
            return keys[order], order // 2

        return self._said(project, table.base, sayers)

    def similarities(self, project: str, model: str, vector: Floats, keys: Keys) -> Floats:
        """How near texts are, by key: an array of the shape of `keys`; 0 for what has no vector."""
        return self._file(project, model, len(vector)).similarities(vector, keys)

    def nearest_texts(self, project: str, model: str, vector: Floats, k: int) -> list[tuple[int, float]]:
        """Keys of the nearest texts with their cosine similarity, nearest first."""
        return self._file(project, model, len(vector)).nearest(vector, k)

    def keep(self, project: str, model: str, hashes: Sequence[str], matrix: Floats) -> None:
        """Commit the vectors of some texts, one row of `matrix` for each hash that `pending` gave."""
        with self._database.write(quiet=True) as connection:
            delete_where(connection, "embeddings", model=model, text_hash=hashes)
            for start in range(0, len(hashes), _KEPT_AT_ONCE):
                some = slice(start, start + _KEPT_AT_ONCE)
                rows = [(digest, model, row.tolist()) for digest, row in zip(hashes[some], matrix[some], strict=True)]
                insert_rows(connection, "embeddings", ("text_hash", "model", "vector"), rows)
        with self._opening:
            self.revision += 1
            if (file := self._files.get((project, model))) is not None:
                file.add(_keys_of(hashes), matrix)

    def check(self, project: str, embedder: Embedder) -> _Checked:
        """How many texts have a vector, and whether all of these are searched."""
        texts, with_vector = self.extent(project, embedder.model, embedder.dimension)
        self._file(project, embedder.model, embedder.dimension)
        return _Checked(texts, with_vector, bool(self._lacking[project, embedder.model]))


def _keys_of(hashes: Sequence[str]) -> Keys:
    """The numbers that stand for texts in an index."""
    return np.array([text_key(digest) for digest in hashes], dtype=np.uint64)


def _lacking(file: VectorFile, hashes: list[str]) -> list[str]:
    """Those of some texts whose vectors a file lacks."""
    lacks = ~np.isin(_keys_of(hashes), file.keys())
    return [hashes[row] for row in np.flatnonzero(lacks).tolist()]
