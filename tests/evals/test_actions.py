"""Actions against rules are measured through the product, and what was reached is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from reason.test_verify import checked

from companion.errors import UsageError
from companion.evals.labelled.actions import actions, read_pairs
from companion.reason.hints import Memo

PAIRS = (
    ("against", "Retry only idempotent requests.", "retry every request"),
    ("fits", "Tokens are never logged.", "mask the token before logging"),
    ("unrelated", "Tokens are never logged.", "retry with another colour"),
)


def test_few_actions_that_break_a_rule_pass_and_few_that_keep_it_are_named():
    named = [
        (one.sort, bool(checked(one.action, memos=[Memo("m1", "Rule", one.rule, "decision", 0.5)]).against))
        for one in read_pairs(None)
    ]
    right = named.count(("against", True))
    assert right >= 0.9 * (right + named.count(("against", False)))
    assert right >= 0.9 * sum(said for _, said in named)


def test_the_product_is_asked_with_all_rules_in_one_store(tmp_path: Path):
    path = tmp_path / "pairs.toml"
    path.write_text(f"mine = {json.dumps([list(one) for one in PAIRS])}")
    told = actions(path)
    assert (told["n"], told["missed"], told["wrong"]) == (3, [], [])
    assert told["ours"]["stray"] == 0  # type: ignore[index]


@pytest.mark.parametrize("text", ["one = 3", "[", 'one = [["fits", "a", "b"]]', 'one = [["perhaps", "a", "b"]]'])
def test_a_file_that_is_none_is_refused_with_what_it_should_be(tmp_path: Path, text: str):
    path = tmp_path / "pairs.toml"
    path.write_text(text)
    with pytest.raises(UsageError):
        actions(path)
