"""A stored plan is carried out: in small batches, each all or nothing, each change once.

A batch is one transaction, which compares digests, writes down what the rows were and will be, moves them, and marks
the changes: a kill leaves all of that or nothing, and the next call goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from companion.errors import UsageError
from companion.ports import TokenCounter
from companion.records.runs import ChangeState, RunState
from companion.store.binding import duckdb
from companion.store.by_columns import rows_where, set_where
from companion.store.consolidation import journal, patches, refusals
from companion.store.consolidation.about import About
from companion.store.consolidation.batches import Planned, in_batches, pages
from companion.store.consolidation.changes import STATEMENTS
from companion.store.database import Database
from companion.store.rows import Query
from companion.store.statements import execute

BATCH_ROWS = 1_000
"""Memories that one transaction touches: it then holds the write lock for some 35 ms, so that a note or a
count of use that comes in between hardly waits."""

_PLANNED = Query(
    Planned,
    """
select number, what, change as record, memories, expected
from run_changes
where run_id = $run
    and state = 'planned'
    and number > $edge
order by number
limit $limit
""",
)


def apply(
    database: Database,
    run: str,
    now: datetime,
    *,
    counter: TokenCounter,
    go_on: Callable[[], bool] = lambda: True,
    step: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Carry out what is still planned of a sealed run (planned or applying), in plan order.

    Before each batch `go_on` is asked (it may sleep while the user is busy; false stops: the run stays
    `applying` and the next call goes on where it stopped); after each, `step` hears how many of all changes of
    the run are decided. A change whose memory is not as it was planned on is refused with a reason, and so is
    one that would archive what must stay. When none is left the run is `applied`.
    Raises UsageError for a run that is still being planned, was discarded or undone.
    """
    about = _begun(database, run, now)
    counts = "count(*) filter (where state = 'planned'), count(*)"
    ((left, total),) = rows_where(database, "run_changes", counts, run_id=run)
    try:
        for page in pages(database, _PLANNED, 0, run=run):
            for batch in in_batches(database, about.run, about.project, page, BATCH_ROWS):
                if not go_on():
                    return
                left -= _carried_out(database, about, batch, counter)
                step(total - left, total)
    finally:
        database.revision += 1  # once for all: what is cached would be made anew after each of a hundred batches
    ended = {"state": RunState.APPLIED, "ended_at": now}
    set_where(database, "runs", ended, quiet=True, id=run, state=RunState.APPLYING)


def _begun(database: Database, run: str, now: datetime) -> About:
    with database.write(quiet=True) as connection:
        there = journal.state_of(connection, run)
        if there.state is RunState.PLANNED:
            begun = {"state": RunState.APPLYING, "started_at": there.started_at or now}
            set_where(connection, "runs", begun, id=run)
        elif there.state not in {RunState.APPLYING, RunState.APPLIED}:
            said = "is still being planned" if there.state is RunState.PLANNING else f"was {there.state.value}"
            raise UsageError(f"The run {run} {said}; it cannot be applied.", "Plan another: `companion consolidate`.")
    return About(run, there.project, now)


def _carried_out(database: Database, about: About, batch: Sequence[Planned], counter: TokenCounter) -> int:
    """Carry out one batch; how many of its changes were decided, be it made or refused."""
    with database.write(quiet=True) as connection:
        whys = refusals.unfit(connection, about, batch) | refusals.outdated(connection, about, batch)
        refused = journal.mark(connection, about, whys, ChangeState.PLANNED, ChangeState.REFUSED)
        planned = journal.in_state(connection, about, [one.number for one in batch], ChangeState.PLANNED)
        made = dict.fromkeys(planned, "")
        fit = [one for one in batch if one.number in made]
        if fit:
            _patch(connection, about, fit, counter)
            journal.mark(connection, about, made, ChangeState.PLANNED, ChangeState.APPLIED)
    return len(fit) + refused


def _patch(
    connection: duckdb.DuckDBPyConnection, about: About, batch: Sequence[Planned], counter: TokenCounter
) -> None:
    """Write what the rows are and will be, and make them so."""
    numbers = [one.number for one in batch]
    told = STATEMENTS[batch[0].what]
    for patch in told.patches:
        statement = patch.statement(told.begin)
        execute(connection, statement, about.given(statement, numbers) | {**told.given(batch, counter)})
    patches.put(connection, about, numbers, back=False)
