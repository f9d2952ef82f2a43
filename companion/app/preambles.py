"""Preambles as they were written last, one a checkout: an assistant's cache holds as long as the bytes do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from companion.notes.note_text import Stamp
from companion.records.notes import NotePage, Preamble
from companion.store.keeping import LastUsed

GAP = timedelta(minutes=60)
"""Nobody asked for so long: ages and the hour on the sheet would be wrong by now; spec T3."""
KEPT_MOST = 32
"""Preambles that are kept: more checkouts than anybody works in between two restarts."""


class Made(Struct, frozen=True):
    """A preamble, what it was made of, and when it was asked for last."""

    preamble: Preamble
    stamps: tuple[Stamp, ...]
    pages: tuple[NotePage, ...]
    asked_at: datetime


class Preambles:
    """Shared by all requests of one store. Thread-safe; one is written at a time."""

    def __init__(self) -> None:
        self.writing = threading.Lock()
        """Held by whoever sets fields of the status."""
        self._made: LastUsed[str, Made] = LastUsed(KEPT_MOST)
        self._lock = threading.Lock()

    def of(
        self,
        name: str,
        stamps: Sequence[Stamp],
        now: datetime,
        look: Callable[[], tuple[NotePage, ...]],
        write: Callable[[tuple[NotePage, ...]], Preamble],
    ) -> Preamble:
        """The preamble of an asker: the one that was made, unless a page says something else or there was a gap.

        `look` reads the pages, `write` makes a preamble of them. A page that was saved as it was makes none.
        """
        with self._lock:
            made = self._made.get(name)
            rested = made is not None and now - made.asked_at >= GAP
            if made is None or rested or made.stamps != tuple(stamps):
                pages = look()
                if made is None or rested or _said(pages) != _said(made.pages):
                    made = Made(write(pages), tuple(stamps), pages, now)
                else:
                    made = replace(made, stamps=tuple(stamps), pages=pages)
            self._made[name] = replace(made, asked_at=now)
            return made.preamble


def _said(pages: Sequence[NotePage]) -> tuple[NotePage, ...]:
    """Pages without what may change while they say the same."""
    return tuple(replace(page, changed_at=None) for page in pages)
