"""What has lain unused, by the clock of work: the ground on which a run forgets.

Everything is one statement over all memories of a project. What may never be forgotten does not come out of
it: what a person wrote or confirmed, pinned and critical memories, decisions that are not superseded, both sides of
an open contradiction, errors without a known fix, and what a file still says (its reader would only learn it again).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from companion.records import Idle
from companion.store.consolidation.activity import DAYS

if TYPE_CHECKING:
    from companion.store.database import Database

_IDLE = (
    "with"  # noqa: S608 - constants of this room
    + DAYS
    + """,
mine as (
    select
        id, importance, superseded_by, created_at, cited_count
    from memories
    where project_id = $project
        and status = 'active'
        and not pinned
        and importance < 3
        and not (
            type = 'decision'
            and superseded_by = ''
            and coalesce(json_extract_string(body, '$.status'), '') <> 'superseded'
        )
        and not (
            type = 'error'
            and coalesce(json_extract_string(body, '$.fix'), '') = ''
            and coalesce(json_extract_string(body, '$.fix_commit'), '') = ''
        )
        and (superseded_by <> '' or (source = 'scan' and kind = 'episode'))
        and id not in (
            select unnest([memory_a, memory_b])
            from contradictions
            where project_id = $project
                and resolved_at is null
        )
),
moments as (
    select id, created_at::date as day
    from mine
    union
    select memory_id, used_at::date
    from usage_log
    where what <> 'ignored'
        and used_at <= $now
        and memory_id in (select id from mine)
),
counted as (
    select moments.id, coalesce(numbered_days.number, 0) as number
    from moments
    asof left join numbered_days on numbered_days.day <= moments.day
),
apart as (
    select id, number, number - lag(number) over (partition by id order by number) as days
    from counted
),
history as (
    select
        id,
        max(number) as last_number,
        coalesce(max(days), 0) as longest_days
    from apart
    group by id
),
today as (
    select coalesce(max(number), 0) as number
    from numbered_days
)
select
    mine.id, mine.importance, mine.superseded_by,
    today.number - history.last_number as unused_days,
    mine.cited_count, history.longest_days
from mine
join history on history.id = mine.id
cross join today
where mine.created_at <= $now
    and (unused_days > $idle_days or mine.superseded_by <> '')
order by unused_days desc, mine.id
"""
)


def idle(database: Database, project: str, now: datetime, idle_days: int) -> Iterator[Idle]:
    """Memories that may be forgotten: unused for more than `idle_days` of work, or superseded; longest unused first."""
    given = {"project": project, "now": now, "idle_days": idle_days}
    rows = database.rows(_IDLE, given)
    for row in rows:
        yield Idle(*row)
