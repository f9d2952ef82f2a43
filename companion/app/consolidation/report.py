"""The report of a run, made in one place and from its journal alone: every way in shows this record.

Its figures are those of that run. What is learned, edited or decided later changes nothing in it, but that it says
which changes were undone and which decisions are no longer open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from companion.api import CHANGES_TOLD, Detail, PassReport, RunChange, RunReport
from companion.app.consolidation import deciding
from companion.app.consolidation.running import CHANGES, DROPPED, FAILED, OWN, SECONDS
from companion.app.runtime import Runtime
from companion.records import CHANGES as SORTS
from companion.records.runs import ChangeState, ConsolidationRun, RunState
from companion.store.consolidation import journal, telling

if TYPE_CHECKING:
    from companion.store.consolidation.telling import Tally

EACH_TOLD = 40
"""Changes of one sort told unasked, so that a thousand links do not hide one contradiction."""
FELL_SHORT = "it failed or had to wait"
"""What a run of an earlier version says of a pass that did not do its work."""


class Reports(Struct, frozen=True):
    """Reports the runs of one project; `name` is the project's, as people know it."""

    runtime: Runtime
    name: str

    def planned(self, run: ConsolidationRun) -> None:
        """A plan was just made: what its memories say now is kept for its report."""
        shown = telling.most_telling(self.runtime.store.database, run.project, run.id, EACH_TOLD, CHANGES_TOLD)
        telling.keep_said(self.runtime.store.database, run.id, shown)

    def ended(self, run: ConsolidationRun, notes: Sequence[str], now: datetime) -> RunReport:
        """The report of a run, or of a dry run, that is over; what waits for a decision now is kept with it."""
        database = self.runtime.store.database
        journal.remark(database, run.id, notes)
        over = run.state is not RunState.APPLYING
        told = deciding.keep(self.runtime, run, now) if over else journal.run(database, run.project, run.id)
        return self.page(told, None, CHANGES_TOLD)

    def page(self, run: ConsolidationRun, after: int | None, limit: int) -> RunReport:
        """A run with at most `limit` of its changes: the most telling ones, or those that follow number `after`."""
        database = self.runtime.store.database
        if after is None:
            changes = telling.most_telling(database, run.project, run.id, EACH_TOLD, CHANGES_TOLD)[:limit]
        else:
            changes = telling.page(database, run.project, run.id, after, limit)
        made = _report(self.name, run, telling.tally(database, run.id), changes)
        return replace(made, decisions=deciding.kept(self.runtime, run))


def _report(name: str, run: ConsolidationRun, counted: Sequence[Tally], changes: Sequence[RunChange]) -> RunReport:
    made = [one for one in counted if one.state in _made(run)]
    figures, details = _figures(made)
    waiting = run.figures.get(deciding.DECISIONS, {})
    return RunReport(
        run=run.id,
        project=name,
        dry_run=run.state is RunState.PLANNED,
        state=run.state,
        asked_by=run.asked_by,
        planned_at=run.planned_at,
        started_at=run.started_at,
        ended_at=run.ended_at,
        since=run.since,
        tokens_saved=sum(one.tokens_saved for one in made),
        decisions_total=int(waiting.get(deciding.TOTAL, 0)),
        questions_waiting=int(waiting.get(deciding.QUESTIONS, 0)),
        refused=_in_state(counted, ChangeState.REFUSED),
        undone=_in_state(counted, ChangeState.UNDONE),
        details=tuple(Detail(what, detail, number) for (what, detail), number in sorted(details.items())),
        passes=_passes(run),
        changes_total=sum(one.changes for one in counted),
        changes=tuple(changes),
        notes=(*run.notes, *_stopped(run)),
        decisions=(),
        **figures,
    )


def _figures(made: Sequence[Tally]) -> tuple[dict[str, int], Counter[tuple[str, str]]]:
    """What is counted of the changes that were made: in the figures that they name, and by sort and detail."""
    figures = {sort.counted: 0 for sort in SORTS.values() if sort.counted}
    details: Counter[tuple[str, str]] = Counter()
    for one in made:
        sort = SORTS[one.what]
        if sort.counted:
            figures[sort.counted] += getattr(one, sort.counts)
        if one.detail or not sort.counted:
            details[one.what, one.detail] += one.changes
    return figures, details


def _made(run: ConsolidationRun) -> tuple[ChangeState, ...]:
    """What counts as done: what was undone later was done by this run all the same."""
    planned = run.state in (RunState.PLANNING, RunState.PLANNED)
    return (ChangeState.PLANNED,) if planned else (ChangeState.APPLIED, ChangeState.UNDONE)


def _stopped(run: ConsolidationRun) -> tuple[str, ...]:
    if run.state is not RunState.APPLYING:
        return ()
    return (f"It was stopped with {run.planned:,} changes left: `companion consolidate` makes these first.",)


def _in_state(counted: Sequence[Tally], state: ChangeState) -> int:
    return sum(one.changes for one in counted if one.state is state)


def _passes(run: ConsolidationRun) -> tuple[PassReport, ...]:
    """The passes as the journal kept them."""
    return tuple(
        PassReport(
            name,
            int(kept.get(CHANGES, 0)),
            float(kept.get(SECONDS, 0.0)),
            int(kept.get(DROPPED, 0)),
            tuple(sorted((name, int(value)) for name, value in kept.items() if name not in OWN)),
            run.wrong.get(name, "") or (FELL_SHORT if kept.get(FAILED) else ""),
        )
        for name in run.passes
        if (kept := run.figures.get(name)) is not None
    )
