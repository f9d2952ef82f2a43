"""What is worked out once for a record that stays the same from one ask to the next."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
T = TypeVar("T")

RECORDS_KEPT = 8_000
"""Twice the memories that the store keeps as records: what is kept of each is small beside those."""


class Lasting(Generic[K, T]):
    """What is worked out once for each memory (or other record), by its identity; threads may share it.

    The record is held, so that no other can take its place meanwhile.
    """

    def __init__(self, make: Callable[[K], T], most: int = RECORDS_KEPT) -> None:
        """`most` records are kept, then the one that was made first is let go for each new one."""
        self._make = make
        self._most = most
        self._made: dict[int, tuple[K, T]] = {}
        self._lock = Lock()

    def of(self, record: K) -> T:
        """What `make` gives for this record, made now or earlier."""
        known = self._made.get(id(record))
        if known is not None and known[0] is record:
            return known[1]
        made = self._make(record)
        with self._lock:
            while len(self._made) >= self._most:
                del self._made[next(iter(self._made))]
            self._made[id(record)] = (record, made)
        return made
