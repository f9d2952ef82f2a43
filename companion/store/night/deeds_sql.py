"""What each sort of change does, as statements that write images: rows as they are, and as they will be."""

# ruff: noqa: S608 - statements are put together from constants of this package

from __future__ import annotations

from collections.abc import Mapping

_BATCH = """
insert into night_rows (run_id, number, table_name, row_key, before, after)
with batch as (
    select number, what, change, reason, memories, $now::timestamp as now, $project as project
    from night_changes
    where run_id = $run
        and number between $first and $last
        and number in (select unnest($numbers::integer[]))
        and state = 'planned'
)
"""

_OF_FIRST = """
from batch
join memories on id = batch.memories[1]
"""

_FOLDED = """
, folded as (
    select number, memories[1] as keep, unnest(memories[2:]) as id
    from batch
)
"""
"""What a merge folds, beside the memory that stays."""

_SHORTEN = (
    _BATCH
    + """
select
    $run, number, 'memories', id,
    json_object('offered_level', offered_level),
    json_object('offered_level', (change ->> 'level'))
"""
    + _OF_FIRST
)

_WARM = (
    _BATCH
    + """
select
    $run, number, 'memories', id,
    json_object('warmth', warmth),
    json_object('warmth', (change ->> 'warmth'))
"""
    + _OF_FIRST
)

_WEIGH = (
    _BATCH
    + """
select
    $run, number, 'memories', id,
    json_object('importance', importance, 'usefulness', usefulness),
    json_object(
        'importance', greatest((change ->> 'importance')::integer, importance_floor),
        'usefulness', (change ->> 'usefulness')::double
    )
"""
    + _OF_FIRST
)

_LEAVING = """
, leaving as (
    select number, memories[1] as id, '' as successor, $faded as reason, null::timestamp as ends
    from batch
    where what = 'Retire'
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

_LEAVE = (
    _BATCH
    + _LEAVING
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
"""What is superseded ceased to be true when its heir began to be, but never before it began itself."""

_CLOSE = (
    _BATCH
    + _LEAVING
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

_INHERIT = (
    _BATCH
    + _LEAVING
    + """
