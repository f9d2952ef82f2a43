"""Things that happen close together, handed on together.

A save is three or four events, a checkout thousands. What comes is gathered until nothing has come for
a moment, but never for long: someone waits. Between bursts the thread sleeps on a condition and costs
nothing.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from msgspec import Struct, field

QUIET_S = 0.1
"""Silence that ends a burst: an editor's save is over in 20 ms, a formatter behind it answers in 80."""
LONGEST_S = 0.4
"""The longest a burst is gathered: with it, saved to searchable stays below a second while a build runs."""
PATHS_HELD = 50_000
"""Paths of one burst: with more, looking at everything is quicker than asking for each; some 10 MB."""

_log = logging.getLogger(__name__)


class GatheredChanges(Struct):
    """What came in one burst: paths of files, paths of git's folders, and whether all must be looked at again."""

    files: set[str] = field(default_factory=set)
    references: set[str] = field(default_factory=set)
    lost: bool = False


class Burst:
    """Gathers what several threads see and hands it to `told` from a thread of its own."""

    def __init__(
        self, told: Callable[[GatheredChanges], None], quiet_s: float = QUIET_S, longest_s: float = LONGEST_S
    ) -> None:
        self._told = told
        self._quiet_s = quiet_s
        self._longest_s = longest_s
        self._changed = threading.Condition()
        self._held = GatheredChanges()
        self._first = self._last = 0.0
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="companion-watch", daemon=True)

    def start(self) -> None:
        """Begin to hand on."""
        self._thread.start()

    def file(self, path: str) -> None:
        """Something happened to a file or folder of the checkout."""
        with self._changed:
            self._held.files.add(path)
            if len(self._held.files) > PATHS_HELD:
                self._held.files.clear()
                self._held.lost = True
            self._came()

    def reference(self, path: str) -> None:
        """Something happened to a file of git's folders."""
        with self._changed:
            self._held.references.add(path)
            self._came()

    def lost(self) -> None:
        """Something was missed, or may be."""
        with self._changed:
            self._held.lost = True
            self._came()

    def close(self) -> None:
        """Hand on nothing more; what is being handed on is finished first."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join()

    def _came(self) -> None:
        self._last = time.monotonic()
        if not self._first:
            self._first = self._last
            self._changed.notify_all()

    def _run(self) -> None:
        while (gathered := self._next()) is not None:
            try:
                self._told(gathered)
            except Exception:
                _log.exception("what was seen could not be handed on")
                self.lost()

    def _next(self) -> GatheredChanges | None:
        """The next burst, once it is over; None at the end."""
        with self._changed:
            while not self._first and not self._closed:
                self._changed.wait()
            while not self._closed:
                now = time.monotonic()
                left = min(self._last + self._quiet_s, self._first + self._longest_s) - now
                if left <= 0:
                    break
                self._changed.wait(left)
            if self._closed:
                return None
            gathered, self._held, self._first = self._held, GatheredChanges(), 0.0
            return gathered
