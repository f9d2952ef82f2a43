"""What is counted from a project's commits: files, co-change, ownership, activity; added to, taken back, or made anew.

Weights halve every so many commits. They are kept relative to a reference commit, so that old rows need not change.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from companion.store.binding import duckdb
from companion.store.history import counting_sql as sql
from companion.store.rows import Table, column

REBASE_HALF_LIVES = 256
"""The reference moves on after so many half-lives: 2^256 and its inverse are far from overflow."""

RECOUNTED_FILES = 1_000
"""Files up to which what gone commits counted for is counted anew for them alone; with more, for all: each row of
history is compared with each of them."""


@dataclass(frozen=True, slots=True)
class CountedBy:
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


def _reference_for(newest: int, half_life: float) -> float:
    """The commit whose weight is 1, a whole number of steps on, so that rebasing loses no digit."""
    step = half_life * REBASE_HALF_LIVES
    return math.floor(newest / step) * step


def count(connection: duckdb.DuckDBPyConnection, project: str, after: int, half_life: float, max_files: int) -> None:
    """Count the commits after one, or all of them if they were counted by other figures before."""
    state = state_of(connection, project)
    if state is not None and (state.half_life, state.max_files) != (half_life, max_files):
        _recount(connection, project, half_life, max_files)
        return
    reference = _reference_for(last_seq(connection, project), half_life)
    if state is not None and state.reference_seq != reference:
        factor = 2.0 ** ((state.reference_seq - reference) / half_life)
        for statement in sql.REBASE:
            connection.execute(statement, {"project": project, "factor": factor})
    _count_after(connection, project, after, CountedBy(half_life, max_files, reference))


def recount_some(connection: duckdb.DuckDBPyConnection, project: str, files: Sequence[int], state: CountedBy) -> None:
    """Count anew what these files have, by the figures they were counted by before; the days, which are few, anew."""
    if len(files) > RECOUNTED_FILES:
        _recount(connection, project, state.half_life, state.max_files)
        return
    if files:
        for statement in sql.CLEAR_SOME:
            connection.execute(statement, {"project": project, "files": files})
        _count_files(connection, project, 0, state, files)
    _recount_activity(connection, project)


def _recount_activity(connection: duckdb.DuckDBPyConnection, project: str) -> None:
    connection.execute(sql.CLEAR_ACTIVITY, {"project": project})
    connection.execute(sql.ACTIVITY, {"project": project, "after": 0})


def _recount(connection: duckdb.DuckDBPyConnection, project: str, half_life: float, max_files: int) -> None:
    for statement in (*sql.CLEAR, sql.CLEAR_ACTIVITY):
        connection.execute(statement, {"project": project})
    reference = _reference_for(last_seq(connection, project), half_life)
    _count_after(connection, project, 0, CountedBy(half_life, max_files, reference))


def _count_after(connection: duckdb.DuckDBPyConnection, project: str, after: int, figures: CountedBy) -> None:
    span = {"project": project, "after": after}
    connection.execute(sql.FORGET_TOUCHED_FILES, span)
    _count_files(connection, project, after, figures)
    connection.execute(sql.ACTIVITY, span)
    connection.execute(sql.KEEP_STATE, {"project": project, **asdict(figures)})


def _count_files(
    connection: duckdb.DuckDBPyConnection,
    project: str,
    after: int,
    figures: CountedBy,
    files: Sequence[int] = (),
) -> None:
    """Count what files have of the commits after one: names, company and owners; of some files, or of all."""
    span = {"project": project, "after": after, "files": list(files)}
    weights = {**span, "half_life": figures.half_life, "reference": figures.reference_seq}
    connection.execute(sql.FILES, span)
    connection.execute(sql.COCHANGE, {**weights, "max_files": figures.max_files})
    connection.execute(sql.OWNERSHIP, weights)
