"""Keeping an eye on a checkout: what its watcher sees becomes a refresh."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.config import Settings, WatchBy, chosen
from companion.records import RepoState

if TYPE_CHECKING:  # where nothing is watched, nothing of it is loaded
    from companion.signals.watch import Changed, Watching

Place = Callable[[RepoState, "Changed"], "Watching"]
"""Begins to watch a checkout. Raises OSError if it is not there."""


def watch_place(settings: Settings) -> Place | None:
    """What watches checkouts, as the settings say; None if nothing does."""
    mode = chosen(WatchBy, "watch", settings.watch)
    if mode is WatchBy.OFF:
        return None

    def place(state: RepoState, changed: Changed) -> Watching:
        from companion.signals.watch import Watching

        watching = Watching(state, changed)
        watching.start(mode)
        return watching

    return place
