"""At the edge of a rule: what is a matter of course, a circumstance, a part of a project, one work."""

from __future__ import annotations

import pytest

from companion.kinds.facts.rules import holds_rules, orders_nothing
from companion.kinds.habits.common_structures import is_common
from companion.records import ShapeFamily


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
