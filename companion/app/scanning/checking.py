"""What was promoted of history, held against the checkout as it stands: one check, for each scan and each run."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from companion.app.runtime import Runtime
from companion.app.scanning.world import ScannedWorld
from companion.kinds.history.episodes import today_of
from companion.records import Draft
from companion.signals.files import Entry
from companion.store.consolidation import promoted
from companion.store.memories.following import follow

if TYPE_CHECKING:
    from companion.kinds.history.today import Today
    from companion.store.memories.memories import ReconcileOutcome


def check_history(runtime: Runtime, world: ScannedWorld) -> ReconcileOutcome:
    """End what holds no longer, with the reason, and bring back what does again; return how many of each.

    What is remembered follows its files before, so that nothing is missed where it was when it happened.
    """
    follow(runtime.store.database, world.project)
    found = tuple(promoted.checked(runtime.store.database, world.project, HistoryCheck(world)))
    return runtime.store.memories.take_checked(world.project, found, world.now)


class HistoryCheck(Struct, frozen=True, dict=True):
    """The check at one moment. Files and commits are looked at with the first memory that is asked about."""

    world: ScannedWorld

    def __call__(self, draft: Draft) -> str | None:
        """Why a memory of history holds no longer; empty where it does, None where the checkout cannot tell.

        While it is not known which lines are left, nothing is said to hold: what ended for its lines would come back.
        """
        if self._today is None or draft.scope.branch not in ("", self.world.repo.branch):
            return None
        return self._today.outdated(draft) or ("" if self.world.lines_known() else None)

    @cached_property
    def _today(self) -> Today | None:
        """The checkout with the files that are there now, whether or not they were indexed since."""
        if (today := today_of(self.world)) is None:
            return None
        there = frozenset(entry.path for entry in self.world.tree.entries() if isinstance(entry, Entry))
        now = replace(today, paths=there)
        return replace(now, code=lambda: [file for file in self.world.all_code() if now.is_known(file.path)])
