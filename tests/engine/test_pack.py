"""Packing: what is chosen, at which length, and what is left out."""

from __future__ import annotations

import itertools
import random

from hypothesis import given
from hypothesis import strategies as st

from companion.engine.packing.pack import GAP, Offer, cut_at_gap, near_twins, pack
from companion.records import Candidate, Form, Tier

HEADING = 3


def opening(section: str, first: bool) -> int:
    return HEADING + (2 if first else 0)


def candidate(id_: str, score: float, *costs: int, says: str = "", section: str = "s", text: str = "") -> Candidate:
    forms = tuple(
        Form(f"level{n}", text or f"{id_} {n}", cost, (len(costs) - n) / len(costs)) for n, cost in enumerate(costs)
    )
    return Candidate(id_, id_, Tier.RELEVANT, section, score, forms, says=says)


def offer(*args: object, **kwargs: str) -> Offer:
    made = candidate(*args, **kwargs)  # type: ignore[arg-type]
    return Offer(made, tuple(form.tokens for form in made.forms))


offers = st.lists(
    st.tuples(st.integers(0, 100), st.lists(st.integers(1, 60), min_size=1, max_size=4), st.sampled_from("ab")),
    max_size=7,
).map(
    lambda drawn: [
        Offer(
            Candidate(
                f"m{n}", f"m{n}", Tier.RELEVANT, section, score / 100,
                tuple(Form(f"f{k}", f"word{n}", c, (k + 1) / len(costs)) for k, c in enumerate(sorted(costs))),
            ),
            tuple(sorted(costs)),
        )
        for n, (score, costs, section) in enumerate(drawn)
    ]
)  # fmt: skip


def value(packed_or_choice: object) -> float:
    return sum(p.candidate.score * p.form.worth for p in packed_or_choice.picks)  # type: ignore[attr-defined]


def best_possible(given_offers: list[Offer], limit: int) -> float:
    best = 0.0
    for choice in itertools.product(*[range(-1, len(o.costs)) for o in given_offers]):
        taken = [(o, f) for o, f in zip(given_offers, choice, strict=True) if f >= 0]
        sections = {o.candidate.section for o, _ in taken}
        cost = sum(o.costs[f] for o, f in taken) + HEADING * len(sections) + (2 if sections else 0)
        if cost <= limit:
            best = max(best, sum(o.candidate.score * o.candidate.forms[f].worth for o, f in taken))
    return best


@given(offers, st.integers(0, 300))
def test_what_is_chosen_fits_with_its_headings_and_is_counted_right(given_offers: list[Offer], limit: int) -> None:
    packed = pack(given_offers, limit, opening)
    sections = {pick.candidate.section for pick in packed.picks}
    used = sum(pick.cost for pick in packed.picks) + HEADING * len(sections) + (2 if sections else 0)
    assert packed.tokens == used <= limit


@given(offers, st.integers(0, 300))
def test_each_candidate_is_shown_at_most_once_or_named_as_left_out(given_offers: list[Offer], limit: int) -> None:
    packed = pack(given_offers, limit, opening)
    ids = [pick.candidate.id for pick in packed.picks] + [c.id for c, _ in packed.left_out]
    assert sorted(ids) == sorted(o.candidate.id for o in given_offers)


@given(offers, st.integers(0, 200), st.randoms(use_true_random=False))
def test_the_order_of_arrival_changes_nothing(given_offers: list[Offer], limit: int, chance: random.Random) -> None:
    shuffled = list(given_offers)
    chance.shuffle(shuffled)
    assert pack(given_offers, limit, opening) == pack(shuffled, limit, opening)


@given(offers.filter(lambda o: len(o) <= 5), st.integers(20, 200))
def test_the_choice_is_within_one_item_and_its_heading_of_the_best_possible(
    given_offers: list[Offer], limit: int
) -> None:
    one_section = [
        Offer(Candidate(o.candidate.id, "", Tier.RELEVANT, "s", o.candidate.score, o.candidate.forms), o.costs)
        for o in given_offers
    ]
    reached = value(pack(one_section, limit, opening))
    dearest = max((o.candidate.score for o in one_section), default=0.0)
    assert reached >= best_possible(one_section, limit) - dearest - 1e-9


