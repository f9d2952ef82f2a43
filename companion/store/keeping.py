"""What is slow to read, kept until something that it depends on is another."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar

Read = TypeVar("Read")
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class LastUsed(OrderedDict[Key, Value]):
    """At most `most` values (0: any number): the one put in or moved to the end longest ago goes for a new one."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: Key, value: Value) -> None:
        """Put a value in, behind all others."""
        super().__setitem__(key, value)
        self.move_to_end(key)
        while 0 < self._most < len(self):
            self.popitem(last=False)


class VersionedCache:
    """What was read last under each name, at most `most` of them (0: any number). Threads may share it."""

    def __init__(self, most: int = 0) -> None:
        self._kept: LastUsed[Hashable, tuple[object, object]] = LastUsed(most)
        self._lock = threading.RLock()

    def __call__(self, name: Hashable, version: object, read: Callable[[], Read]) -> Read:
        """What `read` gave when it was last called for this name and version."""
        with self._lock:
            known = self._kept.get(name)
            if known is None or known[0] != version:
                known = (version, read())
                self._kept[name] = known
            return known[1]  # type: ignore[return-value]  # one name is always read the same way
