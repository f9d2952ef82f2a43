"""Co-change counted from commits: the formula, decay, renames, and nothing from the future."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.predicting.cochange import Cochange, commit_weight
from companion.records import Commit
from engine.past import commit, history


def counted(commits: Sequence[Commit], half_life: float = 300, max_files: int = 30) -> Cochange:
    past = Cochange(half_life, max_files)
    for one in commits:
        past.add(one)
    return past


def weights(past: Cochange, path: str) -> dict[str, float]:
    return {neighbour.path: neighbour.weight for neighbour in past.cochanged([path], 100)}


def test_a_commit_of_two_files_weighs_more_than_one_of_many() -> None:
    assert commit_weight(1) == 1.0
    assert commit_weight(2) == pytest.approx(1 / math.log2(3))
    assert commit_weight(20) < commit_weight(2)


def test_the_weight_halves_with_each_half_life_of_commits() -> None:
    together = ["a b", *["c"] * 10]
    assert weights(counted(history(*together), half_life=10), "a")["b"] == pytest.approx(commit_weight(2) / 2)


def test_a_neighbour_tells_how_often_and_in_which_commit_last() -> None:
    (found,) = counted(history("a b", "a", "a b c", "-c")).cochanged(["a"], 5)
    assert (found.path, found.together, found.last_subject) == ("b", 2, "Work 2")


def test_sweeps_and_merges_count_for_no_pair() -> None:
    past = Cochange(max_files=3)
    past.add(commit(1, "a", "b", "c", "d"))
    past.add(commit(2, "a", "b", parents=2))
    assert weights(past, "a") == {}


def test_a_renamed_file_keeps_its_past_under_its_new_name() -> None:
    past = counted(history("old b", "old>new"))
    assert set(weights(past, "b")) == {"new"}
    assert set(weights(past, "new")) == {"b"}
    assert weights(past, "old") == {}


def test_a_file_renamed_over_another_leaves_one_file_of_that_name() -> None:
    past = counted(history("a b", "c b", "a>c"))
    assert [neighbour.path for neighbour in past.cochanged(["b"], 9)] == ["c"]
    assert sorted(past.living()) == ["b", "c"]


def test_deleted_files_are_not_named_and_come_back_with_their_past() -> None:
    past = counted(history("a b", "-b"))
    assert weights(past, "a") == {}
    assert "b" not in past.living()
    past.add(commit(9, "+b"))
    assert set(weights(past, "a")) == {"b"}


def test_recent_files_come_newest_first_and_within_a_commit_by_path() -> None:
    found = counted(history("d", "c a", "b")).recent(3)
    assert [(recent.path, recent.commits_ago) for recent in found] == [("b", 0), ("a", 1), ("c", 1)]


def test_weights_stay_finite_over_thousands_of_half_lives() -> None:
    past = counted(history(*["a b"] * 4_000), half_life=1)
    assert weights(past, "a")["b"] == pytest.approx(2 * commit_weight(2))


@given(st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=4, unique=True), min_size=1, max_size=25))
def test_it_equals_the_formula_summed_over_all_commits(rows: list[list[str]]) -> None:
    half_life = 7.0
    past = counted([commit(number, *row) for number, row in enumerate(rows)], half_life)
    newest = len(rows) - 1
    for other in "bcde":
        expected = sum(
            0.5 ** ((newest - number) / half_life) / math.log2(1 + len(row))
            for number, row in enumerate(rows)
            if "a" in row and other in row
        )
        assert weights(past, "a").get(other, 0.0) == pytest.approx(expected)