def test_a_long_form_waits_until_the_short_forms_of_others_are_in() -> None:
    both = [offer("a", 0.9, 100, 10), offer("b", 0.8, 100, 10)]
    shown = {p.candidate.id: p.form.level for p in pack(both, 130 + HEADING + 2, opening).picks}
    assert shown == {"a": "level0", "b": "level1"}
    shown = {p.candidate.id: p.form.level for p in pack(both, 30, opening).picks}
    assert shown == {"a": "level1", "b": "level1"}


def test_what_shares_a_key_is_said_once_by_the_better_one() -> None:
    packed = pack([offer("a", 0.9, 10, says="k1"), offer("b", 0.8, 10, says="k2 k1")], 100, opening)
    assert [p.candidate.id for p in packed.picks] == ["a"]
    assert [(c.id, why) for c, why in packed.left_out] == [("b", "said already")]


def test_what_another_tier_says_already_is_not_said_again() -> None:
    packed = pack([offer("a", 0.9, 10, says="k1")], 100, opening, frozenset({"k1"}))
    assert [(c.id, why) for c, why in packed.left_out] == [("a", "said already")]


def test_a_repeat_whose_better_twin_found_no_room_is_left_out_for_the_budget() -> None:
    packed = pack([offer("a", 0.9, 50, says="k"), offer("b", 0.8, 50, says="k")], 20, opening)
    assert {(c.id, why) for c, why in packed.left_out} == {("a", "budget"), ("b", "budget")}


def twins(*texts: str) -> dict[str, str]:
    return near_twins([candidate(f"m{n}", 1 - n / 10, 10, text=text, says=f"k{n}") for n, text in enumerate(texts)])


def test_nearly_the_same_words_are_twins() -> None:
    first = "use pytest fixtures for the database in every test of the store"
    assert twins(first, "Use pytest fixtures for the database in every test of the store.") == {"m1": "m0"}
    assert twins(first, "use pytest fixtures for the database in every single test of the store") == {"m1": "m0"}


def test_another_number_negation_or_order_makes_another_text() -> None:
    assert not twins(
        "requests time out after 30 seconds in the client", "requests time out after 60 seconds in the client"
    )
    assert not twins("use tabs in the makefiles of this project", "never use tabs in the makefiles of this project")
    assert not twins("use tabs, not spaces", "use spaces, not tabs")
    assert not twins("moved from flask to django for the admin site", "moved from django to flask for the admin site")


@given(
    st.lists(
        st.lists(
            st.sampled_from(
                ["never", "build", "packages", "by", "hand", "with", "make", "3", "or", "4", "tools", "today", "please"]
            ),
            max_size=12,
        ),
        max_size=8,
    )
)
def test_twins_are_those_that_looking_at_every_pair_would_find(said: list[list[str]]) -> None:
    texts = [candidate(f"m{n}", 0.9, 5, says=f"k{n}", text=" ".join(words)) for n, words in enumerate(said)]
    firsts: list[Candidate] = []
    pairs: dict[str, str] = {}
    for text in texts:
        better = [first.id for first in firsts if near_twins([first, text])]
        if better:
            pairs[text.id] = min(better)
        else:
            firsts.append(text)
    assert near_twins(texts) == pairs


def test_files_are_never_twins() -> None:
    same = [candidate("file:a.py", 0.9, 10, text="def f(): ..."), candidate("file:b.py", 0.8, 10, text="def f(): ...")]
    assert near_twins(same) == {}


def test_the_critical_tier_ends_at_the_first_big_fall_in_score() -> None:
    ranked = [candidate(f"m{n}", score, 10) for n, score in enumerate((0.95, 0.9, 0.85, 0.85 - GAP, 0.6))]
    top, rest = cut_at_gap(reversed(ranked))
    assert [c.id for c in top] == ["m0", "m1", "m2"]
    assert [c.id for c in rest] == ["m3", "m4"]


def test_nothing_weak_is_critical_however_even_the_scores() -> None:
    assert cut_at_gap([candidate("m0", 0.4, 10), candidate("m1", 0.39, 10)])[0] == []


def test_texts_without_words_and_no_candidates_at_all_are_fine() -> None:
    assert twins("→ →", "…") == {}
    assert pack([], 100, opening).picks == ()
    assert pack([offer("a", 0.5, 10)], 0, opening).picks == ()
