"""What history said of files at an earlier moment, counted from the touches up to then.

`snapshot` reads the present from the tables that are kept, with the same weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from companion.ports import FileOwner, Neighbour, Recent
from companion.store.database import Database
from companion.store.rows import Query

SIGNIFICANT_DIGITS = 9
"""Weights are compared to so many digits: sums in parallel differ in the last ones from run to run."""

_COCHANGED = Query(
    Neighbour,
    """
with known as (
    select seq, sha, subject, is_merge, file_count
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
    arg_max(k.sha, k.seq) as last_commit,
    arg_max(k.subject, k.seq) as last_subject
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
""",
)

_RECENT = Query(
    Recent,
    """
select
    arg_max(t.path, t.seq) as path,
    (
        select coalesce(max(seq), 0)
        from commits
        where project_id = $project and not gone and committed_at <= $until
    ) - max(t.seq) as commits_ago,
    count(*) as commits
from touches t
join commits c on c.project_id = t.project_id and c.seq = t.seq
where t.project_id = $project and not c.gone and c.committed_at <= $until
group by t.file_id
having arg_max(t.status, t.seq) <> 'D'
order by commits_ago, path
limit $limit
""",
)

_OWNERS = Query(
    FileOwner,
    """
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
    sum(pow(2, (k.seq - (select max(seq) from known)) / g.half_life)) as share,
    count(*) as commits
from touches t
join known k on k.seq = t.seq
cross join (select half_life from history_state where project_id = $project) g
where t.project_id = $project
    and t.file_id in (select file_id from asked)
    and not k.is_merge
group by k.email
""",
)


class PastHistory:
    """One project's history, as known at `until`."""

    def __init__(self, database: Database, project: str, until: datetime) -> None:
        self._database = database
        self._asked: dict[str, object] = {"project": project, "until": until}

    def cochanged(self, paths: Sequence[str], limit: int) -> tuple[Neighbour, ...]:
        """At most `limit` other files that changed together with any of `paths`, of greatest decayed weight first."""
        if not paths or limit < 1:
            return ()
        # A few more than asked for: ties in the last digits are put in order by path.
        found = _COCHANGED.all(self._database, paths=paths, limit=limit + 20, **self._asked)
        top = (found[0].weight if found else 0.0) or 1.0
        return tuple(sorted(found, key=lambda one: (-round(one.weight / top, SIGNIFICANT_DIGITS), one.path))[:limit])

    def recent(self, limit: int) -> tuple[Recent, ...]:
        """Files by how lately they changed; of one commit's, in order of path."""
        return _RECENT.all(self._database, limit=max(0, limit), **self._asked)

    def owners(self, path: str, limit: int) -> tuple[FileOwner, ...]:
        """Who has worked on a file, by their share of its decayed commits."""
        return shares(_OWNERS.all(self._database, path=path, **self._asked))[: max(0, limit)]


def shares(found: Sequence[FileOwner]) -> tuple[FileOwner, ...]:
    """People, each with what their commits weigh, with their share of all weight, the largest first."""
    total = sum(one.share for one in found) or 1.0
    owners = (replace(one, share=round(one.share / total, SIGNIFICANT_DIGITS)) for one in found)
    return tuple(sorted(owners, key=lambda owner: (-owner.share, -owner.commits, owner.email)))
