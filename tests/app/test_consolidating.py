"""A plan of the night over a real store: what it finds, what it spares, and that it only looks."""

from __future__ import annotations

import pytest

from companion.api import Note, Verdict
from companion.errors import UsageError
from companion.records import Oppose, Resolution, Retire


@pytest.fixture
def companion(desk, shop):
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    yield opened
    opened.close()


def everything(companion):
    return [memory for memory in companion.rooms.memories.iterate(companion.project, archived=True)]


def test_planning_changes_nothing_and_says_the_same_twice(companion):
    before = everything(companion)
    first = companion.consolidate(dry_run=True)
    assert companion.consolidate(dry_run=True) == first
    assert everything(companion) == before


def test_applying_is_refused_plainly_rather_than_pretended(companion):
    with pytest.raises(UsageError, match="Nothing was changed"):
        companion.consolidate(dry_run=False)


def test_an_open_contradiction_is_found_until_it_is_settled(companion, desk, shop):
    companion.close()
    shop.write(".python-version", "3.9\n")
    shop.write("setup.cfg", "[options]\npython_requires = >=3.8\n")
    shop.commit("Say it again")
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    try:
        found = opened.contradictions()
        assert found, "two files declare another Python each"
        plan = opened.consolidate(dry_run=True)
        assert {one.change.id for one in plan.changes if isinstance(one.change, Oppose)} == {one.id for one in found}
        for one in found:
            opened.settle(one.id, Verdict(Resolution.A_WINS, "the manifest counts"))
        assert opened.consolidate(dry_run=True).contradictions_found == 0
    finally:
        opened.close()


def test_what_a_person_pinned_is_never_up_for_forgetting(companion):
    pinned = companion.remember(Note("Prices are cents", pinned=True))
    plan = companion.consolidate(dry_run=True)
    assert pinned.id not in {one.change.id for one in plan.changes if isinstance(one.change, Retire)}
