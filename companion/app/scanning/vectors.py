"""Vectors fill in behind everything else, and keep nobody from the store while the model works.

Vectors belong to a model. After a change of model (another name, checksum or dimension) all texts lack a vector, and
get one as new texts do, the most useful first and a batch a commit, so that a kill repeats nothing; words find them
until then. The old vectors are dropped once the last is made, a batch at a time too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from companion.app.runtime import Runtime
from companion.ports import Embedder, Progress
from companion.store.bulk import batches

Floats = npt.NDArray[np.float32]

TEXTS_A_LOOK = 4_096
"""Texts asked for at once: each look goes over all of them, 0.1 s for 20,000."""
TEXTS_AT_ONCE = 512
"""Texts embedded between two visits to the store: a second or two of work, which a kill can cost."""
PASSAGES_AT_ONCE = 256
"""Passages that whoever waits for a scan waits for, some seconds of work: a daemon makes all others behind its answers,
and each further scan as many."""
SLICE_TEXTS = 64
SLICE_S = 0.25
"""Texts of one slice in a daemon at most, and how long it is to take: so long a saved file, and the end of the service,
wait for the model. On a busy computer as many texts took a minute, so each slice is as large as the last was quick."""
FIRST_TEXTS = 8
MOMENT_S = 0.001
"""No slice counts as quicker."""


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
    made, left = 0, passages
    while (lacking := _lacking(runtime, project, embedder, left)).texts:
        left -= len(lacking.texts) if lacking.source is runtime.store.passage_vectors else 0
        for some in batches(lacking.texts, TEXTS_AT_ONCE):
            progress.step("vectors", before + made, max(total, before + made))
            with runtime.resting():
                matrix = embedder.embed([text for _, text in some])
            lacking.source.keep(project, embedder.model, [digest for digest, _ in some], matrix)
            made += len(some)
            progress.step("vectors", before + made, max(total, before + made))
        while _index_some(runtime, project, embedder):
            pass
    while _index_some(runtime, project, embedder) or _finish(runtime, project, embedder):
        pass
    return made


class VectorSource(Protocol):
    """What has texts that want vectors."""

    def pending(self, project: str, model: str, limit: int, dimension: int) -> list[tuple[str, str]]:
        """Hash and text of some that have none, the most useful first."""

    def keep(self, project: str, model: str, hashes: Sequence[str], matrix: Floats) -> None:
        """Keep the vectors of some texts."""


class _Lacking(NamedTuple):
    """Texts of one source that want vectors, by their hashes."""

    source: VectorSource
    texts: list[tuple[str, str]]


def _lacking(runtime: Runtime, project: str, embedder: Embedder, passages: int = TEXTS_A_LOOK) -> _Lacking:
    """The texts that come next: those of memories and turns before those of at most so many passages."""
    for source, most in (
        (runtime.store.vectors, TEXTS_A_LOOK),
        (runtime.store.passage_vectors, min(passages, TEXTS_A_LOOK)),
    ):
        if most > 0 and (found := source.pending(project, embedder.model, most, embedder.dimension)):
            return _Lacking(source, found)
    return _Lacking(runtime.store.vectors, [])


def _index_some(runtime: Runtime, project: str, embedder: Embedder) -> bool:
    """Have some of the vectors searched that are not yet; whether there is more to do."""
    return runtime.store.vectors.refresh_some(
        project, embedder, INDEXED_AT_ONCE
    ) or runtime.store.passage_vectors.index_some(project, embedder.model, embedder.dimension, INDEXED_AT_ONCE)


def _finish(runtime: Runtime, project: str, embedder: Embedder) -> bool:
    """Let go of what nobody needs any more, some at a time; whether there is more."""
    runtime.store.passage_vectors.finish(project, embedder.model, embedder.dimension)
    return runtime.store.vectors.drop_others(project, embedder.model, embedder.dimension)


INDEXED_AT_ONCE = 256
"""Vectors that one slice takes into a large project's index: a quarter of a second as well."""


class Slices:
    """Fills in vectors a little at a time, for whoever has something better to do in between. For one thread."""

    def __init__(self, runtime: Runtime, now: Callable[[], float] = time.monotonic) -> None:
        """`now` tells seconds that only grow."""
        self._runtime = runtime
        self._now = now
        self._found: dict[str, _Lacking] = {}
        self._size = FIRST_TEXTS

    def fill(self, project: str) -> tuple[int, bool]:
        """Give a few texts their vectors, most useful first: how many, and whether there may be more.

        The model works outside any lock, so others read and write meanwhile. Once nothing is left, the
        file of vectors is brought up to date if it lacks many, a little at a time too. Raises ModelMissing.
        """
        runtime, embedder = self._runtime, self._runtime.adapters.embedder
        if embedder is None:
            return 0, False
        found = self._found.pop(project, None)
        if found is None or not found.texts:
            if _index_some(runtime, project, embedder):
                return 0, True
            found = _lacking(runtime, project, embedder)
        if not found.texts:
            return 0, _finish(runtime, project, embedder)
        size = min(self._size, SLICE_TEXTS)
        some, left = found.texts[:size], found.texts[size:]
        self._found[project] = found._replace(texts=left)
        begun_s = self._now()
        matrix = embedder.embed([text for _, text in some])
        took_s = max(self._now() - begun_s, MOMENT_S)
        self._size = max(1, min(SLICE_TEXTS, int(len(some) * SLICE_S / took_s)))
        found.source.keep(project, embedder.model, [digest for digest, _ in some], matrix)
        return len(some), True
