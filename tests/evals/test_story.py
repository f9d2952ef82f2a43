"""The share of stories that name what a reader of the log names, on a repository that was marked by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from repos import Repo

from companion.errors import UsageError
from evals.labelled.story import stories


def area(name: str, result: str) -> str:
    return f'def {name}(width, height):\n    """The {name} of a rectangle."""\n    return {result}\n\n\n'


@pytest.fixture
def marks(repo: Repo, tmp_path: Path) -> Path:
    """Two functions, of which one has a mark that no story can name."""
    repo.write("a.py", area("area", "width * height") + area("length", "2 * (width + height)"))
    made = repo.commit("Measure rectangles")
    repo.write("a.py", area("area", "abs(width * height)") + area("length", "2 * (width + height)"))
    fixed = repo.commit("Fix negative areas")
    repo.write("b.py", "x = 1\n")
    head = repo.commit("Begin something else")
    functions = [
        {"path": "a.py", "line": 1, "symbol": "area", "commits": [made, fixed]},
        {"path": "a.py", "line": 6, "symbol": "length", "commits": [made, head]},
    ]
    functions[0]["surprising"] = {"line": 3, "commit": fixed}
    told = {
        "repositories": [{"name": repo.root.name, "commit": head}],
        "functions": [{"repository": repo.root.name, **one} for one in functions],
    }
    place = tmp_path / "marks.json"
    place.write_text(json.dumps(told))
    return place


def test_a_story_counts_if_it_names_all_and_what_it_misses_is_listed(repo: Repo, marks: Path):
    told = stories(marks, repo.root.parent)
    ours = told["ours"]
    assert isinstance(ours, dict)
    assert (told["n"], ours["all named"], ours["of the commits"], ours["surprising lines"]) == (2, 0.5, 0.75, 1.0)
    assert (ours["texts"], ours["identical texts"]) == (4, 0.0), "two functions, beside each of the two marked"
    assert [row["function"] for row in told["missed"]] == ["a.py:6 length"]


def test_odd_marks_and_a_repository_that_is_not_there_are_said(repo: Repo, marks: Path, tmp_path: Path):
    with pytest.raises(UsageError, match=f"There is no `{repo.root.name}`"):
        stories(marks, tmp_path / "nowhere")
    marks.write_text("[]")
    with pytest.raises(UsageError, match="cannot be read"):
        stories(marks, repo.root.parent)
