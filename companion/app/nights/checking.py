"""What was promoted of history, held against the checkout as it stands when a run comes: the check of a scan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from companion.app.scanning.world import ScannedWorld
from companion.kinds.history.episodes import today_of
from companion.signals.files import Entry

if TYPE_CHECKING:
    from companion.kinds.history.today import Today
    from companion.records import Draft


@dataclass(frozen=True)
class HistoryCheck:
    """The check of one run. Files and commits are looked at with the first memory that is asked about."""

    world: ScannedWorld

    def __call__(self, draft: Draft) -> str | None:
        """Why a memory of history holds no longer; empty where it does, None where the checkout cannot tell."""
        if self._today is None or draft.scope.branch not in ("", self.world.repo.branch):
            return None
        found = self._today.outdated(draft)
        return found.reason if found else ""

    @cached_property
    def _today(self) -> Today | None:
        """The checkout with the files that are there now, whether or not they were indexed since."""
        if (today := today_of(self.world)) is None:
            return None
        there = frozenset(entry.path for entry in self.world.tree.entries() if isinstance(entry, Entry))
        now = replace(today, paths=there)
        return replace(now, code=lambda: [file for file in self.world.all_code() if now.is_known(file.path)])
