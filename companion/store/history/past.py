"""What history said of files at an earlier moment, counted from the touches up to then.

`snapshot` reads the present from the tables that are kept, with the same weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from companion.ports import Neighbour, Owner, Recent

if TYPE_CHECKING:
    from companion.store.database import Database

OwnerRow = tuple[str, str, float, int]
"""Name, address, decayed weight, commits."""

SIGNIFICANT_DIGITS = 9
"""Weights are compared to so many digits: sums in parallel differ in the last ones from run to run."""

_COCHANGED = """
with known as (
    select seq, is_merge, file_count
    from commits
    where project_id = $project and not gone and committed_at <= $until
),
figures as (
    select half_life, max_files, (select max(seq) from known) as reference
    from history_state
    where project_id = $project
),
then_files as (
    select t.file_id, arg_max(t.path, t.seq) as path
    from touches t
    join known k on k.seq = t.seq
    where t.project_id = $project
    group by t.file_id
    having arg_max(t.status, t.seq) <> 'D'
),
asked as (
    select file_id
    from then_files
    where path in (select unnest($paths))
)
select
    f.path,
    sum(pow(2, (k.seq - g.reference) / g.half_life) / log2(1 + k.file_count)) as weight,
    count(*) as together,
    max(k.seq) as last_seq
from touches a
join known k on k.seq = a.seq
join touches b on b.project_id = $project and b.seq = a.seq
join then_files f on f.file_id = b.file_id
cross join figures g
where a.project_id = $project
    and a.file_id in (select file_id from asked)
    and b.file_id not in (select file_id from asked)
    and not k.is_merge
    and k.file_count between 2 and g.max_files
group by f.path
order by weight desc
limit $limit
"""

_RECENT = """
select arg_max(t.path, t.seq) as path, max(t.seq) as last_seq, count(*) as commits
from touches t
join commits c on c.project_id = t.project_id and c.seq = t.seq
where t.project_id = $project and not c.gone and c.committed_at <= $until
group by t.file_id
having arg_max(t.status, t.seq) <> 'D'
order by last_seq desc, path
limit $limit
"""

_OWNERS = """
with known as (
    select seq, author_name, lower(author_email) as email, is_merge
    from commits
    where project_id = $project and not gone and committed_at <= $until
),
asked as (
    select t.file_id
    from touches t
    join known k on k.seq = t.seq
    where t.project_id = $project
    group by t.file_id
    having arg_max(t.path, t.seq) = $path and arg_max(t.status, t.seq) <> 'D'
)
select
    arg_max(k.author_name, k.seq) as person,
    k.email,
    sum(pow(2, (k.seq - (select max(seq) from known)) / g.half_life)) as weight,
    count(*) as commits
from touches t
join known k on k.seq = t.seq
cross join (select half_life from history_state where project_id = $project) g
where t.project_id = $project
    and t.file_id in (select file_id from asked)
    and not k.is_merge
group by k.email
"""

_SUBJECTS = """
select seq, sha, subject
from commits
where project_id = $project and seq in (select unnest($seqs))
"""

_NEWEST = """
select coalesce(max(seq), 0)
from commits
where project_id = $project and not gone and committed_at <= $until
"""


class PastHistory:
    """One project's history, as known at `until`."""

    def __init__(self, database: Database, project: str, until: datetime) -> None:
        self._database = database
        self._asked = {"project": project, "until": until}

    def cochanged(self, paths: Sequence[str], limit: int) -> tuple[Neighbour, ...]:
        """At most `limit` other files that changed together with any of `paths`, of greatest decayed weight first."""
        if not paths or limit < 1:
            return ()
        # A few more than asked for: ties in the last digits are put in order by path.
        asked = {**self._asked, "paths": list(paths), "limit": limit + 20}
        with self._database.read() as connection:
            rows = connection.execute(_COCHANGED, asked).fetchall()
            if not rows:
                return ()
            top = rows[0][1] or 1.0
            rows.sort(key=lambda row: (-round(row[1] / top, SIGNIFICANT_DIGITS), row[0]))
            rows = rows[:limit]
            seqs = sorted({row[3] for row in rows})
            named = connection.execute(_SUBJECTS, {"project": self._asked["project"], "seqs": seqs}).fetchall()
        commits = {seq: (sha, subject) for seq, sha, subject in named}
        return tuple(
            Neighbour(path, float(weight), int(together), *commits[last_seq])
            for path, weight, together, last_seq in rows
        )

    def recent(self, limit: int) -> tuple[Recent, ...]:
        """Files by how lately they changed; of one commit's, in order of path."""
        rows = self._database.rows(_RECENT, {**self._asked, "limit": max(0, limit)})
        newest = self._database.value(_NEWEST, self._asked)
        return tuple(Recent(path, int(newest - last_seq), int(commits)) for path, last_seq, commits in rows)

    def owners(self, path: str, limit: int) -> tuple[Owner, ...]:
        """Who has worked on a file, by their share of its decayed commits."""
        return shares(self._database.rows(_OWNERS, {**self._asked, "path": path}))[: max(0, limit)]


def shares(rows: Sequence[OwnerRow]) -> tuple[Owner, ...]:
    """People with their share of all weight, the largest first."""
    total = sum(weight for _, _, weight, _ in rows)
    owners = (
        Owner(person, email, round(weight / total, SIGNIFICANT_DIGITS) if total else 0.0, int(commits))
        for person, email, weight, commits in rows
    )
    return tuple(sorted(owners, key=lambda owner: (-owner.share, -owner.commits, owner.email)))
