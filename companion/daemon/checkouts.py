"""The checkouts that are being worked in: opened when they are first asked about, looked at anew when they move."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.runtime import Runtime
from companion.daemon.references import Stamp, nearest, stamp
from companion.records import RepoState
from companion.signals import git
from companion.store import projects

if TYPE_CHECKING:  # where nothing is watched, nothing of it is loaded
    from companion.signals.watch import Watching

CHECKOUTS_MAX = 32
"""Checkouts kept open at once: more than anybody works in. The one not asked about for longest is let go."""


@dataclass
class Live:
    """One checkout as it stands, its ids in the store, and whether it is watched."""

    state: RepoState
    project: str
    checkout: str
    stamp: Stamp
    read: bool = False
    """Whether it was ever read to the end: only then its user agreed to it, and it is watched."""
    watch: Watching | None = None
    refreshed_at: datetime | None = None
    wrong: str = ""
    """Why the last refresh failed, empty if it did not: then all of it is looked at again."""
    failed_at: float = 0.0
    """When that was, on the monotonic clock."""
    open_contradictions: frozenset[str] | None = None
    """Those that were told about last; None before the first look."""
    asked_at: float = field(default_factory=time.monotonic)

    @property
    def root(self) -> str:
        """The root as the store knows it."""
        return self.state.root


class Checkouts:
    """The table of live checkouts. `arrived` is told of each that is opened, or stands at another commit or branch."""

    def __init__(self, runtime: Runtime, arrived: Callable[[Live], None]) -> None:
        self._runtime = runtime
        self._arrived = arrived
        self._lock = threading.RLock()
        self._live: dict[str, Live] = {}
        self._roots: dict[Path, str] = {}
        """Folders with a `.git`, and the root of the checkout they are."""

    def of(self, path: Path) -> Live:
        """The checkout that a path lies in. Raises UsageError, NotARepository or SourceError."""
        path = path.expanduser().absolute()
        folder = nearest(path)
        live = self._unmoved(path, folder) or self._looked(path, folder)
        live.asked_at = time.monotonic()
        return live

    def at(self, root: str) -> Live | None:
        """The checkout with this root, if it is open."""
        return self._live.get(root)

    def again(self, root: str) -> Live | None:
        """The checkout with this root after a look at where it stands; None if it is not open any more."""
        live = self._live.get(root)
        return live if live is None else self.of(git.folder_of(live.state))

    def all(self) -> tuple[Live, ...]:
        """Every live checkout."""
        with self._lock:
            return tuple(self._live.values())

    def close(self) -> None:
        """Watch nothing any more."""
        with self._lock:
            gone, self._live = list(self._live.values()), {}
        for live in gone:
            _unwatch(live)

    def _unmoved(self, path: Path, folder: Path | None) -> Live | None:
        """The open checkout that a path lies in, if it still stands where it stood."""
        live = self._live.get(self._roots.get(folder, "")) if folder is not None else None
        if live is None or stamp(git.folder_of(live.state)) != live.stamp or not path.exists():
            return None
        return live

    def _looked(self, path: Path, folder: Path | None) -> Live:
        with self._lock:
            if (known := self._unmoved(path, folder)) is not None:  # another request has looked while this one waited
                return known
            seen = None if folder is None else stamp(folder)  # first: what moves meanwhile is noticed next time
            state = git.open_repository(path, projects.StoredRoots(self._runtime.store.database))
            if seen is None or folder != git.folder_of(state):
                seen = stamp(git.folder_of(state))
            ids = projects.identify(self._runtime.store.database, state, self._runtime.adapters.clock.now())
            live = self._live.get(state.root)
            if live is not None and (live.project, live.checkout) != ids:  # another repository stands in its place
                _unwatch(self._live.pop(state.root))
                live = None
            moved = live is None or (live.state.head, live.state.branch) != (state.head, state.branch) or lost(live)
            if live is None:
                live = self._opened(state, seen, *ids)
            live.state, live.stamp = state, seen
            if folder is not None:
                self._roots[folder] = state.root
        if moved:
            self._arrived(live)
        return live

    def _opened(self, state: RepoState, seen: Stamp, project: str, checkout: str) -> Live:
        read = projects.scanned_at(self._runtime.store.database, checkout) is not None
        if len(self._live) >= CHECKOUTS_MAX:
            oldest = min(self._live.values(), key=lambda one: one.asked_at)
            _unwatch(self._live.pop(oldest.root))
        live = self._live[state.root] = Live(state, project, checkout, seen, read)
        return live


def lost(live: Live) -> bool:
    """Whether what watched a checkout has ended, as where its folder was deleted and made anew."""
    return live.watch is not None and live.watch.state.how.startswith("off")


def _unwatch(live: Live) -> None:
    if live.watch is not None:
        live.watch.close()
        live.watch = None
