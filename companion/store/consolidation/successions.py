"""What newer statements took the place of: earlier versions, and what a run found to be settled by time."""

from __future__ import annotations

from companion.records import Superseded
from companion.store.database import Database
from companion.store.memories.reconcile import SUPERSEDED
from companion.store.memories.rows_sql import load
from companion.store.rows import tuples

NEWER_VERSION = "its source says otherwise since"
"""Why, where no run said more."""

_SUPERSEDED = """
with told as (
    select c.memories[1] as old, max_by(c.reason, c.applied_at) as reason
    from run_changes c
    where c.what = 'Supersede'
        and c.state = 'applied'
    group by c.memories[1]
)
select old.id, old.superseded_by, old.archived_at, told.reason
from memories as old
join memories as new on new.id = old.superseded_by
left join told on told.old = old.id
where old.project_id = $project
    and old.superseded_by <> old.id
    and old.archived_reason = $superseded
order by old.archived_at desc nulls last, old.id
limit $limit
"""


def superseded(database: Database, project: str, limit: int) -> tuple[Superseded, ...]:
    """At most `limit` memories with those that took their place, newest first."""
    with database.read() as connection:
        found = tuples(connection, _SUPERSEDED, project=project, superseded=SUPERSEDED, limit=limit)
        ids = sorted({id_ for old, new, _, _ in found for id_ in (old, new)})
        memories = {memory.id: memory for memory in load(connection, ids)}
    return tuple(
        Superseded(memories[old], memories[new], at, reason or NEWER_VERSION) for old, new, at, reason in found
    )
