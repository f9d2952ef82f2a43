"""A run that is killed goes on, makes each change once and whole, and is taken back whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.kills import runs


def test_killed_runs_make_each_change_once_and_are_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "KILLS_A_ROUND", 3)
    told = runs.runs(tmp_path, kills=5, seed=1)
    assert told.holds, told
    assert told.kills == 5
    assert told.while_applying and told.while_undoing


def test_what_is_half_done_is_found_out(tmp_path: Path) -> None:
    home, run = runs._template(tmp_path / "template", seed=1)
    runs._Job(home, run, "apply", 60.0).let_through()
    with runs._opened(home) as database, database.write() as connection:
        connection.execute(
            "update memories set warmth = if(warmth = 'hot', 'cold', 'hot') where id in (select id from memories where status = 'active' order by id limit 1)"
        )
    told = runs.Survived()
    runs._look(home, run, told)
    assert told.halves and not told.holds
