"""What was superseded, and history that nobody has asked for in a long time of work.

A memory that was read from the repository has a life in days of work without use, and each use begins it anew. It
is LIFE_DAYS, which is a bound and no blade: longer for what matters, what was cited, and what has been asked for at
long intervals before. Use only ever lengthens a life; the calendar plays no part. What a person wrote or confirmed
is never archived for lying unused: only that person's word, or a newer one about the same thing, ends it.
Forgetting archives: explicit search still finds it, and asking brings it back.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from companion.ports import Archive
from companion.ports.composing import composed
from companion.records import Change, Importance, Retire
from companion_consolidation.days import DAYS

LIFE_DAYS = 90
"""Days of work without any use; spec N6."""
LONGER = 2.0
"""How many times longer lives what is significant."""
CITED_WORTH = 0.5
"""What each citation adds to a life, in lives; retrieval alone is weak and only begins it anew."""
CITED_MOST = 4
"""Citations that count: two lives more, whatever happens."""
INTERVALS = 3
"""How many of the longest intervals between two uses are waited for the next one."""


_IDLE = composed(
    """{days},
mine as (
    select
        id, importance, superseded_by, created_at, cited_count
    from memories
    where project_id = $project
        and status = 'active'
        and not pinned
        and importance < 3
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
)
select
    mine.id, mine.importance, mine.superseded_by as successor,
    latest.number - history.last_number as idle_days,
    mine.cited_count as cited, history.longest_days
from mine
join history on history.id = mine.id
cross join latest
where mine.created_at <= $now
    and (idle_days > $life_days or mine.superseded_by <> '')
order by idle_days desc, mine.id
""",
    days=DAYS,
)


"""Of all memories of a project. What may never be forgotten does not come out of it: what a person wrote or confirmed,
pinned and critical memories, decisions that are not superseded, both sides of an open contradiction, errors without a
known fix, and what a file still says (its reader would only learn it again)."""


class Idle(Struct, frozen=True):
    """A memory that has lain unused for some days of work, and how it was used before.

    `idle_days` are the days of work since it was last used, `longest_days` lie between two uses at most (its birth
    counts as one). `cited` counts how often it influenced something; `successor` is what superseded it, or empty.
    """

    id: str
    importance: int
    successor: str
    idle_days: int
    cited: int
    longest_days: int


def plan(archive: Archive) -> Iterator[Change]:
    """A retirement for what has outlived its use or was superseded."""
    for one in unused(archive, LIFE_DAYS):
        if one.successor:
            yield Retire(one.id, f"superseded by {one.successor}")
        elif left_days(one) < 0:
            yield Retire(one.id, f"not asked for in {one.idle_days} days of work")


def unused(archive: Archive, idle_days: int) -> Iterator[Idle]:
    """Memories that may be forgotten: unused for more than `idle_days` of work, or superseded; longest unused first."""
    return archive.rows(Idle, _IDLE, life_days=idle_days)


def left_days(one: Idle) -> int:
    """How many days of work a memory has left without use; less than 0: none."""
    factor = LONGER if one.importance >= Importance.SIGNIFICANT else 1.0
    lasts = LIFE_DAYS * factor * (1 + CITED_WORTH * min(one.cited, CITED_MOST))
    return max(int(lasts), INTERVALS * one.longest_days) - one.idle_days
