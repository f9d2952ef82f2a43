"""Images of what goes to the archive by merges, supersessions and retirements, and of what it leaves behind."""

# ruff: noqa: S608 - statements are put together from constants of this package

from __future__ import annotations

from companion.store.memories.rows_sql import BY_HAND

FOLDED = """
, folded as (
    select number, memories[1] as keep, unnest(memories[2:]) as id
    from batch
)
"""
"""What a merge folds, beside the memory that stays."""

LEAVING = """
, leaving as (
    select number, memories[1] as id, '' as successor, $faded as reason, null::timestamp as ends
    from batch
    where what = 'Retire'
    union all
    select number, memories[1], '', concat($outdated, ': ', reason), now
    from batch
    where what = 'Outdate'
    union all
    select number, unnest(memories[2:]), memories[1], $merged, null::timestamp
    from batch
    where what = 'Merge'
    union all
    select number, memories[1], memories[2], $superseded, coalesce(heir.valid_from, heir.created_at)
    from batch
    join memories as heir on heir.id = memories[2]
    where what = 'Supersede'
)
"""
"""The memories that go to the archive by a batch of merges, supersessions or retirements."""

LEAVE = (
    LEAVING
    + """
select
    $run, number, 'memories', memories.id,
    json_object(
        'status', status, 'archived_at', archived_at, 'archived_reason', archived_reason,
        'superseded_by', superseded_by, 'valid_to', valid_to
    ),
    json_object(
        'status', 'archived', 'archived_at', $now::timestamp, 'archived_reason', leaving.reason,
        'superseded_by', if(successor = '', superseded_by, successor),
        'valid_to', if(
            ends is null,
            valid_to,
            greatest(least(coalesce(valid_to, ends), ends), coalesce(valid_from, ends))
        )
    )
from leaving
join memories on memories.id = leaving.id
"""
)
"""What is superseded ceased to be true when its heir began to be, what is outdated when that was seen; neither before
it began itself."""

CLOSE = (
    LEAVING
    + """
select
    $run, min(leaving.number), 'contradictions', contradictions.id,
    json_object('resolved_at', any_value(resolved_at), 'resolution', any_value(resolution), 'note', any_value(note)),
    json_object(
        'resolved_at', $now::timestamp,
        'resolution', case
            when count(distinct leaving.id) = 2 then 'both_valid'
            when bool_or(leaving.id = memory_a) then 'b_wins'
            else 'a_wins'
        end,
        'note', $closed || 'one side was ' || min(leaving.reason)
    )
from leaving
join contradictions on leaving.id in (memory_a, memory_b)
where project_id = $project
    and resolved_at is null
group by contradictions.id
"""
)

INHERIT = (
    LEAVING
    + """
, sides as (
    select
        leaving.number,
        successor,
        if(memory_a = leaving.id, memory_b, memory_a) as other,
        contradictions.reason,
        confidence,
        detected_at,
        judge,
        if(conflict = '', contradictions.id, conflict) as conflict
    from leaving
    join contradictions on leaving.id in (memory_a, memory_b)
    where project_id = $project
        and resolved_at is null
        and successor <> ''
)
select
    $run, min(number), 'contradictions',
    'x1' || left(sha256(least(successor, other) || chr(31) || greatest(successor, other)), 30) as pair,
    null,
    json_object(
        'memory_a', if(any_value(heir.created_at) <= any_value(opposed.created_at), successor, other),
        'memory_b', if(any_value(heir.created_at) <= any_value(opposed.created_at), other, successor),
        'reason', min(sides.reason), 'confidence', max(sides.confidence), 'detected_at', $now::timestamp,
        'resolved_at', null, 'resolution', null, 'note', '', 'judge', min(judge), 'conflict', min(conflict)
    )
from sides
join memories as heir on heir.id = successor
join memories as opposed on opposed.id = other
where opposed.status = 'active'
    and other <> successor
    and other not in (select id from leaving)
    and not exists (
        select 1
        from contradictions
        where contradictions.id
            = 'x1' || left(sha256(least(successor, other) || chr(31) || greatest(successor, other)), 30)
    )
group by successor, other
"""
)
"""What a merged memory contradicted, the one that stays contradicts."""

