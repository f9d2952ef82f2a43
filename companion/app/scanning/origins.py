"""What git knows of lines, found out behind the answers: it takes a second over an old file.

Whoever asks waits as long as they like and no longer; what was begun goes on, and the next question knows. One file or
definition is looked at at a time, the one asked about last first, and what was found is kept until the file or its
history is another.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from companion.app.working.stories import Story
from companion.records import Blamed
from companion.store.keeping import LastUsed

KEPT = 256
"""Files whose origins are kept, and definitions whose stories are: those of a few days; some 20 kB each."""
WAITING = 16
"""Those that wait to be looked at; of more the oldest go: nobody looks at them any more."""

Found = TypeVar("Found")

log = logging.getLogger(__name__)


class FoundBehind(Generic[Found]):
    """What was found, by a key that says file and history are the same. For threads."""

    def __init__(self, nothing: Found) -> None:
        """`nothing` stands for what could not be found."""
        self._nothing = nothing
        self._known: LastUsed[Hashable, Found] = LastUsed(KEPT)
        self._waiting: LastUsed[Hashable, Callable[[], Found]] = LastUsed(WAITING)
        self._looked_at: Hashable = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Condition()

    def of(self, key: Hashable, find: Callable[[], Found], wait_s: float = 0.0) -> Found | None:
        """What stands under a key; None if that takes longer than `wait_s`: `find` goes on."""
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
            if key != self._looked_at:
                self._waiting[key] = find
            if self._thread is None:
                self._thread = threading.Thread(target=self._look, name="origins", daemon=True)
                self._thread.start()
            self._lock.wait_for(lambda: key in self._known, wait_s)
            return self._known.get(key)

    def _look(self) -> None:
        """Find what waits, the newest first; ends when nothing is left."""
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                key, find = self._waiting.popitem()
                self._looked_at = key
            found = self._nothing
            try:
                found = find()
            except Exception as wrong:  # whatever it is: the answers are less exact, and no file is tried for ever
                log.info("no origins: %s", type(wrong).__name__)
            with self._lock:
                self._looked_at = None
                self._known[key] = found
                self._lock.notify_all()


def origins_of_lines() -> FoundBehind[tuple[Blamed, ...]]:
    """Which commits wrote the lines of files."""
    return FoundBehind(())


def stories() -> FoundBehind[Story]:
    """What commits did to definitions."""
    return FoundBehind(Story())