, sides as (
    select
        leaving.number,
        successor,
        if(memory_a = leaving.id, memory_b, memory_a) as other,
        contradictions.reason,
        confidence,
        detected_at,
        judge
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
        'resolved_at', null, 'resolution', null, 'note', '', 'judge', min(judge)
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

_ADD_UP = (
    _BATCH
    + _FOLDED
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

_EVIDENCE = (
    _BATCH
    + _FOLDED
    + """,
there as (
    select memory_id, max(ordinal) as last, count(*) as pieces
    from memory_evidence
    where memory_id in (select keep from folded)
    group by memory_id
),
fresh as (
    select
        number, keep, kind, ref, line, quote,
        row_number() over (partition by keep order by min(memory_id), min(ordinal), kind, ref, line, quote) as place
    from folded
    join memory_evidence on memory_id = id
    where not exists (
        select 1
        from memory_evidence as own
        where own.memory_id = keep
            and own.kind = memory_evidence.kind
            and own.ref = memory_evidence.ref
            and own.line is not distinct from memory_evidence.line
            and own.quote = memory_evidence.quote
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

_ENTITIES = (
    _BATCH
    + _FOLDED
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

_ARTIFACTS = (
    _BATCH
    + _FOLDED
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

_ANCESTRY = (
    _BATCH
    + """
select
    $run, number, 'memories', id,
    json_object('supersedes', supersedes),
    json_object('supersedes', batch.memories[1])
from batch
join memories on id = batch.memories[2]
where supersedes = ''
"""
)

_REVIVE = (
    _BATCH
    + """
select
    $run, number, 'memories', id,
    json_object(
        'status', status, 'archived_at', archived_at, 'archived_reason', archived_reason,
        'superseded_by', superseded_by, 'valid_to', valid_to
    ),
    json_object(
        'status', 'active', 'archived_at', null, 'archived_reason', '', 'superseded_by', '',
        'valid_to', if(valid_to = archived_at, null, valid_to)
    )
"""
    + _OF_FIRST
)

_OPPOSE = (
    _BATCH
    + """
, pairs as (
    select
        number,
        change,
        reason,
        'x1' || left(sha256(
            least(memories[1], memories[2]) || chr(31) || greatest(memories[1], memories[2])
        ), 30) as pair
    from batch
)
select
    $run, number, 'contradictions', pair,
    if(
        known.id is null,
        null,
        json_object('resolved_at', resolved_at, 'resolution', resolution, 'note', note)
    ),
    if(
        known.id is not null,
        json_object('resolved_at', null, 'resolution', null, 'note', ''),
        json_object(
            'memory_a', (change ->> 'a'), 'memory_b', (change ->> 'b'), 'reason', pairs.reason,
            'confidence', (change ->> 'confidence')::double, 'detected_at', $now::timestamp,
            'resolved_at', null, 'resolution', null, 'note', '', 'judge', (change ->> 'judge')
        )
    )
from pairs
left join contradictions as known on known.id = pair
"""
)

_RELATE = (
    _BATCH
    + """
select
    $run, number, 'memory_links', concat_ws(chr(31), (change ->> 'relation'), (change ->> 'a'), (change ->> 'b')),
    if(
        known.a is null,
        null,
        json_object('score', known.score, 'reason', known.reason, 'found_at', found_at)
    ),
    json_object('score', (change ->> 'score')::double, 'reason', batch.reason, 'found_at', now)
from batch
left join memory_links as known
    on known.project_id = $project
    and known.relation = (change ->> 'relation')
    and known.a = (change ->> 'a')
    and known.b = (change ->> 'b')
"""
)

_UNRELATE = (
    _BATCH
    + """
select
    $run, number, 'memory_links', concat_ws(chr(31), known.relation, known.a, known.b),
    json_object('score', known.score, 'reason', known.reason, 'found_at', found_at),
    null
from batch
join memory_links as known
    on known.project_id = $project
    and known.relation = (change ->> 'relation')
    and known.a = (change ->> 'a')
    and known.b = (change ->> 'b')
"""
)

_UNITE = (
    _BATCH
    + """
, united as (
    select
        number,
        batch.reason,
        now,
        (change ->> 'entity') as entity,
        coalesce(further.stands_for, (change ->> 'stands_for')) as stands_for
    from batch
    left join aliases as further
        on further.project_id = $project
        and further.entity = (change ->> 'stands_for')
)
select
    $run, number, 'aliases', united.entity,
    if(
        known.entity is null,
        null,
        json_object('stands_for', known.stands_for, 'reason', known.reason, 'found_at', found_at)
    ),
    json_object('stands_for', united.stands_for, 'reason', united.reason, 'found_at', now)
from united
left join aliases as known
    on known.project_id = $project
    and known.entity = united.entity
union all
select
    $run, number, 'aliases', variant.entity,
    json_object('stands_for', variant.stands_for, 'reason', variant.reason, 'found_at', found_at),
    json_object('stands_for', united.stands_for, 'reason', variant.reason, 'found_at', found_at)
from united
join aliases as variant
    on variant.project_id = $project
    and variant.stands_for = united.entity
"""
)
"""An alias leads straight to what it stands for: what led to this entity leads on to the other."""

WORDS = """
select
    id, content_summary, content_compressed, content_index, tokens_summary, tokens_compressed, tokens_index
from memories
where id in (select unnest($ids::varchar[]))
"""

WORD_COLUMNS = (
    *("content_summary", "content_compressed", "content_index"),
    *("tokens_summary", "tokens_compressed", "tokens_index"),
)

DEEDS: Mapping[str, tuple[str, ...]] = {
    "Merge": (_LEAVE, _ADD_UP, _EVIDENCE, _ENTITIES, _ARTIFACTS, _INHERIT, _CLOSE),
    "Supersede": (_LEAVE, _ANCESTRY, _CLOSE),
    "Shorten": (_SHORTEN,),
    "Weigh": (_WEIGH,),
    "Warm": (_WARM,),
    "Oppose": (_OPPOSE,),
    "Retire": (_LEAVE, _CLOSE),
    "Revive": (_REVIVE,),
    "Relate": (_RELATE,),
    "Unrelate": (_UNRELATE,),
    "Unite": (_UNITE,),
}
"""The statements of each sort of change; rewording and rescoping need more than SQL and stand in `deeds`."""
