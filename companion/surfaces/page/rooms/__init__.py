"""The rooms of the page, in the order in which they are listed; a new one is a module and a line."""

from __future__ import annotations

from companion.surfaces.page.room import Room
from companion.surfaces.page.rooms import (
    accuracy,
    commits,
    context,
    contradictions,
    files,
    health,
    memories,
    overview,
    reports,
    review,
    timeline,
)

ROOMS: tuple[Room, ...] = (
    overview.ROOM,
    context.ROOM,
    memories.ROOM,
    timeline.ROOM,
    contradictions.ROOM,
    review.ROOM,
    reports.ROOM,
    accuracy.ROOM,
    health.ROOM,
    files.ROOM,
    commits.ROOM,
)
"""The first is where a link leads."""
