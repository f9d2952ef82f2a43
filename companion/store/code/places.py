"""What the tables say of one place in the code: who touched a file last, what is disputed in it.

Every statement starts from the rows of one file or of what is open, so that its cost grows with the
file's history and not with the store.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from companion.records import Commit, Person

if TYPE_CHECKING:
    from companion.store.database import Database

_TOUCHED_LAST = """
select sha, author_name, author_email, authored_at, committed_at, subject, reverts
from commits
where project_id = $project
    and seq = (
        select max(last_seq)
        from history_files
        where project_id = $project and path = $path and alive
    )
    and not gone
    and not is_merge
    and branch in ('', $branch)
    and file_count <= $sweeping
"""

_TOUCHED_BY = """
select sha, author_name, author_email, authored_at, committed_at, subject, reverts
from commits
where project_id = $project
    and seq in (
        select t.seq
        from touches t
        join history_files f on f.project_id = t.project_id and f.file_id = t.file_id
        where f.project_id = $project and f.path = $path and f.alive
    )
    and not gone
    and not is_merge
    and branch in ('', $branch)
    and file_count <= $sweeping
order by seq desc
limit 1
"""

_MATTERING = """
select sha, author_name, author_email, authored_at, committed_at, subject, reverts
from commits
where project_id = $project
    and sha in (select unnest($shas::varchar[]))
    and not gone
    and not is_merge
    and file_count <= $sweeping
order by seq desc
"""

_OPEN_DIGEST = """
select count(*), coalesce(bit_xor(hash(hash(id, reason, memory_a, memory_b))), 0)
from contradictions
where project_id = $project and resolved_at is null
"""

_DISPUTED = """
with sides as (
    select id, reason, unnest([memory_a, memory_b]) as memory_id
    from contradictions
    where project_id = $project and resolved_at is null
),
here as (
    select s.id, s.reason, e.ref, e.line
    from memory_evidence e
    join sides s on s.memory_id = e.memory_id
    where e.kind = 'file' and e.line is not null
),
hidden as (
    select s.id
    from sides s
    join memories m on m.id = s.memory_id
    where m.persona not in ('', $persona)
        or m.scope_branch not in ('', $branch)
        or (contains(m.learner, '@') and not ends_with(m.learner, '@' || $checkout))
)
select distinct ref, id, line, reason
from here
where id not in (select id from hidden)
order by ref, line, id
limit $limit
"""

_PASSED_OVER = """
select distinct memory_id
from usage_log
where what = 'ignored'
    and context = $context
    and memory_id in (select unnest($ids::varchar[]))
"""


def touched_by(database: Database, project: str, path: str, branch: str, sweeping: int) -> Commit | None:
    """The newest commit that touched a file, without body and changes; None if there is none.

    Merges, commits of more than `sweeping` files and those of other branches are passed over.
    """
    asked = {"project": project, "path": path, "branch": branch, "sweeping": sweeping}
    with database.read() as connection:
        row = connection.execute(_TOUCHED_LAST, asked).fetchone()
        if row is None:  # the very last was a merge, a sweep or another branch's: look through all that touched it
            row = connection.execute(_TOUCHED_BY, asked).fetchone()
    return None if row is None else _commit(*row)


def mattering(database: Database, project: str, shas: Sequence[str], sweeping: int) -> tuple[Commit, ...]:
    """Those of the commits that are no merges and no sweeps of more than so many files, newest first."""
    if not shas:
        return ()
    with database.read() as connection:
        rows = connection.execute(_MATTERING, {"project": project, "shas": list(shas), "sweeping": sweeping}).fetchall()
    return tuple(_commit(*row) for row in rows)


def _commit(
    sha: str, name: str, email: str, authored_at: datetime, committed_at: datetime, subject: str, reverts: str
) -> Commit:
    return Commit(
        sha=sha,
        parents=(),
        author=Person(name, email),
        authored_at=authored_at,
        committed_at=committed_at,
        subject=subject,
        body="",
        changes=(),
        reverts=reverts,
    )


def open_digest(database: Database, project: str) -> tuple[int, int]:
    """How many contradictions are open and a number that is another when others are."""
    with database.read() as connection:
        row = connection.execute(_OPEN_DIGEST, {"project": project}).fetchone()
    return (int(row[0]), int(row[1])) if row else (0, 0)


def disputed(
    database: Database, project: str, *, branch: str = "", checkout: str = "", persona: str = "", limit: int
) -> tuple[tuple[str, str, int, str], ...]:
    """Lines that take part in open contradictions: path, id, line (from 1) and reason, by path and line.

    Those with a side that belongs to another branch, checkout or persona are left out.
    """
    asked = {"project": project, "branch": branch, "checkout": checkout, "persona": persona, "limit": limit}
    with database.read() as connection:
        rows = connection.execute(_DISPUTED, asked).fetchall()
    return tuple((path, id_, int(line), reason) for path, id_, line, reason in rows)


def passed_over(database: Database, ids: Sequence[str], context: str) -> frozenset[str]:
    """Which of the memories were found of no use in a context, as it was recorded."""
    if not ids:
        return frozenset()
    with database.read() as connection:
        rows = connection.execute(_PASSED_OVER, {"ids": list(ids), "context": context}).fetchall()
    return frozenset(id_ for (id_,) in rows)
