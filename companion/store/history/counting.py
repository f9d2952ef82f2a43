"""What is counted from a project's commits: files, co-change, ownership, activity; added to, or all of it made anew.

Weights halve every so many commits. They are kept relative to a reference commit, so that old rows need not change.
"""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import asdict

from companion.store.binding import duckdb
from companion.store.history import counting_sql as sql
from companion.store.rows import Table, column
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


def last_seq(connection: duckdb.DuckDBPyConnection, project: str) -> int:
    """The number of the newest commit in the store, 0 if there is none."""
    newest = "select coalesce(max(seq), 0) from commits where project_id = $project"
    return int(column(connection, newest, project=project)[0])


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
    for statement in sql.CLEAR:
        execute(connection, statement, {"project": project})
    _count_after(connection, project, 0, figures)


def _count_after(connection: duckdb.DuckDBPyConnection, project: str, after: int, figures: CountedBy) -> None:
    """Count what the commits after one add: names of files, company, owners and days."""
    span = {"project": project, "after": after}
    weights = {**span, "half_life": figures.half_life, "reference": figures.reference_seq}
    execute(connection, sql.FORGET_TOUCHED_FILES, span)
    execute(connection, sql.FILES, span)
    execute(connection, sql.COCHANGE, {**weights, "max_files": figures.max_files})
    execute(connection, sql.OWNERSHIP, weights)
    execute(connection, sql.ACTIVITY, span)
    execute(connection, sql.KEEP_STATE, {"project": project, **asdict(figures)})
