"""Statements are parsed once, for every store and whatever is given with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from stores import store

from companion.store import statements
from companion.store.binding import duckdb
from companion.store.statements import execute

SUM = "select $a + $b"


def test_what_one_store_parsed_another_runs_with_what_it_is_given(tmp_path: Path) -> None:
    with store(tmp_path / "one") as one, store(tmp_path / "other") as other:
        with one.read() as connection:
            assert execute(connection, SUM, {"a": 1, "b": 2}).fetchall() == [(3,)]
        parsed = statements._PARSED[SUM]
        with other.read() as connection:
            assert execute(connection, SUM, {"a": 0.5, "b": 2}).fetchall() == [(2.5,)]
        assert statements._PARSED[SUM] is parsed


def test_no_more_are_kept_than_there_is_room_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "_PARSED", {})
    monkeypatch.setattr(statements, "PARSED_MOST", 3)
    with store(tmp_path) as database, database.read() as connection:
        for number in range(10):
            assert execute(connection, f"select {number}").fetchall() == [(number,)]
            assert len(statements._PARSED) <= 3


def test_what_is_no_statement_is_refused_and_not_kept(tmp_path: Path) -> None:
    with store(tmp_path) as database, database.read() as connection:
        with pytest.raises(duckdb.ParserException):
            execute(connection, "selec 1")
        assert "selec 1" not in statements._PARSED
