"""Reading a repository: all that is new by a scan, a few changed files or commits while someone works."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.api import Refreshed, ScanReport
from companion.app.checkout import Service
from companion.app.scanning.arriving import note_changes
from companion.errors import ModelMissing, StoreHeld, UsageError
from companion.ports import Progress
from companion.records.memory import TEAM_FOLDER
from companion.signals import git
from companion.signals.paths import raw_path, shown_path
from companion.store import projects

if TYPE_CHECKING:
    from companion.app.checkout import OpenCheckout
    from companion.app.scanning.refresh import Refresher, TakenIn
    from companion.app.scanning.scan import Scanned

BEHIND = "Vectors are made in the background; `companion stats` shows the progress."
SHARED_WAIT = "`companion team import` reads {many} shared memories; with `--always` later ones are read by themselves."
"""Told where the repository has what others shared and nobody agreed to reading it."""


class RepositoryScans(Service):
    """The verbs that read a repository. See `companion.api.Companion`."""

    def scan(self, progress: Progress, *, full: bool = False, embed: bool = True) -> ScanReport:
        from companion.app.consolidation.opposing import ARRIVED_SCAN_S, note_opposed
        from companion.app.scanning.scan import Scanner
        from companion.app.scanning.stage import stage_of
        from companion.app.scanning.vectors import fill_vectors
        from companion.store.talk.turn_index import own_spaces

        self._refuse_empty()
        start = time.monotonic()
        projects.consent(self.store.database, self.here.project, self.here.now())
        moment = self.here.now()
        scanned = stage_of(self.here, Scanner, progress, full=full).run(self.here.source())
        opened = note_opposed(self.runtime, self.here.project, scanned.outcome, moment, ARRIVED_SCAN_S)
        scanned = replace(scanned, outcome=scanned.outcome + opened)
        first_context_s = time.monotonic() - start
        report = self._report(scanned, first_context_s, first_context_s)
        report = replace(report, notes=(*report.notes, *self._shared()))
        if embed and self.runtime.adapters.embedder is not None and self.runtime.shared:
            report = replace(report, notes=(*report.notes, BEHIND)) if report.readiness.to_embed else report
        elif embed and self.runtime.adapters.embedder is not None:
            try:
                for space in (self.here.project, *own_spaces(self.store.user)):
                    fill_vectors(self.runtime, space, progress)
                report = replace(report, readiness=self.here.library().readiness())
            except ModelMissing as wrong:
                report = replace(report, notes=(*report.notes, f"No vectors were made. {wrong}"))
            except StoreHeld as wrong:  # a daemon came up in a pause; it makes them from now on
                report = replace(
                    report, notes=(*report.notes, f"The remaining vectors are made by another process. {wrong}")
                )
        return replace(report, total_s=time.monotonic() - start)

    def _refuse_empty(self) -> None:
        """Where there is nothing to read, saying so helps more than a table of noughts."""
        root = self.here.state.root
        if self.here.state.bare and not self.here.state.head:
            raise UsageError(
                f"{root} is a bare repository, and its branch `{self.here.state.branch}` has no commits.",
                f"Push to it, or choose a branch that has: `git -C {root} symbolic-ref HEAD refs/heads/BRANCH`.",
            )
        if (
            not self.here.state.head
            and not self.here.was_read()
            and next(iter(self.here.source().entries()), None) is None
        ):
            raise UsageError(
                f"{root} has no commits and no files yet.",
                "Add a file, then index the repository again (`companion init`).",
            )

    def _report(self, scanned: Scanned, first_context_s: float, total_s: float) -> ScanReport:
        from companion.app.scanning.example import worth_asking

        return ScanReport(
            project=projects.project_name(self.store.database, self.here.project),
            root=self.here.state.root,
            branch=self.here.state.branch,
            commits_new=scanned.commits_new,
            commits_total=scanned.commits_total,
            files_new=scanned.files_new,
            files_total=scanned.files_total,
            files_gone=scanned.files_gone,
            added=scanned.outcome.added,
            changed=scanned.outcome.changed,
            retired=scanned.outcome.retired,
            contradictions=scanned.outcome.contradictions,
            learned=self.here.learned(),
            skipped=scanned.skipped,
            first_context_s=first_context_s,
            total_s=total_s,
            readiness=self.here.library().readiness(),
            notes=scanned.notes,
            worth_asking=worth_asking(self.here),
        )

    def refresh(self, paths: Sequence[str] | None) -> Refreshed:
        """Take in what changed in these files (None: wherever anything did) and in the history.

        A path that is or was a folder means everything under it. What looks at the whole waits for
        `settle_down`; the notes say so. Raises UsageError for a checkout that was never read.
        """
        start = time.monotonic()
        self.here.need_reading()
        asked = None if paths is None else self._readable(paths)
        if not self.here.looked:
            self._look_again(everywhere=asked is None)
        from companion.app.consolidation.opposing import ARRIVED_S, note_opposed

        moment = self.here.now()
        taken = refresher(self.here).run(self.here.source(), asked)
        note_opposed(self.runtime, self.here.project, taken.outcome, moment, ARRIVED_S)
        from companion.app.scanning.refresh import WAITS

        note_changes(self.here, taken.indexed.fresh, taken.arrived)
        shared = self._shared() if asked is None or any(path.startswith(f"{TEAM_FOLDER}/") for path in asked) else ()
        return _told(taken, start, (*taken.notes, *((WAITS,) if taken.waits else ()), *shared))

    def _shared(self) -> tuple[str, ...]:
        """Read what others shared in the repository, once that is agreed to; else say how to."""
        root = self.here.work_folder()
        if root is None or not (root / TEAM_FOLDER).is_dir():
            return ()
        from companion.app.team import reading
        from companion.app.team.folder import folder_in

        place = folder_in(root)
        waiting, _ = reading.left_in(self.here, place)
        if not waiting:
            return ()
        if not reading.is_agreed(self.here):
            return (SHARED_WAIT.format(many=len(waiting)),)
        came = reading.read_some(self.here, place, waiting)
        read = f"{len(came.memories)} new memories that others shared, {came.withdrawn} withdrawn."
        return (read,) if came.memories or came.withdrawn else ()

    def _look_again(self, *, everywhere: bool) -> None:
        """Take the repository as it stands now, if it has moved since it was opened."""
        head, branch = git.head_and_branch(self.here.state)
        if not everywhere and (head, self.here.fit(branch)) == (self.here.state.head, self.here.state.branch):
            return
        now = git.open_repository(git.folder_of(self.here.state), projects.StoredRoots(self.store.database))
        if now.bare and now.head != self.here.state.head:
            self.here.tree = None
        self.here.state = replace(now, branch=self.here.fit(now.branch))

    def _readable(self, paths: Sequence[str]) -> list[str]:
        """Paths as the repository knows them; what lies outside of it or in git's folder is passed over."""
        root = os.fspath(git.folder_of(self.here.state))
        inside: set[str] = set()
        for path in paths:
            with suppress(ValueError):
                place = os.path.normpath(os.path.join(root, os.fsdecode(raw_path(path))))  # noqa: PTH118 - as git names it
                parts = PurePath(os.path.relpath(place, root)).parts
                if parts[:1] not in ((os.pardir,), (".git",)):
                    inside.add(shown_path(os.fsencode("/".join(parts))))
        return sorted(inside)


