"""A project's history as tables: commits and the files they touched, with what is counted from them.

`History` writes and has `counting` count; what it knows of files, now or at an earlier moment, is read in `past`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from companion.errors import UsageError
from companion.records import ChangeStatus, Commit, FileChange, Person
from companion.store.bulk import insert_rows
from companion.store.history import counting_sql as sql
from companion.store.history.counting import count, last_seq, recount_some, state_of
from companion.store.history.lineage import Lineage
from companion.store.texts import clean

if TYPE_CHECKING:
    import duckdb

    from companion.ports import Redactor
    from companion.store.database import Database

_COMMIT_COLUMNS = (
    "project_id",
    "seq",
    "sha",
    "parents",
    "author_name",
    "author_email",
    "authored_at",
    "committed_at",
    "subject",
    "is_merge",
    "file_count",
    "reverts",
    "branch",
)
_TOUCH_COLUMNS = ("project_id", "seq", "file_id", "status", "path")


class History:
    """Commits go in oldest first; files, co-change, ownership and activity are counted from them."""

    def __init__(self, database: Database, redactor: Redactor) -> None:
        self._database = database
        self._redactor = redactor

    def add(
        self,
        project: str,
        commits: Sequence[Commit],
        *,
        half_life: float = 300.0,
        max_files: int = 30,
        branch: str = "",
    ) -> int:
        """Add commits that are not known yet, oldest first; returns how many were new.

        `half_life` is in commits; commits of more than `max_files` files and merges count for no
        pair. With other figures than before, everything is counted anew. `branch` names the branch
        they are on alone, empty for the default branch.
        """
        if half_life <= 0 or max_files < 1:
            raise UsageError(
                f"Half-life {half_life} and at most {max_files} files a commit make no weights.",
                "Set `cochange_half_life_commits` and `cochange_max_files` to positive numbers.",
            )
        with self._database.write() as connection:
            known = _known_shas(connection, project)
            fresh = _without_repeats(commits, known)
            after = last_seq(connection, project)
            if fresh:
                shas = [commit.sha for commit in fresh]
                connection.execute(sql.FORGET_RETURNED, {"project": project, "shas": shas})
                self._insert(connection, project, fresh, after, branch)
            count(connection, project, after, half_life, max_files)
            return len(fresh)

    def mark_gone(self, project: str, shas: Sequence[str]) -> int:
        """Mark commits that rewritten history no longer holds; what they counted for is taken back.

        Returns how many were marked. A marked commit that comes back is added like a new one.
        """
        asked = {"project": project, "shas": list(shas)}
        with self._database.write() as connection:
            files = [file for (file,) in connection.execute(sql.TOUCHED_BY, asked).fetchall()]
            marked = connection.execute(sql.MARK_GONE, asked).fetchone()
            gone = int(marked[0]) if marked else 0
            if gone:
                connection.execute(sql.FORGET_GONE_TOUCHES, {"project": project})
                state = state_of(connection, project)
                if state is not None:
                    recount_some(connection, project, files, state)
            return gone

    def extent(self, project: str) -> str:
        """How far the history goes: a text that changes whenever a commit comes, goes or is merged."""
        return str(self._database.row(_EXTENT, {"project": project}))

    def branches(self, project: str) -> dict[str, str]:
        """Every commit by id with the branch that it is on alone, empty for the default branch."""
        return dict(self._database.rows(_BRANCHES, {"project": project}))

    def commits(self, project: str, shas: Collection[str]) -> tuple[Commit, ...]:
        """Some commits, oldest first, without bodies and files."""
        rows = self._database.rows(_COMMITS_OF, {"project": project, "shas": sorted(shas)})
        return tuple(_commit(row, ()) for row in rows)

    def on_branches(self, project: str) -> frozenset[str]:
        """Ids of commits that are known on a branch alone."""
        rows = self._database.rows(
            "select sha from commits where project_id = $project and branch <> '' and not gone",
            {"project": project},
        )
        return frozenset(sha for (sha,) in rows)

    def clear_branch(self, project: str, shas: Sequence[str]) -> None:
        """Note that commits are on the default branch by now."""
        self._database.change(
            "update commits set branch = '' where project_id = $project and sha in (select unnest($shas))",
            {"project": project, "shas": list(shas)},
        )

    def known(self, project: str) -> frozenset[str]:
        """Ids of all commits that are part of history."""
        with self._database.read() as connection:
            return frozenset(_known_shas(connection, project))

    def seq_count(self, project: str) -> int:
        """How many commits are part of history."""
        row = self._database.row(
            "select count(*) from commits where project_id = $project and not gone",
            {"project": project},
        )
        return int(row[0]) if row else 0

    def commit(self, project: str, sha: str) -> Commit | None:
        """A commit by its id or the beginning of it, without body; None if none or several begin so.

        Renamed files appear under their latest name, as the store follows them.
        """
        with self._database.read() as connection:
            rows = connection.execute(_COMMITS_BY_PREFIX, {"project": project, "prefix": sha}).fetchall()
            if len(rows) != 1 or not sha:
                return None
            touched = connection.execute(
                "select status, path from touches where project_id = $project and seq = $seq order by path",
                {"project": project, "seq": rows[0][0]},
            ).fetchall()
        return _commit(rows[0], touched)

    def recent_commits(self, project: str, limit: int) -> tuple[Commit, ...]:
        """The newest `limit` commits, oldest first, without bodies; files under their latest names."""
        asked = {"project": project, "limit": limit}
        with self._database.read() as connection:
            rows = connection.execute(sql.RECENT_COMMITS, asked).fetchall()
            touched: dict[int, list[tuple[str, str]]] = {}
            for seq, status, path in connection.execute(sql.RECENT_TOUCHES, asked).fetchall():
                touched.setdefault(int(seq), []).append((status, path))
        return tuple(_commit(row, touched.get(int(row[0]), [])) for row in rows)

    def _insert(
        self,
        connection: duckdb.DuckDBPyConnection,
        project: str,
        commits: Sequence[Commit],
        after: int,
        branch: str,
    ) -> None:
        lineage = _lineage(connection, project)
        rows: list[tuple[object, ...]] = []
        touches: list[tuple[object, ...]] = []
        for seq, commit in enumerate(commits, start=after + 1):
            rows.append(self._row(project, seq, commit, branch))
            touches.extend(
                (project, seq, touch.file_id, touch.status.value, clean(touch.path))
                for touch in lineage.touches(commit.changes)
            )
        insert_rows(connection, "commits", _COMMIT_COLUMNS, rows)
        insert_rows(connection, "touches", _TOUCH_COLUMNS, touches)

    def _row(self, project: str, seq: int, commit: Commit, branch: str) -> tuple[object, ...]:
        return (
            project,
            seq,
            commit.sha,
            " ".join(commit.parents),
            clean(commit.author.name),
            clean(commit.author.email),
            commit.authored_at,
            commit.committed_at,
            clean(self._redactor.redact(commit.subject)),
            commit.is_merge,
            len(commit.changes),
            commit.reverts,
            clean(branch),
        )


_EXTENT = """
select max(seq), count(*), count(*) filter (where gone), bit_xor(hash(sha, branch)) filter (where branch <> '')
from commits
where project_id = $project
"""

_BRANCHES = """
select sha, branch
from commits
where project_id = $project
    and not gone
