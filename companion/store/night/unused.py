"""What has lain unused, by the clock of work, and what people told: the ground on which a night forgets.

Everything is one statement over all memories of a project. What may never be forgotten does not come out of
it: pinned and critical memories, decisions that are not superseded, both sides of an open contradiction,
errors without a known fix, and what a file still says (its reader would only learn it again).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from companion.records import Idle, Kind, Scope, Told
from companion.store.night.activity import DAYS

if TYPE_CHECKING:
    from companion.store.database import Database

TOLD_MOST = 20_000
"""Statements read for what replaced what, the newest: two seconds of work, more than a person tells in years."""
TOLD_CHARACTERS = 300
"""Longer texts say several things and are no single statement."""
SHORT_CHARACTERS = 200
"""What is said in passing is no longer than this; all else has its whole life before it is looked at."""

_IDLE = (
    "with"  # noqa: S608 - constants of this room
    + DAYS
    + """,
mine as (
    select
        id, kind, type, content_index, content_full, importance, scope_environment, superseded_by,
        created_at, cited_count, source <> 'scan' as told
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
        and (source <> 'scan' or kind = 'episode' or superseded_by <> '')
        and id not in (
            select unnest([memory_a, memory_b])
            from contradictions
            where project_id = $project
                and resolved_at is null
        )
),
moments as (
    select id, created_at::date as day, false as used
    from mine
    union
    select memory_id, used_at::date, true
    from usage_log
    where what <> 'ignored'
        and used_at <= $now
        and memory_id in (select id from mine)
),
counted as (
    select moments.id, moments.used, coalesce(numbered_days.number, 0) as number
    from moments
    asof left join numbered_days on numbered_days.day <= moments.day
),
apart as (
    select id, used, number, number - lag(number) over (partition by id order by number) as days
    from counted
),
history as (
    select
        id,
        min(number) as first_number,
        max(number) as last_number,
        count(*) filter (where used) as used_days,
        coalesce(max(days), 0) as longest_days
    from apart
    group by id
),
today as (
    select coalesce(max(number), 0) as number
    from numbered_days
)
select
    mine.id, mine.kind, mine.type, mine.content_index,
    if(mine.told, left(mine.content_full, $characters), ''),
    mine.importance, mine.told,
    coalesce(
        (
            select min(ref)
            from memory_evidence
            where memory_id = mine.id
                and memory_evidence.kind = 'file'
        ),
        ''
    ),
    mine.scope_environment, mine.superseded_by,
    today.number - history.first_number as age_days,
    today.number - history.last_number as unused_days,
    history.used_days, mine.cited_count, history.longest_days
from mine
join history on history.id = mine.id
cross join today
where mine.created_at <= $now
    and (
        unused_days > $idle_days
        or mine.superseded_by <> ''
        or (mine.told and age_days > $told_days and length(mine.content_full) <= $short)
    )
order by unused_days desc, mine.id
"""
)

_TOLD = """
select
    id, content_full,
    if(subject = 'note' or subject = scope_path, '', subject),
    scope_language, scope_path, scope_environment, scope_version, scope_branch,
    concat_ws(chr(31), source, user_id, persona, visibility),
    coalesce(
        (
            select min(ref)
            from memory_evidence
            where memory_id = memories.id
                and memory_evidence.kind = 'file'
        ),
        ''
    ),
    created_at, kind = 'episode',
    status = 'active' and not pinned and type <> 'decision'
from memories
where project_id = $project
    and source <> 'scan'
    and attribute = ''
    and length(content_full) <= $characters
    and created_at <= $now
order by created_at desc, id
limit $most
"""


def idle(database: Database, project: str, now: datetime, told_days: int, idle_days: int) -> Iterator[Idle]:
    """Memories that may be forgotten at all: unused for more than `idle_days` of work, or superseded.

    What people told in a few words is among them once it is more than `told_days` of work old. Longest unused
    first.
    """
    given = {
        "project": project,
        "now": now,
        "told_days": told_days,
        "idle_days": idle_days,
        "characters": TOLD_CHARACTERS,
        "short": SHORT_CHARACTERS,
    }
    for id_, kind, *rest in _rows(database, _IDLE, given):
        yield Idle(id_, Kind(kind), *rest)


def told(database: Database, project: str, now: datetime) -> Iterator[Told]:
    """The short statements that people told, newest first; those that no longer stand are there to learn from."""
    given = {"project": project, "now": now, "characters": TOLD_CHARACTERS, "most": TOLD_MOST}
    for id_, text, about, language, path, environment, version, branch, *rest in _rows(database, _TOLD, given):
        yield Told(id_, text, about, Scope(language, path, environment, version, branch), *rest)


def _rows(database: Database, query: str, given: dict[str, object]) -> list[tuple[Any, ...]]:
    with database.read() as connection:
        return connection.execute(query, given).fetchall()
