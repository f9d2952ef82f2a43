"""What use says of a memory: one click moves little, a habit much, nothing beyond its bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from companion_consolidation import rank
from companion_consolidation.rank import LEAST_MOVE, Worth, usefulness, warmth
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.records import Change, Importance, Warm, Warmth, Weigh

UNUSED = Worth(
    id="m1",
    importance=Importance.DEFAULT,
    floor=Importance.TRIVIAL,
    pinned=False,
    usefulness=0.0,
    warmth=Warmth.HOT,
    cited=0.0,
    ignored=0.0,
    dismissed=0.0,
    sessions=0,
    idle_days=0,
)


@dataclass
class Used:
    """An archive that knows the use of these memories."""

    memories: tuple[Worth, ...]

    def rows(self, kind: type, query: str, **given: object) -> Iterator[Worth]:
        yield from self.memories


def planned(*memories: Worth) -> list[Change]:
    return list(rank.plan(Used(memories)))  # type: ignore[arg-type]


counts = st.floats(0, 10_000)
worths = st.builds(
    Worth,
    id=st.just("m1"),
    importance=st.sampled_from(Importance),
    floor=st.sampled_from(Importance),
    pinned=st.booleans(),
    usefulness=st.floats(-1, 1),
    warmth=st.sampled_from(Warmth),
    cited=counts,
    ignored=counts,
    dismissed=counts,
    sessions=st.integers(0, 10_000),
    idle_days=st.integers(0, 10_000),
    others=st.integers(0, 10_000),
)


def after(one: Worth) -> Worth:
    """The same once what was planned is carried out."""
    for change in planned(one):
        if isinstance(change, Weigh):
            one = replace(one, importance=change.importance, usefulness=change.usefulness)
        elif isinstance(change, Warm):
            one = replace(one, warmth=change.warmth)
    return one


@given(worths)
def test_usefulness_lies_between_minus_one_and_one(one: Worth) -> None:
    assert -1 <= usefulness(one) <= 1


@given(worths, st.floats(0.1, 5))
def test_a_citation_never_lowers_and_being_left_never_raises_it(one: Worth, more: float) -> None:
    assert usefulness(replace(one, cited=one.cited + more)) >= usefulness(one)
    assert usefulness(replace(one, ignored=one.ignored + more)) <= usefulness(one)
    assert usefulness(replace(one, dismissed=one.dismissed + more)) <= usefulness(one)


@given(worths)
def test_a_second_run_finds_nothing_left_to_change(one: Worth) -> None:
    assert planned(after(one)) == []


@given(worths)
def test_importance_never_falls_and_never_below_what_a_person_set(one: Worth) -> None:
    for change in planned(one):
        if isinstance(change, Weigh):
            assert change.importance >= max(one.importance, one.floor)


@given(worths)
def test_a_pinned_memory_is_not_weighed(one: Worth) -> None:
    assert not any(isinstance(change, Weigh) for change in planned(replace(one, pinned=True)))


def test_one_click_moves_little_and_a_habit_much() -> None:
    assert abs(usefulness(replace(UNUSED, ignored=1))) <= 0.15
    assert abs(usefulness(replace(UNUSED, dismissed=1))) <= 0.3
    assert 0 < usefulness(replace(UNUSED, cited=1)) <= 0.2
    assert usefulness(replace(UNUSED, cited=12)) >= 0.7
    assert usefulness(replace(UNUSED, ignored=30)) <= -0.7


def test_what_was_cited_in_three_sessions_is_significant() -> None:
    (two,) = planned(replace(UNUSED, cited=2, sessions=2))
    (three,) = planned(replace(UNUSED, cited=3, sessions=3))
    assert isinstance(two, Weigh) and two.importance is Importance.DEFAULT
    assert isinstance(three, Weigh) and three.importance is Importance.SIGNIFICANT
    assert three.reason == "cited in 3 sessions"


def test_each_colleague_counts_once_and_a_crowd_of_them_for_no_more_than_four() -> None:
    assert usefulness(replace(UNUSED, others=1)) == usefulness(replace(UNUSED, cited=1.0))
    assert usefulness(replace(UNUSED, others=4)) == usefulness(replace(UNUSED, others=1_000)) == 0.5
    (weigh,) = planned(replace(UNUSED, others=3))
    assert isinstance(weigh, Weigh)
    assert weigh.importance is Importance.SIGNIFICANT
    assert "cited by 3 others" in weigh.reason


def test_what_nobody_uses_any_more_drifts_back_to_nothing() -> None:
    (change,) = planned(replace(UNUSED, usefulness=0.04, cited=0.001))
    assert isinstance(change, Weigh) and change.usefulness == 0
    assert planned(replace(UNUSED, usefulness=0.30, cited=1.6)) == [], f"less than {LEAST_MOVE} is no change"


@pytest.mark.parametrize(("days", "expected"), [(0, "hot"), (7, "hot"), (8, "warm"), (30, "warm"), (31, "cold")])
def test_a_memory_cools_by_days_of_work(days: int, expected: str) -> None:
    assert warmth(days).value == expected


def test_each_move_says_why() -> None:
    (cooled,) = planned(replace(UNUSED, idle_days=31))
    assert isinstance(cooled, Warm)
    assert cooled.reason == "hot until now; worked on for 31 days since it was last used or born"
    left = planned(replace(UNUSED, ignored=3, dismissed=1))[0]
    assert left.reason == "shown and left and dismissed"
