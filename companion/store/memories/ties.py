"""What a memory has to do with others, as runs have found it: read for whoever shows a memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.records import Linked, Relation

if TYPE_CHECKING:
    from companion.store.database import Database

SHOWN = 8
"""Ties shown of a memory: what fits on a screen beside it."""

_LINKED = """
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
select e.id, m.id, m.content_index, e.relation, e.score, e.reason
from ends e
join memories m on m.id = e.other
where m.status = 'active'
    or e.relation = $supersedes
qualify row_number() over (partition by e.id order by e.relation in ($fixed_by, $supersedes) desc, e.score desc, m.id)
    <= $shown
order by e.id, e.relation in ($fixed_by, $supersedes) desc, e.score desc, m.id
"""


def linked(database: Database, project: str, ids: Sequence[str]) -> Mapping[str, tuple[Linked, ...]]:
    """By id the memories that each has most to do with, causes and successors first; archived ones only as such."""
    given = {
        "project": project,
        "ids": list(ids),
        "fixed_by": Relation.FIXED_BY.value,
        "supersedes": Relation.SUPERSEDES.value,
        "shown": SHOWN,
    }
    found: defaultdict[str, list[Linked]] = defaultdict(list)
    rows = database.rows(_LINKED, given)
    for id_, other, title, relation, score, reason in rows:
        found[id_].append(Linked(other, title, Relation(relation), score, reason))
    return {id_: tuple(ties) for id_, ties in found.items()}
