"""Pairs of statements are measured through the store, as a run finds them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.errors import UsageError
from evals.labelled.contradictions import contradictions
from evals.labelled.judges import judge_named

PAIRS = (
    ("The gateway caches responses.", "The gateway does not cache responses.", "service:gateway", "contradiction"),
    ("Uploads are limited to 10 MB.", "The upload limit is 50 MB.", "service:files", "contradiction"),
    ("The site is built with Hugo.", "Pages of the site have a sitemap.", "project", "compatible"),
)


def _file(folder: Path, rows: list[dict[str, str]]) -> Path:
    path = folder / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_every_pair_is_remembered_brought_together_and_judged(tmp_path: Path) -> None:
    rows = [
        {"id": str(n), "a": a, "b": b, "scope_a": scope, "scope_b": scope, "label": label, "kind": "any"}
        for n, (a, b, scope, label) in enumerate(PAIRS)
    ]
    told: dict[str, Any] = contradictions(_file(tmp_path, rows), judge_named("rules"))
    assert told["n"] == len(PAIRS)
    assert told["ours"]["recall"] == 1.0
    assert told["ours"]["false_positive_rate"] == 0.0
    assert set(told["baselines"]) == {"every candidate", "same scope alone", "negation or number alone"}
    assert told["by"]["any"]["right"] == len(PAIRS)


def test_a_file_of_something_else_is_refused_with_its_format(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="labelled pairs"):
        contradictions(_file(tmp_path, [{"text": "no pair"}]), judge_named("rules"))


def test_an_unknown_judge_is_refused() -> None:
    with pytest.raises(UsageError, match="no judge"):
        judge_named("jury")
