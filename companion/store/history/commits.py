"""A project's history as tables: commits and the files they touched, with what is counted from them.

`CommitHistory` writes and has `counting` count; what is known of files, now or at an earlier moment, `snapshot` reads.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from companion.errors import UsageError
from companion.ports import Redactor
from companion.records import Commit, FileChange
from companion.store.binding import duckdb
from companion.store.by_columns import column_where, delete_where, pairs_where, set_where, value_where
from companion.store.database import Database
from companion.store.history.counting import count, last_seq, recount, state_of
from companion.store.history.lineage import FileTouch, Lineage
from companion.store.rows import As, Given, Query, Table, apart, column, pairs, tuples
from companion.store.statements import execute

COMMITS = Table(
    Commit,
    "commits",
    {
        **{"parents": As.WORDS, "body": Given(""), "changes": Given(())},
        **apart("co_authors", "reviewers", "pull_request"),
    },
)
TOUCHES = Table(FileTouch, "touches")
CHANGES = Table(FileChange, "touches", apart("old_path"))


class CommitHistory:
    """Commits go in oldest first; files and co-change are counted from them."""

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
                delete_where(connection, "commits", project_id=project, gone=True, sha=shas)
                self._insert(connection, project, fresh, after, branch)
            count(connection, project, after, half_life, max_files)
            return len(fresh)

    def mark_gone(self, project: str, shas: Sequence[str]) -> int:
        """Mark commits that rewritten history no longer holds; all others are counted anew.

        Returns how many were marked. A marked commit that comes back is added like a new one.
        """
        asked = {"project": project, "shas": list(shas)}
        with self._database.write() as connection:
            (gone,) = column(connection, _MARK_GONE, **asked)
            if gone:
                execute(connection, _FORGET_GONE_TOUCHES, {"project": project})
                state = state_of(connection, project)
                if state is not None:
                    recount(connection, project, state)
            return int(gone)

    def extent(self, project: str) -> str:
        """How far the history goes: a text that changes whenever a commit comes, goes or is merged."""
        return str(tuples(self._database, _EXTENT, project=project))

    def branches(self, project: str) -> dict[str, str]:
        """Every commit by id with the branch that it is on alone, empty for the default branch."""
        return pairs_where(self._database, "commits", "sha, branch", project_id=project, gone=False)

    def commits(self, project: str, shas: Collection[str]) -> tuple[Commit, ...]:
        """Some commits, oldest first, without bodies and files."""
        return COMMITS.where(self._database, order="seq", project_id=project, sha=set(shas), gone=False)

    def on_branches(self, project: str) -> frozenset[str]:
        """Ids of commits that are known on a branch alone."""
        return frozenset(sha for sha, branch in self.branches(project).items() if branch)

    def clear_branch(self, project: str, shas: Sequence[str]) -> None:
        """Note that commits are on the default branch by now."""
        set_where(self._database, "commits", {"branch": ""}, project_id=project, sha=shas)

    def known(self, project: str) -> frozenset[str]:
        """Ids of all commits that are part of history."""
        with self._database.read() as connection:
            return frozenset(_known_shas(connection, project))

    def seq_count(self, project: str) -> int:
        """How many commits are part of history."""
        return int(value_where(self._database, "commits", "count(*)", project_id=project, gone=False))

    def commit(self, project: str, sha: str) -> Commit | None:
        """A commit by its id or the beginning of it, without body; None if none or several begin so.

        Files are called as they were after it.
        """
        found = list(_COMMITS_BY_PREFIX.keyed(self._database, "seq", project=project, prefix=sha)) if sha else []
        if len(found) != 1:
            return None
        ((seq, commit),) = found
        changes = CHANGES.where(self._database, order="path", project_id=project, seq=seq)
        return replace(commit, changes=changes)

    def recent_commits(self, project: str, limit: int) -> tuple[Commit, ...]:
        """The newest `limit` commits, oldest first, without bodies; files under their latest names."""
        return with_changes(self._database, project, _RECENT, limit=limit)[::-1]

    def _insert(
        self,
        connection: duckdb.DuckDBPyConnection,
        project: str,
        commits: Sequence[Commit],
        after: int,
        branch: str,
    ) -> None:
        lineage = _lineage(connection, project)
        touched = [
            (seq, touch)
            for seq, commit in enumerate(commits, start=after + 1)
            for touch in lineage.touches(commit.changes)
        ]
        COMMITS.insert(
            connection,
            commits,
            project_id=project,
            seq=list(range(after + 1, after + 1 + len(commits))),
            subject=[self._redactor.redact(commit.subject) for commit in commits],
            is_merge=[commit.is_merge for commit in commits],
            file_count=[len(commit.changes) for commit in commits],
            branch=branch,
        )
        TOUCHES.insert(connection, [touch for _, touch in touched], project_id=project, seq=[seq for seq, _ in touched])


_LAST_PATHS = """
select path, arg_max(file_id, 2 * seq + (status <> 'D')::integer)
from touches
where project_id = $project
group by path
"""

_MARK_GONE = """
update commits
set gone = true
where project_id = $project
    and sha in (select unnest($shas))
    and not gone
"""

_FORGET_GONE_TOUCHES = """
delete from touches
where project_id = $project
    and seq in (select seq from commits where project_id = $project and gone)
"""

_EXTENT = """
select max(seq), count(*), count(*) filter (where gone), bit_xor(hash(sha, branch)) filter (where branch <> '')
from commits
where project_id = $project
"""

_COMMITS_BY_PREFIX = COMMITS.select(
    """
where project_id = $project
    and starts_with(sha, $prefix)
    and not gone
limit 2
""",
    "seq",
)

_RECENT = COMMITS.select(
    """
where project_id = $project
    and not gone
order by seq desc
limit $limit
""",
    "seq",
)

_CHANGES_OF = Query(
    FileChange,
    """
select t.seq, t.status, f.path
from touches t
join history_files f on f.project_id = t.project_id and f.file_id = t.file_id
where t.project_id = $project
    and t.seq in (select unnest($seqs::bigint[]))
order by t.seq, f.path
""",
)


def with_changes(database: Database, project: str, query: Query[Commit], **given: object) -> tuple[Commit, ...]:
    """The commits that a query finds, which selects `seq` too, with what they changed; files under their latest names.

    They come without bodies.
    """
    with database.read() as connection:
        found = list(query.keyed(connection, "seq", project=project, **given))
        changes = _CHANGES_OF.by(connection, "seq", project=project, seqs=[seq for seq, _ in found])
    return tuple(replace(commit, changes=changes.get(seq, ())) for seq, commit in found)


def _known_shas(connection: duckdb.DuckDBPyConnection, project: str) -> set[str]:
    return set(column_where(connection, "commits", "sha", project_id=project, gone=False))


def _without_repeats(commits: Sequence[Commit], known: set[str]) -> list[Commit]:
    fresh: dict[str, Commit] = {}
    for commit in commits:
        if commit.sha not in known:
            fresh.setdefault(commit.sha, commit)
    return list(fresh.values())


def _lineage(connection: duckdb.DuckDBPyConnection, project: str) -> Lineage:
    """The state of the files as the commits in the store left them."""
    live = pairs_where(connection, "history_files", "path, file_id", project_id=project, alive=True)
    last = pairs(connection, _LAST_PATHS, project=project)
    last_id = value_where(connection, "touches", "coalesce(max(file_id), 0)", project_id=project)
    return Lineage(live=live, last=last, next_id=last_id + 1)
