"""The table of vectors: which texts have one, which have none, and the numbers themselves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.store.bulk import insert_rows
from companion.store.database import Database
from companion.store.rows import column, groups, pairs, tuples
from companion.store.statements import execute
from companion.store.text.documents import FULL_TEXT_CHARACTERS, text_key
from companion.store.vectors import sql
from companion.store.vectors.vector_rows import Floats, Keys

_READ_AT_ONCE = 5_000
"""Vectors read from the table by one statement: 8 MB here, and several times that in DuckDB."""

_KEPT_AT_ONCE = 1_000
"""Vectors written by one statement: as Python numbers each takes 12 kB, and as much again in DuckDB."""


class VectorTable:
    """Reads and writes `embeddings`. Texts are known by the hash of what is embedded of them."""

    def __init__(self, database: Database) -> None:
        """Nothing is read before it is asked."""
        self.database = database

    def pending(self, project: str, model: str, limit: int, dimension: int | None = None) -> list[tuple[str, str]]:
        """Hash and text of what has no vector yet: summaries first, then by importance, use and age.

        With `dimension` a vector of another length counts for none.
        """
        return tuples(self.database, sql.PENDING, project=project, model=model, limit=limit, dimension=dimension)

    def extent(self, project: str, model: str, dimension: int | None = None) -> tuple[int, int]:
        """How many texts a project has, and how many of them have a vector."""
        ((texts, embedded),) = tuples(self.database, sql.EXTENT, project=project, model=model, dimension=dimension)
        return texts, embedded

    def hashes(self, project: str, model: str, dimension: int) -> list[str]:
        """Hashes of the project's texts that have a vector of this length, ascending."""
        return column(self.database, sql.HASHES, project=project, model=model, dimension=dimension)

    def foremost(self, project: str, model: str, dimension: int, limit: int) -> list[str]:
        """Hashes of the `limit` texts with a vector that would be given one first, ascending."""
        asked = {"project": project, "model": model, "dimension": dimension, "limit": limit}
        return sorted(column(self.database, sql.FOREMOST, **asked))

    def values(self, model: str, dimension: int, hashes: Sequence[str]) -> Floats:
        """The vectors of some hashes, given in ascending order, one a row."""
        values = np.empty((len(hashes), dimension), dtype=np.float32)
        for start in range(0, len(hashes), _READ_AT_ONCE):
            some = list(hashes[start : start + _READ_AT_ONCE])
            with self.database.read() as connection:
                found = execute(connection, sql.VALUES, {"model": model, "hashes": some}).fetchnumpy()
            values[start : start + len(some)] = np.asarray(found["value"]).reshape(len(some), dimension)
        return values

    def put(self, model: str, hashes: Sequence[str], matrix: Floats) -> None:
        """Commit the vectors of some texts, one row of `matrix` for each hash."""
        with self.database.write(quiet=True) as connection:
            execute(connection, sql.FORGET_TEXTS, {"model": model, "hashes": list(hashes)})
            for start in range(0, len(hashes), _KEPT_AT_ONCE):
                some = slice(start, start + _KEPT_AT_ONCE)
                rows = [(digest, model, row.tolist()) for digest, row in zip(hashes[some], matrix[some], strict=True)]
                insert_rows(connection, "embeddings", ("text_hash", "model", "vector"), rows)

    def has_others(self, model: str) -> bool:
        """Whether there are vectors of any other model, of whatever project; quick."""
        return bool(self.database.value(sql.OTHERS, {"model": model}))

    def has_lengths(self, model: str, dimension: int) -> bool:
        """Whether a model has vectors of another length than this."""
        return bool(self.database.value(sql.LENGTHS, {"model": model, "dimension": dimension}))

    def models(self, project: str) -> dict[str, int]:
        """How many of the project's texts have a vector, by model."""
        return pairs(self.database, sql.MODELS, project=project)

    def drop_outdated(self, project: str, model: str, dimension: int, limit: int) -> frozenset[str]:
        """Delete at most so many vectors that a project has of another model or dimension; of which models."""
        given = {
            "project": project,
            "model": model,
            "dimension": dimension,
            "characters": FULL_TEXT_CHARACTERS,
            "limit": limit,
        }
        with self.database.write(quiet=True) as connection:
            by_model = groups(connection, sql.OUTDATED, **given)
            for old, hashes in by_model.items():
                execute(connection, sql.FORGET_TEXTS, {"model": old, "hashes": hashes})
        return frozenset(by_model)


def keys_of(hashes: Sequence[str]) -> Keys:
    """The numbers that stand for texts in an index."""
    return np.array([text_key(digest) for digest in hashes], dtype=np.uint64)
