"""A night that is killed goes on, makes each change once and whole, and is taken back whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.kills import nights


def test_killed_nights_make_each_change_once_and_are_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nights, "KILLS_A_ROUND", 3)
    told = nights.nights(tmp_path, kills=5, seed=1)
    assert told.holds, told
    assert told.kills == 5
    assert told.while_applying and told.while_undoing


def test_what_is_half_done_is_found_out(tmp_path: Path) -> None:
    home, run = nights._template(tmp_path / "template", seed=1)
    nights._Job(home, run, "apply", 60.0).let_through()
    with nights._opened(home) as database, database.write() as connection:
        connection.execute(
            "update memories set warmth = if(warmth = 'hot', 'cold', 'hot') where id in (select id from memories where status = 'active' order by id limit 1)"
        )
    told = nights.Survived()
    nights._look(home, run, told)
    assert told.halves and not told.holds
