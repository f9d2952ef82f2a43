"""What a whole history comes to: the work on each file, what changes together, and the commits of one file or week.

Merges change no file by themselves, and what rewritten history no longer holds counts for nothing.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from companion.records import ChangedTogether, Commit, WorkedFile
from companion.store.database import Database
from companion.store.history.commits import COMMITS, with_changes
from companion.store.rows import Query, column

TOGETHER_LEAST = 3
"""Common commits from which two files change together, and not by chance."""
LOOKED_AT = 10
"""Pairs looked at for each that is asked for: the others have a file that is gone or was not read."""


class HistoryExtent(Struct, frozen=True):
    """How many commits by how many people a history has, since when and until when; no times without commits."""

    commits: int
    people: int
    begun_at: datetime | None
    newest_at: datetime | None


_EXTENT = Query(
    HistoryExtent,
    """
select
    count(*) as commits,
    least(count(distinct lower(author_email)), count(distinct lower(author_name))) as people,
    min(committed_at) as begun_at,
    max(committed_at) as newest_at
from commits
where project_id = $project
    and not gone
""",
)

_WORKED = Query(
    WorkedFile,
    """
select f.path, k.role, f.commits, c.committed_at as changed_at
from history_files f
join commits c on c.project_id = f.project_id and c.seq = f.last_seq
join code_files k on k.checkout_id = $checkout and k.path = f.path
where f.project_id = $project
    and f.alive
order by f.commits desc, f.path
limit $limit
""",
)

_PAIRS = Query(
    ChangedTogether,
    """
with strongest as (
    select file_a, file_b, together, weight
    from cochange
    where project_id = $project
        and together >= $least
        and file_a < file_b
    order by weight desc, file_a, file_b
    limit $looked_at
),
alive as (
    select f.file_id, f.path, f.commits
    from history_files f
    join code_files k on k.checkout_id = $checkout and k.path = f.path
    where f.project_id = $project
        and f.alive
)
select
    if(a.commits <= b.commits, a.path, b.path) as a,
    if(a.commits <= b.commits, b.path, a.path) as b,
    p.together,
    p.together / least(a.commits, b.commits) as share
from strongest p
join alive a on a.file_id = p.file_a
join alive b on b.file_id = p.file_b
order by p.weight desc, a, b
limit $limit
""",
)

_SINCE = COMMITS.select(
    """
where project_id = $project
    and not gone
    and ($merges or not is_merge)
    and branch in ('', $branch)
    and committed_at >= $since
    and (not $reverts or reverts <> '')
order by committed_at desc, seq desc
limit $limit
""",
    "seq",
)

_OF_FILE = COMMITS.select("""
join touches t on t.project_id = commits.project_id and t.seq = commits.seq
where commits.project_id = $project
    and t.file_id = (
        select arg_max(file_id, 2 * seq + (status <> 'D')::integer)
        from touches
        where project_id = $project and path = $path
    )
    and not commits.gone
    and commits.branch in ('', $branch)
order by commits.committed_at desc, commits.seq desc
limit $limit
""")

_LAST_PATH = """
select f.path
from touches t
join history_files f on f.project_id = t.project_id and f.file_id = t.file_id
where t.project_id = $project
    and t.path = $path
order by f.alive desc, t.seq desc
limit 1
"""

_TAUGHT = """
select distinct m.id
from memory_evidence e
join memories m on m.id = e.memory_id
where e.kind = 'commit'
    and e.ref = $sha
    and m.project_id = $project
    and m.status = 'active'
    and m.superseded_by = ''
order by m.id
limit $limit
"""


def extent(database: Database, project: str) -> HistoryExtent:
    """How far the history of a project goes."""
    (found,) = _EXTENT.all(database, project=project)
    return found


def worked(database: Database, project: str, checkout: str, limit: int) -> tuple[WorkedFile, ...]:
    """The files of a checkout that were read, those most worked on first."""
    return _WORKED.all(database, project=project, checkout=checkout, limit=limit)


def together(database: Database, project: str, checkout: str, limit: int) -> tuple[ChangedTogether, ...]:
    """The pairs of such files that change together most by now, the less changed one of each first."""
    return _PAIRS.all(
        database, project=project, checkout=checkout, least=TOGETHER_LEAST, looked_at=LOOKED_AT * limit, limit=limit
    )


def since(
    database: Database,
    project: str,
    branch: str,
    moment: datetime,
    limit: int,
    *,
    merges: bool = False,
    reverts: bool = False,
) -> tuple[Commit, ...]:
    """Commits on a branch or the default one from a moment on, newest first, and what each changed.

    With `merges` those too; with `reverts` those alone that revert another.
    """
    asked = {"branch": branch, "since": moment, "limit": limit, "merges": merges, "reverts": reverts}
    return with_changes(database, project, _SINCE, **asked)


def of_file(database: Database, project: str, path: str, branch: str, limit: int | None = None) -> tuple[Commit, ...]:
    """The commits of a file under any of its names, newest first, without those on other branches; all, or so many.

    They come without bodies and changes.
    """
    return _OF_FILE.all(database, project=project, path=path, branch=branch, limit=limit)


def last_path(database: Database, project: str, path: str) -> str:
    """What a file of that name is called now, or was at last; empty if no commit touched one."""
    return next(iter(column(database, _LAST_PATH, project=project, path=path)), "")


def taught_by(database: Database, project: str, sha: str, limit: int) -> list[str]:
    """Ids of the memories that name a commit as where they come from."""
    return column(database, _TAUGHT, project=project, sha=sha, limit=limit)
