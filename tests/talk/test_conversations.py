"""Written conversations: most of what was planted in them is found, and little that was only a trap.

The rules that once read them were made for these very talks; the model was not taught them. What it makes of talks
that nobody had looked at is in BENCHMARKS.md (`scripts/eval extraction`).
"""

from __future__ import annotations

import pytest

from talk.conversations import Outcome, outcome, talks


@pytest.fixture(scope="module")
def results() -> list[Outcome]:
    """What is made of each talk, once for both tests."""
    return [outcome(talk) for folder in ("tuned", "late") for talk in talks(folder)]


def test_most_of_what_was_said_is_found(results: list[Outcome]) -> None:
    missing = [one for result in results for one in result.missing]
    assert len(missing) <= 0.5 * sum(result.expected for result in results), missing


def test_few_items_are_what_nobody_would_keep(results: list[Outcome]) -> None:
    odd = [one for result in results for one in (*result.forbidden, *result.extra)]
    assert len(odd) <= 0.3 * sum(result.items for result in results), odd
