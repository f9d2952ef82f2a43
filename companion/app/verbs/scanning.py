"""Scanning: everything that is new in history and code, and what it teaches."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.api import ScanReport
from companion.app.checkout import OpenCheckout
from companion.errors import ModelMissing, StoreHeld, UsageError
from companion.ports import Progress
from companion.store import projects

if TYPE_CHECKING:
    from companion.app.scanning.scan import Scanned, Scanner


class Scanning(OpenCheckout):
    """The verb that reads a repository. See `companion.api.Companion`."""

    def scan(self, progress: Progress, *, full: bool = False, embed: bool = True) -> ScanReport:
        """Read what is new in history and code and learn from it; then make vectors."""
        from companion.app.scanning.vectors import fill_vectors
        from companion.store.talk.turn_index import own_spaces

        self._refuse_empty()
        start = time.monotonic()
        projects.consent(self.rooms.database, self.project, self.now())
        from companion.app.consolidation.opposing import ARRIVED_SCAN_S, note_opposed

        moment = self.now()
        scanned = self._scanner(progress, full=full).run(self._tree())
        opened = note_opposed(self.rooms, self.project, scanned.outcome, moment, ARRIVED_SCAN_S)
        scanned = replace(scanned, outcome=scanned.outcome + opened)
        first_context_s = time.monotonic() - start
        report = self._report(scanned, first_context_s, first_context_s)
        if embed and self.rooms.embedder is not None:
            try:
                for space in (self.project, *own_spaces(self.rooms.user)):
                    fill_vectors(self.rooms, space, progress)
                report = replace(report, readiness=self.library().readiness())
            except ModelMissing as wrong:
                report = replace(report, notes=(*report.notes, f"No vectors were made. {wrong}"))
            except StoreHeld as wrong:  # an owner came up in a pause; it makes them from now on
                report = replace(report, notes=(*report.notes, f"The rest of the vectors is left to others. {wrong}"))
        return replace(report, total_s=time.monotonic() - start)

    def _refuse_empty(self) -> None:
        """Where there is nothing to read, saying so helps more than a table of noughts."""
        root = self.state.root
        if self.state.bare and not self.state.head:
            raise UsageError(
                f"{root} is a bare repository, and its branch `{self.state.branch}` has no commits.",
                f"Push to it, or choose a branch that has: `git -C {root} symbolic-ref HEAD refs/heads/BRANCH`.",
            )
        if not self.state.head and not self._was_read() and next(iter(self._tree().entries()), None) is None:
            raise UsageError(f"{root} has no commits and no files yet.", "Add a file, then run `companion init` again.")

    def _scanner(self, progress: Progress, *, full: bool) -> Scanner:
        from companion.app.scanning.scan import Scanner

        workers = self.rooms.settings.parse_workers or min(8, os.cpu_count() or 1)
        return Scanner(
            self.rooms,
            self.state,
            self.project,
            self.checkout,
            progress,
            self.now(),
            full=full,
            workers=workers,
        )

    def _report(self, scanned: Scanned, first_context_s: float, total_s: float) -> ScanReport:
        return ScanReport(
            project=projects.project_name(self.rooms.database, self.project),
            root=self.state.root,
            branch=self.state.branch,
            commits_new=scanned.commits_new,
            commits_total=scanned.commits_total,
            files_new=scanned.files_new,
            files_total=scanned.files_total,
            files_gone=scanned.files_gone,
            added=scanned.outcome.added,
            changed=scanned.outcome.changed,
            retired=scanned.outcome.retired,
            contradictions=scanned.outcome.contradictions,
            learned=self._learned(),
            skipped=scanned.skipped,
            first_context_s=first_context_s,
            total_s=total_s,
            readiness=self.library().readiness(),
            notes=scanned.notes,
        )
