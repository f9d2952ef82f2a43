"""What the vectors ask of the tables: texts without one, how many there are, and the numbers themselves."""

from __future__ import annotations

from companion.ports.composing import composed
from companion.store.text.documents import FULL_TEXT_CHARACTERS

_TEXTS = composed(
    """
with texts as (
    select
        left(unnest([content_summary, content_full]), {most}) as text, unnest([0, 1]) as level,
        importance, cited_count, retrieved_count, id,
        coalesce(try_cast(body->>'occurred_at' as timestamp), valid_from, created_at) as about
    from memories
    where project_id = $project and status = 'active'
    union all
    select left(t.words, {most}), 0, 1, 0, 0, t.id, t.said_at
    from turns t
    join conversations c on c.id = t.conversation_id
    where 'talk ' || c.user_id = $project
)
""",
    most=str(FULL_TEXT_CHARACTERS),
)

PENDING = composed(
    """{texts}
select left(sha256(text), 32) as text_hash, any_value(text)
from texts
where trim(text) <> ''
group by text_hash
having text_hash not in (
    select text_hash
    from embeddings
    where model = $model
        and len(vector) = coalesce($dimension, len(vector))
)
order by min(level), max(importance) desc, max(cited_count) desc, max(retrieved_count) desc,
    max(about) desc, min(id)
limit $limit
""",
    texts=_TEXTS,
)

EXTENT = composed(
    """{texts}
, hashes as (
    select distinct left(sha256(text), 32) as text_hash
    from texts
    where trim(text) <> ''
)
select count(*), count(e.text_hash)
from hashes h
left join embeddings e
    on e.text_hash = h.text_hash
    and e.model = $model
    and len(e.vector) = coalesce($dimension, len(e.vector))
""",
    texts=_TEXTS,
)

HASHES = composed(
    """{texts}
, hashes as (
    select left(sha256(text), 32) as text_hash, level, importance, cited_count, retrieved_count, about, id
    from texts
)
select h.text_hash
from hashes h
join embeddings e on e.text_hash = h.text_hash and e.model = $model and len(e.vector) = $dimension
group by h.text_hash
order by min(h.level), max(h.importance) desc, max(h.cited_count) desc, max(h.retrieved_count) desc,
    max(h.about) desc, min(h.id)
""",
    texts=_TEXTS,
)

OTHERS = """
select exists (
    select 1
    from embeddings
    where model <> $model
        or len(vector) <> $dimension
)
"""

_SAID = composed(
    """
    select left(sha256(left(unnest([content_summary, content_full]), {most})), 32) as text_hash, project_id
    from memories
    union all
    select left(sha256(left(words, {most})), 32), ''
    from turns
""",
    most=str(FULL_TEXT_CHARACTERS),
)
"""The texts of all memories, whether they stand or not, and of all turns, which are no project's."""

OUTDATED = composed(
    """
with said as ({said})
select e.model, e.text_hash
from embeddings e
where (e.model <> $model or len(e.vector) <> $dimension)
    and e.text_hash in (select text_hash from said where project_id in ($project, ''))
    and (
        e.text_hash in (
            select text_hash
            from embeddings
            where model = $model
                and len(vector) = $dimension
        )
        or e.text_hash not in (select text_hash from said where project_id <> $project)
    )
order by e.model, e.text_hash
limit $limit
""",
    said=_SAID,
)
"""Vectors of other models that a project needs no more, and no other project either."""

VALUES = """
select unnest(vector) as value
from (
    select vector
    from embeddings
    where model = $model
        and text_hash in (select unnest($hashes::varchar[]))
    order by text_hash
)
"""
"""The numbers of some vectors in one column: ten times as fast as one Python tuple a vector."""

FORGET_UNUSED = composed("delete from embeddings where text_hash not in (select text_hash from ({said}))", said=_SAID)
