"""A context is ready before it is asked for, and is served only if it is what would be made now."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from msgspec.structs import replace
from prefetching import CountedPrefetched
from repos import Repo

from app.conftest import Desk
from companion.api import Note, Order
from companion.app.contexts import last_asked, prefetch
from companion.app.local import LocalCompanion
from companion.app.prefetch import KEPT_MOST
from companion.records import Activity, Context, Format, Signals, Touch, Touched

CART, PRICE, TEST = "shop/cart.py", "shop/price.py", "tests/test_cart.py"


@pytest.fixture
def companion(desk: Desk, shop: Repo) -> Iterator[LocalCompanion]:
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    opened.session().prefetched = CountedPrefetched()
    opened.assemble(2_000, Signals(current_file=TEST), Format.MARKDOWN, Order.PEOPLE)
    opened.observe([Touched(CART, Touch.OPENED)])
    yield opened
    opened.close()


def ask(companion: LocalCompanion, budget: int = 2_000, **given: object) -> Context:
    signals = replace(Signals(current_file=CART), **given)  # type: ignore[arg-type]
    return companion.assemble(budget, signals, Format.MARKDOWN, Order.PEOPLE)


def counts(companion: LocalCompanion) -> tuple[int, bool]:
    """How many were prepared, and whether the last ask found its own ready."""
    found = companion.session().prefetched
    assert isinstance(found, CountedPrefetched)
    return (found.prepared, found.was_ready)


def test_what_was_opened_is_ready_and_the_same_as_if_it_were_made_on_request(companion: LocalCompanion) -> None:
    fresh = companion.assemble(2_000, Signals(current_file=CART), Format.MARKDOWN, Order.PEOPLE, count_use=False)
    assert prefetch(companion) == (CART,)
    served = ask(companion)
    assert served == fresh
    assert counts(companion) == (1, True)


def test_it_is_ready_for_who_says_the_file_and_for_who_says_nothing(companion: LocalCompanion) -> None:
    prefetch(companion)
    assert ask(companion).text == ask(companion, current_file="").text
    assert counts(companion) == (1, True)


def test_nothing_counts_as_retrieved_before_it_is_served(companion: LocalCompanion) -> None:
    before = companion.stats().retrieved
    prefetch(companion)
    assert companion.stats().retrieved == before
    ask(companion)
    assert companion.stats().retrieved > before


def test_it_is_made_once_while_nothing_changes(companion: LocalCompanion) -> None:
    assert [prefetch(companion) for _ in range(3)] == [(CART,)] * 3
    assert counts(companion)[0] == 1


def test_it_is_made_for_the_budget_format_and_order_of_the_last_ask(companion: LocalCompanion) -> None:
    companion.assemble(700, Signals(current_file=PRICE), Format.XML, Order.ASSISTANTS)
    prefetch(companion)
    companion.assemble(700, Signals(current_file=CART), Format.XML, Order.ASSISTANTS)
    assert counts(companion) == (1, True)


@pytest.mark.parametrize("given", [{"query": "rounding of cents"}, {"current_file": PRICE}, {"persona": "reviewer"}])
def test_another_ask_is_answered_afresh(companion: LocalCompanion, given: dict[str, str]) -> None:
    prefetch(companion)
    ask(companion, **given)
    ask(companion, budget=1_999)
    assert counts(companion) == (1, False)


def test_a_memory_that_was_written_since_is_in_the_answer(companion: LocalCompanion) -> None:
    prefetch(companion)
    companion.remember(Note("Carts are never emptied by hand.", pinned=True))
    assert "never emptied" in ask(companion).text
    assert counts(companion) == (1, False)


def test_a_file_that_changed_on_disk_makes_it_stale(companion: LocalCompanion, shop: Repo) -> None:
    prefetch(companion)
    shop.write(CART, "class Cart:\n    pass\n")
    ask(companion)
    assert counts(companion) == (1, False)


def test_it_does_not_live_long(companion: LocalCompanion) -> None:
    prefetch(companion)
    companion.runtime.adapters.clock.advance(minutes=6)  # type: ignore[attr-defined]
    ask(companion)
    assert counts(companion) == (1, False)


def test_an_edit_of_another_file_changes_what_is_asked(companion: LocalCompanion) -> None:
    prefetch(companion)
    companion.observe([Touched(PRICE, Touch.EDITED)])
    ask(companion)
    assert not counts(companion)[1]


def test_with_nothing_at_hand_nothing_is_made(desk: Desk, shop: Repo) -> None:
    desk.scan(shop.root)
    companion = desk.open(shop.root)
    try:
        assert prefetch(companion) == ()
        assert not companion.session().prefetched._ready
    finally:
        companion.close()


def test_only_a_few_are_kept(companion: LocalCompanion, shop: Repo) -> None:
    for number in range(KEPT_MOST + 3):
        shop.write(f"shop/f{number}.py", "x = 1\n")
        companion.observe([Touched(f"shop/f{number}.py", Touch.OPENED)])
        prefetch(companion)
    assert counts(companion) == (KEPT_MOST + 3, False)
    assert len(companion.session().prefetched._ready) == KEPT_MOST
    ask(companion, current_file=f"shop/f{KEPT_MOST + 2}.py")
    assert counts(companion) == (KEPT_MOST + 3, True), "the newest is"


def test_two_requests_share_what_is_ready(companion: LocalCompanion) -> None:
    prefetch(companion)
    other = LocalCompanion(
        companion.runtime, companion.state, companion.project, companion.checkout, owns_runtime=False
    )
    ask(other)
    assert counts(companion) == (1, True)
    assert companion.session() is other.session()


def test_what_somebody_chose_once_is_not_prepared_for_the_next_file(companion: LocalCompanion) -> None:
    ask(companion)
    before = companion.session().prefetched.usual
    signals = Signals(current_file=CART, only=(f"file:{PRICE}",))
    chosen = companion.assemble(8_000, signals, Format.MARKDOWN, Order.ASSISTANTS)
    assert {item.id for tier in chosen.tiers for item in tier.items} == {f"file:{PRICE}"}
    assert companion.session().prefetched.usual is before


def test_what_was_asked_for_last_is_known_whole_to_the_next_process(companion: LocalCompanion, desk: Desk, shop: Repo):
    signals = Signals(
        current_file=CART,
        query="why",
        errors=("ValueError: x",),
        branch="main",
        activity=Activity.DEBUGGING,
        collaborators=("Ann",),
        opened=(PRICE,),
        edited=(TEST,),
        persona="Max",
        at=desk.clock.now(),
        usual=("pytest",),
        assistant="claude",
        has=(PRICE,),
        only=(f"file:{PRICE}",),
    )
    assert all(getattr(signals, name) for name in Signals.__struct_fields__)
    companion.assemble(1_234, signals, Format.XML, Order.ASSISTANTS)
    companion.close()
    with closing(desk.open(shop.root)) as next_one:
        last = last_asked(next_one)
    assert last is not None
    assert (last.budget_tokens, last.signals, last.format, last.order) == (1_234, signals, Format.XML, Order.ASSISTANTS)
