"""Vectors fill in behind everything else, and keep nobody from the store while the model works."""

from __future__ import annotations

from companion.app.rooms import Rooms
from companion.ports import Progress

TEXTS_A_LOOK = 4_096
"""Texts asked for at once: each look goes over all of them, 0.1 s for 20,000."""
TEXTS_AT_ONCE = 512
"""Texts embedded between two visits to the store: a second or two of work, which a kill can cost."""
SLICE_TEXTS = 64
"""Texts of one slice in an owner: a quarter of a second, the longest that a saved file waits for the model."""


def fill_vectors(rooms: Rooms, project: str, progress: Progress) -> int:
    """Give a vector to each text that has none, most useful first; returns how many were made.

    The store is let go while the model computes, so a context can be asked for meanwhile. Raises StoreHeld
    where somebody took it then and keeps it.
    """
    embedder = rooms.embedder
    if embedder is None:
        return 0
    rooms.search_models.note()
    total, before = rooms.vectors.extent(project, embedder.model, embedder.dimension)
    made = 0
    while found := rooms.vectors.pending(project, embedder.model, TEXTS_A_LOOK, embedder.dimension):
        for start in range(0, len(found), TEXTS_AT_ONCE):
            some = found[start : start + TEXTS_AT_ONCE]
            progress.step("vectors", before + made, max(total, before + made))
            with rooms.resting():
                matrix = embedder.embed([text for _, text in some])
            rooms.vectors.keep(project, embedder.model, [digest for digest, _ in some], matrix)
            made += len(some)
            progress.step("vectors", before + made, max(total, before + made))
        if len(found) < TEXTS_A_LOOK:
            break
    rooms.vectors.refresh(project, embedder)
    while rooms.search_models.finish(project):
        pass
    return made


INDEXED_AT_ONCE = 256
"""Vectors that one slice takes into a large project's index: a quarter of a second as well."""


class Slices:
    """Fills in vectors a little at a time, for whoever has something better to do in between. For one thread."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._found: dict[str, list[tuple[str, str]]] = {}

    def fill(self, project: str) -> tuple[int, bool]:
        """Give a few texts their vectors, most useful first: how many, and whether there may be more.

        The model works outside any lock, so others read and write meanwhile. Once nothing is left, the
        file of vectors is brought up to date if it lacks many, a little at a time too. Raises ModelMissing.
        """
        rooms, embedder = self._rooms, self._rooms.embedder
        if embedder is None:
            return 0, False
        if rooms.vectors.refreshing(project, embedder.model):
            if rooms.vectors.refresh_some(project, embedder, INDEXED_AT_ONCE):
                return 0, True
            self._found[project] = rooms.vectors.pending(project, embedder.model, TEXTS_A_LOOK, embedder.dimension)
            # texts may have come while nobody looked for any
            return 0, bool(self._found[project]) or rooms.search_models.finish(project)
        if not self._found.get(project):
            self._found[project] = rooms.vectors.pending(project, embedder.model, TEXTS_A_LOOK, embedder.dimension)
        found = self._found.pop(project)
        if not found and not rooms.vectors.behind(project, embedder.model):
            return 0, rooms.search_models.finish(project)
        if not found:
            more = rooms.vectors.refresh_some(project, embedder, INDEXED_AT_ONCE)
            return 0, more or rooms.search_models.finish(project)
        rooms.search_models.note()
        some, self._found[project] = found[:SLICE_TEXTS], found[SLICE_TEXTS:]
        matrix = embedder.embed([text for _, text in some])
        rooms.vectors.keep(project, embedder.model, [digest for digest, _ in some], matrix)
        return len(some), True
