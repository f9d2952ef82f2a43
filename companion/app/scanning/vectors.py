"""Vectors fill in behind everything else, and keep nobody from the store while the model works."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.app.models import search_models
from companion.app.runtime import Runtime
from companion.ports import Progress

if TYPE_CHECKING:
    from companion.store.passages.vectors import PassageVectors
    from companion.store.vectors.vectors import Vectors

TEXTS_A_LOOK = 4_096
"""Texts asked for at once: each look goes over all of them, 0.1 s for 20,000."""
TEXTS_AT_ONCE = 512
"""Texts embedded between two visits to the store: a second or two of work, which a kill can cost."""
PASSAGES_AT_ONCE = 256
"""Passages that whoever waits for a scan waits for, some seconds of work: a daemon makes all others behind its answers,
and each further scan as many."""
SLICE_TEXTS = 64
"""Texts of one slice in a daemon: a quarter of a second, the longest that a saved file waits for the model."""

INDEXED_AT_ONCE = 256
"""Vectors that one slice takes into a large project's index: a quarter of a second as well."""


def fill_vectors(runtime: Runtime, project: str, progress: Progress, passages: int = PASSAGES_AT_ONCE) -> int:
    """Give a vector to each text that has none, most useful first; returns how many were made.

    Of passages, which are found without as well, at most `passages` get theirs. The store is let go while the model
    computes, so a context can be asked for meanwhile. Raises StoreHeld where somebody took it then and keeps it.
    """
    embedder = runtime.adapters.embedder
    if embedder is None:
        return 0
    of = (project, embedder.model, embedder.dimension)
    (memories, remembered), (cut, near) = runtime.store.vectors.extent(*of), runtime.store.passage_vectors.extent(*of)
    total, before = memories + min(cut, near + passages), remembered + near
    slices, done, more = Slices(runtime, TEXTS_AT_ONCE, passages), before, True
    if done < total:
        progress.step("vectors", done, total)
    while more:
        made, more = slices.fill(project)
        done += made
        if made:
            progress.step("vectors", done, max(total, done))
    return done - before


class Slices:
    """Fills in vectors a little at a time, for whoever has something better to do in between. For one thread."""

    def __init__(self, runtime: Runtime, texts: int = 0, passages: int = sys.maxsize) -> None:
        """So many `texts` a slice (0: SLICE_TEXTS); no more `passages` than these in all get their vectors."""
        self._runtime = runtime
        self._texts = texts or SLICE_TEXTS
        self._passages = passages
        self._found: dict[str, tuple[Vectors | PassageVectors, Sequence[tuple[str, str]]]] = {}
        """By project who wants vectors, and the hashes and texts that were found and have none yet."""

    def fill(self, project: str) -> tuple[int, bool]:
        """Give a few texts their vectors, most useful first: how many, and whether there may be more.

        The model works outside any lock, so others read and write meanwhile. Once nothing is left, the
        file of vectors is brought up to date if it lacks many, a little at a time too. Raises ModelMissing.
        """
        embedder, store = self._runtime.adapters.embedder, self._runtime.store
        if embedder is None:
            return 0, False
        of = (project, embedder.model, embedder.dimension)
        source, texts = self._found.pop(project, (store.vectors, ()))
        if not texts:
            if store.vectors.refresh_some(project, embedder, INDEXED_AT_ONCE):
                return 0, True
            if store.passage_vectors.index_some(*of, INDEXED_AT_ONCE):
                return 0, True
            source, texts = self._lacking(*of)
        if not texts:
            store.passage_vectors.finish(*of)
            return 0, search_models(self._runtime).finish(project)
        search_models(self._runtime).note()
        some = texts[: self._texts]
        self._found[project] = (source, texts[self._texts :])
        with self._runtime.resting():
            matrix = embedder.embed([text for _, text in some])
        source.keep(project, embedder.model, [digest for digest, _ in some], matrix)
        if source is store.passage_vectors:
            self._passages -= len(some)
        return len(some), True

    def _lacking(
        self, project: str, model: str, dimension: int
    ) -> tuple[Vectors | PassageVectors, Sequence[tuple[str, str]]]:
        """The texts that come next: those of memories and turns before those of passages, as far as these may."""
        vectors, passages = self._runtime.store.vectors, self._runtime.store.passage_vectors
        if found := vectors.pending(project, model, TEXTS_A_LOOK, dimension):
            return vectors, found
        most = min(self._passages, TEXTS_A_LOOK)
        return passages, passages.pending(project, model, most, dimension) if most > 0 else ()
