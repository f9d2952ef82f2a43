"""Explaining: every item says where it comes from and why, and what would be there without it."""

from __future__ import annotations

import pytest
from fakes import WordCounter

from companion.engine.assemble import assemble
from companion.engine.telling.explain import explain
from companion.errors import UnknownMemory
from companion.records import Context, Tier
from engine.makers import NOW
from engine.scenes import AT_LOGIN, SESSION, project

LIBRARY = project()


def context(budget: int = 900, without: str = "") -> Context:
    return assemble(
        budget, AT_LOGIN, (), LIBRARY, WordCounter(), NOW, leave_out=frozenset({without} if without else ())
    )


def test_every_item_has_a_reason_and_whatever_was_read_has_a_source() -> None:
    explanation = explain(context(), None, None)
    assert explanation.items
    for explained in explanation.items:
        item = explained.item
        assert item.reasons
        assert all(reason.says for reason in item.reasons)
        if item.tier is not Tier.INDEX:
            assert item.evidence


def test_all_items_are_explained_in_the_order_of_tiers() -> None:
    whole = context()
    explained = [e.item for e in explain(whole, None, None).items]
    assert explained == [item for tier in whole.tiers for item in tier.items]


def test_leaving_an_item_out_shows_what_takes_its_place() -> None:
    whole = context(420)
    first = max((i for t in whole.tiers[:2] for i in t.items), key=lambda item: item.tokens)
    (explained,) = explain(whole, first.id, lambda id_: context(420, id_)).items
    without = context(420, first.id)
    assert first.id not in {item.id for tier in without.tiers for item in tier.items}
    before = {item.id: item.level for tier in whole.tiers for item in tier.items}
    assert explained.instead
    assert all(before.get(item.id) != item.level for item in explained.instead)


def test_where_there_is_room_for_all_leaving_out_only_frees_tokens() -> None:
    whole = context(20_000)
    item = next(item for item in whole.tiers[0].items)
    (explained,) = explain(whole, item.id, lambda id_: context(20_000, id_)).items
    assert explained.freed_tokens > 0


def test_an_id_may_be_shortened_and_a_path_stands_for_its_file() -> None:
    whole = context(20_000)
    memory = next(i for t in whole.tiers for i in t.items if i.id.startswith("m1"))
    assert explain(whole, memory.id[:12], None).items[0].item == memory
    assert explain(whole, SESSION, None).items[0].item.id == f"file:{SESSION}"


def test_what_was_left_out_is_named_with_its_cause() -> None:
    whole = context(300)
    shown = {item.id for tier in whole.tiers for item in tier.items}
    left = next(dropped for dropped in whole.dropped if dropped.id not in shown)
    with pytest.raises(UnknownMemory, match="left out of this context"):
        explain(whole, left.id, None)


@pytest.mark.parametrize("wrong", ["nothing", "", "m1"])
def test_an_unknown_or_ambiguous_id_is_refused_with_a_next_step(wrong: str) -> None:
    with pytest.raises(UnknownMemory) as refused:
        explain(context(20_000), wrong, None)
    assert refused.value.next_step
