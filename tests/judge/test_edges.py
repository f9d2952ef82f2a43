"""Two statements at the edge of a rule: what is matched is set against nothing else, and each is read from both sides."""

from __future__ import annotations

import pytest

from companion.app.consolidation.judges import local
from companion.judge.comparing.scopes import Lie, lie
from companion.judge.faithfulness import compare
from companion.judge.likeness import ReadLikeness
from companion.judge.rules import RulesJudge
from companion.records import Statement


def ruled(a: str, b: str) -> bool | None:
    there, back = (RulesJudge().rule(Statement(one), Statement(other)).contradict for one, other in ((a, b), (b, a)))
    assert there == back
    return there


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The connect timeout is 30 s, the read timeout is 60 s.", "The connect timeout is 30 s."),
        ("Python 3.7 is not supported.", "Python 3.8 is not supported."),
        ("Uploads are retried 5 times.", "Downloads are retried 9 times."),
    ],
)
def test_numbers_of_two_things_get_on(a: str, b: str) -> None:
    assert ruled(a, b) is not True


@pytest.mark.parametrize(
    ("a", "b", "told"),
    [
        ("Tokens are read from the header.", "Tokens are read from the cookie.", "two things where one is said"),
        ("Uploads are retried 5 times.", "Uploads are retried 9 times.", "two numbers for one thing"),
        ("Uploads are cached.", "Uploads are not cached.", "the two say opposite things"),
    ],
)
def test_a_contradiction_is_told_by_what_differs(a: str, b: str, told: str) -> None:
    ruling = RulesJudge().rule(Statement(a), Statement(b))
    assert ruling.contradict is True and told in ruling.reason


def fact(value: str, subject: str = "") -> Statement:
    return Statement(f"The linter is {value}.", attribute="linter", value=value, subject=subject)


@pytest.mark.parametrize(("one", "other"), [("ruff", "ruff with mypy"), ("ruff with mypy", "ruff")])
def test_a_value_within_another_says_less_and_gets_on(one: str, other: str) -> None:
    ruling = local().rule(fact(one), fact(other))
    assert ruling.contradict is False and "one says more than the other" in ruling.reason


def test_two_values_of_one_property_do_not_get_on() -> None:
    assert local().rule(fact("ruff"), fact("pylint")).contradict is True


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("Please move from 3.9 to 3.11 in the build.", "Move from 3.9 to 3.11 in the build."),
        ("In all, rename load_all to read_all for good.", "rename load_all to read_all"),
    ],
)
def test_what_stays_in_its_order_is_not_turned(above: str, below: str) -> None:
    assert not compare(above, below).turned


@pytest.mark.parametrize(
    ("a", "b", "alike"),
    [
        ("Cache sessions in Redis for a day.", "Cache sessions for a day in Redis.", True),
        ("Run the tests in CI with four workers.", "Run the tests with four workers in CI.", True),
        ("The worker copies logs to the vault from S3.", "The worker copies logs from S3 to the vault.", True),
        ("The vault keeps logs of the worker.", "The worker keeps logs of the vault.", False),
        ("Before a release run the tests.", "Run the tests before a release.", True),
        ("The parser calls the lexer.", "The lexer calls the parser.", False),
        ("The index depends on the cache.", "The cache depends on the index.", False),
        ("Nobody merges on Friday.", "Merges happen on Friday.", False),
    ],
)
def test_phrases_may_change_places_and_what_acts_on_what_may_not(a: str, b: str, alike: bool) -> None:
    assert (ReadLikeness().difference(a, b) == "") is alike


@pytest.mark.parametrize("all_of_it", ["", "project", "everywhere"])
def test_what_holds_everywhere_is_wider_than_what_holds_for_one_service(all_of_it: str) -> None:
    whole, part = Statement("It waits.", subject=all_of_it), Statement("It waits.", subject="service:billing")
    assert lie(whole, part) is Lie.FIRST_WIDER
    assert lie(part, whole) is Lie.SECOND_WIDER


def test_a_text_holds_beside_itself_and_beside_nothing() -> None:
    assert compare("Sessions are kept in Redis.", "Sessions are kept in Redis.").holds
    assert compare("Sessions are kept in Redis.", "").holds
    assert not compare("", "Sessions are not kept in Redis.").holds
