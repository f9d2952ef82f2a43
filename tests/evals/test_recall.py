"""`companion eval recall`: figures of conversations whose answers are known, and files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.errors import UsageError
from evals.labelled.recall import read_questions, recall

LINES = [
    ("1", "8 May 2023", "Ada", "Where does the zeppelin land?"),
    ("1", "8 May 2023", "Ben", "In the hangar behind the hill."),
    ("2", "9 May 2023", "Ada", "I painted a sunrise over the lake."),
    ("2", "9 May 2023", "Ben", "Lovely, show me."),
    ("3", "10 May 2023", "Ada", "My sister moved to Lisbon."),
    ("3", "10 May 2023", "Ben", "When was that?"),
]
QUESTIONS = [
    {"qid": "q1", "conv": "c", "category": 1, "question": "Where does the zeppelin land?", "evidence": ["L1"]},
    {
        "qid": "q2",
        "conv": "c",
        "category": 2,
        "question": "Who painted a sunrise?",
        "evidence": "L0",
        "evidence_fixed": "L2",
    },
    {"qid": "q3", "conv": "c", "category": 2, "question": "Where did the sister move?", "evidence": ["L4, L5"]},
    {"qid": "q4", "conv": "c", "category": 2, "question": "What is nowhere?", "evidence": []},
]


def written(folder: Path) -> tuple[Path, Path]:
    turns, questions = folder / "turns.jsonl", folder / "questions.jsonl"
    rows = [
        {"conv": "c", "session": session, "date": date, "id": f"L{n}", "speaker": speaker, "text": text}
        for n, (session, date, speaker, text) in enumerate(LINES)
    ]
    turns.write_text("\n".join(json.dumps(row) for row in rows))
    questions.write_text("\n".join(json.dumps(row) for row in QUESTIONS))
    return turns, questions


@pytest.mark.parametrize("unit", ["turn", "session"])
def test_answers_are_found_and_told_beside_the_baselines(tmp_path: Path, unit: str) -> None:
    told = recall(*written(tmp_path), unit)
    assert (told["eval"], told["n"]) == ("recall", 3)
    assert told["ours"]["recall@5"] == 1.0
    assert told["ours"]["mrr"] > 0.5
    assert set(told["baselines"]) == {"bm25", "bm25 with neighbours"}
    assert {group: found["ours"]["n"] for group, found in told["by"].items()} == {"category 1": 1, "category 2": 2}


def test_evidence_is_read_as_a_list_or_a_text_the_mended_one_first(tmp_path: Path) -> None:
    found = {one.id: one.evidence for one in read_questions(written(tmp_path)[1])}
    assert found == {"q1": {"L1"}, "q2": {"L2"}, "q3": {"L4", "L5"}, "q4": set()}


@pytest.mark.parametrize("text", ["", "no json", "[1]", '{"conv": "c"}'])
def test_what_is_no_file_of_turns_is_refused(tmp_path: Path, text: str) -> None:
    turns, questions = written(tmp_path)
    turns.write_text(text)
    with pytest.raises(UsageError):
        recall(turns, questions, "turn")
    with pytest.raises(UsageError, match="unit"):
        recall(turns, questions, "page")
