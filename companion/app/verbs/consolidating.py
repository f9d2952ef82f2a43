"""Consolidating: a run tidies the store by changes that are journalled, and can be taken back."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import islice
from typing import TYPE_CHECKING

from companion.api import CHANGES_TOLD, PurgeReport, RunOrder, RunReport
from companion.app.checkout import OpenCheckout
from companion.config import COUNT_MAX
from companion.errors import ModelMissing, StoreHeld, UsageError
from companion.ports import NoProgress, Progress
from companion.records.runs import ConsolidationRun, RowMoved, RunState, Undone

if TYPE_CHECKING:  # what a run needs is loaded when there is one: most commands are over before
    from companion.app.consolidation.report import Reports

RUNS_LISTED = 200
"""IdleRuns listed at once: half a year of them."""
BY_RULES = "What has no vector is compared by rules alone."
"""What is said where something could not be embedded before a run."""
PURGE_SHOWN = 100
"""Memories that a purge names: enough to see what sort they are."""


class Consolidating(OpenCheckout):
    """The verbs of the run. See `companion.api.Companion`."""

    def consolidate(self, order: RunOrder, progress: Progress) -> RunReport:
        """Tidy the store by changes that are journalled, each with its reason, and can be undone.

        What lacks a vector is given one, and a run that was broken off is finished first. Raises RunUnderWay
        where another is at work, UsageError for an unknown pass or plan.
        """
        from companion.app.consolidation.running import RUN_MEMORY, RUN_THREADS, Planner, chosen_passes
        from companion.app.scanning.checking import HistoryCheck
        from companion.app.scanning.world import ScannedWorld
        from companion.store.memories import usage

        self._need_reading()
        run, dry_run = order.run, order.dry_run
        if run and (dry_run or order.passes or order.since is not None):
            raise UsageError(
                "A plan is carried out as it was made: it takes no passes and no date, and has had its dry run.",
                f"Make it so: `companion consolidate --run {self._fit(run)}`.",
            )
        chosen_passes([self._fit(name) for name in order.passes])
        held = self.rooms.one_run.held(f"A run asked for by {order.asked_by.value}", self.now())
        with held, ExitStack() as spare:
            unread = self._embed_first(progress)
            spare.enter_context(self.rooms.database.sparing(RUN_MEMORY, RUN_THREADS))
            waiting, notes = self._finish_first(progress, dry_run=dry_run, but=run)
            notes += unread
            if waiting is not None:
                return self._reports().ended(waiting, notes, self.now())
            if run:
                return self._carried_out(self._plan_named(run), notes, progress)
            if not dry_run:
                usage.thin(self.rooms.database, self.now())
            world = ScannedWorld.of(self.rooms, self.state, self.project, self.checkout, self.now(), self._tree())
            planner = Planner(self.rooms, self.project, self.now(), HistoryCheck(world))
            planned = planner.plan(order, self._go_on, progress)
            self._reports().planned(planned)
            if dry_run:
                return self._reports().ended(planned, notes, self.now())
            return self._carried_out(planned, notes, progress)

    def reports(self) -> tuple[ConsolidationRun, ...]:
        """The runs of this project, newest first."""
        from companion.store.consolidation import journal

        return journal.runs(self.rooms.database, self.project, limit=RUNS_LISTED)

    def report(self, run: str, *, after: int | None = None, limit: int = CHANGES_TOLD) -> RunReport:
        """What one run did (the newest, if `run` is empty), with `limit` of its changes.

        Those first that a person wants to see, or in their order from the one numbered above `after`.
        """
        return self._reports().page(self._run_named(run), after, max(0, min(limit, CHANGES_TOLD)))

    def before_after(self, run: str, change: int) -> tuple[RowMoved, ...]:
        """What one change of a run found and what it left, row by row; nothing before it was carried out."""
        from companion.store.consolidation import telling

        return telling.rows(self.rooms.database, self._run_named(run).id, _number(change))

    def undo(self, run: str, change: int | None = None) -> Undone:
        """Take back a run, or one change of it: the store is as it was, but for what has changed since."""
        from companion.app.consolidation.running import RUN_MEMORY, RUN_THREADS, Behind
        from companion.store.consolidation import undoing

        if not run.strip():
            raise UsageError("Which run is to be undone?", "Name it; `companion reports` lists them.")
        if change is not None:
            _number(change)
        found = self._run_named(run)
        held = self.rooms.one_run.held(f"Undoing the run {found.id}", self.now())
        with held, self.rooms.database.sparing(RUN_MEMORY, RUN_THREADS):
            behind = Behind(self.rooms, self.project, "taking back", NoProgress(), self._go_on)
            return undoing.undo(self.rooms.database, found.id, change, self.now(), step=behind.step)

    def purge(self, *, dry_run: bool) -> PurgeReport:
        """Remove for good what was archived long ago; only memories that were derived, and nothing still cited."""
        from companion.store.consolidation import purging

        database, now = self.rooms.database, self.now()
        with self.rooms.one_run.held("A purge", now):
            listed = purging.plan(database, self.project, now)
            shown = tuple(islice(listed, PURGE_SHOWN))
            rest = [one.size_bytes for one in listed]
            memories = len(shown) + len(rest)
            size_bytes = sum(one.size_bytes for one in shown) + sum(rest)
            if not dry_run:
                done = purging.purge(database, self.project, now)
                memories, size_bytes = done.memories, done.size_bytes
        return PurgeReport(dry_run, purging.GRACE_DAYS, memories, size_bytes, shown)

    def _go_on(self) -> bool:
        """Whether a run may go on; where others ask at the same time it makes way for them first."""
        return True

    def _embed_first(self, progress: Progress) -> list[str]:
        """Make the vectors that are missing, as an owner does all the time; what is to be said where none can be."""
        from companion.app.scanning.vectors import fill_vectors

        if self.rooms.embedder is None and self.rooms.settings.embeddings != "off":
            return [f"{BY_RULES} No embedding model can be loaded."]
        try:
            if not self.rooms.shared:
                fill_vectors(self.rooms, self.project, progress)
        except (ModelMissing, StoreHeld) as wrong:
            return [f"{BY_RULES} {wrong}"]
        return []

    def _reports(self) -> Reports:
        from companion.app.consolidation.report import Reports

        return Reports(self.rooms, self._name)

    def _finish_first(
        self, progress: Progress, *, dry_run: bool, but: str
    ) -> tuple[ConsolidationRun | None, list[str]]:
        """Finish the run that was broken off: it, if it was stopped once more, and what is to be said of it.

        A dry run changes nothing and only says that it waits.
        """
        from companion.app.consolidation.running import carry_out
        from companion.store.consolidation import journal

        waiting = journal.unfinished(self.rooms.database, self.project)
        if waiting is None or (but and waiting.id.startswith(but)):
            return None, []
        if dry_run:
            left = f"{waiting.planned:,} changes that it left"
            return None, [f"The run {waiting.id} was broken off: the next one makes the {left} first."]
        done = carry_out(self.rooms, waiting, self.now(), self._go_on, progress)
        if done.state is RunState.APPLYING:
            return done, []
        self._reports().ended(done, (), self.now())
        return None, [f"The run {done.id} had been broken off, and was finished first."]

    def _carried_out(self, run: ConsolidationRun, notes: list[str], progress: Progress) -> RunReport:
        from companion.app.consolidation.dismissing import dismiss
        from companion.app.consolidation.running import carry_out

        after = carry_out(self.rooms, run, self.now(), self._go_on, progress)
        dismiss(self.rooms, self.project, run.planned_at, self.now())
        return self._reports().ended(after, notes, self.now())

    def _plan_named(self, prefix: str) -> ConsolidationRun:
        """A plan that may be carried out. Raises UsageError for any other run."""
        found = self._run_named(prefix)
        if found.state not in (RunState.PLANNED, RunState.APPLYING):
            raise UsageError(
                f"The run {found.id} is {found.state.value}: only a dry run can still be carried out.",
                "`companion consolidate --dry-run` makes one.",
            )
        return found

    def _run_named(self, prefix: str) -> ConsolidationRun:
        from companion.store.consolidation import journal

        database, prefix = self.rooms.database, self._fit(prefix).strip()
        if prefix:
            return journal.run(database, self.project, prefix)
        for found in journal.runs(database, self.project, limit=RUNS_LISTED):
            if found.state in (RunState.APPLIED, RunState.APPLYING, RunState.UNDONE):
                return found
        raise UsageError("There has been no run yet.", "Run `companion consolidate`.")


def _number(change: int) -> int:
    """The number of a change. Raises UsageError for one that makes no sense."""
    if not 1 <= change <= COUNT_MAX:
        raise UsageError(f"There is no change {change}.", "Changes count from 1; `companion reports RUN` lists them.")
    return change
