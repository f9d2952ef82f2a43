"""Versions that documents claim meet those that are declared: under the same names, with the line, and only where sure."""

from __future__ import annotations

import pytest
from kinds.declared import facts_of

from companion.judge.rules import RulesJudge
from companion.kinds.facts import documents
from companion.records import FileSeen, Statement


def claims(text: str, path: str = "README.md") -> dict[str, tuple[str, int]]:
    drafts = facts_of(documents.READER, FileSeen(path, "", text))
    return {one.attribute: (one.value, one.evidence[0].line) for one in drafts if one.attribute.startswith("min_")}


@pytest.mark.parametrize(
    ("sentence", "attribute", "value"),
    [
        ("Requires Node.js 18.", "min_node", "18"),
        ("Flask supports Python 3.10 and newer.", "min_python", "3.10"),
    ],
)
def test_a_claim_is_read_under_the_name_of_the_declared_fact_with_its_line(sentence, attribute, value):
    assert claims(f"# Title\n\n{sentence}\n")[attribute] == (value, 3)


def test_an_item_of_the_requirements_is_a_claim():
    assert claims("## Requirements\n\n- python (3.5+)\n- pip\n")["min_python"] == ("3.5", 3)


@pytest.mark.parametrize(
    "sentence",
    [
        "Support for Python 3.7 was dropped.",
        "If you use Node.js 16, requires Node.js 16 flags.",
        "You need to have Python 2.7, 3.4, 3.5 installed.",
    ],
)
def test_the_past_a_condition_and_a_list_claim_nothing(sentence):
    assert claims(f"{sentence}\n") == claims(f"{sentence}\n", "CONTRIBUTING.md") == {}


def test_a_translation_claims_nothing():
    assert claims("Requires Node.js 18.\n", "README.de.md") == {}


def ruled(attribute: str, documented_value: str, declared: str) -> bool | None:
    one = Statement("doc", subject="x", attribute=attribute, value=documented_value)
    two = Statement("set", subject="x", attribute=attribute, value=declared)
    return RulesJudge().rule(one, two).contradict


def test_versions_are_compared_as_ranges():
    assert ruled("min_python", "3.9", "3.11")
    assert not ruled("min_python", "3.9", "3.9")


def test_a_value_that_is_not_there_contradicts_and_one_of_many_does_not():
    assert ruled("targets", "check test", "all build test")
    assert not ruled("targets", "test", "all build test")


def test_a_licence_named_loosely_is_the_exact_one_and_two_ways_to_test_are_no_contradiction():
    assert not ruled("licence", "BSD", "BSD-3-Clause")
    assert ruled("licence", "MIT", "BSD-3-Clause")
    assert not ruled("test_command", "tox", "pytest")
