"""What a run changed is taken back, newest first, byte for byte, as far as nobody changed it again since.

Each batch is one transaction that puts the rows back and marks the changes, so that a kill leaves all of that
or nothing, and the same call goes on. What has no images any more (its memory was deleted, or emptied by a
purge) cannot be taken back, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from companion.errors import UsageError
from companion.records.runs import ChangeState, Kept, RunState, Undone
from companion.store.binding import duckdb
from companion.store.by_columns import set_where, value_where
from companion.store.consolidation import journal, patches
from companion.store.consolidation.about import ERASED, About
from companion.store.consolidation.applying import BATCH_ROWS
from companion.store.consolidation.batches import Planned, in_batches, pages
from companion.store.database import Database
from companion.store.rows import Query

TAKEN_BACK_BEFORE = "the run was undone before it was made"

_APPLIED = Query(
    Planned,
    """
select number, what, change as record, memories, [why_not] as expected
from run_changes
where run_id = $run
    and state = 'applied'
    and number < $edge
    and ($number::integer is null or number = $number::integer)
order by number desc
limit $limit
""",
)
"""Newest first: what had to come later when it was applied comes earlier here."""

_ALL_UNDONE = """
update runs
set state = 'undone', undone_at = $now
where id = $run
    and state in ('applied', 'applying')
    and not exists (
        select 1
        from run_changes
        where run_id = $run
            and state in ('planned', 'applied')
    )
"""


def undo(
    database: Database,
    run: str,
    number: int | None,
    now: datetime,
    step: Callable[[int, int], None] = lambda done, total: None,
) -> Undone:
    """Take back a run (or its one change `number`). What was taken back already is passed over: 0 undone.

    A change is kept, with a reason, where a row is no longer as the change left it; counts of use are not
    compared but go on. When nothing applied is left the run is `undone`; what was still planned of it is
    given up first. Killed in the middle: call it again. Raises UsageError for a run that was never applied, and
    for a number the run does not have.
    """
    about = _begun(database, run, number, now)
    wanted = {"run_id": run, "state": ChangeState.APPLIED} | ({} if number is None else {"number": number})
    total, undone = int(value_where(database, "run_changes", "count(*)", **wanted)), 0
    kept: list[Kept] = []
    try:
        for page in pages(database, _APPLIED, 2**31 - 1, run=run, number=number):
            for batch in in_batches(database, run, about.project, page, BATCH_ROWS):
                done, not_done = _taken_back(database, about, batch)
                undone += done
                kept += not_done
                step(undone + len(kept), total)
    finally:
        database.revision += 1
    database.change(_ALL_UNDONE, {"run": run, "now": now}, quiet=True)
    return Undone(run, undone, tuple(sorted(kept, key=lambda one: one.number)))


def _begun(database: Database, run: str, number: int | None, now: datetime) -> About:
    """The run, with nothing of it that a next run would still make."""
    with database.write(quiet=True) as connection:
        there = journal.state_of(connection, run)
        if there.state in {RunState.PLANNING, RunState.PLANNED, RunState.DISCARDED}:
            raise UsageError(f"The run {run} changed nothing yet; there is nothing to undo.", journal.LIST_RUNS)
        if number is None:
            given_up = {"state": ChangeState.REFUSED, "why_not": TAKEN_BACK_BEFORE}
            set_where(connection, "run_changes", given_up, run_id=run, state=ChangeState.PLANNED)
            closed = {"state": RunState.APPLIED, "ended_at": there.ended_at or now}
            set_where(connection, "runs", closed, id=run, state=RunState.APPLYING)
        else:
            _need_made(connection, run, number)
    return About(run, there.project, now)


def _need_made(connection: duckdb.DuckDBPyConnection, run: str, number: int) -> None:
    how = f"`companion reports {run}` lists its changes with their numbers."
    state = value_where(connection, "run_changes", "state", run_id=run, number=number, otherwise="")
    if not state:
        raise UsageError(f"The run {run} has no change {number}.", how)
    if state in {ChangeState.PLANNED, ChangeState.REFUSED}:
        raise UsageError(f"Change {number} of the run {run} was not made ({state}).", how)


def _taken_back(database: Database, about: About, batch: Sequence[Planned]) -> tuple[int, list[Kept]]:
    """Take back one batch; how many of its changes were, and which are kept."""
    numbers = [one.number for one in batch]
    with database.write(quiet=True) as connection:
        still = set(journal.in_state(connection, about, numbers, ChangeState.APPLIED))
        whys = patches.moved_on(connection, about, numbers)
        whys |= {one.number: ERASED for one in batch if one.expected == (ERASED,)}
        kept = {number: why for number, why in whys.items() if number in still}
        back = sorted(still - kept.keys())
        journal.mark(connection, about, kept, ChangeState.APPLIED, ChangeState.APPLIED)
        if back:
            patches.put(connection, about, back, back=True)
            journal.mark(connection, about, dict.fromkeys(back, ""), ChangeState.APPLIED, ChangeState.UNDONE)
    return len(back), [Kept(number, why) for number, why in kept.items()]
