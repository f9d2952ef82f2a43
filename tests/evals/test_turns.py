"""`companion eval turns` on a small store: what is handed back is timed, and closing saves most tokens."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from evals.speed import turns


def test_handing_back_and_closing_are_measured(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(turns, "TURNS_GOING_ON", 12)
    monkeypatch.setattr(turns, "CLOSED_TURNS", 12)
    told = turns.turns_eval(120, 2, SimpleNamespace(step=lambda *_: None), vectors=False)
    assert told["n"] == 112
    assert {"hot", "warm", "cold", "history", "history looking back"} <= told["milliseconds"].keys()
    assert all(0 <= parts["p50"] <= parts["p95"] for parts in told["milliseconds"].values())
    assert told["closing"]["turns"] == 12
    assert told["closing"]["saved by cold turns"] > 0.5
    assert told["closing"]["saved by the block"] > 0.5
