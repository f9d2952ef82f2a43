"""Labelled pairs are measured on the product's own path: remembered, embedded, planned."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.errors import UsageError
from evals.labelled.duplicates import auc, duplicates, read_pairs

PAIRS = [
    {"a": "Sign every commit.", "b": "Every commit is to be signed off.", "dup": True},
    {"a": "Before tagging, run the tests.", "b": "Run the tests before tagging.", "dup": True},
    {
        "a": "Debug is on.",
        "b": "Debug is on.",
        "dup": False,
        "scope_a": "env:dev",
        "scope_b": "env:prod",
        "kind": "place",
    },
    {"a": "The cache keeps 5 entries.", "b": "The cache keeps 6 entries.", "dup": False, "kind": "number"},
]


def written(folder: Path, *lines: object) -> Path:
    path = folder / "pairs.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), "utf-8")
    return path


def test_what_a_run_would_merge_is_counted_beside_two_plain_rules(tmp_path: Path) -> None:
    told = duplicates(written(tmp_path, *PAIRS))
    ours, baselines = told["ours"], told["baselines"]
    assert told["n"] == 4
    assert (ours["merged"], ours["wrong"], ours["precision"], ours["recall"]) == (1, 0, 1.0, 0.5)
    assert ours["precision_low"] < 1 < ours["precision_high"] + 1e-9
    assert baselines["cosine >= 0.92"]["wrong"] >= 1
    assert baselines["same words"]["wrong"] == 1
    assert [one["a"] for one in told["missed"]] == ["Sign every commit."]
    assert {"place", "number", "different places"} <= set(told["by"])


def test_the_area_under_the_curve_is_one_for_a_perfect_order_and_a_half_for_none() -> None:
    assert auc([0.9, 0.8, 0.1], [True, True, False]) == 1.0
    assert auc([0.5, 0.5], [True, False]) == 0.5
    assert auc([0.5], [True]) == 0.5


@pytest.mark.parametrize("line", ["no JSON", "{}", "[]", '{"a": "x", "b": "y"}'])
def test_a_file_that_holds_no_pairs_is_refused_with_what_it_should_hold(tmp_path: Path, line: str) -> None:
    with pytest.raises(UsageError, match="not a file of pairs"):
        read_pairs(written(tmp_path, line))
