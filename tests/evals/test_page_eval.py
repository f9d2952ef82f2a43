"""The measurement of the page, on a small store and without a browser: every room answers, and so does each letter."""

from __future__ import annotations

import pytest

from companion.app.replay import Unseen
from companion.evals import page
from companion.surfaces.page.rooms import ROOMS


@pytest.mark.timeout(300)
def test_every_room_and_each_letter_of_a_search_is_timed(monkeypatch):
    monkeypatch.setenv("COMPANION_EMBEDDINGS", "off")
    monkeypatch.setattr(page, "_seen", lambda *_: {"skipped": "this test looks at the server's side"})
    told = page.page_times(150, 1, Unseen())
    assert {f"room {room.name}" for room in ROOMS} | {"search, each letter"} == set(told["milliseconds"])
    assert all(parts["first"] > 0 for parts in told["milliseconds"].values())
