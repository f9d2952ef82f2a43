"""A short run of `scripts/eval team-storm`: real daemons and a real server, killed while all share."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from evals.kills.team import TeamStorm, team_storm

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def test_killed_laptops_and_a_killed_server_lose_and_double_nothing(tmp_path: Path) -> None:
    told = team_storm(tmp_path, 2, 1, 1, lambda _, __: None)
    assert told.holds, told
    assert told.records >= told.acknowledged


def test_a_broken_promise_is_seen() -> None:
    whole = TeamStorm(3, 3, [], [], [])
    assert whole.holds
    assert not any(replace(whole, **{name: ["x"]}).holds for name in ("lost", "doubled", "unequal"))
    assert not replace(whole, acknowledged=0).holds
