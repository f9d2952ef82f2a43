"""Refreshing: a few changed files or commits are taken in while someone works."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from companion.api import Refreshed
from companion.app.checkout import OpenCheckout
from companion.app.scanning.arriving import note_changes
from companion.signals import git
from companion.signals.paths import raw_path, shown_path
from companion.store import projects

if TYPE_CHECKING:
    from companion.app.scanning.refresh import Refresher, TakenIn


class Refreshing(OpenCheckout):
    """The verb of the watcher, and the one for when nobody works. See `companion.api.Companion`."""

    def refresh(self, paths: Sequence[str] | None) -> Refreshed:
        """Take in what changed in these files (None: wherever anything did) and in the history.

        A path that is or was a folder means everything under it. What looks at the whole waits for
        `settle_down`; the notes say so. Raises UsageError for a checkout that was never read.
        """
        start = time.monotonic()
        self._need_reading()
        asked = None if paths is None else self._readable(paths)
        self._look_again(everywhere=asked is None)
        from companion.app.consolidation.opposing import ARRIVED_S, note_opposed

        moment = self.now()
        taken = self._refresher().run(self._tree(), asked)
        note_opposed(self.rooms, self.project, taken.outcome, moment, ARRIVED_S)
        from companion.app.scanning.refresh import WAITS

        note_changes(self, taken.indexed.fresh, taken.arrived)
        return _told(taken, start, (*taken.notes, *((WAITS,) if taken.waits else ())))

    def waits(self) -> bool:
        """Whether something was taken in that `settle_down` has yet to make something of."""
        refresher = self._refresher()
        pending = refresher.pending
        behind = refresher.passages().waits() or refresher.line_origins().waits()
        return pending.history() or bool(pending.paths()) or behind

    def settle_down(self, give_way: Callable[[], bool] = lambda: False) -> Refreshed:
        """Make something of what waited for a quiet moment: patterns, habits, weights.

        It stops early, with all still waiting, when `give_way` says that something more urgent came; it is
        asked every second or so.
        """
        start = time.monotonic()
        self._need_reading()
        taken = self._refresher().settle_down(self._tree(), give_way)
        return _told(taken, start, taken.notes)

    def _look_again(self, *, everywhere: bool) -> None:
        """Take the repository as it stands now, if it has moved since it was opened."""
        head, branch = git.head_and_branch(self.state)
        if not everywhere and (head, self._fit(branch)) == (self.state.head, self.state.branch):
            return
        now = git.open_repository(git.folder_of(self.state), projects.StoredRoots(self.rooms.database))
        if now.bare and now.head != self.state.head:
            self.tree = None
        self.state = replace(now, branch=self._fit(now.branch))

    def _readable(self, paths: Sequence[str]) -> list[str]:
        """Paths as the repository knows them; what lies outside of it or in git's folder is passed over."""
        root = os.fspath(git.folder_of(self.state))
        inside: set[str] = set()
        for path in paths:
            with suppress(ValueError):
                place = os.path.normpath(os.path.join(root, os.fsdecode(raw_path(path))))  # noqa: PTH118
                parts = PurePath(os.path.relpath(place, root)).parts
                if parts[:1] not in ((os.pardir,), (".git",)):
                    inside.add(shown_path(os.fsencode("/".join(parts))))
        return sorted(inside)

    def _refresher(self) -> Refresher:
        from companion.app.scanning.refresh import Refresher
        from companion.ports import NoProgress

        return Refresher(self.rooms, self.state, self.project, self.checkout, NoProgress(), self.now(), _workers(self))


def _workers(checkout: OpenCheckout) -> int:
    return checkout.rooms.settings.parse_workers or min(8, os.cpu_count() or 1)


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
