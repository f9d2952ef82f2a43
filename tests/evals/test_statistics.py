"""Figures of rankings by hand, and intervals that hold what they should."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.evals.statistics import bootstrap, mean, percentile, ranking_figures
from evals.replayed.localize import hits


def test_figures_of_a_ranking_by_hand() -> None:
    figures = ranking_figures(["x", "a", *"12345678", "b"], {"a", "b", "never"})
    assert figures == pytest.approx({"hit@1": 0, "recall@5": 1 / 3, "recall@10": 1 / 3, "recall@20": 2 / 3, "mrr": 0.5})
    assert ranking_figures(["a"], {"a"}) == {"hit@1": 1, "recall@5": 1, "recall@10": 1, "recall@20": 1, "mrr": 1}
    assert set(ranking_figures([], {"a"}).values()) == {0.0}


def test_hits_ask_for_any() -> None:
    assert hits(["x", "y", "a"], {"a", "b"}) == {"hit@1": 0, "hit@3": 1, "hit@5": 1, "hit@10": 1}


def test_a_mean_is_over_the_rows_that_have_the_figure() -> None:
    assert mean([{"a": 1.0}, {"a": 0.0, "b": 0.5}]) == {"a": 0.5, "b": 0.5}
    assert mean([]) == {}


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=60))
def test_an_interval_lies_within_the_values_and_is_the_same_again(values: list[float]) -> None:
    interval = bootstrap(values)
    assert min(values) - 1e-4 <= interval.low <= interval.high <= max(values) + 1e-4
    assert interval == bootstrap(values)


def test_an_interval_of_a_clear_difference_leaves_zero_out() -> None:
    assert bootstrap([0.2, 0.3, 0.25, 0.4] * 20).low > 0
    assert bootstrap([]).low == bootstrap([]).high == 0.0


@pytest.mark.parametrize(("part", "expected"), [(0.5, 2.0), (0.95, 4.0), (0.0, 1.0), (1.0, 4.0)])
def test_a_percentile_is_one_of_the_values(part: float, expected: float) -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], part) == expected
    assert percentile([], part) == 0.0
