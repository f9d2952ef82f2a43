"""Answers to questions about repositories: what search finds, beside BM25 over the raw text."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from repos import Repo

from companion.app.replay import Replay
from companion.errors import UsageError
from evals.labelled.answers import answers, read_keyed_questions

OURS = Path(__file__).parent / "data" / "answers.jsonl"


def questions(folder: Path, *rows: dict[str, str]) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_questions_are_answered_by_what_search_finds_and_by_raw_text(repo: Repo, tmp_path: Path):
    repo.write("CONTRIBUTING.md", "# Contributing\n\n## Tests\n\nRun the tests\nwith `make check`.\n\nBe kind.\n")
    repo.write("shop/cart.py", "def total(cart):\n    return sum(cart)\n")
    repo.commit("Begin")
    repo.commit("Round prices half up\n\nThe tax office wants it so.")
    asked = questions(
        tmp_path,
        {"repo": "repo", "sort": "process", "question": "How do I run the tests?", "key": "TESTS with `make check`"},
        {"repo": "repo", "sort": "why", "question": "Why are prices rounded half up?", "key": "tax office"},
        {"repo": "repo", "sort": "code", "question": "Where is the total of a cart?", "key": r"def total\("},
        {"repo": "repo", "sort": "history", "question": "Round prices half up", "key": "prices half UP"},
        {"repo": "elsewhere", "question": "Is it there?", "key": "yes"},
    )
    told = answers(asked, tmp_path, Replay)
    assert (told["n"], told["settings"]) == (4, {"left_out": 1})
    plain, with_code = told["baselines"].values()  # type: ignore[attr-defined]
    assert plain["answered@1"] == 0.75
    assert with_code["answered@5"] == 1.0
    assert told["by"]["history"]["ours"]["answered@1"] == 1.0  # type: ignore[index]
    assert set(told["by"]) == {"repo", "process", "why", "code", "history"}  # type: ignore[call-overload]


def test_the_place_of_an_answer_counts_from_one_and_spaces_do_not_matter(tmp_path: Path):
    path = questions(tmp_path, {"repo": "r", "question": "?", "key": "half up"})
    (question,) = read_keyed_questions(path)
    assert question.place_in(["no", "Half\n   up", "half up"]) == 2
    assert question.place_in(["no"]) is None


@pytest.mark.parametrize("row", [{"repo": "r", "question": "?", "key": "("}, {"repo": "r", "question": "?"}])
def test_a_line_that_is_no_question_is_named(tmp_path: Path, row: dict[str, str]):
    with pytest.raises(UsageError, match="Line 1 of"):
        read_keyed_questions(questions(tmp_path, row))


def test_our_questions_are_spread_evenly_and_no_key_matches_everything_or_its_own_question():
    asked = read_keyed_questions(OURS)
    assert Counter(one.repo for one in asked) == dict.fromkeys(("scrapy", "urllib3", "pytest", "tokio", "gin"), 30)
    spread = {"process": 6, "behaviour": 8, "code": 8, "settings": 4, "history": 4}
    assert Counter((one.repo, one.sort) for one in asked) == {
        (repo, sort): count for repo in {one.repo for one in asked} for sort, count in spread.items()
    }
    assert len({(one.repo, one.text) for one in asked}) == 150
    given_away = [one.text for one in asked if one.key.search("") or one.key.search(one.text)]
    assert given_away == []
    assert all(one.key.flags & re.IGNORECASE for one in asked)
