"""Eight events times four ways in: every cell is right in the end. How soon is measured, not tested."""

from __future__ import annotations

import pytest

from companion.ports import NoProgress
from evals.speed.freshness import WAYS, freshness

FILES = 30


@pytest.mark.timeout(300)
def test_every_way_in_tells_what_happened_to_the_repository(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_EMBEDDINGS", "off")  # what is searched for is found by its word
    told = freshness(tmp_path, FILES, NoProgress())
    assert told["n"] == 8 * len(WAYS)
    assert {event: [way for way, took in row.items() if took is None] for event, row in told["cells_s"].items()} == {
        event: [] for event in told["cells_s"]
    }
