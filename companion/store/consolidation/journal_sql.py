"""Statements of the journal of the runs."""

from __future__ import annotations

from companion.records.runs import ConsolidationRun
from companion.store.rows import Query

OPEN = """
insert into runs (id, number, project_id, asked_by, state, passes, since, planned_at, figures)
values ($id, $number, $project, $asked_by, 'planning', $passes::varchar[], $since, $now, '{}')
"""

LAST_RUN = """
select coalesce(max(number), 0)
from runs
"""

DRAFTS = """
select id
from runs
where project_id = $project
    and state = 'planning'
"""

DISCARD = """
update runs
set state = 'discarded'
where id in (select unnest($runs::varchar[]))
"""

DROP_CHANGES = """
delete from run_changes
where run_id in (select unnest($runs::varchar[]))
"""

DROP_IDLE = """
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

LAST_CHANGE = """
select coalesce(max(number), 0)
from run_changes
where run_id = $run
"""

ADD = """
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

STATE = """
select state
from runs
where id = $run
"""

SEAL = """
update runs
set state = 'planned'
where id = $run
"""

NOTE = """
update runs
set figures = $figures
where id = $run
"""

REMARK = """
update runs
set notes = list_distinct(list_concat(coalesce(notes, []), $notes))
where id = $run
"""

RUNS = Query(
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

IN_STATE = """
select number
from run_changes
where run_id = $run
    and number between $first and $last
    and number in (select unnest($numbers::integer[]))
    and state = $state
order by number
"""

MARK = """
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
