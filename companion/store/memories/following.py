"""Files keep their memories through renames: what a memory names moves with the file, whatever the file is called.

A path means the file that had it when the memory was told: the commit that it tells of, or the day it was said. Once
moved, a memory's paths are those of the newest commit known then (`paths_as_of`), so that following again changes
nothing, also where names were exchanged or used again. A file lies where the default branch has it: a rename that is
known on another branch alone moves nothing, and both names lead to the file. What is read from the files of a
checkout is none of this: it is learned anew where they lie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime

from msgspec.structs import replace

from companion.ports.composing import composed
from companion.records import memory_key
from companion.store.binding import duckdb
from companion.store.by_columns import column_where
from companion.store.database import Database
from companion.store.memories.rows_sql import MEMORIES, memories_of
from companion.store.rows import column, tuples
from companion.store.statements import execute

_MOVED = """
select file_id
from touches
where project_id = $project
group by file_id
having count(distinct path) > 1
"""

_FILES = composed(
    """
with moved as ({moved}),
today as (
    select
        t.file_id,
        arg_max(t.path, (c.branch = '' and t.status in ('A', 'R'))::bigint * (1::bigint << 40) + t.seq) as path,
        arg_max(t.status, t.seq) <> 'D' as alive
    from touches t
    join commits c on c.project_id = t.project_id and c.seq = t.seq
    where t.project_id = $project
        and not c.gone
        and t.file_id in (select file_id from moved)
    group by t.file_id
),
held as (
    select path, seq, arg_max(file_id, status <> 'D') as file_id
    from touches
    where project_id = $project
        and path in (select path from touches where project_id = $project and file_id in (select file_id from moved))
    group by path, seq
)
""",
    moved=_MOVED,
)
"""Files that were renamed, where they lie today, and which file had each of their paths from which commit on."""

_FORMER = composed(
    """{files}
,
last as (
    select path, arg_max(file_id, seq) as file_id
    from held
    where $until::timestamp is null
        or seq <= (
            select max(seq)
            from commits
            where project_id = $project and committed_at <= $until::timestamp
        )
    group by path
),
taken as (
    select path, min(file_id) as file_id, max(file_id) as other
    from history_files
    where project_id = $project and alive
    group by path
)
select last.path, today.path, today.alive
from last
join today using (file_id)
left join taken on taken.path = last.path
where last.path <> today.path
    and (
        $until::timestamp is not null
        or coalesce(taken.file_id = last.file_id and taken.other = last.file_id, true)
    )
order by last.path
""",
    files=_FILES,
)

_MOVES = composed(
    """{files}
,
days as (
    select committed_at, max(seq) over (order by committed_at) as seq
    from commits
    where project_id = $project and not gone
),
told as (
    select e.memory_id, max(c.seq) as seq
    from memory_evidence e
    join commits c on c.project_id = $project and c.sha = e.ref
    where e.kind = 'commit'
    group by e.memory_id
),
dated as (
    select
        m.id,
        m.scope_path,
        coalesce(
            m.paths_as_of,
            if(
                m.source = 'scan',
                if(starts_with(m.origin, 'commit:'), told.seq, (select max(seq) from days)),
                days.seq
            ),
            0
        ) as seq
    from memories m
    left join told on told.memory_id = m.id
    asof left join days on m.created_at >= days.committed_at
    where m.project_id = $project
        and not contains(m.learner, '@')
),
named as (
    select memory_id as id, entity[6:] as path
    from memory_entities
    where project_id = $project and starts_with(entity, 'file:')
    union
    select memory_id, ref
    from memory_evidence
    where kind = 'file'
    union
    select memory_id, ref
    from memory_artifacts
    where kind = 'file'
    union
    select id, scope_path
    from dated
),
meant as (
    select dated.id, named.path, coalesce(held.file_id, first.file_id) as file_id
    from named
    join dated using (id)
    join (select path, arg_min(file_id, seq) as file_id from held group by path) first on first.path = named.path
    asof left join held on held.path = named.path and dated.seq >= held.seq
)
select meant.id, meant.path, today.path
from meant
join today using (file_id)
where meant.path <> today.path
order by meant.id, meant.path
""",
    files=_FILES,
)

_GIVEN = """
from (
    select unnest($ids::varchar[]) as id, unnest($was::varchar[]) as was, unnest($now::varchar[]) as path
) as moves
"""

_MOVE = tuple(
    composed(one, given=_GIVEN)
    for one in (
        "update memory_entities set entity = 'file:' || moves.path {given} "
        "where memory_id = moves.id and entity = 'file:' || moves.was",
        "update memory_evidence set ref = moves.path {given} "
        "where memory_id = moves.id and kind = 'file' and ref = moves.was",
        "update memory_artifacts set ref = moves.path {given} "
        "where memory_id = moves.id and kind = 'file' and ref = moves.was",
    )
)

_ONCE = (
    """
    delete from memory_entities
    where memory_id in (select unnest($ids::varchar[]))
        and rowid not in (select min(rowid) from memory_entities group by memory_id, entity)
    """,
    """
    delete from memory_artifacts
    where memory_id in (select unnest($ids::varchar[]))
        and rowid not in (select min(rowid) from memory_artifacts group by memory_id, kind, ref)
    """,
)

_NOTE = """
update memories
set paths_as_of = (select max(seq) from commits where project_id = $project and not gone)
where id in (select unnest($ids::varchar[]))
"""

_SCOPED = """
select id
from memories
where id in (select unnest($ids::varchar[]))
    and scope_path <> ''
    and source <> 'scan'
