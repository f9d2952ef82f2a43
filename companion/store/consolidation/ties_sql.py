"""Images of what stands between memories: contradictions, links and aliases."""

from __future__ import annotations

OPPOSE = """
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
            'resolved_at', null, 'resolution', null, 'note', '', 'judge', (change ->> 'judge'),
            'conflict', (change ->> 'conflict')
        )
    )
from pairs
left join contradictions as known on known.id = pair
"""

RELATE = """
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

UNRELATE = """
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

UNITE = """
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
"""An alias leads straight to what it stands for: what led to this entity leads on to the other."""