"""

_COMMITS_OF = """
select seq, sha, parents, author_name, author_email, authored_at, committed_at, subject, reverts
from commits
where project_id = $project
    and sha in (select unnest($shas))
    and not gone
order by seq
"""

_COMMITS_BY_PREFIX = """
select seq, sha, parents, author_name, author_email, authored_at, committed_at, subject, reverts
from commits
where project_id = $project
    and starts_with(sha, $prefix)
    and not gone
limit 2
"""


def _commit(row: Sequence[object], touched: Sequence[Sequence[object]]) -> Commit:
    _, sha, parents, name, email, authored_at, committed_at, subject, reverts = row
    assert isinstance(authored_at, datetime)
    assert isinstance(committed_at, datetime)
    return Commit(
        sha=str(sha),
        parents=tuple(str(parents).split()),
        author=Person(str(name), str(email)),
        authored_at=authored_at,
        committed_at=committed_at,
        subject=str(subject),
        body="",
        changes=tuple(FileChange(ChangeStatus(str(status)), str(path)) for status, path in touched),
        reverts=str(reverts),
    )


def _known_shas(connection: duckdb.DuckDBPyConnection, project: str) -> set[str]:
    rows = connection.execute(
        "select sha from commits where project_id = $project and not gone", {"project": project}
    ).fetchall()
    return {sha for (sha,) in rows}


def _without_repeats(commits: Sequence[Commit], known: set[str]) -> list[Commit]:
    fresh: dict[str, Commit] = {}
    for commit in commits:
        if commit.sha not in known:
            fresh.setdefault(commit.sha, commit)
    return list(fresh.values())


def _lineage(connection: duckdb.DuckDBPyConnection, project: str) -> Lineage:
    """The state of the files as the commits in the store left them."""
    asked: Mapping[str, object] = {"project": project}
    live = dict(connection.execute(sql.LIVE_PATHS, asked).fetchall())
    last = dict(connection.execute(sql.LAST_PATHS, asked).fetchall())
    row = connection.execute(
        "select coalesce(max(file_id), 0) from touches where project_id = $project", asked
    ).fetchone()
    return Lineage(live=live, last=last, next_id=(int(row[0]) if row else 0) + 1)
