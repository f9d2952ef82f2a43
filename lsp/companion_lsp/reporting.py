"""Tells the daemon what happens in the editor, from a thread of its own: typing never waits for it.

What happens often is told once a moment: of several edits of a file the last one counts. A file that
was opened is told at once, since its context is prepared upon that.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import CompanionError

if TYPE_CHECKING:
    from companion.records import Observation

    Send = Callable[[Path, Sequence[Observation]], None]

GATHERED_S = 0.25
"""How long edits and selections are gathered: shorter than a person looks up, longer than keys are apart."""
WAITING_MOST = 500
"""Observations that wait at most; with a daemon that does not answer the oldest go."""
LAST_WORDS_S = 0.5
"""How long closing waits for what is still to be told."""

_Key = tuple[Path, type, str, str]


class Reporter:
    """Gathers observations by repository and sends them in order."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: OrderedDict[_Key, Observation] = OrderedDict()
        self._changed = threading.Condition()
        self._urgent = False
        self._closing = False
        self._thread: threading.Thread | None = None

    def note(self, root: Path, seen: Observation) -> None:
        """Tell of it soon. Returns at once."""
        from companion.records import Touch, Touched

        with self._changed:
            if self._closing:
                return
            key = _key(root, seen)
            self._waiting.pop(key, None)
            self._waiting[key] = seen
            while len(self._waiting) > WAITING_MOST:
                self._waiting.popitem(last=False)
            self._urgent |= isinstance(seen, Touched) and seen.how is Touch.OPENED
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="observations", daemon=True)
                self._thread.start()
            self._changed.notify()

    def close(self) -> None:
        """Send what is left, waiting at most `LAST_WORDS_S`."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(LAST_WORDS_S)

    def _run(self) -> None:
        while batch := self._next():
            by_root: dict[Path, list[Observation]] = {}
            for (root, *_), seen in batch:
                by_root.setdefault(root, []).append(seen)
            for root, seen_there in by_root.items():
                with suppress(CompanionError, OSError):  # told or not, the editor works on
                    self._send(root, seen_there)

    def _next(self) -> list[tuple[_Key, Observation]]:
        """What is to be told next; nothing once all was told and this is closing."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing)
            self._changed.wait_for(lambda: self._urgent or self._closing, timeout=GATHERED_S)
            batch = list(self._waiting.items())
            self._waiting.clear()
            self._urgent = False
            return batch


def _key(root: Path, seen: Observation) -> _Key:
    """Observations of one key replace one another."""
    from companion.records import Diagnosed, Ran, Touched

    if isinstance(seen, Touched):
        return (root, Touched, seen.path, seen.how.value)
    if isinstance(seen, Diagnosed):
        return (root, Diagnosed, seen.path, "")
    return (root, Ran, seen.command, seen.started_at.isoformat())
