"""Consolidating: what a night would tidy, as the passes propose it."""

from __future__ import annotations

from importlib.metadata import entry_points

from companion.api import NightPlan, Planned
from companion.app.checkout import OpenCheckout
from companion.errors import UsageError
from companion.ports import Pass
from companion.records import Merge, Oppose, Retire, Shorten
from companion.store.night.archive import Archive

PASSES = "companion.passes"
"""Entry points of this group are the passes of a night, in the order of their names."""


class Consolidating(OpenCheckout):
    """The verb of the night. See `companion.api.Companion`."""

    def consolidate(self, *, dry_run: bool) -> NightPlan:
        """What a night would change; nothing is changed yet whatever is asked, so only a dry run is taken."""
        if not dry_run:
            raise UsageError(
                "Nothing was changed: this version only plans a night.", "Ask for the plan: `companion consolidate`."
            )
        self._need_reading()
        archive = Archive(self.rooms.database, self.project, self.now())
        planned: list[Planned] = []
        for found in sorted(entry_points(group=PASSES), key=lambda point: point.name):
            step: Pass = found.load()
            planned += [Planned(found.name.split("-", 1)[-1], change) for change in step.plan(archive, self.now())]
        changes = [one.change for one in planned]
        return NightPlan(
            deduped=sum(len(change.drop) for change in changes if isinstance(change, Merge)),
            compressed=sum(isinstance(change, Shorten) for change in changes),
            forgotten=sum(isinstance(change, Retire) for change in changes),
            contradictions_found=sum(isinstance(change, Oppose) for change in changes),
            tokens_saved=sum(change.tokens_saved for change in changes if isinstance(change, Shorten)),
            changes=tuple(planned),
        )
