"""The context for what was just opened, made before anybody asks for it.

A few are kept in memory for each checkout. One is served only if it is what would be made now: for the same
signals, budget, format and order, of a store nobody has written memories to since, with the files it shows
unchanged on disk, and not older than `LIFE`. Nothing counts as retrieved until it is served.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct

from companion.api import Order
from companion.records import Context, ErrorReport, Format, Signals
from companion.store.keeping import LastUsed

KEPT_MOST = 8
"""Contexts kept for a checkout: the files one goes back and forth between, half a megabyte at most."""
LIFE = timedelta(minutes=5)
"""After it, ages and the window of recent errors might have moved; who opens a file asks sooner or not at all."""

NOTHING = Signals()
Stamps = Mapping[str, tuple[int, int] | None]
"""Time of last change (nanoseconds) and size of files; None: it is not there."""


class PrefetchKey(Struct, frozen=True):
    """An ask in full: what two asks have in common when the same context answers both."""

    budget_tokens: int
    signals: Signals = NOTHING
    format: Format = Format.MARKDOWN
    order: Order = Order.PEOPLE
    errors: tuple[ErrorReport, ...] = ()
    """Errors seen beside those that the signals give."""


class Prepared(Struct, frozen=True):
    """A context made beforehand: for which ask, from which state of the store and the files."""

    wanted: PrefetchKey
    context: Context
    revision: int
    stamps: Stamps
    made_at: datetime


class Prefetched:
    """The contexts that are ready for one checkout. Thread-safe."""

    def __init__(self) -> None:
        self.usual: PrefetchKey | None = None
        """What was asked for last; None: nobody has asked yet."""
        self._lock = threading.Lock()
        self._ready: LastUsed[PrefetchKey, Prepared] = LastUsed(KEPT_MOST)

    def keep(self, prepared: Prepared) -> None:
        """Keep a context for whoever asks for it; beyond KEPT_MOST the oldest goes."""
        with self._lock:
            self._ready[prepared.wanted] = prepared

    def ready(self, wanted: PrefetchKey, revision: int, now: datetime, folder: Path | None) -> Context | None:
        """The context for an ask, if it is ready and still what would be made."""
        with self._lock:
            found = self._ready.get(wanted)
        if found is None:
            return None
        fresh = found.revision == revision and timedelta() <= now - found.made_at <= LIFE
        if fresh and stamps_of(folder, found.stamps) == found.stamps:
            return found.context
        with self._lock:
            if self._ready.get(wanted) is found:
                del self._ready[wanted]
        return None


def stamps_of(folder: Path | None, paths: Mapping[str, object]) -> Stamps:
    """Time of last change and size of files below a folder; nothing where there is no folder."""
    if folder is None:
        return dict.fromkeys(paths)
    found: dict[str, tuple[int, int] | None] = {}
    for path in paths:
        try:
            status = (folder / path).stat()
            found[path] = (status.st_mtime_ns, status.st_size)
        except (OSError, ValueError):
            found[path] = None
    return found
