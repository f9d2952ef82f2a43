"""Orderings of what a search found: the best few are the beginning of the whole order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.records import Profile
from companion.store.ranking import Found, ranked

FOUND = st.builds(
    Found,
    number=st.integers(0, 10_000),
    share=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    cosine=st.sampled_from([0.0, 0.3, 0.9]),
    by=st.sampled_from(["meaning", "words", "entity", "filters"]),
    words=st.sampled_from([(), ("retry",)]),
    age_days=st.sampled_from([0.0, 3.0, 400.0]),
    importance=st.integers(0, 3),
    pinned=st.booleans(),
    cited=st.integers(0, 9),
)


def names(numbers: object) -> dict[int, tuple[str, ...]]:
    return {n: ("person:ann",) if n % 2 else ("topic:retries", "person:bo") for n in numbers}  # type: ignore[attr-defined]


@pytest.mark.parametrize("profile", list(Profile))
@given(st.lists(FOUND, max_size=70, unique_by=lambda one: one.number), st.integers(0, 80))
def test_the_best_few_are_the_beginning_of_the_whole_order(profile: Profile, found: list[Found], limit: int) -> None:
    whole = ranked(profile, found, names, len(found))
    assert ranked(profile, found, names, limit) == whole[:limit]
    assert [score for _, score, _ in whole] == sorted((score for _, score, _ in whole), reverse=True)
    for _, score, reasons in whole:
        assert score == pytest.approx(min(1.0, sum(r.value * r.weight for r in reasons)), abs=1e-8)
        assert all(reason.says for reason in reasons)
