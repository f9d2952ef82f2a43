"""What a night came to, as its journal says it: counts, passes, and the changes that a person wants to see first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.api import CHANGES_TOLD, Detail, Involved, NightChange, NightReport, PassReport
from companion.app.nights.night import CHANGES, DROPPED, FAILED, OWN, SECONDS
from companion.records import Memory
from companion.records.nights import ChangeState, NightRun, RunState
from companion.store.night import telling

if TYPE_CHECKING:
    from companion.store.database import Database
    from companion.store.night.telling import ChangeTold, Tally

EACH_TOLD = 40
"""Changes of one sort told unasked, so that a thousand links do not hide one contradiction."""
FELL_SHORT = "it failed or had to wait: see the log of that day"
"""What an old night says of a pass that did not do its work; the words were said when it ran."""


@dataclass(frozen=True)
class Teller:
    """Tells nights of one project; `name` is the project's, as people know it."""

    database: Database
    name: str

    def report(self, run: NightRun, passes: Sequence[PassReport] = (), notes: Sequence[str] = ()) -> NightReport:
        """What a night came to, with the changes that a person wants to see first."""
        return replace(self.page(run, None, CHANGES_TOLD), passes=tuple(passes) or _passes(run), notes=tuple(notes))

    def page(self, run: NightRun, after: int | None, limit: int) -> NightReport:
        """A night with at most `limit` of its changes: the most telling ones, or those that follow number `after`."""
        if after is None:
            changes = telling.most_telling(self.database, run.project, run.id, EACH_TOLD, limit)
        else:
            changes = telling.page(self.database, run.project, run.id, after, limit)
        made = _report(self.name, run, telling.tally(self.database, run.id), changes)
        return replace(made, contradictions_open=telling.open_contradictions(self.database, run.project))


def _report(name: str, run: NightRun, counted: Sequence[Tally], changes: Sequence[ChangeTold]) -> NightReport:
    made = [one for one in counted if one.state in (ChangeState.PLANNED, ChangeState.APPLIED)]
    by_sort: Counter[str] = Counter()
    details: Counter[tuple[str, str]] = Counter()
    for one in made:
        by_sort[one.what] += one.changes
        if one.detail:
            details[one.what, one.detail] += one.changes
    return NightReport(
        run=run.id,
        project=name,
        dry_run=run.state is RunState.PLANNED,
        state=run.state,
        asked_by=run.asked_by,
        planned_at=run.planned_at,
        started_at=run.started_at,
        ended_at=run.ended_at,
        since=run.since,
        deduped=sum(one.dropped for one in made if one.what == "Merge"),
        superseded=by_sort["Supersede"] + by_sort["Outdate"],
        compressed=by_sort["Shorten"],
        reworded=by_sort["Reword"],
        tokens_saved=sum(one.tokens_saved for one in made),
        forgotten=by_sort["Retire"],
        revived=by_sort["Revive"],
        contradictions_found=sum(one.conflicts for one in made if one.what == "Oppose"),
        linked=by_sort["Relate"],
        moved=by_sort["Warm"] + by_sort["Weigh"] + by_sort["Rescope"],
        united=by_sort["Unite"],
        refused=_in_state(counted, ChangeState.REFUSED),
        undone=_in_state(counted, ChangeState.UNDONE),
        details=tuple(Detail(what, detail, number) for (what, detail), number in sorted(details.items())),
        passes=_passes(run),
        changes_total=sum(one.changes for one in counted),
        changes=tuple(map(_change, changes)),
    )


def _in_state(counted: Sequence[Tally], state: ChangeState) -> int:
    return sum(one.changes for one in counted if one.state is state)


def _passes(run: NightRun) -> tuple[PassReport, ...]:
    """The passes as the journal kept them."""
    return tuple(
        PassReport(
            name,
            int(kept.get(CHANGES, 0)),
            float(kept.get(SECONDS, 0.0)),
            int(kept.get(DROPPED, 0)),
            tuple(sorted((name, int(value)) for name, value in kept.items() if name not in OWN)),
            FELL_SHORT if kept.get(FAILED) else "",
        )
        for name in run.passes
        if (kept := run.figures.get(name)) is not None
    )


def _change(told: ChangeTold) -> NightChange:
    return NightChange(
        number=told.number,
        step=told.step,
        change=told.change,
        reason=told.reason,
        state=told.state,
        why_not=told.why_not,
        involved=tuple(map(_involved, told.memories)),
        contradiction=told.contradiction,
    )


def _involved(memory: Memory) -> Involved:
    levels = memory.draft.levels
    return Involved(memory.id, memory.draft.kind.value, _title(memory), levels.summary, telling.sources(memory))


def _title(memory: Memory) -> str:
    """What people call it: its title, else what it says in short."""
    draft = memory.draft
    return getattr(draft.body, "title", "") or draft.levels.compressed or draft.levels.index