ADD_UP = (
    FOLDED
    + """,
sums as (
    select
        number, keep, sum(retrieved_count) as retrieved, sum(cited_count) as cited, sum(ignored_count) as ignored,
        max(last_access_at) as last_access_at, max(if(pinned, importance_floor, importance)) as importance
    from folded
    join memories on memories.id = folded.id
    group by number, keep
)
select
    $run, number, 'memories', id,
    json_object(
        'retrieved', retrieved_count, 'cited', cited_count, 'ignored', ignored_count,
        'last_access_at', memories.last_access_at, 'importance', memories.importance
    ),
    json_object(
        'retrieved', retrieved_count + retrieved, 'cited', cited_count + cited, 'ignored', ignored_count + ignored,
        'last_access_at', greatest(memories.last_access_at, sums.last_access_at),
        'importance', greatest(memories.importance, sums.importance)
    )
from sums
join memories on id = keep
"""
)

EVIDENCE = (
    FOLDED
    + """,
there as (
    select memory_id, max(ordinal) as last, count(*) as pieces
    from memory_evidence
    where memory_id in (select keep from folded)
    group by memory_id
),
written as (
    select id, left(content_full, 200) as words
    from memories
    where id in (select id from folded)
        and """
    + BY_HAND
    + """
),
told as (
    select number, keep, memory_id, ordinal, kind, ref, line, quote
    from folded
    join memory_evidence on memory_id = id
    union all
    select number, keep, written.id, 0, 'command', 'companion remember', null, words
    from folded
    join written using (id)
    join memories as stays on stays.id = keep
    where left(stays.content_full, 200) <> words
),
fresh as (
    select
        number, keep, kind, ref, line, quote,
        row_number() over (partition by keep order by min(memory_id), min(ordinal), kind, ref, line, quote) as place
    from told
    where not exists (
        select 1
        from memory_evidence as own
        where own.memory_id = keep
            and own.kind = told.kind
            and own.ref = told.ref
            and own.line is not distinct from told.line
            and own.quote = told.quote
    )
    group by number, keep, kind, ref, line, quote
)
select
    $run, number, 'memory_evidence', keep || chr(31) || (coalesce(last, -1) + place)::integer,
    null,
    json_object('kind', kind, 'ref', ref, 'line', line, 'quote', quote)
from fresh
left join there on memory_id = keep
where coalesce(pieces, 0) + place <= $evidence_kept
"""
)

"""What a person wrote by hand keeps its words as evidence of the one that it was folded into."""

ENTITIES = (
    FOLDED
    + """
select distinct
    $run, number, 'memory_entities', keep || chr(31) || entity,
    null,
    json_object('memory_id', keep, 'entity', entity)
from folded
join memory_entities on memory_id = id
where (keep, entity) not in (
    select (own.memory_id, own.entity)
    from memory_entities as own
    where own.memory_id in (select keep from folded)
)
"""
)

ARTIFACTS = (
    FOLDED
    + """
select distinct
    $run, number, 'memory_artifacts', concat_ws(chr(31), keep, kind, ref),
    null,
    json_object('memory_id', keep, 'kind', kind, 'ref', ref)
from folded
join memory_artifacts on memory_id = id
where (keep, kind, ref) not in (
    select (own.memory_id, own.kind, own.ref)
    from memory_artifacts as own
    where own.memory_id in (select keep from folded)
)
"""
)

ANCESTRY = """
select
    $run, number, 'memories', id,
    json_object('supersedes', supersedes),
    json_object('supersedes', batch.memories[1])
from batch
join memories on id = batch.memories[2]
where supersedes = ''
"""
