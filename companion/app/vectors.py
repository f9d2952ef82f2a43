"""Vectors fill in behind everything else, and keep nobody from the store while the model works."""

from __future__ import annotations

from companion.app.rooms import Rooms
from companion.ports import Progress

TEXTS_A_LOOK = 4_096
"""Texts asked for at once: each look goes over all of them, 0.1 s for 20,000."""
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
    while found := rooms.vectors.pending(project, embedder.model, TEXTS_A_LOOK):
        for start in range(0, len(found), TEXTS_AT_ONCE):
            some = found[start : start + TEXTS_AT_ONCE]
            progress.step("vectors", before + made, max(total, before + made))
            with rooms.database.released():
                matrix = embedder.embed([text for _, text in some])
            rooms.vectors.keep(project, embedder.model, [digest for digest, _ in some], matrix)
            made += len(some)
            progress.step("vectors", before + made, max(total, before + made))
    rooms.vectors.refresh(project, embedder)
    return made
