"""The vectors that are searched, a shelf a project and model; and the making of their files beside them.

A shelf is loaded when first asked for: from its file, else from the table. What is committed meanwhile is noted
in journals, so that neither who loads nor who makes a file misses any of it.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from companion.store.vectors import file as vector_file
from companion.store.vectors.build import Build, Journal, Place, Sizes
from companion.store.vectors.shelf import Floats, Keys, Shelf, nothing
from companion.store.vectors.table import VectorTable, keys_of

if TYPE_CHECKING:
    from companion.ports import Embedder

_Which = tuple[str, str]
"""A project and a model."""

MEANWHILE_VECTORS = 2_000
"""Searched while a larger project has no index: read from the table in 0.2 s, which the first question waits."""

BEHIND_MOST = 500
"""Vectors that a file may lack: whoever loads it reads them from the table, in less than 0.1 s.

Making a file anew reads and writes all of it, 15 MB for 10,000 vectors, which no saved file is worth."""

_BUILT_AT_ONCE = 2_000
"""Vectors taken into a file between two looks at whether somebody else wants to: 2 s for an index."""

LOST = "the vector index is missing or damaged: run `companion rebuild`"
BEING_MADE = "the vector index is being made: until then not all is found by meaning"


class Shelves:
    """All shelves of a store. `missing` says what is wrong with a project's index, if anything."""

    def __init__(self, table: VectorTable, folder: Path, sizes: Sizes) -> None:
        """`folder` holds the files; `sizes` say from how many vectors on there is one, and an index."""
        self._table = table
        self._folder = folder
        self._sizes = sizes
        self._lock = threading.Lock()
        """Held for moments only: for what is swapped, never for what is read, made or saved."""
        self._loading = threading.Lock()
        self._building = threading.Lock()
        self._builds: dict[_Which, Build] = {}
        self._journals: dict[_Which, list[Journal]] = {}
        self._shelves: dict[_Which, Shelf] = {}
        self._unfiled: dict[_Which, int] = {}
        """How many vectors the file of a shelf lacks; not here where there is no file, or nobody knows."""
        self.missing: dict[str, str] = {}
        self.revision = 0
        """Raised when vectors were added or removed."""

    def of(self, project: str, model: str, dimension: int) -> Shelf:
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

    def take_in(self, project: str, model: str, keys: Keys, matrix: Floats) -> None:
        """Have vectors searched that were just committed, and noted for whoever is loading or making a file."""
        which = (project, model)
        with self._lock:
            self.revision += 1
            for journal in self._journals.get(which, ()):
                journal.append((keys, matrix))
            if which in self._shelves:
                self._shelves[which] = self._shelves[which].with_more(keys, matrix)
            if which in self._unfiled:
                self._unfiled[which] += len(keys)

    def remove(self, project: str, model: str) -> None:
        """Let a project's shelf of one model go, with its file."""
        which = (project, model)
        with self._building:
            self._dropped(which)
            vector_file.remove(self._folder, _name(*which))
        with self._lock:
            self._shelves.pop(which, None)

    def reload(self) -> None:
        """Let all shelves go: the table has lost vectors, and is read again."""
        with self._lock:
            self.revision += 1
            self._shelves.clear()

    def refresh(self, project: str, embedder: Embedder) -> None:
        """Bring the project's file up to date with the table; needed only where there is to be one.

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

    def wrong_with_file(self, project: str, embedder: Embedder, keys: Keys) -> str:
        """What is wrong with the project's file, or nothing; `keys` are those that the table has."""
        if len(keys) <= self._sizes.filed:
            return ""
        model, dimension, indexed = embedder.model, embedder.dimension, len(keys) > self._sizes.exact
        with self._building:  # a file that is just being replaced looks damaged
            there = vector_file.saved_keys(self._folder, _name(project, model), model, dimension, indexed=indexed)
        if there is None:
            return "The vector index is missing or damaged."
        lacking = len(keys) - int(np.isin(keys, there).sum())
        return f"The vector index lacks {lacking} vectors." if lacking > BEHIND_MOST else ""

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
