"""At the edge of a rule: what is a matter of course, a circumstance, a part of a project, one work."""

from __future__ import annotations

from datetime import datetime

import pytest
from msgspec.structs import replace

from companion.kinds.facts.rules import holds_rules, orders_nothing
from companion.kinds.habits.common_structures import is_common
from companion.kinds.history.branches import is_sync
from companion.kinds.history.failures import failure_fixed
from companion.records import Commit, Person, ShapeFamily


@pytest.mark.parametrize(
    ("family", "key", "common"),
    [
        (ShapeFamily.CLASS_FAMILY, "Exception", True),
        (ShapeFamily.CLASS_FAMILY, "LedgerEntry", False),
        (ShapeFamily.TEST, "fixture @pytest.fixture", True),
        (ShapeFamily.TEST, "fixture @ledger.fixture", False),
    ],
)
def test_what_every_project_has_is_no_pattern_of_this_one(family: ShapeFamily, key: str, common: bool) -> None:
    assert is_common("python", family, key) is common


@pytest.mark.parametrize(("block", "tells"), [("For instance, use pytest.", True), ("Use pytest.", False)])
def test_a_paragraph_that_tells_of_something_orders_nothing(block: str, tells: bool) -> None:
    assert orders_nothing(block) is tells


def test_rules_stand_under_headings_of_work_and_not_of_asking_for_help() -> None:
    assert holds_rules("Pull requests")
    assert not holds_rules("Getting help")


@pytest.mark.parametrize(
    ("subject", "body", "failure"),
    [
        ("Fix KeyError in parse when empty", "", ("KeyError", "in parse when empty")),
        ("Fix KeyError in the parser", "", ("KeyError", "in the parser")),
        ("Fix KeyError in parser", "", None),
        ("Fix KeyError in load_all", "", ("KeyError", "in load_all")),
        ("Fix the crash", "KeyError: no key\n", ("KeyError", "no key")),
        ("Fix the crash", "KeyError: x\n", None),
        ("Fix the crash", "KeyError: if there is no key\n", None),
        ("Add KeyError in the parser", "KeyError: no key\n", None),
        ("feat: raise KeyError in the parser", "KeyError: no key\n", None),
    ],
)
def test_a_fix_names_an_error_with_words_of_its_own_or_none(
    subject: str, body: str, failure: tuple[str, str] | None
) -> None:
    found = failure_fixed(subject, body, "1" * 40)
    assert (found and (found.error_type, found.message)) == failure


def merge(subject: str, pull_request: str = "") -> Commit:
    at = datetime(2026, 1, 5)
    who = Person("Ann Lee", "ann@example.org")
    return Commit("1" * 40, ("2" * 40, "3" * 40), who, at, at, subject, "", (), pull_request=pull_request)


@pytest.mark.parametrize(("body", "sync"), [("Merge 2.14.x up into 2.15.x", True), ("Merge carts into one", False)])
def test_a_request_that_merges_one_line_into_a_later_one_is_no_work(body: str, sync: bool) -> None:
    assert is_sync(replace(merge("Merge pull request #4 from ann/2.14.x", "4"), body=body)) is sync


@pytest.mark.parametrize(
    ("subject", "sync"),
    [
        ("Merge branch 'main' into feature/cart", True),
        ("Merge branch 'feature/cart'", False),
        ("Merge pull request #4 from ann/main", False),
        ("Merge the carts of two sessions", False),
    ],
)
def test_a_merge_that_only_brings_a_line_up_to_date_is_no_work(subject: str, sync: bool) -> None:
    assert is_sync(merge(subject)) is sync
    assert not is_sync(merge(subject, "4"))
