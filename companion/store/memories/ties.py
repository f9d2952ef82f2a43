"""What a memory has to do with others, as runs have found it: read for whoever shows a memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.records import Linked, Relation
from companion.store.database import Database
from companion.store.rows import Query

SHOWN = 8
"""Ties shown of a memory: what fits on a screen beside it."""

_LINKED = Query(
    Linked,
    """
with asked as (
    select unnest($ids::varchar[]) as id
),
ends as (
    select a as id, b as other, relation, score, reason
    from memory_links
    where project_id = $project
        and a in (select id from asked)
    union all
    select b, a, relation, score, reason
    from memory_links
    where project_id = $project
        and b in (select id from asked)
)
select e.id as of, m.id as memory, m.content_index as title, e.relation, e.score, e.reason
from ends e
join memories m on m.id = e.other
where m.status = 'active'
    or e.relation = $supersedes
qualify row_number() over (partition by e.id order by e.relation in ($fixed_by, $supersedes) desc, e.score desc, m.id)
    <= $shown
order by e.id, e.relation in ($fixed_by, $supersedes) desc, e.score desc, m.id
""",
    {"id": "memory"},
)


def linked(database: Database, project: str, ids: Sequence[str]) -> Mapping[str, tuple[Linked, ...]]:
    """By id the memories that each has most to do with, causes and successors first; archived ones only as such."""
    ends = {"fixed_by": Relation.FIXED_BY, "supersedes": Relation.SUPERSEDES}
    return _LINKED.by(database, "of", project=project, ids=ids, shown=SHOWN, **ends)
