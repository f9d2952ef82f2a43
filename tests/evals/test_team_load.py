"""Short runs of `scripts/eval team` and `team-context`: everything they time has happened."""

from __future__ import annotations

from companion.ports import NoProgress
from evals.speed.team_context import team_context
from evals.speed.team_load import team_load


def test_a_small_team_is_measured() -> None:
    told = team_load(2, 100, 20, 1, NoProgress(), vectors=True)
    ours, by = told["ours"], told["by"]
    assert min(ours["pushed_s"], ours["pulled_s"], by["heard_ms"]["p50"], by["search_ms"]["p50"]) > 0
    assert min(ours["bytes_a_memory"], ours["bytes_a_connection"], ours["push_ms_a_memory"]) > 0
    assert {"push_together_ms", "pull_together_ms", "search_together_ms"} <= by.keys()


def test_a_context_is_measured_in_every_state_of_the_server() -> None:
    told = team_context(4, 3, 2, NoProgress())
    assert told["n"] == 7
    assert {name for name, found in told["by"].items() if found["p50"] > 0} == {
        f"{state}_ms" for state in ("taking_in", "there", "none", "silent", "gone", "none_at_last", "seen")
    }
