"""How well prediction does: points of a curve, and whether the file that work went to next had been shown."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.predicting.accuracy import POINT_COMMITS, POINTS_MOST, foreseen, points, rates
from companion.engine.usefulness import CITED_WITHIN, OPENED_WITHIN
from companion.records import Event, Happening, Serving
from companion.records.looking import Measured, Rate

NOW = datetime(2026, 1, 5, 9, 0)
OPENED, EDITED, SAVED, CLOSED = Happening.OPENED, Happening.EDITED, Happening.SAVED, Happening.CLOSED


def touch(number: int, path: str, what: Happening = OPENED) -> Event:
    return Event(number, NOW, what, path)


def served(after: int, path: str, *files: str) -> Serving:
    return Serving(after, NOW, path, {}, files)


def test_a_file_that_the_context_showed_and_that_is_opened_next_was_foreseen():
    shown = [served(1, "cart.py", "price.py")]
    assert foreseen(shown, [], touch(2, "price.py")) == ("opened", True)
    assert foreseen(shown, [], touch(2, "other.py")) == ("opened", False)
    assert foreseen(shown, [], touch(2, "price.py", SAVED)) == ("edited", True)


def test_the_file_that_was_asked_about_and_files_that_are_closed_say_nothing():
    shown = [served(1, "cart.py", "cart.py", "price.py")]
    assert foreseen(shown, [], touch(2, "cart.py", EDITED)) is None
    assert foreseen(shown, [], touch(2, "price.py", CLOSED)) is None


def test_without_a_context_before_it_nothing_is_counted():
    assert foreseen([], [], touch(2, "price.py")) is None
    assert foreseen([served(5, "cart.py", "price.py")], [], touch(4, "price.py")) is None
    assert foreseen([Serving(1, NOW, "cart.py", {})], [], touch(2, "price.py")) is None, "served before it was kept"


def test_what_was_shown_long_before_foresees_nothing():
    shown = [served(1, "cart.py", "price.py")]
    assert foreseen(shown, [], touch(1 + OPENED_WITHIN, "price.py")) == ("opened", True)
    assert foreseen(shown, [], touch(2 + OPENED_WITHIN, "price.py")) is None
    assert foreseen(shown, [], touch(1 + CITED_WITHIN, "price.py", EDITED)) == ("edited", True)
    assert foreseen(shown, [], touch(2 + CITED_WITHIN, "price.py", EDITED)) is None


def test_going_back_to_a_file_that_was_in_hand_needs_no_foresight():
    before = [touch(1, "price.py", EDITED), touch(2, "cart.py")]
    assert foreseen([served(2, "cart.py", "price.py")], before, touch(3, "price.py")) is None
    long_ago = [served(1 + CITED_WITHIN, "cart.py", "price.py")]
    assert foreseen(long_ago, before, touch(2 + CITED_WITHIN, "price.py")) == ("opened", True)


def test_a_file_that_is_opened_and_then_edited_counts_once_as_each():
    shown, events = [served(1, "cart.py", "price.py")], [touch(2, "price.py")]
    assert foreseen(shown, events, touch(3, "price.py")) is None
    assert foreseen(shown, events, touch(3, "price.py", EDITED)) == ("edited", True)
    assert foreseen(shown, [*events, touch(3, "price.py", EDITED)], touch(4, "price.py", SAVED)) is None


def test_the_latest_context_for_another_file_is_the_one_that_counts():
    shown = [served(1, "cart.py", "price.py"), served(3, "test.py")]
    assert foreseen(shown, [], touch(4, "price.py")) == ("opened", False)
    asked_again = [served(1, "cart.py", "price.py"), served(3, "price.py")]
    assert foreseen(asked_again, [touch(2, "price.py")], touch(4, "price.py", EDITED)) == ("edited", True)


def test_rates_count_each_sort_apart():
    found = [("opened", True), ("opened", False), ("edited", True)]
    assert rates(found) == {"opened": Rate(2, 1), "edited": Rate(1, 1)}
    assert rates([]) == {}
    assert Rate().share is None


def measured(commits: int) -> list[Measured]:
    return [Measured(f"{n:040x}", NOW + timedelta(hours=n), n % 2, 0.5, 0.0) for n in range(commits)]


def test_no_commits_are_no_points():
    assert points([]) == ()
    assert points([], 0) == ()


@given(st.integers(1, 2_000))
def test_points_hold_every_commit_once_in_order_and_are_never_too_many(commits: int):
    found = points(measured(commits))
    assert len(found) <= POINTS_MOST
    assert sum(one.commits for one in found) == commits
    assert all(one.commits >= POINT_COMMITS for one in found[:-1])
    assert all(one.since <= one.until for one in found)
    assert all(one.until < other.since for one, other in pairwise(found))


def test_a_point_is_the_mean_of_its_commits():
    (one,) = points(measured(4))
    assert (one.learned, one.usual, one.recent) == pytest.approx((0.5, 0.5, 0.0))
