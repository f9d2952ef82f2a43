"""Vectors fill in behind everything else, and keep nobody from the store while the model works."""

from __future__ import annotations

from companion.app.rooms import Rooms
from companion.ports import Progress

TEXTS_AT_ONCE = 512
"""Texts embedded between two visits to the store: a second or two of work, which a kill can cost."""


def fill_vectors(rooms: Rooms, project: str, progress: Progress) -> int:
    """Give a vector to each text that has none, most useful first; returns how many were made.

    The store is let go while the model computes, so a context can be asked for meanwhile.
    """
    embedder = rooms.embedder
    if embedder is None:
        return 0
    total, before = rooms.vectors.extent(project, embedder.model)
    made = 0
    while found := rooms.vectors.pending(project, embedder.model, TEXTS_AT_ONCE):
        progress.step("vectors", before + made, total)
        with rooms.database.released():
            matrix = embedder.embed([text for _, text in found])
        rooms.vectors.keep(project, embedder.model, [digest for digest, _ in found], matrix)
        made += len(found)
        progress.step("vectors", before + made, max(total, before + made))
    rooms.vectors.refresh(project, embedder)
    return made
