"""Runs that an earlier version carried out are reported and taken back by this one.

`data/applied_by_0023.json` holds the rows of a store before and after a run with each sort of change, one of them
(Rescope) made no longer, as the version wrote them that last told what each sort does by itself (schema 23).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from runs import TABLES, rows
from stores import PROJECT, at, store, store_of_before

from companion.records import CHANGES
from companion.records.runs import RunState
from companion.store.bulk import insert_rows
from companion.store.care.rebuilding import salvaged
from companion.store.consolidation import journal, telling, undoing
from companion.store.consolidation.changes import STATEMENTS
from companion.store.database import Database
from companion.store.files import FILE_NAME

KEPT = json.loads((Path(__file__).parent / "data" / "applied_by_0023.json").read_text(encoding="utf-8"))

NEWER = {"Decide"}
"""Changes that the earlier version did not know."""


@pytest.fixture
def of_before(tmp_path: Path) -> Iterator[Database]:
    """A store that the earlier version made, with the run in it, opened by this one."""
    with store_of_before(tmp_path / "home", 23) as older, older.write() as connection:
        for table, kept in KEPT["after"].items():
            if kept:
                insert_rows(connection, table, list(kept[0]), [list(one.values()) for one in kept])
    with store(tmp_path / "home") as database:
        yield database


def test_it_is_listed_with_every_change_and_the_rows_that_each_moved(of_before: Database) -> None:
    run = journal.run(of_before, PROJECT, KEPT["run"])
    assert (run.state, run.applied, run.refused) == (RunState.APPLIED, 17, 0)
    told = telling.page(of_before, PROJECT, run.id, 0, 100)
    assert {type(one.change).__name__ for one in told} == set(CHANGES) - NEWER
    assert all(telling.rows(of_before, run.id, one.number) for one in told)
    assert {one.what for one in telling.tally(of_before, run.id)} == set(CHANGES) - NEWER


def test_it_is_taken_back_row_by_row(of_before: Database) -> None:
    undone = undoing.undo(of_before, KEPT["run"], None, at(200))
    assert (undone.undone, undone.kept) == (17, ())
    left: dict[str, list[Any]] = {table: rows(of_before, f"select * from {table}") for table in TABLES}
    wanted = {table: _typed(of_before, table) for table in TABLES}
    assert {table: sorted(map(repr, left[table])) for table in TABLES} == wanted


def _typed(database: Database, table: str) -> list[str]:
    """The rows of a table as they were before the run, in the types of the table."""
    kept = KEPT["before"][table]
    with database.write() as connection:
        connection.execute(f"create temp table wanted as from {table} limit 0")
        if kept:
            insert_rows(connection, "wanted", list(kept[0]), [list(one.values()) for one in kept])
        found = connection.execute("from wanted").fetchall()
        connection.execute("drop table wanted")
    return sorted(map(repr, found))


def test_every_sort_of_change_has_its_statements_but_the_one_that_only_earlier_versions_made() -> None:
    assert {*STATEMENTS, "Rescope"} == set(CHANGES)


def test_it_is_there_too_where_the_store_was_damaged_and_had_to_be_written_anew(tmp_path: Path) -> None:
    with store_of_before(tmp_path, 23) as older, older.write() as connection:
        for table in ("night_runs", "night_changes", "night_rows"):
            kept = KEPT["after"][table]
            insert_rows(connection, table, list(kept[0]), [list(one.values()) for one in kept])
    (made, _, lost) = salvaged(tmp_path / FILE_NAME, (), "200MB") or (Path(), Path(), ("nothing opens",))
    made.replace(tmp_path / FILE_NAME)
    with store(tmp_path) as database:
        assert len(telling.page(database, PROJECT, KEPT["run"], 0, 100)) == 17
        assert rows(database, "select count(*) from run_rows") == [(len(KEPT["after"]["night_rows"]),)]
    assert lost == ()
