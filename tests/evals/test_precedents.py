"""Precedents: whether a change of the same sort, marked by hand, is among those shown."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from engine.past import commit

from companion.errors import UsageError
from companion.records import Commit
from evals.replayed.precedents import precedents, read_marks
from evals.test_shipped import Still, context

OURS = Path(__file__).parent / "data" / "precedents.jsonl"
SUBJECTS = ("Begin", "Deprecate Shop.open()", "Fix a leak in the cart", "Add a RETRY setting", "Deprecate Shop.close()")
COMMITS = [commit(number, "shop.py", subject=subject) for number, subject in enumerate(SUBJECTS)]


class Recalling(Still):
    """Shows every commit that it knows, in changes of two, oldest first."""

    def __init__(self, commits: Sequence[Commit]) -> None:
        super().__init__(context(), commits)
        self.known: list[str] = []
        self.asked: list[tuple[str, int]] = []

    def advance(self, commits: Sequence[Commit], tree: str) -> None:
        super().advance(commits, tree)
        self.known += [one.sha for one in commits]

    def precedents(self, task: str) -> list[frozenset[str]]:
        self.asked.append((task, len(self.known)))
        return [frozenset(self.known[n : n + 2]) for n in range(0, len(self.known), 2)]


def marks(folder: Path, *rows: object) -> Path:
    path = folder / "marks.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def marked(number: int, *earlier: int, repo: str = "shop") -> dict[str, object]:
    return {"repo": repo, "sha": COMMITS[number].sha, "precedents": [COMMITS[one].sha for one in earlier]}


def test_a_marked_commit_counts_where_its_change_is_shown_and_nothing_later_is_known(tmp_path: Path):
    (tmp_path / "shop").mkdir()
    replay = Recalling(COMMITS)
    rows = [marked(4, 3), marked(3, 1), marked(2, 1, repo="gone")]
    told = precedents(marks(tmp_path, *rows), tmp_path, lambda _: replay)
    assert replay.asked == [(SUBJECTS[3], 3), (SUBJECTS[4], 4)]
    assert replay.trees == [COMMITS[2].sha, COMMITS[3].sha]
    assert (told["n"], told["settings"]["left_out"]) == (2, 1)  # type: ignore[index]
    assert (told["ours"]["hit@1"], told["ours"]["hit@3"]) == (0.5, 1.0)  # type: ignore[index]


def test_words_of_messages_stand_beside_as_baseline(tmp_path: Path):
    (tmp_path / "shop").mkdir()
    told = precedents(marks(tmp_path, marked(4, 1)), tmp_path, lambda _: Recalling(COMMITS))
    assert told["baselines"] == {"bm25 over messages": {"hit@1": 1.0, "hit@3": 1.0}}


@pytest.mark.parametrize("row", [{"repo": "r", "sha": "1"}, {"repo": "r", "sha": "1", "precedents": 7}, [1]])
def test_a_line_that_marks_nothing_is_refused(tmp_path: Path, row: object):
    with pytest.raises(UsageError):
        read_marks(marks(tmp_path, row))


def test_our_marks_are_twenty_a_repository_each_with_one_to_five_other_commits():
    found = read_marks(OURS)
    assert Counter(one.repo for one in found) == {"scrapy": 20, "pytest": 20, "urllib3": 20}
    assert len({one.sha for one in found}) == 60
    for one in found:
        assert 1 <= len(one.precedents) <= 5
        assert one.sha not in one.precedents
        assert all(re.fullmatch(r"[0-9a-f]{40}", sha) for sha in (one.sha, *one.precedents))
