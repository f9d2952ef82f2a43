"""What the tables say of one place in the code: what is disputed in it, what of it was dismissed.

Every statement starts from the rows of one file or of what is open, so that its cost grows with the
file's history and not with the store.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.store.by_columns import column_where, rows_where
from companion.store.database import Database
from companion.store.rows import tuples

_DISPUTED = """
with sides as (
    select id, reason, detected_at, conflict, unnest([memory_a, memory_b]) as memory_id
    from contradictions
    where project_id = $project and resolved_at is null
),
here as (
    select s.id, s.reason, e.ref, e.line, s.detected_at, if(s.conflict = '', s.id, s.conflict) as conflict
    from memory_evidence e
    join sides s on s.memory_id = e.memory_id
    where e.kind = 'file' and e.line is not null
),
hidden as (
    select s.id
    from sides s
    join memories m on m.id = s.memory_id
    where m.persona <> ''
        or m.scope_branch not in ('', $branch)
        or (contains(m.learner, '@') and not ends_with(m.learner, '@' || $checkout))
)
select distinct
    ref,
    first(id) over (partition by conflict order by detected_at, id) as first_id,
    line,
    first(reason) over (partition by conflict order by detected_at, id)
from here
where id not in (select id from hidden)
order by ref, line, first_id
limit $limit
"""


def open_digest(database: Database, project: str) -> tuple[int, int]:
    """How many contradictions are open and a number that is another when others are."""
    told = "count(*), coalesce(bit_xor(hash(hash(id, reason, memory_a, memory_b))), 0)"
    ((count, digest),) = rows_where(database, "contradictions", told, project_id=project, resolved_at=None)
    return count, digest


def disputed(
    database: Database, project: str, *, branch: str = "", checkout: str = "", limit: int
) -> tuple[tuple[str, str, int, str], ...]:
    """Lines that take part in open contradictions: path, id, line (from 1) and reason, by path and line.

    Those with a side that belongs to another branch or checkout, or to a persona, are left out.
    """
    asked = {"project": project, "branch": branch, "checkout": checkout, "limit": limit}
    return tuple(tuples(database, _DISPUTED, **asked))


def passed_over(database: Database, ids: Sequence[str], context: str) -> frozenset[str]:
    """Which of the memories were found of no use in a context, as it was recorded."""
    if not ids:
        return frozenset()
    return frozenset(column_where(database, "usage_log", "memory_id", what="ignored", context=context, memory_id=ids))
