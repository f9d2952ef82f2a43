"""Other systems watch whole trees by themselves; and where none can, one looks again and again.

watchdog's observers do both. Told apart from ours: only events that change something are asked for
(`event_filter`; without it, watchdog 7.1 wakes itself up for ever), and looking again skips what is
ignored and never costs more than a small part of the time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers.polling import PollingObserverVFS

from companion.signals.watch.tops import Sees, Top, folders_of

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver

CHANGES: list[type[FileSystemEvent]] = [
    FileModifiedEvent, FileCreatedEvent, FileDeletedEvent, FileMovedEvent,
    DirCreatedEvent, DirDeletedEvent, DirMovedEvent,
]  # fmt: skip
POLL_SHORTEST_S = 2.0
"""Time between two looks: within it, what was saved is to be known."""
POLL_LONGEST_S = 60.0
POLL_SHARE = 20
"""A look is followed by a pause of so many times its length, so that it takes 5 % of one core at most."""


class _Handler(FileSystemEventHandler):
    def __init__(self, sees: Sees, tops: Sequence[str]) -> None:
        self._sees = sees
        self._tops = frozenset(tops)

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Tell both ends of what happened."""
        for raw in (event.src_path, event.dest_path):
            path = os.fsdecode(raw)
            if path in self._tops and isinstance(event, DirDeletedEvent | DirMovedEvent):
                self._sees.gone(path)
            elif path:
                self._sees.seen(path)


class _Observed:
    """What watchdog's observers watch. They see whole trees: there is nothing to leave, and nothing to look for."""

    def __init__(self, tops: Sequence[Top], sees: Sees) -> None:
        self._tops = tops
        self._sees = sees
        self._observer: BaseObserver | None = None
        self.folders = 0

    def leave(self, folder: str) -> None:
        """Nothing: what is ignored is told to nobody, or passed over at the next look."""

    def look_again(self) -> None:
        """Nothing: the whole tree is watched, or each look is a new one."""

    def close(self) -> None:
        """Stop watching."""
        observer, self._observer = self._observer, None
        if observer is not None:
            observer.stop()
            observer.join()

    def _begin(self, observer: BaseObserver, paths: Sequence[str]) -> None:
        handler = _Handler(self._sees, paths)
        for path in paths:
            observer.schedule(handler, path, recursive=True, event_filter=CHANGES)
        observer.start()
        self._observer = observer


class TreeSource(_Observed):
    """The system's own way of watching whole trees."""

    def start(self) -> None:
        """Begin. Raises OSError if a top cannot be watched."""
        from watchdog.observers import Observer

        self._begin(Observer(), outermost([top.path for top in self._tops]))


class PollingSource(_Observed):
    """Looks at all files again and again: for network drives and containers, where the system tells nothing."""

    pause_s = POLL_SHORTEST_S
    """Seconds between two looks."""

    def start(self) -> None:
        """Begin, with a pause that fits how long one look takes."""
        start = time.monotonic()
        self.folders = sum(1 for _ in folders_of(self._tops))
        took_s = 2 * (time.monotonic() - start)  # files are looked at as well
        self.pause_s = min(POLL_LONGEST_S, max(POLL_SHORTEST_S, POLL_SHARE * took_s))
        observer = PollingObserverVFS(os.lstat, self._listed, polling_interval=self.pause_s)
        self._begin(observer, [top.path for top in self._tops])

    def _listed(self, folder: str | None) -> Iterator[os.DirEntry[str]]:
        """What is in a folder, without folders that are not entered."""
        place = folder or os.curdir
        top = max((top for top in self._tops if _within(place, top.path)), key=lambda one: len(one.path), default=None)
        with os.scandir(place) as entries:
            for entry in entries:
                if top is None or not entry.is_dir(follow_symlinks=False) or top.enters(entry.path):
                    yield entry


def outermost(paths: Sequence[str]) -> list[str]:
    """Those of the folders that lie in no other of them."""
    return [path for path in dict.fromkeys(paths) if not any(_within(path, o) for o in paths if o != path)]


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)
