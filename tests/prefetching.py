"""Contexts made beforehand, counted: how many were made, and how many of them were what was asked for."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from companion.app.prefetch import Prefetched, PrefetchKey, Prepared
from companion.records import Context


class CountedPrefetched(Prefetched):
    """Counts what is kept, and tells whether the last ask found one ready."""

    def __init__(self) -> None:
        super().__init__()
        self.prepared = 0
        self.was_ready = False

    def keep(self, prepared: Prepared) -> None:
        self.prepared += 1
        super().keep(prepared)

    def ready(self, wanted: PrefetchKey, revision: int, now: datetime, folder: Path | None) -> Context | None:
        found = super().ready(wanted, revision, now, folder)
        self.was_ready = found is not None
        return found
