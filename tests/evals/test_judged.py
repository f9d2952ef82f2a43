"""Recorded answers are laid over the pairs that the product would put to a judge, beside rules and reader alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.errors import UsageError
from evals.labelled.judged import judged

PAIRS = (
    ("Sessions are stored in Redis.", "The sessions live in Postgres since the move.", "contradiction", "contradict"),
    ("Uploads are limited to 10 MB.", "The upload limit is 50 MB.", "contradiction", "beside"),
    (
        "We deploy on Fridays after the tests are green.",
        "Deployments happen on Friday once tests pass.",
        "same",
        "same",
    ),
    ("The site is built with Hugo.", "Angles are in radians.", "compatible", "contradict"),
)


def _files(folder: Path) -> tuple[Path, Path]:
    pairs, answers = folder / "pairs.jsonl", folder / "answers.jsonl"
    pairs.write_text("".join(json.dumps({"a": a, "b": b, "label": label}) + "\n" for a, b, label, _ in PAIRS), "utf-8")
    answers.write_text("".join(json.dumps({"a": a, "b": b, "answer": said}) + "\n" for a, b, _, said in PAIRS), "utf-8")
    return pairs, answers


def test_an_answer_counts_only_where_the_product_would_have_asked(tmp_path: Path) -> None:
    told = judged(*_files(tmp_path))
    assert told["n"] == len(PAIRS)
    opposed, same = told["contradictions"], told["same"]
    assert opposed["put"]["share"] == 1.0
    assert opposed["recall_with_judge"]["share"] == 0.5, "one was answered wrongly"
    assert opposed["false_with_judge"]["share"] == 0.0, "two notes that have nothing to do with one another are not put"
    assert opposed["recall_alone"]["share"] == 1.0
    assert same["recall_with_judge"]["share"] == 1.0
    assert same["recall_alone"]["share"] == 0.0


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    pairs, answers = _files(tmp_path)
    answers.write_text("no JSON", "utf-8")
    with pytest.raises(UsageError, match="cannot be read"):
        judged(pairs, answers)
