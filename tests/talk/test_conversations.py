"""Written conversations: everything planted in them is found, and nothing that was only a trap."""

from __future__ import annotations

import pytest

from talk.conversations import Talk, outcome, talks

TUNED = list(talks("tuned"))


@pytest.mark.parametrize("talk", TUNED, ids=[talk.name for talk in TUNED])
def test_what_was_said_is_found_and_what_was_not_is_not(talk: Talk) -> None:
    result = outcome(talk)
    assert not result.missing
    assert not result.forbidden


def test_hardly_anything_is_found_that_nobody_would_keep() -> None:
    results = [outcome(talk) for talk in TUNED]
    extra = sum(len(result.extra) for result in results)
    assert extra <= 0.05 * sum(result.items for result in results)


def test_the_talks_written_last_lose_little_and_invent_nothing() -> None:
    """Five things said in passing are not found in them: what a language is, a price thought aloud."""
    results = [outcome(talk) for talk in talks("late")]
    assert sum(len(result.missing) for result in results) <= 5
    assert not [one for result in results for one in (*result.forbidden, *result.extra)]
