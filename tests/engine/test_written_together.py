"""What the commits that wrote the file at hand wrote elsewhere counts more than what other commits wrote."""

from __future__ import annotations

import pytest

from companion.engine.recalling.recall import TOGETHER, weighed
from companion.ports import LineMaker
from companion.records import Passage, PassageHit, PassageKind, Span

POOL = "src/pool.py"
LINES = (1, 10)


def hit(path: str, score: float, span: Span | None = LINES) -> PassageHit:
    return PassageHit(Passage(PassageKind.CHUNK, "return size", "def f()", path=path, span=span), score)


def order(hits: list[PassageHit], makers: dict[str, LineMaker], *at_hand: str) -> list[str]:
    made = {(path, LINES): (maker,) for path, maker in makers.items()}
    return [one.passage.path for one in weighed(hits, made, [LineMaker(sha, 5) for sha in at_hand])]


def test_a_piece_by_the_commit_that_wrote_the_file_at_hand_comes_before_one_that_says_a_little_more() -> None:
    makers = {"a.py": LineMaker("other", 10), "b.py": LineMaker("mine", 10)}
    assert order([hit("a.py", 3.0), hit("b.py", 2.0)], makers, "mine") == ["b.py", "a.py"]
    assert order([hit("a.py", 3.0), hit("b.py", 2.0)], makers, "neither") == ["a.py", "b.py"]


def test_the_newest_commit_at_hand_counts_most_and_more_lines_more_than_few() -> None:
    makers = {"old.py": LineMaker("old", 10), "new.py": LineMaker("new", 10), "few.py": LineMaker("new", 1)}
    hits = [hit("few.py", 2.0), hit("old.py", 2.0), hit("new.py", 2.0)]
    assert order(hits, makers, "new", "old") == ["new.py", "old.py", "few.py"]


def test_words_decide_among_what_nobody_at_hand_wrote_and_a_piece_without_lines_keeps_its_score() -> None:
    hits = [hit("a.py", 2.0, None), hit("b.py", 1.0)]
    assert weighed(hits, {}, [LineMaker("mine", 5)]) == tuple(hits)
    assert weighed(hits, {}, ()) == tuple(hits)


def test_a_piece_of_which_all_lines_are_by_the_newest_commit_counts_so_much_more_and_no_more() -> None:
    made = {("a.py", LINES): (LineMaker("mine", 10), LineMaker("mine too", 10))}
    (found,) = weighed([hit("a.py", 1.0)], made, [LineMaker("mine", 5), LineMaker("mine too", 5)])
    assert found.score == pytest.approx(1 + TOGETHER)
