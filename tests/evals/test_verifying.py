"""The measurement of verdicts on actions: what is right, wrong and left unknown, beside plain words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.errors import UsageError
from evals.labelled.verifying import questions, verifying

ROWS = """conflicts | Avoid calling the tax service in tests. | call the tax service in tests | Avoid calling the tax service
fits | We use pnpm, never npm. | install the packages with pnpm | We use pnpm
silent | Never deploy on Fridays. | water the plants | -
"""


def test_verdicts_are_counted(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text(ROWS, "utf-8")
    told = verifying(tmp_path / "rules.txt")
    ours = told["ours"]
    assert told["n"] == 3
    assert ours["wrong"] == 0  # type: ignore[index]
    assert ours["right"] >= round(2 / 3, 4)  # type: ignore[index]
    assert told["baselines"]["always unknown"]["right"] == round(1 / 3, 4)  # type: ignore[index]


def test_what_is_no_row_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("forbids | a | b | c\n", "utf-8")
    with pytest.raises(UsageError, match="no rules and actions"):
        verifying(tmp_path / "rules.txt")


SILENT_TO_RULES = """conflicts | Floats in prices are a bug. | store the price as a float column | Floats in prices are a bug
silent | Floats in prices are a bug. | rename the price module | -
"""


def test_recorded_answers_are_handed_to_the_product_where_it_asks_for_one(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text(SILENT_TO_RULES, "utf-8")
    asked = questions(tmp_path / "rules.txt")
    assert {(one["rule"], one["action"]) for one in asked} == {
        ("Floats in prices are a bug.", "store the price as a float column"),
        ("Floats in prices are a bug.", "rename the price module"),
    }
    assert set(asked[0]["answers"]) == {"conflicts", "fits", "silent", "unsure"}  # type: ignore[call-overload]
    assert not any("label" in one for one in asked)
    said = [one | {"answer": "conflicts"} for one in asked]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in said), "utf-8")
    told = verifying(tmp_path / "rules.txt", answers=tmp_path / "answers.jsonl")
    assert told["ours"]["right"] == 0.5  # type: ignore[index]
    judged = told["with a judge"]
    assert (judged["right"], judged["wrong"], judged["put"], judged["answered"]) == (0.5, 0.5, 1.0, 2)  # type: ignore[index]
    assert judged["wrong_of"] == {"silent": 1}  # type: ignore[index]


def test_answers_that_are_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text(SILENT_TO_RULES, "utf-8")
    (tmp_path / "answers.jsonl").write_text('{"rule": "x"}\n', "utf-8")
    with pytest.raises(UsageError, match="cannot be read"):
        verifying(tmp_path / "rules.txt", answers=tmp_path / "answers.jsonl")
