"""A short run of the import in `companion eval talks`: a log is taken in once, however often its reader is killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.kills.imports import import_kills

KILLS = 4


@pytest.mark.timeout(300)
def test_readers_that_are_killed_lose_no_turn_double_none_and_go_on(tmp_path: Path):
    told = import_kills(tmp_path, KILLS, seed=2, grows=(110, 160))
    assert told.kills == KILLS
    assert told.turns > 0
    assert (told.lost, told.doubled, told.gone, told.misplaced) == ((), (), (), ())
    assert told.holds
