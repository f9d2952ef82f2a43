"""Laws that hold for any two statements, whichever judge is asked."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.app.consolidation.judges import local
from companion.judge.comparing.compare import compare
from companion.judge.comparing.scopes import Lie, lie
from companion.judge.rules import RulesJudge, weighed
from companion.records import Scope, Statement

JUDGES = (RulesJudge(), local())

THINGS = ("session", "upload", "export job", "search index", "mail queue", "cache entry")
VERBS = ("encrypted", "compressed", "validated", "logged", "indexed", "archived")
WORDS = st.sampled_from(
    [
        "the",
        "a",
        "no",
        "not",
        "never",
        "every",
        "only",
        "cache",
        "retries",
        "uses",
        "tests",
        "must",
        "may",
        "3",
        "30",
        "5",
        "seconds",
        "days",
        "Python",
        "3.11",
        ">=3.9",
        "and",
        "or",
        "in",
        "production",
        "locally",
        "without",
        "encrypted",
        "by",
        "hand",
        "tabs",
        "spaces",
        "`x`",
        "docs/",
        "when",
        "except",
        "50",
        "%",
        "half",
        "now",
        "was",
        ".",
        ";",
        ",",
        ":",
        "(",
        ")",
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=30).map(" ".join))
PLACES = st.builds(
    Scope,
    language=st.sampled_from(("", "go", "python")),
    path=st.sampled_from(("", "src", "src/a", "docs")),
    environment=st.sampled_from(("", "prod", "dev")),
)
STATEMENTS = st.builds(
    Statement,
    text=TEXTS,
    scope=PLACES,
    subject=st.sampled_from(("", "module:a", "module:b", "service:a")),
)


@settings(max_examples=300, deadline=None)
@given(STATEMENTS, STATEMENTS)
def test_the_order_of_two_statements_does_not_matter(a: Statement, b: Statement) -> None:
    for judge in JUDGES:
        assert judge.rule(a, b) == judge.rule(b, a)


@settings(max_examples=300, deadline=None)
@given(STATEMENTS, STATEMENTS)
def test_what_is_weighed_is_the_same_from_either_side(a: Statement, b: Statement) -> None:
    assert weighed(compare(a, b))[:2] == weighed(compare(b, a))[:2]


def test_of_two_places_that_cross_either_may_hold_the_exception() -> None:
    a, b = Statement("", subject="module:b"), Statement("Never.", subject="service:a")
    assert lie(a, b) is Lie.CROSSING
    assert weighed(compare(a, b))[:2] == weighed(compare(b, a))[:2]


@settings(max_examples=300, deadline=None)
@given(STATEMENTS, STATEMENTS)
def test_whatever_a_reason_quotes_stands_in_one_of_the_two(a: Statement, b: Statement) -> None:
    said = f"{a.text}\n{b.text}".casefold()
    reason = JUDGES[0].rule(a, b).reason
    for quoted in re.findall(r"“([^”]*)”", reason):
        assert quoted.removeprefix("not ").casefold() in said, reason


@settings(max_examples=300, deadline=None)
@given(STATEMENTS)
def test_a_statement_never_contradicts_itself(a: Statement) -> None:
    for judge in JUDGES:
        assert judge.rule(a, a).contradict is False


@settings(max_examples=300, deadline=None)
@given(STATEMENTS, STATEMENTS)
def test_what_holds_in_two_places_never_contradicts(a: Statement, b: Statement) -> None:
    if lie(a, b) is Lie.APART:
        for judge in JUDGES:
            assert judge.rule(a, b).contradict is False


@settings(deadline=None)
@given(st.sampled_from(THINGS), st.integers(2, 500), st.integers(2, 500))
def test_another_number_in_a_slot_of_one_number_contradicts(thing: str, one: int, other: int) -> None:
    a, b = (Statement(f"A {thing} expires after {number} minutes.") for number in (one, other))
    if max(one, other) / min(one, other) > 1.1:
        for judge in JUDGES:
            assert judge.rule(a, b).contradict is True


@settings(deadline=None)
@given(st.sampled_from(THINGS), st.integers(1, 400))
def test_another_unit_for_the_same_length_of_time_does_not(thing: str, seconds: int) -> None:
    a = Statement(f"A {thing} times out after {seconds} seconds.")
    for other in (f"{seconds * 1000} ms", f"{seconds}s", f"{seconds * 1000:_} milliseconds"):
        b = Statement(f"A {thing} times out after {other}.")
        for judge in JUDGES:
            assert judge.rule(a, b).contradict is False


@settings(deadline=None)
@given(st.sampled_from(THINGS), st.sampled_from(VERBS), st.sampled_from(("is not", "is never")))
def test_denying_what_is_said_contradicts(thing: str, verb: str, denies: str) -> None:
    a, b = Statement(f"Each {thing} is {verb}."), Statement(f"Each {thing} {denies} {verb}.")
    for judge in JUDGES:
        assert judge.rule(a, b).contradict is True
