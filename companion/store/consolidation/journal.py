"""The journal of the runs: what was planned, in which order, and what became of it.

A run is opened, takes the changes of its passes as a stream, and is sealed; until then it is only a draft
that the next run discards. Opening takes a digest of every memory, so that a change is refused later if its
memory was edited while the run was still being planned.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice

from msgspec.structs import replace

from companion import wire
from companion.errors import UsageError
from companion.ports import Redactor
from companion.records.runs import ChangeState, ConsolidationRun, RunState
from companion.records.tidying import CHANGES, Change, ids_in
from companion.store.binding import duckdb
from companion.store.by_columns import column_where, delete_where, set_where, value_where
from companion.store.consolidation import digests
from companion.store.consolidation.about import About
from companion.store.consolidation.fitness import fitted
from companion.store.database import Database
from companion.store.rows import Query, Source, column
from companion.store.statements import execute
from companion.store.texts import hashed_id

PART_CHANGES = 2_000
"""Changes written at a time: some 30 ms, in which nobody else writes."""

RUNS_TOLD = 20
"""Runs listed unless more are asked for: three weeks of runs."""

WRONG = "wrong"
"""Under this name the figures of a pass have words: why it did not run or broke off."""

Figures = Mapping[str, Mapping[str, float | str]]

LIST_RUNS = "`companion reports` lists them."

_OPEN = """
insert into runs (id, number, project_id, asked_by, state, passes, planned_at, figures)
values ($id, $number, $project, $asked_by, 'planning', $passes::varchar[], $now, '{}')
"""

_DROP_IDLE = """
delete from run_changes
where run_id = $run
    and state = 'planned'
    and what in (select unnest($fleeting::varchar[]))
    and memories[1] in (
        select unnest(if(what = 'Merge', memories[2:], memories[:1]))
        from run_changes
        where run_id = $run
            and state = 'planned'
            and what in (select unnest($ending::varchar[]))
    )
returning pass
"""
"""What a plan would still weigh, warm or shorten of memories that it ends."""

_ADD = """
insert into run_changes (
    run_id, number, pass, what, change, reason, memories, expected, state, why_not
)
with given as (
    select
        unnest($numbers::integer[]) as number,
        unnest($passes::varchar[]) as pass,
        unnest($whats::varchar[]) as what,
        unnest($changes::varchar[]) as change,
        unnest($reasons::varchar[]) as reason,
        unnest($memories::varchar[][]) as memories,
        unnest($misfits::varchar[]) as why_not
),
touched as (
    select
        number,
        what,
        unnest(memories) as id,
        generate_subscripts(memories, 1) as place
    from given
),
expected as (
    select
        number,
        list(
            case
                when digest is null then ''
                when what = 'Retire' then concat_ws(' ', digest, use)
                else digest
            end
            order by place
        ) as digests
    from touched
    left join run_digests on run_id = $run and memory_id = id
    group by number
)
select
    $run, given.number, pass, what, change::json, reason, memories, coalesce(digests, []),
    if(why_not = '', 'planned', 'refused'),
    why_not
from given
left join expected on expected.number = given.number
order by given.number
"""

_REMARK = """
update runs
set notes = list_distinct(list_concat(coalesce(notes, []), $notes))
where id = $run
"""

_RUNS = Query(
    ConsolidationRun,
    """
select
    id, project_id, asked_by, state, passes, planned_at, since, started_at, ended_at, undone_at,
    coalesce(planned, 0) as planned, coalesce(applied, 0) as applied, coalesce(refused, 0) as refused,
    coalesce(undone, 0) as undone, figures::varchar as figures, coalesce(notes, []) as notes
from runs
left join (
    select
        run_id,
        count(*) filter (where state = 'planned') as planned,
        count(*) filter (where state = 'applied') as applied,
        count(*) filter (where state = 'refused') as refused,
        count(*) filter (where state = 'undone') as undone
    from run_changes
    group by run_id
) as counted on run_id = id
where ($project = '' or project_id = $project)
    and starts_with(id, $prefix)
    and ($state = '' or runs.state = $state)
order by number desc
limit $limit
""",
)

_IN_STATE = """
select number
from run_changes
where run_id = $run
    and number between $first and $last
    and number in (select unnest($numbers::integer[]))
    and state = $state
