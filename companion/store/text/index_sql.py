"""The questions by which the text index learns what changed in the store."""

from __future__ import annotations

MEMORY_DIGEST = """
select
    (
        select (count(*), bit_xor(hash(hash(
            id, status, importance, pinned, label, confidence, supersedes, superseded_by, archived_at, archived_reason,
            valid_from, valid_to, cited_count, visibility, content_full, content_summary, body,
            content_compressed, content_index, scope_path, offered_level, warmth, usefulness
        ))))
        from memories
        where project_id = $project
    ),
    (select (count(*), bit_xor(hash(hash(memory_id, entity)))) from memory_entities where project_id = $project),
    (select (count(*), bit_xor(hash(hash(memory_id, ordinal, kind, ref, line)))) from memory_evidence),
    (select (count(*), bit_xor(hash(hash(memory_id, kind, ref)))) from memory_artifacts)
"""
"""Hashed twice: the last of several columns goes into their hash unmixed, so that the same change in two rows would
cancel out."""

MEMORY_STATES = """
with evidence as (
    select memory_id, bit_xor(hash(hash(ordinal, kind, ref, line, quote))) as digest
    from memory_evidence
    group by memory_id
),
entities as (
    select memory_id, bit_xor(hash(entity)) as digest
    from memory_entities
    where project_id = $project
    group by memory_id
),
artifacts as (
    select memory_id, bit_xor(hash(hash(kind, ref))) as digest
    from memory_artifacts
    group by memory_id
)
select
    m.id,
    (hash(
        m.id, m.pinned, m.label, m.confidence, m.valid_from, m.visibility, m.content_full,
        m.content_summary, m.content_compressed, m.content_index, m.scope_path, m.body,
        m.status, m.importance, m.superseded_by, m.archived_at, m.archived_reason, m.valid_to,
        m.cited_count, m.supersedes, m.offered_level, m.warmth, m.usefulness,
        v.digest, e.digest, a.digest
    ) >> 1)::bigint
from memories m
left join evidence v on v.memory_id = m.id
left join entities e on e.memory_id = m.id
left join artifacts a on a.memory_id = m.id
where m.project_id = $project
order by m.created_at, m.id
"""

ENDED = """
select m.id, coalesce(m.archived_at, s.created_at)
from memories m
left join memories s on s.id = m.superseded_by and m.superseded_by <> ''
where m.id in (select unnest($ids))
    and (m.status <> 'active' or m.superseded_by <> '')
"""
