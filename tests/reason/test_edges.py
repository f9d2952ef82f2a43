"""A request at the edge of a rule: what is needed for it, and what comes of it where one thing is missing."""

from __future__ import annotations

import pytest
from evals.labelled.reasoning import rules_alone

from companion.language.requests import read_request
from companion.reason.classify import ReadingEvidence, classify
from companion.reason.decompose import decompose
from companion.reason.hints import Memo, clear, meaning, named
from companion.reason.lessons import learn
from companion.reason.verify import Weighed, verify
from companion.records.reasoning import Conformance, Destination

PAST = Memo("m1past", "Fix the cart", "Fix the cart", "episode", 0.9, ("src/cart.py", "tests/test_cart.py"))


def steps(request: str, *similar: Memo) -> list[str]:
    return [step.text for step in decompose(request, similar, (), (), rules_alone).steps]


def destination(request: str) -> Destination:
    return classify(request, ReadingEvidence((), learn(()))).reading.destination


def test_what_changed_along_with_similar_tasks_is_a_step_only_where_something_is_changed():
    assert "Change tests along with it" in steps("fix the rounding in cart.py", PAST)
    assert steps("explain the rounding in cart.py", PAST) == ["explain the rounding in cart.py"]
    assert steps("fix the rounding in cart.py") == ["fix the rounding in cart.py"]


@pytest.mark.parametrize(("sort", "score"), [("plan", 0.1), ("fact", 1.0)])
def test_steps_of_what_is_no_plan_or_of_another_request_are_not_taken(sort: str, score: float):
    assert steps("ship it", Memo("q1plan", "ship it", "ship it", sort, score, ("merge", "tag"))) == ["ship it"]


def test_a_word_means_what_a_memory_says_of_it_and_a_memory_of_other_words_says_nothing():
    memo = Memo("m1", "", "By the gate we mean running make check.")
    assert meaning(read_request("check the gate"), memo) == "running make check"
    assert meaning(read_request("check the door"), memo) == ""


def test_a_memory_is_named_by_what_it_is_about_too():
    assert named(
        read_request("restart the ledger"), Memo("m1", "Restarts", "It takes a minute.", entities=("service:ledger",))
    )
    assert not named(read_request("restart the ledger"), Memo("m1", "Restarts", "It takes a minute."))


def test_what_is_only_pointed_at_is_clear_where_one_fits_well():
    weak, strong = Memo("i1", "The calendar", "", score=0.1), Memo("i2", "The mailer", "", score=0.99)
    assert not clear(read_request("do it"), ())
    assert not clear(read_request("do it"), [weak])
    assert clear(read_request("do it"), [strong])
    assert not clear(read_request("do it"), [weak, strong])
    assert clear(read_request("do it"), [strong, weak])


@pytest.mark.parametrize(
    ("request_", "where"),
    [
        ("list the routes", Destination.STREAM),
        ("copy the routes into routes.md", Destination.FILE),
        ("explain the fix", Destination.STREAM),
        ("fix the parser", Destination.FILE),
    ],
)
def test_a_named_file_is_where_it_goes_and_a_verb_behind_an_article_is_a_thing(request_: str, where: Destination):
    assert destination(request_) is where


def test_a_rule_that_speaks_of_the_rest_of_an_action_decides_nothing():
    rule = Memo("m1", "", "Never push to main without a review.", "decision", 0.5, authority=1.0)
    assert verify("push to main", "", Weighed((rule,))).verdict is not Conformance.FITS
    assert verify("push to main with a review", "", Weighed((rule,))).verdict is Conformance.UNKNOWN


def test_rules_that_are_near_an_action_are_put_to_a_judge_and_far_ones_are_not():
    near = Memo("m1near", "", "Never store a session without a salt.", "decision", 0.0, authority=1.0)
    far = Memo("m1far", "", "Never merge on Friday.", "decision", 0.0, authority=1.0)
    found = verify("keep each session in Redis", "", Weighed((near, far)))
    assert [rule.source for rule in found.to_judge] == ["m1near"]


def test_of_two_that_may_be_meant_the_one_whose_words_are_said_is_clearly_it():
    calendar, invoices = Memo("i1", "The calendar loses events", "", score=0.3), Memo("i2", "Invoices", "", score=0.3)
    assert clear(read_request("fix the calendar"), [calendar, invoices])
    assert not clear(read_request("fix the calendar"), [invoices, calendar])


@pytest.mark.parametrize(
    ("action", "verdict"),
    [
        ("push to main for the demo", Conformance.CONFLICTS),
        ("push to main for the release", Conformance.UNKNOWN),
    ],
)
def test_what_the_rest_of_a_rule_speaks_of_may_be_the_way_that_is_allowed(action: str, verdict: Conformance):
    rule = Memo("m1", "", "Never push to main. The release job does that.", "decision", 0.5, authority=1.0)
    assert verify(action, "", Weighed((rule,))).verdict is verdict
