"""A rule that limits what may be done is broken by what goes wider, is forbidden, leaves out, or passes a number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.reason.breaches import breach, observes
from reason.test_verify import Memo, checked

BROKEN = (
    ("Retry only idempotent requests.", "retry every request", ("only idempotent requests", "every request")),
    ("We only follow redirects to the same host.", "follow all redirects", ("same host", "all redirects")),
    ("Evaluate on the held-out split only.", "evaluate on the training split", ("only", "on the training split")),
    ("Only the store module may import duckdb.", "import duckdb in the engine", ("Only the store", "in the engine")),
    ("Nobody but billing may read card numbers.", "let any service read the card numbers", ("only billing", "any")),
    ("Drop rows only after they were archived.", "drop the rows right away", ("only after", "right away")),
    ("Restart workers one at a time.", "restart all workers at once", ("one at a time", "at once")),
    ("Tokens are never logged.", "log the token when it fails", ("never logged", "log the token")),
    ("We accept no archives except zip.", "accept tar archives", ("no archives", "tar")),
    ("State files are never renamed or edited.", "edit the state file", ("never renamed or edited", "edit")),
    ("Never run migrations outside a transaction.", "run the migration without a transaction", ("outside", "without")),
    ("Every bug fix comes with a test.", "fix the rounding bug without a test", ("Every bug fix", "without a test")),
    ("Every release is signed.", "publish the release unsigned", ("Every release", "not sign")),
    ("All endpoints except /health need a login.", "leave /metrics without login", ("All endpoints", "without login")),
    ("Timeouts must be at most 30 seconds.", "set the timeout to two minutes", ("at most 30", "two minutes")),
    ("At least two replicas must be running.", "scale down to one replica", ("At least two", "to one")),
    ("No IP address is kept longer than a week.", "keep IP addresses for a month", ("longer than a week", "a month")),
)
KEPT = (
    ("Retry only idempotent requests.", "retry the idempotent requests twice"),
    ("Retry only idempotent requests.", "retry the GET requests"),
    ("Only the store module may import duckdb.", "import duckdb in the store module"),
    ("Drop rows only after they were archived.", "archive the rows, then drop them"),
    ("Tokens are never logged.", "mask the token before logging"),
    ("Never requeue poison messages.", "move poison messages to the dead letter queue"),
    ("We accept no archives except zip.", "accept zip archives"),
    ("Don't delete accounts unless the user asked for it.", "delete the account because the user asked for it"),
    ("Every public function has a docstring; tests are exempt.", "add a test without docstring"),
    ("All endpoints except /health need a login.", "leave /health without login"),
    ("Do not touch the staging cluster on Fridays.", "restart the staging cluster on Tuesday"),
    ("Timeouts must be at most 30 seconds.", "set the timeout to 10 seconds"),
    ("Never merge with a red build.", "merge once the build is green"),
)


@pytest.mark.parametrize(("rule", "action", "clash"), BROKEN)
def test_what_breaks_a_limit_is_told_with_the_words_that_clash(rule: str, action: str, clash: tuple[str, str]):
    found = breach(action, rule)
    assert found is not None
    assert clash[0] in found.limit
    assert clash[1] in found.action


@pytest.mark.parametrize(("rule", "action"), KEPT)
def test_what_keeps_a_limit_breaks_none(rule: str, action: str):
    assert breach(action, rule) is None
    assert not checked(action, memos=[Memo("m1rule", "The rule", rule, "decision", 0.5)]).against


def test_an_action_that_widens_a_decision_does_not_fit_and_the_decision_is_named():
    rule = Memo("m1retry", "Retries", "Retry only idempotent requests.", "decision", 0.5, authority=1.0)
    found = checked("retry every request", memos=[rule])
    assert not found.fits
    assert [one.source for one in found.against] == ["m1retry"]
    assert "only idempotent requests" in found.why
    assert "every request" in found.why
    assert found.other_reading == "Perhaps as it is known: Retry only idempotent requests."


def test_what_merely_happened_sets_no_limit():
    told = Memo("m1told", "Retries", "Retry only idempotent requests.", "episode", 0.5)
    assert not checked("retry every request", memos=[told]).against


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_words_can_be_held_against_any_others(action: str, rule: str):
    assert breach(action, rule) == breach(action, rule)
    assert observes(action, rule) in {True, False}
