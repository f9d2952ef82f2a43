"""A companion outside of any repository: it knows what is the user's own, and nothing of a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.local import LocalCompanion
from companion.records import RepoState

if TYPE_CHECKING:
    from companion.app.rooms import Rooms


def nowhere(rooms: Rooms, path: Path, *, owns_rooms: bool) -> LocalCompanion:
    """A companion whose project is the space that is the user's own; it has no checkout and no history."""
    place = str(path.expanduser().absolute())
    state = RepoState(root=place, common_dir="", root_commit="", remote="", head="", branch="")
    return LocalCompanion(rooms, state, rooms.user, "", owns_rooms=owns_rooms)
