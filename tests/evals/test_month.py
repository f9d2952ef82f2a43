"""A month is lived through as a user would, and what came of it is counted beside the keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.errors import UsageError
from companion.ports import NoProgress
from evals.labelled.month import month
from evals.labelled.month_told import as_text

NOTES = (
    (0, "hand", "Prices are integer cents", "dup:1"),
    (0, "hand", "Deploy on Mondays at nine", ""),
    (0, "assistant", "The payment client never retries failed calls", "con:1"),
    (0, "hand", "The pump hums for a while", "over"),
    (1, "hand", "prices are integer cents.", "dup:1"),
    (1, "hand", "deploy on Mondays at nine!", ""),
    (1, "hand", "The payment client retries failed calls", "con:1"),
)
DONE = "0|open shop/price.py;search pump;edit shop/price.py;commit Round prices\n1|search deploy\n5|search pump\n"
SAID = (
    ("user", "We decided to keep carts in Postgres, because Redis loses them.", "2026-10-27T10:00:00Z"),
    ("assistant", "Noted.", "2026-10-27T10:01:00Z"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two days of work and a Saturday."""
    tmp_path = tmp_path_factory.mktemp("month")
    names = ("day", "by", "text", "key")
    rows = [dict(zip(names, note, strict=True)) for note in NOTES]
    said = [dict(zip(("role", "text", "time"), one, strict=True)) for one in SAID]
    for name, lines in (("notes", rows), ("talk1", said)):
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    (tmp_path / "talk1.key").write_text("decision| Carts are kept in Postgres.\ndropped| Redis.\n", "utf-8")
    (tmp_path / "month.md").write_text(DONE, "utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def told(folder: Path) -> dict[str, Any]:
    return month(folder, NoProgress(), embeddings="off")


def test_what_a_month_left_is_told_beside_its_keys_and_the_same_each_time(folder: Path, told: dict[str, Any]) -> None:
    assert told["settings"]["days"] == 6
    assert told["settings"]["runs"] == 2  # nothing runs at the weekend
    ours = told["ours"]
    assert (ours["wrong_merges"], ours["duplicates_merged"]) == (1, 1)
    assert [one["gone"] for one in told["wrong_merges"]] == ["deploy on Mondays at nine! [day 1, hand]"]
    assert [one["text"] for one in told["hand_notes_lost"]] == ["deploy on Mondays at nine! [day 1, hand]"]
    assert (ours["contradictions_right"], told["contradictions_other"]) == (1, [])
    assert [one["text"] for one in told["over_served"]] == ["The pump hums for a while"]
    (decision,) = told["talks"]["talk1"]["kept"]["decision"]
    assert "Postgres" in decision
    assert "Postgres" in told["greeting"]
    text = as_text(told)
    assert "* Carts are kept in Postgres." in text
    assert "consolidation of 27 October 2026" in text
    assert month(folder, NoProgress(), embeddings="off") == told


def test_what_a_judge_is_recorded_to_say_is_answered_as_the_month_goes_by(
    folder: Path, told: dict[str, Any], tmp_path: Path
) -> None:
    answers = tmp_path / "answers.jsonl"
    row = {
        "first": "The payment client retries failed calls",
        "second": "The payment client never retries failed calls",
    }
    answers.write_text(json.dumps(row | {"answer": "beside"}) + "\n", "utf-8")
    judged = month(folder, NoProgress(), embeddings="off", answers=answers)
    assert (told["ours"]["contradictions_open"], judged["ours"]["contradictions_open"]) == (1, 0)


def test_a_folder_without_a_month_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        month(tmp_path, NoProgress())
