"""Months of work on a real repository, a run after each change: what is forgotten, what never is, what comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

import pytest
from repos import Repo

from app.conftest import Desk
from companion.api import Note, RunOrder
from companion.app.local import LocalCompanion
from companion.ports import NoProgress
from companion.records import Importance, Kind, Profile, Scope, SearchQuery, Status
from companion.store.memories import usage

PRICE = "shop/price.py"
LONG = 120
"""Days of work after which a commit that nobody asks for is forgotten."""
COMMITTED = datetime(2024, 5, 1, 8, 0, 5)
"""When the last commit of the shop was made."""


@pytest.fixture
def companion(desk: Desk, shop: Repo) -> Iterator[LocalCompanion]:
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    yield opened
    opened.close()


def work(companion: LocalCompanion, desk: Desk, days: int) -> None:
    """So many days on which something else was asked for."""
    other = companion.remember(Note("Something else is asked for all the time"))
    for _ in range(days):
        desk.clock.advance(days=1)
        usage.record(companion.store.database, [other.id], "retrieved", "other.py", desk.clock.now())


def consolidated(companion: LocalCompanion) -> None:
    companion.consolidate(RunOrder(), NoProgress())


def stands(companion: LocalCompanion, id_: str) -> bool:
    return companion.store.memories.get([id_])[0].status is Status.ACTIVE


def finds(companion: LocalCompanion, text: str) -> set[str]:
    return {hit.memory.id for hit in companion.search(SearchQuery(text, profile=Profile.MEMORY))}


def pinned(companion: LocalCompanion) -> str:
    return companion.remember(Note("Zebras are pinned", pinned=True)).id


def critical(companion: LocalCompanion) -> str:
    id_ = companion.remember(Note("Zebras matter to whoever works here")).id
    with companion.store.database.write() as connection:
        connection.execute("update memories set importance = 3 where id = $id", {"id": id_})
    return id_


def told(companion: LocalCompanion) -> str:
    return companion.remember(Note("just restarted the zebra, run 4711", Kind.EPISODE)).id


def read(companion: LocalCompanion) -> str:
    """What was read of a commit and lies unused: nobody told it."""
    found = (one for one in companion.store.memories.iterate(companion.project) if one.draft.kind is Kind.EPISODE)
    return next(one.id for one in found if one.draft.importance < Importance.SIGNIFICANT)


def decided(companion: LocalCompanion) -> str:
    (found,) = [one for one in companion.store.memories.iterate(companion.project) if one.draft.type == "decision"]
    return found.id


@pytest.mark.parametrize("kept", [pinned, critical, told, decided])
def test_a_pin_what_is_critical_told_or_a_decision_in_force_outlasts_any_disuse(
    companion: LocalCompanion, desk: Desk, kept: Callable[[LocalCompanion], str]
) -> None:
    id_, free = kept(companion), read(companion)
    work(companion, desk, LONG)
    consolidated(companion)
    assert (stands(companion, id_), stands(companion, free)) == (True, False)


def test_what_was_forgotten_is_found_in_the_archive_and_comes_back_when_it_is_opened(
    companion: LocalCompanion, desk: Desk
) -> None:
    id_ = read(companion)
    text = companion.store.memories.get([id_])[0].draft.levels.compressed
    work(companion, desk, LONG)
    consolidated(companion)
    assert id_ not in finds(companion, text)
    hits = companion.search(SearchQuery(text, include_archived=True, profile=Profile.MEMORY))
    assert id_ in {hit.memory.id for hit in hits}
    companion.expand(id_)
    consolidated(companion)
    assert id_ in finds(companion, text), "the next night does not forget it again"


def test_what_is_brought_back_by_hand_outlives_the_next_run(companion: LocalCompanion, desk: Desk) -> None:
    id_ = read(companion)
    work(companion, desk, LONG)
    consolidated(companion)
    assert not stands(companion, id_)
    assert companion.revive(id_[:12]).status is Status.ACTIVE
    consolidated(companion)
    assert stands(companion, id_)


def test_what_was_told_of_a_file_stays_when_the_file_is_deleted(
    companion: LocalCompanion, desk: Desk, shop: Repo
) -> None:
    desk.clock.moment = COMMITTED
    id_ = companion.remember(Note("Zebras round prices down", scope=Scope(path=PRICE))).id
    desk.clock.advance(days=1)
    shop.git("rm", "-q", PRICE)
    shop.commit("Drop the prices, since nobody pays\n\nThe shop is free now.")
    companion.refresh(None)
    consolidated(companion)
    assert stands(companion, id_)


def test_what_hangs_on_a_renamed_file_moves_with_it(companion: LocalCompanion, desk: Desk, shop: Repo) -> None:
    id_ = companion.remember(Note("Zebras round prices down", scope=Scope(path=PRICE))).id
    shop.git("mv", PRICE, "shop/amount.py")
    shop.commit("Call prices amounts, since that is what they are\n\nAsked for by the bank.")
    companion.refresh(None)
    consolidated(companion)
    assert companion.store.memories.get([id_])[0].draft.scope.path == "shop/amount.py"


def test_a_clock_that_was_ahead_forgets_nothing_by_that_and_goes_on_when_it_is_set_back(
    companion: LocalCompanion, desk: Desk
) -> None:
    id_ = read(companion)
    right = desk.clock.now()
    desk.clock.advance(days=5_000)
    consolidated(companion)
    later = companion.remember(Note("Zebras are told of in the year 2040")).id
    desk.clock.advance(days=-5_000)
    consolidated(companion)
    assert desk.clock.now() == right
    assert stands(companion, id_) and stands(companion, later)
    work(companion, desk, LONG)
    consolidated(companion)
    assert not stands(companion, id_)


def test_a_full_scan_leaves_forgotten_what_a_run_forgot(companion: LocalCompanion, desk: Desk) -> None:
    def episodes() -> set[str]:
        return {one.id for one in companion.store.memories.iterate(companion.project) if one.draft.kind is Kind.EPISODE}

    learned = episodes()
    work(companion, desk, LONG)
    consolidated(companion)
    left = episodes()
    assert left < learned
    companion.scan(NoProgress(), full=True)
    assert episodes() == left
