"""Vectors of what memories say: kept once for each text and model, searched by nearness.

The table `embeddings` is the truth. Up to EXACT_VECTORS a project's vectors are simply multiplied
with the asked one, which is exact and nearly as fast as any index; above that an index is asked.
Either lies in a file beside the store from FILED_VECTORS on, so that a cold process need not read
the table; it can be made anew at any time. Nobody who searches waits for that: it is made beside
what is searched and put in its place in one step. Where there is nothing yet, the most useful ones
are searched (`shelves.MEANWHILE_VECTORS`), and `missing` says so.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from companion.store.text.documents import memory_space
from companion.store.text.index import TextIndex
from companion.store.vectors.build import Sizes
from companion.store.vectors.shelf import Floats, Keys
from companion.store.vectors.shelves import Shelves
from companion.store.vectors.table import VectorTable, keys_of

if TYPE_CHECKING:
    from companion.ports import Embedder, Progress
    from companion.store.database import Database

EXACT_VECTORS = 10_000
"""Up to here exact search takes about 1.5 ms and 15 MB; above, an index is worth its making."""

FILED_VECTORS = 1_000
"""Up to here the table is read in less than 0.1 s, and a file is not worth its place."""

BATCH_TEXTS = 64
"""Texts embedded and committed at a time: a quarter of a second of work that a kill can lose."""

_PENDING_AT_ONCE = 1_024
"""Texts looked up at a time: finding them reads all texts of the project."""

DROPPED_AT_ONCE = 4_096
"""Vectors of a model of before that are deleted by one commit, so that other writers get their turn."""


@dataclass(frozen=True, slots=True)
class Checked:
    """How many texts a project has, how many of them have a vector, and what is wrong with the file of vectors."""

    texts: int
    with_vector: int
    wrong: str = ""
    making: bool = False
    """Whether that file is just being made, so that nothing can be said of it."""


class Vectors:
    """All vectors of a store."""

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
        self._table = VectorTable(database)
        self._text_index = text_index
        sizes = Sizes(min(filed_vectors, exact_vectors), exact_vectors)
        self._shelves = Shelves(self._table, folder or database.home / "vectors", sizes)
        self._lock = threading.Lock()
        """Held for moments only, while `_said` is looked up or made."""
        self._said: dict[str, tuple[object, Keys, npt.NDArray[np.int64]]] = {}

    @property
    def missing(self) -> Mapping[str, str]:
        """What is wrong with the index of a project, by project; empty where nothing is."""
        return self._shelves.missing

    @property
    def revision(self) -> int:
        """Raised when vectors were added or removed."""
        return self._shelves.revision

    def pending(self, project: str, model: str, limit: int, dimension: int | None = None) -> list[tuple[str, str]]:
        """Hash and text of what has no vector yet: summaries first, then by importance, use and age.

        With `dimension` a vector of another length counts for none.
        """
        return self._table.pending(project, model, limit, dimension)

    def extent(self, project: str, model: str, dimension: int | None = None) -> tuple[int, int]:
        """How many texts a project has, and how many of them have a vector."""
        return self._table.extent(project, model, dimension)

    def has_others(self, model: str) -> bool:
        """Whether there are vectors of any other model, of whatever project; quick."""
        return self._table.has_others(model)

    def has_any(self, project: str, embedder: Embedder) -> bool:
        """Whether a project has any vector of a model; where it has none, a question needs none either."""
        return len(self._shelves.of(project, embedder.model, embedder.dimension)) > 0

    def models(self, project: str) -> Mapping[str, int]:
        """How many of the project's texts have a vector, by model."""
        return self._table.models(project)

    def drop_others(self, project: str, model: str, dimension: int) -> bool:
        """Drop some of the vectors that a project has of other models and nobody needs; whether there are more.

        To be called once all its texts have one of `model`. Their files go with the first of them.
        """
        if not (self._table.has_others(model) or self._table.has_lengths(model, dimension)):
            return False
        dropped = self._table.drop_outdated(project, model, dimension, DROPPED_AT_ONCE)
        for old in dropped - {model}:
            self._shelves.remove(project, old)
        return bool(dropped)

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
        total, done_before = self.extent(project, embedder.model, embedder.dimension)
        wanted = total - done_before if budget is None else min(budget, total - done_before)
        done = 0
        while done < wanted:
            found = self.pending(project, embedder.model, min(_PENDING_AT_ONCE, wanted - done), embedder.dimension)
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
        self._shelves.refresh(project, embedder)

    def refresh_some(self, project: str, embedder: Embedder, vectors: int) -> bool:
        """Do a part of the same, taking in at most so many vectors; whether there is more to do."""
        return self._shelves.refresh_some(project, embedder, vectors)

    def refreshing(self, project: str, model: str) -> bool:
        """Whether the project's file is being brought up to date."""
        return self._shelves.refreshing(project, model)

    def behind(self, project: str, model: str) -> bool:
        """Whether the project's file lacks more than may be left for later, or is not known to be there."""
        return self._shelves.behind(project, model)

    def rebuild(self, project: str, embedder: Embedder) -> None:
        """Make the project's index anew from the table; what there is is searched meanwhile."""
        self._shelves.rebuild(project, embedder)

    def forget_unused(self) -> None:
        """Delete the vectors of texts that no memory, active or archived, says any more."""
        self._table.forget_unused()
        self._shelves.reload()

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
        return self._shelves.of(project, model, len(vector)).similarities(vector, keys)

    def nearest_texts(self, project: str, model: str, vector: Floats, k: int) -> list[tuple[int, float]]:
        """Keys of the nearest texts with their cosine similarity, nearest first."""
        return self._shelves.of(project, model, len(vector)).nearest(vector, k)

    def keep(self, project: str, model: str, hashes: Sequence[str], matrix: Floats) -> None:
        """Commit the vectors of some texts, one row of `matrix` for each hash that `pending` gave."""
        self._table.keep(model, hashes, matrix)
        self._shelves.take_in(project, model, keys_of(hashes), matrix)

    def check(self, project: str, embedder: Embedder) -> Checked:
        """How many texts have a vector, and what is wrong with the project's file of them, if anything."""
        texts, keys = self._table.covered(project, embedder.model, embedder.dimension)
        if self.refreshing(project, embedder.model):
            return Checked(texts, len(keys), making=True)
        return Checked(texts, len(keys), self._shelves.wrong_with_file(project, embedder, keys))
