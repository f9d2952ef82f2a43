"""What is counted from a project's commits: files and co-change; added to, or all of it made anew.

Each statement works on the commits after `$after`, so that counting in one go or in pieces comes to the same. A weight
is 2 to the power of (seq - reference) / half-life: newer commits weigh more, old sums stay as they are, and the
reference moves on before a number could overflow.
"""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import asdict

from companion.ports.composing import composed
from companion.store.binding import duckdb
from companion.store.by_columns import delete_where, put_row, value_where
from companion.store.rows import Table
from companion.store.statements import execute

REBASE_HALF_LIVES = 256
"""The reference moves on after so many half-lives, and all is counted anew: 2^256 and its inverse are far from
overflow."""


class CountedBy(Struct, frozen=True):
    """By which figures commits are counted: half-life, most files of a pair, and the commit whose weight is 1."""

    half_life: float
    max_files: int
    reference_seq: float


_STATE = Table(CountedBy, "history_state").select("where project_id = $project")

_FILES = """
insert into history_files (project_id, file_id, path, alive, first_seq, last_seq, commits)
select
    project_id,
    file_id,
    arg_max(path, seq),
    arg_max(status, seq) <> 'D',
    min(seq),
    max(seq),
    count(*)
from touches
where project_id = $project
    and file_id in (select file_id from touches where project_id = $project and seq > $after)
group by project_id, file_id
"""

_FORGET_TOUCHED_FILES = """
delete from history_files
where project_id = $project
    and file_id in (select file_id from touches where project_id = $project and seq > $after)
"""

COUNTED_PAIRS = """
select
    a.file_id as file_a,
    b.file_id as file_b,
    sum(pow(2, (c.seq - {reference}) / s.half_life) / log2(1 + c.file_count)) as weight,
    count(*)::integer as together,
    max(c.seq) as last_seq
from commits c
join history_state s on s.project_id = c.project_id
join touches a on a.project_id = c.project_id and a.seq = c.seq
join touches b on b.project_id = c.project_id and b.seq = c.seq and b.file_id <> a.file_id
where c.project_id = $project
    and c.{which}
    and not c.is_merge
    and not c.gone
    and c.file_count between 2 and s.max_files
group by a.file_id, b.file_id
"""

COUNTED_OWNERS = """
select
    t.file_id,
    lower(c.author_email) as email,
    any_value(n.person) as person,
    count(*)::integer as commits
from commits c
join touches t on t.project_id = c.project_id and t.seq = c.seq
join (
    select lower(c.author_email) as email, mode(c.author_name order by c.seq desc) as person
    from commits c
    where c.project_id = $project
        and c.{which}
    group by lower(c.author_email)
) n on n.email = lower(c.author_email)
where c.project_id = $project
    and c.{which}
    and not c.is_merge
    and not c.gone
group by t.file_id, lower(c.author_email)
"""
"""Of some commits: `which`. An address is called what most of them call it."""

_COCHANGE = composed(
    """
merge into cochange as known
using ({counted}) as fresh
on known.project_id = $project and known.file_a = fresh.file_a and known.file_b = fresh.file_b
when matched then update set
    weight = known.weight + fresh.weight,
    together = known.together + fresh.together,
    last_seq = fresh.last_seq
when not matched then insert (project_id, file_a, file_b, weight, together, last_seq)
    values ($project, fresh.file_a, fresh.file_b, fresh.weight, fresh.together, fresh.last_seq)
""",
    counted=composed(COUNTED_PAIRS, which="seq > $after", reference="s.reference_seq"),
)


def last_seq(connection: duckdb.DuckDBPyConnection, project: str) -> int:
    """The number of the newest commit in the store, 0 if there is none."""
    return int(value_where(connection, "commits", "coalesce(max(seq), 0)", project_id=project))


def state_of(connection: duckdb.DuckDBPyConnection, project: str) -> CountedBy | None:
    """By which figures a project's commits were counted; None: they were not yet."""
    return _STATE.first(connection, project=project)


def count(connection: duckdb.DuckDBPyConnection, project: str, after: int, half_life: float, max_files: int) -> None:
    """Count the commits after one, or all of them if they were counted by other figures before."""
    step = half_life * REBASE_HALF_LIVES
    figures = CountedBy(half_life, max_files, math.floor(last_seq(connection, project) / step) * step)
    if state_of(connection, project) in (None, figures):
        _count_after(connection, project, after, figures)
    else:
        recount(connection, project, figures)


def recount(connection: duckdb.DuckDBPyConnection, project: str, figures: CountedBy) -> None:
    """Count all commits anew by these figures."""
    for table in ("history_files", "cochange"):
        delete_where(connection, table, project_id=project)
    _count_after(connection, project, 0, figures)


def _count_after(connection: duckdb.DuckDBPyConnection, project: str, after: int, figures: CountedBy) -> None:
    """Count what the commits after one add: names of files, and company."""
    put_row(connection, "history_state", project_id=project, **asdict(figures))
    for statement in (_FORGET_TOUCHED_FILES, _FILES, _COCHANGE):
        execute(connection, statement, {"project": project, "after": after})