"""

_FOLDERS = """
select id, path
from (
    select id, unnest([scope_path, entity[6:]]) as path
    from memories
    left join memory_entities on memory_id = id and starts_with(entity, 'file:')
    where memories.project_id = $project and source <> 'scan'
)
where path <> '' and path not in (select path from touches where project_id = $project)
"""
"""What people told of paths that no commit has, which are folders, or files that are not committed."""


def former_paths(
    connection: duckdb.DuckDBPyConnection, project: str, until: datetime | None = None
) -> list[tuple[str, str, bool]]:
    """Paths that files had, with where each lies today (or lay last), and whether it is there.

    A path that another file has by now is none of them, unless it is asked what the paths meant at `until`.
    """
    return tuples(connection, _FORMER, project=project, until=until)


def follow(database: Database, project: str) -> int:
    """Bring what memories name, and where they hold, to where the files lie today; returns how many memories moved."""
    with database.read() as connection:
        if not column(connection, _MOVED, project=project):
            return 0
        moves = [*tuples(connection, _MOVES, project=project), *_of_folders(connection, project)]
    ids = sorted({id_ for id_, _, _ in moves})
    if ids:
        given = dict(zip(("ids", "was", "now"), map(list, zip(*moves, strict=True)), strict=True))
        with database.write() as connection:
            for statement in _MOVE:
                execute(connection, statement, given)
            _rescope(connection, project, {(id_, was): path for id_, was, path in moves})
            for statement in _ONCE:
                execute(connection, statement, {"ids": ids})
            execute(connection, _NOTE, {"ids": ids, "project": project})
    return len(ids)


def _of_folders(connection: duckdb.DuckDBPyConnection, project: str) -> list[tuple[str, str, str]]:
    """What people told of folders that moved: the memory, the folder and where it is now."""
    told = tuples(connection, _FOLDERS, project=project)
    if not told:
        return []
    former = {was: path for was, path, alive in former_paths(connection, project) if alive}
    paths: list[str] = column_where(connection, "history_files", "path", project_id=project, alive=True)
    live = {former.get(path, path) for path in paths}
    now = {folder: _folder_now(folder, former, live) for folder in {folder for _, folder in told}}
    return [(id_, folder, now[folder]) for id_, folder in told if now[folder]]


def _folder_now(folder: str, former: Mapping[str, str], live: Collection[str]) -> str:
    """Where a folder went: to where most of its files did; empty if some are there still, or no such place is."""
    inside = f"{folder}/"
    if any(path == folder or path.startswith(inside) for path in live):
        return ""
    went = [(was[len(folder) :], path) for was, path in former.items() if was.startswith(inside)]
    places = Counter(path.removesuffix(rest) for rest, path in went if path.endswith(rest))
    best, files = min(places.items(), key=lambda place: (-place[1], place[0]), default=("", 0))
    return best if 2 * files > len(went) else ""


def _rescope(connection: duckdb.DuckDBPyConnection, project: str, moves: Mapping[tuple[str, str], str]) -> None:
    """Move what people told of a place; what a scan learned of one is learned anew where it is."""
    for memory in memories_of(connection, _SCOPED, ids={id_ for id_, _ in moves}):
        if path := moves.get((memory.id, memory.draft.scope.path), ""):
            scope = replace(memory.draft.scope, path=path)
            key = memory_key(replace(memory.draft, scope=scope), project)
            MEMORIES.change(connection, memory.id, scope_path=path, memory_key=key)
