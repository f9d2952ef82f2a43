"""A short run of `companion eval talks`: what was said and confirmed survives kill -9, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.kills.talks import talk_kills

KILLS = 5


@pytest.mark.timeout(300)
def test_speakers_that_are_killed_lose_no_turn_and_leave_no_impossible_state(tmp_path: Path):
    told = talk_kills(tmp_path, KILLS, seed=3)
    assert told.kills == KILLS
    assert told.turns > 0
    broken = (told.lost, told.doubled, told.forgotten, told.twice, told.impossible)
    assert broken == ((), (), (), (), ())
    assert told.holds
