"""One run at a time: whoever tidies the store, undoes it or purges holds this."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from companion.errors import RunUnderWay

TURNS_S = 0.0005
"""How long a thread computes before another gets its turn while a run is at work: a tenth of Python's own figure,
since an answer waits for its turn some dozens of times."""


@dataclass
class OneRun:
    """The lock of the runs: one store has one at a time, and who comes second is told who was first."""

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _holder: str = ""

    @contextmanager
    def held(self, what: str, now: datetime) -> Iterator[None]:
        """The lock for the length of a block. Raises RunUnderWay at once where it is held."""
        if not self._lock.acquire(blocking=False):
            raise RunUnderWay(
                f"{self._holder or 'Another run'} is under way in this store.",
                "Wait until it is done; `companion reports` shows its progress.",
            )
        turns_s = sys.getswitchinterval()
        sys.setswitchinterval(TURNS_S)
        self._holder = f"{what}, begun at {now:%H:%M:%S} UTC by process {os.getpid()},"
        try:
            yield
        finally:
            self._holder = ""
            sys.setswitchinterval(turns_s)
            self._lock.release()
