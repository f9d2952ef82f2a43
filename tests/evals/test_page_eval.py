"""The measurement of the page, on a small store and without a browser: every room answers, and so does each letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import UsageError
from companion.ports import NoProgress
from companion.surfaces.page.rooms import ROOMS
from evals.speed import latency, page


@pytest.mark.timeout(300)
def test_every_room_and_each_letter_of_a_search_is_timed_on_a_store_that_can_be_used_again(monkeypatch, tmp_path):
    monkeypatch.setenv("COMPANION_EMBEDDINGS", "off")
    monkeypatch.setattr(page, "_seen", lambda *_: {"skipped": "this test looks at the server's side"})
    told = page.page_times(150, 1, NoProgress(), tmp_path / "kept")
    assert {f"room {room.name}" for room in ROOMS} | {"search, each letter"} == set(told["milliseconds"])
    assert all(parts["first"] > 0 for parts in told["milliseconds"].values())
    monkeypatch.setattr(latency, "make", None)
    with latency.made_store(150, NoProgress(), tmp_path / "kept") as (folder, made):
        assert Path(folder) == tmp_path / "kept"
        assert made.words
    with pytest.raises(UsageError, match="151"), latency.made_store(151, NoProgress(), tmp_path / "kept"):
        pass
