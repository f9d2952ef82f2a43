"""Vectors of what memories say: kept once for each text and model, searched by nearness.

The table `embeddings` is the truth. Up to EXACT_VECTORS a project's vectors are simply multiplied
with the asked one, which is exact and nearly as fast as any index; above that an index is asked.
Either lies in a file beside the store from FILED_VECTORS on, so that a cold process need not read
the table; it can be made anew at any time. Nobody who searches waits for that: it is made beside
what is searched and put in its place in one step. Where there is nothing yet, the most useful
MEANWHILE_VECTORS are searched, and `missing` says so.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from companion.store.text.documents import memory_space
from companion.store.text.index import TextIndex
from companion.store.vectors import file as vector_file
from companion.store.vectors.build import Build, Journal, Place, Sizes
from companion.store.vectors.shelf import Floats, Keys, Shelf, nothing
from companion.store.vectors.table import VectorTable, keys_of

if TYPE_CHECKING:
    from companion.ports import Embedder, Progress
    from companion.store.database import Database

_Which = tuple[str, str]
"""A project and a model."""

EXACT_VECTORS = 10_000
"""Up to here exact search takes about 1.5 ms and 15 MB; above, an index is worth its making."""

FILED_VECTORS = 1_000
"""Up to here the table is read in less than 0.1 s, and a file is not worth its place."""

MEANWHILE_VECTORS = 2_000
"""Searched while a larger project has no index: read from the table in 0.2 s, which the first question waits."""

BEHIND_MOST = 500
"""Vectors that a file may lack: whoever loads it reads them from the table, in less than 0.1 s.

