"""Written conversations: most of what was planted in them is found, and little that was only a trap.

The rules that once read them were made for these very talks; the model was not taught them. What it makes of talks
that nobody had looked at is in BENCHMARKS.md (`scripts/eval extraction`).
"""

from __future__ import annotations

from talk.conversations import outcome, talks

RESULTS = [outcome(talk) for folder in ("tuned", "late") for talk in talks(folder)]


def test_most_of_what_was_said_is_found() -> None:
    missing = [one for result in RESULTS for one in result.missing]
    assert len(missing) <= 0.5 * sum(result.expected for result in RESULTS), missing


def test_few_items_are_what_nobody_would_keep() -> None:
    odd = [one for result in RESULTS for one in (*result.forbidden, *result.extra)]
    assert len(odd) <= 0.3 * sum(result.items for result in RESULTS), odd
