"""What is slow to read, kept until something that it depends on is another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import TypeVar

Read = TypeVar("Read")


class VersionedCache:
    """What was read last under each name, at most `most` of them (0: any number). Threads may share it."""

    def __init__(self, most: int = 0) -> None:
        self._most = most
        self._kept: dict[Hashable, tuple[object, object]] = {}
        self._lock = threading.RLock()

    def __call__(self, name: Hashable, version: object, read: Callable[[], Read]) -> Read:
        """What `read` gave when it was last called for this name and version."""
        with self._lock:
            known = self._kept.get(name)
            if known is None or known[0] != version:
                known = (version, read())
                if self._most and len(self._kept) >= self._most:
                    self._kept.clear()
                self._kept[name] = known
            return known[1]  # type: ignore[return-value]  # one name is always read the same way
