"""Versions that are turned down: what gets on with what is asked for, and what does not."""

from __future__ import annotations

import math

import pytest

from companion.app.consolidation.judges import local
from companion.judge.rules import RulesJudge
from companion.language.claims import claim
from companion.records import Statement

GET_ON = [
    ("Python 3.7 is no longer supported.", "requires-python >= 3.10"),
    ("Dropped support for Python 3.8.", "requires-python is >=3.9"),
    ("dropped support for 3.8", "requires-python >=3.9"),
    ("Support for Node 14 was removed.", "The package needs Node 18 or newer."),
    ("Node 14 was removed from CI.", "engines: node >=18"),
    ("Node 12 and 14 are no longer tested.", "Node >= 18"),
    ("Python 2.7 and 3.5 are dropped.", "requires-python >= 3.8"),
    ("Python 3.8 reached its end of life.", "Python 3.9 is the minimum version."),
    ("Anything older than Python 3.9 is unsupported.", "requires-python >=3.9"),
    ("Versions before 3.9 are not supported.", "Python 3.9 or later is required."),
    ("Python 3.6 was dropped in version 2.1.", "requires-python >=3.9"),
    ("Python 3.7 was dropped in Flask 3.0.", "Flask>=3.1 is needed"),
    ("Python 3.14 is not supported yet.", "requires-python >=3.10,<3.14"),
    ("Werkzeug 2 is not supported.", "werkzeug>=3.1.0"),
    ("Django 3.2 is no longer supported.", "Django>=4.2 is required"),
    ("We dropped Python 3.7.", "The service is written in Python."),
    ("Python 3.7 is not supported.", "Python 3.8 is not supported."),
    ("The match statement is not available before Python 3.10.", "Python 3.9 is supported."),
    ("We no longer test on Python 3.9.", "requires-python >=3.9"),
    ("supports 3.9+", "requires-python >=3.9"),
    ("The minimum version is Python 3.10.", "CI runs on Python 3.12."),
]
CONTRADICT = [
    ("Python 3.7 is supported.", "requires-python >=3.10"),
    ("Python 3.10 is no longer supported.", "requires-python >=3.9"),
    ("Drop support for Python 3.10.", "Python 3.9+ is supported."),
    ("Everything below Python 3.11 is unsupported.", "Python 3.9 and newer are supported."),
    ("Anything older than Python 3.11 is refused.", "requires-python >=3.9"),
    ("Python 3.9 is required.", "Python 3.9 is no longer supported."),
    ("We dropped Python 3.11.", "The minimum version is Python 3.10."),
    ("Node 20 is not supported.", "The package needs Node 18 or newer."),
    ("Dropped support for Node 18.", "engines: node >=18"),
    ("Node 14 is supported.", "engines: node >=18"),
]


@pytest.mark.parametrize(("a", "b"), GET_ON)
def test_what_nobody_asks_for_may_be_turned_down(a: str, b: str) -> None:
    ruling = RulesJudge().rule(Statement(a), Statement(b))
    assert ruling.contradict is False, ruling.reason


@pytest.mark.parametrize(("a", "b"), CONTRADICT)
def test_what_is_asked_for_may_not_be_turned_down(a: str, b: str) -> None:
    ruling = local().rule(Statement(a), Statement(b))
    assert ruling.contradict is True, ruling.reason


@pytest.mark.parametrize(
    ("text", "product", "low", "high"),
    [
        ("Python 3.7 is no longer supported.", "python", 3_007_000, 3_008_000),
        ("We dropped everything below Python 3.12.", "python", -math.inf, 3_012_000),
        ("Node 14 and older are not supported.", "node", -math.inf, 15_000_000),
        ("Postgres 17 and newer are not supported.", "postgres", 17_000_000, math.inf),
    ],
)
def test_a_refusal_is_a_range_of_versions(text: str, product: str, low: float, high: float) -> None:
    refusal = claim(text).refusals[0]
    assert (refusal.product, refusal.low, refusal.high) == (product, low, high)


def test_every_version_of_a_list_is_turned_down() -> None:
    assert [one.figure for one in claim("Python 3.6, 3.7 and 3.8 were dropped.").refusals] == ["3.6", "3.7", "3.8"]


@pytest.mark.parametrize(
    "text", ["Drop 3 columns.", "No more than 3 retries.", "Never wait 14 days.", "Python 3.9 works."]
)
def test_what_is_counted_or_asked_for_is_no_refused_version(text: str) -> None:
    assert claim(text).refusals == ()


def test_a_version_turned_down_says_nothing_of_another_thing() -> None:
    ruling = RulesJudge().rule(
        Statement("Werkzeug 2 does not work any more."), Statement("Anna has worked on the docs.")
    )
    assert ruling.contradict is False, ruling.reason


def test_only_a_name_ends_a_time_that_is_over() -> None:
    assert claim("Until March the queue was Kafka.").over
    assert not claim("Wait until tests are green; the branch was protected.").over
    assert claim("The docs were built with Jekyll in 2019.").over


def test_what_is_taken_as_given_is_not_turned_round_by_a_not() -> None:
    assert claim("Do not use the unencrypted port.").poles["encrypt"] == {-1}
    assert claim("Never use an unencrypted port.").poles["encrypt"] == {1}
