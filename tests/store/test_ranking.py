"""Orderings of what a search found: the best few are the beginning of the whole order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.records import Profile
from companion.store.ranking import Ranking, ranked

FOUND = st.builds(
    Ranking,
    number=st.integers(0, 10_000),
    share=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    cosine=st.sampled_from([0.0, 0.3, 0.9]),
    by=st.sampled_from(["meaning", "words", "entity", "filters"]),
    words=st.sampled_from([(), ("retry",)]),
    age_days=st.sampled_from([0.0, 3.0, 400.0]),
    importance=st.integers(0, 3),
    pinned=st.booleans(),
    cited=st.integers(0, 9),
    covers=st.sampled_from([0.0, 0.5, 1.0]),
)


def names(numbers: object) -> dict[int, tuple[str, ...]]:
    return {n: ("person:ann",) if n % 2 else ("topic:retries", "person:bo") for n in numbers}  # type: ignore[attr-defined]


@pytest.mark.parametrize("profile", list(Profile))
@given(st.lists(FOUND, max_size=70, unique_by=lambda one: one.number), st.integers(0, 80))
def test_the_best_few_are_the_beginning_of_the_whole_order(profile: Profile, found: list[Ranking], limit: int) -> None:
    whole = ranked(profile, found, names, len(found))
    assert ranked(profile, found, names, limit) == whole[:limit]
    assert [score for _, score, _ in whole] == sorted((score for _, score, _ in whole), reverse=True)
    for _, score, reasons in whole:
        assert score == pytest.approx(min(1.0, sum(r.value * r.weight for r in reasons)), abs=1e-8)
        assert all(reason.says for reason in reasons)


def found(number: int, *, cosine: float, share: float = 0.0, meant: bool = False, covers: float = 0.0) -> Ranking:
    return Ranking(number, share, cosine, "meaning", (), 0.0, 1, False, 0, meant, covers)


def test_the_best_of_what_hardly_fits_is_no_better_for_being_the_best() -> None:
    (nearest, far, reasons), _ = ranked(Profile.LEARNED, [found(1, cosine=0.2), found(2, cosine=0.1)], names, 2)
    (_, near, _), _ = ranked(Profile.LEARNED, [found(1, cosine=0.6), found(2, cosine=0.3)], names, 2)
    assert not nearest.fits
    assert far < 0.2
    assert near > 0.5
    assert "not near in meaning" in {reason.says for reason in reasons}


def test_one_that_fits_makes_the_best_no_surer() -> None:
    many = [found(1, cosine=0.2), found(2, cosine=0.1)]
    by_name = ranked(Profile.LEARNED, [many[0], many[1]._replace(meant=True)], names, 2)
    assert by_name[0][1] < 0.2
    assert [one.fits for one, _, _ in by_name] == [False, True]


@given(st.lists(FOUND, min_size=1, max_size=20, unique_by=lambda one: one.number))
def test_nothing_is_surer_than_what_the_best_says_or_means(found: list[Ranking]) -> None:
    (best, score, _), *_ = ranked(Profile.LEARNED, found, names, len(found))
    assert score <= best.sure


@pytest.mark.parametrize(("share", "cosine", "fits"), [(0.5, 0.0, True), (0.0, 0.5, True), (0.2, 0.2, False)])
def test_words_and_meaning_say_together_whether_something_fits(share: float, cosine: float, fits: bool) -> None:
    assert found(1, share=share, cosine=cosine).fits is fits