def waits(here: OpenCheckout) -> bool:
    """Whether something was taken in that `settle_down` has yet to make something of."""
    from companion.app.consolidation.opposing import uncompared

    return refresher(here).waits() or bool(uncompared(here.runtime, here.project))


def settle_down(here: OpenCheckout, give_way: Callable[[], bool] = lambda: False) -> Refreshed:
    """Make something of what waited for a quiet moment: patterns, habits, weights, contradictions.

    It stops early, with all still waiting, when `give_way` says that something more urgent came; it is
    asked every second or so.
    """
    from companion.app.consolidation.opposing import compare_later

    start = time.monotonic()
    here.need_reading()
    taken = refresher(here).settle_down(here.source(), give_way)
    opened = compare_later(here.runtime, here.project, give_way)
    taken = replace(taken, outcome=replace(taken.outcome, changed=taken.outcome.changed + opened))
    return _told(taken, start, taken.notes)


def refresher(here: OpenCheckout) -> Refresher:
    """What takes in changes of a checkout, and what waits in it."""
    from companion.app.scanning.refresh import Refresher
    from companion.app.scanning.stage import stage_of
    from companion.ports import NoProgress

    return stage_of(here, Refresher, NoProgress())


def _told(taken: TakenIn, start: float, notes: tuple[str, ...]) -> Refreshed:
    return Refreshed(
        files_changed=len(taken.indexed.fresh),
        files_gone=len(taken.indexed.gone),
        commits_new=taken.commits,
        added=taken.outcome.added,
        changed=taken.outcome.changed,
        retired=taken.outcome.retired,
        seconds=time.monotonic() - start,
        notes=notes,
    )