Making a file anew reads and writes all of it, 15 MB for 10,000 vectors, which no saved file is worth."""

BATCH_TEXTS = 64
"""Texts embedded and committed at a time: a quarter of a second of work that a kill can lose."""

_PENDING_AT_ONCE = 1_024
"""Texts looked up at a time: finding them reads all texts of the project."""

DROPPED_AT_ONCE = 4_096
"""Vectors of a model of before that are deleted by one commit, so that other writers get their turn."""

_BUILT_AT_ONCE = 2_000
"""Vectors taken into a file between two looks at whether somebody else wants to: 2 s for an index."""

LOST = "the vector index is missing or damaged: run `companion rebuild`"
BEING_MADE = "the vector index is being made: until then not all is found by meaning"


@dataclass(frozen=True, slots=True)
class Checked:
    """How many texts a project has, how many of them have a vector, and what is wrong with the file of vectors."""

    texts: int
    with_vector: int
    wrong: str = ""
    making: bool = False
    """Whether that file is just being made, so that nothing can be said of it."""


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
        self._sizes = Sizes(min(filed_vectors, exact_vectors), exact_vectors)
        self._table = VectorTable(database)
        self._text_index = text_index
        self._folder = folder or database.home / "vectors"
        self._lock = threading.Lock()
        """Held for moments only: for what is swapped, never for what is read, made or saved."""
        self._loading = threading.Lock()
        self._building = threading.Lock()
        self._builds: dict[_Which, Build] = {}
        self._journals: dict[_Which, list[Journal]] = {}
        self._shelves: dict[_Which, Shelf] = {}
        self._unfiled: dict[_Which, int] = {}
        """How many vectors the file of a shelf lacks; not here where there is no file, or nobody knows."""
        self._said: dict[str, tuple[object, Keys, npt.NDArray[np.int64]]] = {}
        self.missing: dict[str, str] = {}
        self.revision = 0
        """Raised when vectors were added or removed."""

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
        return len(self._shelf(project, embedder.model, embedder.dimension)) > 0

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
            with self._building:
                self._dropped((project, old))
                vector_file.remove(self._folder, _name(project, old))
            with self._lock:
                self._shelves.pop((project, old), None)
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
        while self.refresh_some(project, embedder, _BUILT_AT_ONCE):
            pass

    def refresh_some(self, project: str, embedder: Embedder, vectors: int) -> bool:
        """Do a part of the same, taking in at most so many vectors; whether there is more to do.

        Whoever calls next goes on with it, so that one file is never made twice at once. What was kept
        before the last call is in the file, what is kept meanwhile is searched.
        """
        which = (project, embedder.model)
        with self._building:
            build = self._builds.get(which)
            try:
                if build is None:
                    build = self._begun(which, embedder.dimension)
                if not build.done:
                    build.go_on(vectors)
                if build.done:
                    self._finished(which, build)
            except BaseException:
                self._dropped(which)
                raise
            return which in self._builds

    def behind(self, project: str, model: str) -> bool:
        """Whether the project's file lacks more than may be left for later, or is not known to be there."""
        which = (project, model)
        with self._lock:
            shelf = self._shelves.get(which)
            if shelf is None or not shelf.whole or project in self.missing:
                return True
            return len(shelf) > self._sizes.filed and self._unfiled.get(which, BEHIND_MOST + 1) > BEHIND_MOST

    def refreshing(self, project: str, model: str) -> bool:
        """Whether the project's file is being brought up to date."""
        return (project, model) in self._builds

    def rebuild(self, project: str, embedder: Embedder) -> None:
        """Make the project's index anew from the table; what there is is searched meanwhile."""
        which = (project, embedder.model)
        with self._building:
            self._dropped(which)
            vector_file.remove(self._folder, _name(*which))
        self.refresh(project, embedder)

    def _begun(self, which: _Which, dimension: int) -> Build:
        place = Place(self._folder, _name(*which), *which, dimension)
        build = self._builds[which] = Build(self._table, place, self._sizes)
        with self._lock:
            self._journals.setdefault(which, []).append(build.journal)
            if which[0] in self.missing:
                self.missing[which[0]] = BEING_MADE
        build.begin()
        with self._lock:
            if build.large_and_new and which not in self._shelves:
                self.missing[which[0]] = BEING_MADE
        return build

    def _finished(self, which: _Which, build: Build) -> None:
        """Put a shelf in its place, then save it: whoever searches does not wait for the disk."""
        with self._lock:
            kept = build.journal.copy()
            build.journal.clear()
        shelf, save = build.end(kept)
        with self._lock:
            for keys, matrix in build.journal:  # kept in this very moment: searched, and in the file next time
                shelf = shelf.with_more(keys, matrix)
            before = self._shelves.get(which)
            self._shelves[which] = shelf
            self.revision += before is not None and not before.whole
            self.missing.pop(which[0], None)
            self._forget(which)
        try:
            save()
        except OSError as wrong:
            self.missing[which[0]] = f"the file of vectors cannot be written ({wrong.strerror or wrong})"
        else:
            with self._lock:
                self._unfiled[which] = sum(len(keys) for keys, _ in build.journal)

    def _dropped(self, which: _Which) -> None:
        with self._lock:
            self._forget(which)
            shelf = self._shelves.get(which)
            if shelf is not None and not shelf.whole:
                self.missing[which[0]] = LOST

    def _forget(self, which: _Which) -> None:
        if (build := self._builds.pop(which, None)) is not None:
            self._no_longer(which, build.journal)

    def _no_longer(self, which: _Which, journal: Journal) -> None:
        # by identity: two empty journals are equal
        self._journals[which] = [one for one in self._journals.get(which, ()) if one is not journal]

    def forget_unused(self) -> None:
        """Delete the vectors of texts that no memory, active or archived, says any more."""
        self._table.forget_unused()
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
        return self._shelf(project, model, len(vector)).similarities(vector, keys)

    def nearest_texts(self, project: str, model: str, vector: Floats, k: int) -> list[tuple[int, float]]:
        """Keys of the nearest texts with their cosine similarity, nearest first."""
        return self._shelf(project, model, len(vector)).nearest(vector, k)

    def keep(self, project: str, model: str, hashes: Sequence[str], matrix: Floats) -> None:
        """Commit the vectors of some texts, one row of `matrix` for each hash that `pending` gave."""
        self._table.keep(model, hashes, matrix)
        which, keys = (project, model), keys_of(hashes)
        with self._lock:
            self.revision += 1
            for journal in self._journals.get(which, ()):
                journal.append((keys, matrix))
            if which in self._shelves:
                self._shelves[which] = self._shelves[which].with_more(keys, matrix)
            if which in self._unfiled:
                self._unfiled[which] += len(keys)

    def check(self, project: str, embedder: Embedder) -> Checked:
        """How many texts have a vector, and what is wrong with the project's file of them, if anything."""
        texts, keys = self._table.covered(project, embedder.model, embedder.dimension)
        if self.refreshing(project, embedder.model):
            return Checked(texts, len(keys), making=True)
        with self._building:  # a file that is just being replaced looks damaged
            return Checked(texts, len(keys), self._wrong_with_file(project, embedder, keys))

    def _wrong_with_file(self, project: str, embedder: Embedder, keys: Keys) -> str:
        if len(keys) <= self._sizes.filed:
            return ""
        model, dimension, indexed = embedder.model, embedder.dimension, len(keys) > self._sizes.exact
        there = vector_file.saved_keys(self._folder, _name(project, model), model, dimension, indexed=indexed)
        if there is None:
            return "The vector index is missing or damaged."
        lacking = len(keys) - int(np.isin(keys, there).sum())
        return f"The vector index lacks {lacking} vectors." if lacking > BEHIND_MOST else ""

    def _shelf(self, project: str, model: str, dimension: int) -> Shelf:
        """The project's vectors, loaded when first asked for: from their file, else from the table."""
        which = (project, model)
        known = self._shelves.get(which)
        if known is not None:
            return known
        with self._loading:
            if (known := self._shelves.get(which)) is not None:
                return known
            with self._journal(which) as journal:
                found = self._loaded(which, dimension)
                read, why = (found, "") if found is not None else self._read(which, dimension)
                with self._lock:
                    for keys, matrix in journal:
                        read = read.with_more(keys, matrix)
                    if which not in self._shelves:  # a build may have ended meanwhile
                        self._shelves[which] = read
                        if why:
                            self.missing[project] = BEING_MADE if which in self._builds else why
                    return self._shelves[which]

    @contextmanager
    def _journal(self, which: _Which) -> Iterator[Journal]:
        """While the block lasts, what is kept is noted."""
        journal: Journal = []
        with self._lock:
            self._journals.setdefault(which, []).append(journal)
        try:
            yield journal
        finally:
            with self._lock:
                self._no_longer(which, journal)

    def _loaded(self, which: _Which, dimension: int) -> Shelf | None:
        """Whichever file there is; which one depends on how many vectors there were when it was saved."""
        project, model = which
        if self._table.count(model) <= self._sizes.filed:
            return None
        name = _name(project, model)
        matrix = vector_file.load_matrix(self._folder, name, model, dimension)
        if matrix is not None:
            return self._caught_up(which, dimension, Shelf(matrix["key"], matrix["vector"]))
        index = vector_file.load(self._folder, name, model, dimension)
        if index is not None:
            none = nothing(dimension)
            return self._caught_up(which, dimension, Shelf(none.keys, none.matrix, index))
        return None

    def _caught_up(self, which: _Which, dimension: int, shelf: Shelf) -> Shelf:
        """With the few that were kept since the file was saved; where it lacks more, it is to be made anew."""
        hashes = self._table.hashes(*which, dimension)
        lacking = [hashes[row] for row in np.flatnonzero(~shelf.has(keys_of(hashes))).tolist()]
        if len(lacking) <= BEHIND_MOST:
            self._unfiled[which] = len(lacking)
        if not 0 < len(lacking) <= BEHIND_MOST:
            return shelf
        return shelf.with_more(keys_of(lacking), self._table.values(which[1], dimension, lacking))

    def _read(self, which: _Which, dimension: int) -> tuple[Shelf, str]:
        """As much of the table as is read quickly, and what is wrong where there should have been a file."""
        hashes = self._table.hashes(*which, dimension)
        count = len(hashes)
        if whole := count <= max(self._sizes.exact, MEANWHILE_VECTORS):
            some = hashes
        else:
            some = self._table.foremost(*which, dimension, MEANWHILE_VECTORS)
        shelf = Shelf(keys_of(some), self._table.values(which[1], dimension, some), whole=whole)
        return shelf, LOST if count > self._sizes.filed else ""


def _name(project: str, model: str) -> str:
    """A file name for a project's index of one model."""
    return f"{project}-{hashlib.sha256(model.encode()).hexdigest()[:8]}"
