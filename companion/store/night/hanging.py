"""What people told of a file that was deleted, renamed or came back: it goes, moves or returns with the file.

What companion itself read from files is none of this: it is retired and learned anew with the file. A statement
hangs on a file if its scope is that file, or if the only files it can be checked in are gone. One that was told
after the file was deleted knows of that, and stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.records import Fate, Hanging
from companion.records.findings import FILE_GONE
from companion.store.memories.reconcile import FADED

if TYPE_CHECKING:
    from companion.store.database import Database

_FILES = """
present as (
    select path
    from history_files
    where project_id = $project
        and alive
    union
    select path
    from code_files
    where checkout_id in (
        select id
        from checkouts
        where project_id = $project
    )
),
passed as (
    select touches.path, touches.file_id, touches.seq, touches.status = 'D' as deleted
    from touches
    where touches.project_id = $project
        and touches.path not in (select path from present)
),
moved as (
    select passed.path, arg_max(history_files.path, passed.seq) as to_path
    from passed
    join history_files
        on history_files.project_id = $project
        and history_files.file_id = passed.file_id
        and history_files.alive
    where history_files.path <> passed.path
    group by passed.path
),
gone as (
    select passed.path, max(commits.committed_at) as gone_at
    from passed
    join commits
        on commits.project_id = $project
        and commits.seq = passed.seq
        and not commits.gone
    where passed.deleted
        and passed.path not in (select path from moved)
    group by passed.path
),
mine as (
    select
        id, content_index, scope_path, status, pinned, type, superseded_by, archived_reason, created_at,
        coalesce(json_extract_string(body, '$.status'), '') as stands
    from memories
    where project_id = $project
        and source <> 'scan'
),
places as (
    select id, scope_path as path
    from mine
    where scope_path <> ''
    union
    select mine.id, memory_evidence.ref
    from mine
    join memory_evidence
        on memory_evidence.memory_id = mine.id
        and memory_evidence.kind = 'file'
    where mine.scope_path = ''
),
lost as (
    select places.id, min(places.path) as path, max(gone.gone_at) as gone_at
    from places
    left join gone on gone.path = places.path
    group by places.id
    having count(*) = count(gone.path)
)
"""

_GONE = (
    "with"  # noqa: S608 - constants of this room
    + _FILES
    + """
select mine.id, mine.content_index, lost.path, ''
from mine
join lost on lost.id = mine.id
where mine.status = 'active'
    and not mine.pinned
    and mine.created_at <= lost.gone_at
    and not exists (
        select 1
        from usage_log
        where usage_log.memory_id = mine.id
            and usage_log.what = 'cited'
            and usage_log.used_at > lost.gone_at
    )
    and not (mine.type = 'decision' and mine.stands <> 'superseded')
    and mine.id not in (
        select unnest([memory_a, memory_b])
        from contradictions
        where project_id = $project
            and resolved_at is null
    )
order by lost.path, mine.id
"""
)

_MOVED = (
    "with"  # noqa: S608 - constants of this room
    + _FILES
    + """
select mine.id, mine.content_index, moved.path, moved.to_path
from mine
join moved on (
    moved.path = mine.scope_path
    or exists (
        select 1
        from memory_entities
        where memory_entities.memory_id = mine.id
            and memory_entities.entity = concat('file:', moved.path)
    )
)
where mine.status = 'active'
order by moved.path, mine.id
"""
)

_BACK = (
    "with"  # noqa: S608 - constants of this room
    + _FILES
    + """
select mine.id, mine.content_index, min(places.path), ''
from mine
join places on places.id = mine.id
where mine.status = 'archived'
    and mine.superseded_by = ''
    and mine.archived_reason = $faded
    and mine.id in (
        select memories[1]
        from night_changes
        where what = 'Retire'
            and state = 'applied'
            and starts_with(reason, $file_gone)
    )
    and (
        places.path in (select path from present)
        or places.path in (select path from moved)
    )
group by mine.id, mine.content_index
order by 3, mine.id
"""
)


def hanging(database: Database, project: str) -> Iterator[Hanging]:
    """What hangs on files that are gone, were renamed, or are back, in this order, by path."""
    for fate, query in ((Fate.GONE, _GONE), (Fate.MOVED, _MOVED), (Fate.BACK, _BACK)):
        given = {"project": project}
        if fate is Fate.BACK:
            given |= {"file_gone": FILE_GONE, "faded": FADED}
        with database.read() as connection:
            rows = connection.execute(query, given).fetchall()
        for id_, title, path, to in rows:
            yield Hanging(id_, title, fate, path, to)