order by number
"""

_MARK = """
update run_changes
set
    state = $state,
    why_not = told.why,
    applied_at = if($state = 'applied' and $was <> 'applied', $now, applied_at),
    undone_at = if($state = 'undone', $now, undone_at)
from (
    select
        unnest($numbers::integer[]) as number,
        unnest($whys::varchar[]) as why
) as told
where run_id = $run
    and run_changes.number between $first and $last
    and run_changes.number = told.number
    and state = $was
"""


def open_run(database: Database, project: str, asked_by: str, passes: Iterable[str], now: datetime) -> str:
    """Begin a run in state `planning` and return its id (`n1…`); a draft left by a kill is discarded first.

    `asked_by` is command, schedule, idle or http. Call it before the first pass reads anything: the state of
    this moment is what the plan is checked against. One write of a quarter of a second for 100,000 memories.
    """
    with database.write(quiet=True) as connection:
        _drop(connection, column_where(connection, "runs", "id", project_id=project, state=RunState.PLANNING))
        number = value_where(connection, "runs", "coalesce(max(number), 0)") + 1
        id_ = hashed_id("n1", project, str(number), now.isoformat())
        given = {"project": project, "asked_by": asked_by, "passes": list(passes), "now": now}
        execute(connection, _OPEN, given | {"id": id_, "number": number})
        digests.take(connection, id_, project)
    return id_


def add(database: Database, run: str, changes: Iterable[tuple[str, Change]], redactor: Redactor) -> int:
    """Append changes, each with the name of its pass, in the order in which they are to be applied.

    May be called once a pass or once for all; takes the stream as it comes, a few thousand at a time, each of
    these parts one short write, so that 100,000 changes need little memory. What a model may have worded passes
    the redactor; what makes no sense in itself is kept as refused. Returns how many were added.
    """
    stream, added = iter(changes), 0
    while part := [_row(step, *fitted(change, redactor)) for step, change in islice(stream, PART_CHANGES)]:
        columns = dict(zip(_COLUMNS, map(list, zip(*part, strict=True)), strict=True))
        with database.write(quiet=True) as connection:
            _need_planning(connection, run)
            first = value_where(connection, "run_changes", "coalesce(max(number), 0)", run_id=run) + 1
            numbers = list(range(first, first + len(part)))
            execute(connection, _ADD, {"run": run, "numbers": numbers} | columns)
        added += len(part)
    return added


def withdraw(database: Database, run: str) -> Mapping[str, int]:
    """Take out of a plan what is idle since it ends the memory; how many changes of each pass that were.

    How warm a memory is, what it weighs and how long it is offered is worked out anew each run, and of what is in
    the archive nobody asks for it. Of a loaded run these were a third of all changes.
    """
    with database.write(quiet=True) as connection:
        _need_planning(connection, run)
        sorts = {"fleeting": [name for name, one in CHANGES.items() if one.fleeting]}
        sorts |= {"ending": [name for name, one in CHANGES.items() if one.ends]}
        return Counter(column(connection, _DROP_IDLE, run=run, **sorts))


def seal(database: Database, run: str, figures: Figures) -> ConsolidationRun:
    """The plan is complete: state `planned`, from now on it can be applied as it is, today or another day.

    Of each pass `figures` has numbers, and under WRONG why it did not run or broke off.
    """
    with database.write(quiet=True) as connection:
        _need_planning(connection, run)
        set_where(connection, "runs", {"state": RunState.PLANNED}, id=run)
        digests.drop(connection, [run])
    return note(database, run, figures)


def note(database: Database, run: str, figures: Figures) -> ConsolidationRun:
    """Put figures beside those a run has; a pass and name that is there takes the new value."""
    with database.write(quiet=True) as connection:
        found = state_of(connection, run)
        wrong: Figures = {step: {WRONG: why} for step, why in found.wrong.items()}
        there: Figures = {step: {**kept, **wrong.get(step, {})} for step, kept in found.figures.items()}
        united = {step: {**there.get(step, {}), **figures.get(step, {})} for step in {**there, **figures}}
        set_where(connection, "runs", {"figures": json.dumps(united, sort_keys=True)}, id=run)
        return _apart(replace(found, figures=united))


def remark(database: Database, run: str, notes: Sequence[str]) -> None:
    """Keep what is to be said of the whole run, beside what was said before."""
    if notes:
        database.change(_REMARK, {"run": run, "notes": list(notes)}, quiet=True)


def discard(database: Database, run: str) -> ConsolidationRun:
    """A plan that was not applied shall not be (any more). Raises UsageError once applying has begun."""
    with database.write(quiet=True) as connection:
        there = state_of(connection, run)
        if there.state not in {RunState.PLANNING, RunState.PLANNED, RunState.DISCARDED}:
            raise UsageError(f"{run} is {there.state.value}.", f"Undo it instead: `companion undo {run}`.")
        _drop(connection, [run])
        return state_of(connection, run)


def runs(database: Database, project: str, *, limit: int = RUNS_TOLD) -> tuple[ConsolidationRun, ...]:
    """The latest runs of a project, newest first."""
    return _runs(database, project=project, limit=limit)


def run(database: Database, project: str, prefix: str) -> ConsolidationRun:
    """The one run whose id begins so. Raises UsageError for none or several."""
    found = _runs(database, project=project, prefix=prefix, limit=RUNS_TOLD) if prefix else ()
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(f"No run begins with {prefix!r}.", LIST_RUNS)
    raise UsageError(f"Several runs begin with {prefix}: {', '.join(one.id for one in found)}.", LIST_RUNS)


def unfinished(database: Database, project: str) -> ConsolidationRun | None:
    """The run that was being applied when somebody stopped or killed it: the next run goes on with it."""
    return next(iter(_runs(database, project=project, state=RunState.APPLYING.value, limit=1)), None)


def state_of(connection: duckdb.DuckDBPyConnection, run: str) -> ConsolidationRun:
    """A run by its whole id, inside a transaction. Raises UsageError where there is none."""
    found = [one for one in _runs(connection, prefix=run, limit=2) if one.id == run]
    if not found:
        raise UsageError(f"There is no run {run!r}.", LIST_RUNS)
    return found[0]


def in_state(
    connection: duckdb.DuckDBPyConnection, about: About, numbers: Sequence[int], state: ChangeState
) -> list[int]:
    """Those of the changes that are in a state, in their order."""
    return column(connection, _IN_STATE, **about.given(_IN_STATE, numbers), state=state)


def mark(
    connection: duckdb.DuckDBPyConnection, about: About, whys: Mapping[int, str], was: ChangeState, state: ChangeState
) -> int:
    """Changes that were in one state are in another now, or still, each with a word why not; how many they are."""
    if not whys:
        return 0
    given = about.given(_MARK, list(whys)) | {"was": was, "state": state, "whys": whys.values()}
    (count,) = column(connection, _MARK, **given)
    return int(count)


_COLUMNS = ("passes", "whats", "changes", "reasons", "memories", "misfits")
"""What ADD takes of each change, in the order of `_row`."""


def _row(step: str, change: Change, wrong: str) -> tuple[str, str, str, str, list[str], str]:
    """A change as the journal takes it: written out as the stream comes, which makes way for others in between."""
    record = json.dumps(wire.encode(change, Change), ensure_ascii=False)
    return step, type(change).__name__, record, change.reason, list(ids_in(change, change.about)), wrong


def _need_planning(connection: duckdb.DuckDBPyConnection, run: str) -> None:
    state = value_where(connection, "runs", "state", id=run, otherwise="not there")
    if state != RunState.PLANNING:
        raise UsageError(f"The run {run} is {state} and takes no more changes.", LIST_RUNS)


def _drop(connection: duckdb.DuckDBPyConnection, ids: Sequence[str]) -> None:
    if ids:
        set_where(connection, "runs", {"state": RunState.DISCARDED}, id=ids)
        delete_where(connection, "run_changes", run_id=ids)
        digests.drop(connection, ids)


def _runs(
    source: Source, *, project: str = "", prefix: str = "", state: str = "", limit: int
) -> tuple[ConsolidationRun, ...]:
    return tuple(map(_apart, _RUNS.all(source, project=project, prefix=prefix, state=state, limit=limit)))


def _apart(run: ConsolidationRun) -> ConsolidationRun:
    """The run with the words among its figures told apart."""
    figures = {step: {name: n for name, n in told.items() if name != WRONG} for step, told in run.figures.items()}
    wrong = {step: str(told[WRONG]) for step, told in run.figures.items() if WRONG in told}
    return replace(run, figures=figures, wrong=wrong)
