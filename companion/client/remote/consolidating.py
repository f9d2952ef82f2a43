"""Nights that an owner keeps."""

from __future__ import annotations

from companion import wire
from companion.api import CHANGES_TOLD, NightOrder, NightReport, PurgeReport
from companion.client.remote.asker import Asker, result_of, understood
from companion.ports import Progress
from companion.records.nights import NightRun, RowMoved, Undone


class Consolidating(Asker):
    """See `companion.api.consolidating.Consolidating` for the verbs."""

    def consolidate(self, order: NightOrder, progress: Progress) -> NightReport:
        """Tidy the store by changes that are journalled, each with its reason, and can be undone."""
        given = wire.encode(order, NightOrder)
        assert isinstance(given, dict)
        said = self._followed(progress, "/consolidate", given)
        return understood(NightReport, lambda: said)

    def nights(self) -> tuple[NightRun, ...]:
        """The nights of this project, newest first."""
        return result_of(tuple[NightRun, ...], self._read("/nights"))

    def night(self, run: str, *, after: int | None = None, limit: int = CHANGES_TOLD) -> NightReport:
        """What one night did (the newest, if `run` is empty)."""
        return result_of(NightReport, self._read("/night", run=run, after=after, limit=limit))

    def before_after(self, run: str, change: int) -> tuple[RowMoved, ...]:
        """What one change of a night found and what it left, row by row."""
        return result_of(tuple[RowMoved, ...], self._read("/before-after", run=run, change=change))

    def undo(self, run: str, change: int | None = None) -> Undone:
        """Take back a night, or one change of it."""
        return result_of(Undone, self._slow("/undo", run=run, change=change))

    def purge(self, *, dry_run: bool) -> PurgeReport:
        """Remove for good what was archived long ago."""
        return result_of(PurgeReport, self._slow("/purge", dry_run=dry_run))
