"""The fitted weights are those that the labelled pairs give, and read no better than they are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from companion.evals.pairs import read_pairs, read_scope
from companion.judging.compare import compare
from companion.judging.features import FEATURES, row
from companion.judging.learned import shipped_weights
from companion.records import Scope, Statement

ROOT = Path(__file__).resolve().parents[2]
PAIRS = ROOT / "tests" / "judging" / "data" / "pairs.jsonl"


def test_the_weights_that_ship_are_those_that_the_pairs_give() -> None:
    done = subprocess.run(
        [sys.executable, "scripts/train_judge.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_every_feature_has_a_weight_and_a_bounded_answer() -> None:
    assert len(shipped_weights().weights) == len(FEATURES)
    for pair in read_pairs(PAIRS)[::10]:
        assert all(0 <= answer <= 1 for answer in row(compare(pair.a, pair.b)))


def test_a_scope_as_written_becomes_a_place_or_a_subject() -> None:
    assert read_scope("path:src/net") == (Scope(path="src/net"), "")
    assert read_scope("env:prod") == (Scope(environment="prod"), "")
    assert read_scope("lang:go") == (Scope(language="go"), "")
    assert read_scope("module:auth") == (Scope(), "module:auth")
    assert read_scope("project") == (Scope(), "")


def test_without_scopes_nothing_is_known_of_places() -> None:
    assert all(pair.a == Statement(pair.a.text) for pair in read_pairs(PAIRS, scoped=False))
