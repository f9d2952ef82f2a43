"""How memories were used, as the run weighs it: sessions in which they were cited, passed over or dismissed.

A burst of clicks is one session; a session is worth half after HALF_LIFE_DAYS days of work. Whether a memory
is hot, warm or cold follows from the days of work since it was used or born. Both clocks stand still while
nobody works on the project.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from companion.api import SHOWN_AND_LEFT
from companion.records import Importance, Warmth, Worth
from companion.store.consolidation.activity import DAYS

if TYPE_CHECKING:
    from companion.store.database import Database

HALF_LIFE_DAYS = 60
"""Days of work, a quarter of a year for most: longer than a piece of work lasts, shorter than a team."""
PAUSE = timedelta(minutes=30)
"""A longer pause ends a session; as in the specification."""
READ_MOST = 50_000
"""Memories weighed in one run: what else has cooled down waits for the next, and a run stays short."""

_WORTH = (
    "with"  # noqa: S608 - constants
    + DAYS
    + """
, latest as (
    select coalesce(max(number), 0) as number
    from numbered_days
),
mine as (
    select
        id, importance, importance_floor, pinned, usefulness, warmth,
        greatest(coalesce(last_access_at, created_at), created_at) as used_at
    from memories
    where project_id = $project
        and status = 'active'
),
logged as (
    select u.memory_id, u.what, u.context, u.used_at
    from usage_log u
    join mine on mine.id = u.memory_id
),
moments as (
    select used_at, used_at - lag(used_at) over (order by used_at) > $pause as fresh
    from (select distinct used_at from logged)
),
sessions as (
    select used_at, count(*) filter (where fresh) over (order by used_at) as session
    from moments
),
aged as (
    select s.used_at, s.session, latest.number - coalesce(d.number, 0) as age_days
    from sessions s
    cross join latest
    asof left join numbered_days d on d.day <= s.used_at::date
),
uses as (
    select
        l.memory_id, a.session,
        case
            when l.what = 'cited' then 'cited'
            when l.context = $left then 'ignored'
            else 'dismissed'
        end as what,
        min(a.age_days) as age_days
    from logged l
    join aged a on a.used_at = l.used_at
    where l.what in ('cited', 'ignored')
    group by all
),
summed as (
    select
        memory_id,
        coalesce(sum(part order by part) filter (where what = 'cited'), 0) as cited,
        coalesce(sum(part order by part) filter (where what = 'ignored'), 0) as ignored,
        coalesce(sum(part order by part) filter (where what = 'dismissed'), 0) as dismissed,
        count(*) filter (where what = 'cited') as sessions
    from (select *, 0.5 ** (age_days / $half_life) as part from uses)
    group by memory_id
),
idle as (
    select m.*, latest.number - coalesce(d.number, 0) as idle_days
    from mine m
    cross join latest
    asof left join numbered_days d on d.day <= m.used_at::date
)
select
    i.id, i.importance, i.importance_floor, i.pinned, i.usefulness, i.warmth,
    coalesce(s.cited, 0), coalesce(s.ignored, 0), coalesce(s.dismissed, 0), coalesce(s.sessions, 0),
    i.idle_days
from idle i
left join summed s on s.memory_id = i.id
where s.memory_id is not null
    or i.usefulness <> 0
    or i.warmth <> case
        when i.idle_days <= $hot then 'hot'
        when i.idle_days <= $warm then 'warm'
        else 'cold'
    end
order by coalesce(s.cited, 0) desc, coalesce(s.ignored, 0) desc, i.importance desc, i.id
limit $most
"""
)


def worth(database: Database, project: str, now: datetime, hot_days: int, warm_days: int) -> Iterator[Worth]:
    """Active memories that were used, or are weighed or as warm as they should no longer be; most used first.

    Hot is what was used or born within `hot_days` days of work, warm within `warm_days`, all else is cold.
    """
    given = {
        "project": project,
        "now": now,
        "pause": PAUSE,
        "half_life": HALF_LIFE_DAYS,
        "left": SHOWN_AND_LEFT,
        "hot": hot_days,
        "warm": warm_days,
        "most": READ_MOST,
    }
    rows = database.rows(_WORTH, given)
    for id_, importance, floor, pinned, usefulness, warmth, *used in rows:
        cited, ignored, dismissed, sessions, idle_days = used
        yield Worth(
            id=id_,
            importance=Importance(importance),
            floor=Importance(floor),
            pinned=pinned,
            usefulness=usefulness,
            warmth=Warmth(warmth),
            cited=cited,
            ignored=ignored,
            dismissed=dismissed,
            sessions=sessions,
            idle_days=idle_days,
        )
