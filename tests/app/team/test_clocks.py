"""Clocks that are wrong: who resolves a contradiction knowing how others did prevails, on all laptops alike."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime, timedelta
from itertools import permutations
from pathlib import Path

import pytest
from fakes import FakeClock
from laptops import Laptop, laptop
from team_records import ADA, BOB, version

from companion.api import Verdict
from companion.app.team import exchange
from companion.records import Resolution
from companion.records.team import SharedResolution, TeamRecord
from companion.store.rows import column
from companion.team.text import record_id

SIDES = sorted((version("Prices are integer cents."), version("Prices are decimals.", BOB)), key=record_id)
A, B = map(record_id, SIDES)
ACTIVE = "select value from memories where status = 'active' order by value"


@pytest.fixture
def laptops(tmp_path: Path) -> Iterator[list[Laptop]]:
    with ExitStack() as open_:
        yield [open_.enter_context(laptop(tmp_path / str(number), "Bob")) for number in range(4)]


def take_in(one: Laptop, *records: TeamRecord) -> None:
    exchange.take_in(one.here, {record_id(record): record for record in records})
    exchange.follow(one.here)


def records_of(one: Laptop) -> dict[str, TeamRecord]:
    return exchange.records_of(one.here.runtime).known(one.here.project)


def forward(one: Laptop, **by: float) -> None:
    clock = one.here.runtime.adapters.clock
    assert isinstance(clock, FakeClock)
    clock.advance(**by)


def resolve(one: Laptop, winner: int) -> TeamRecord:
    """Have a side win, as a person decides a minute later; the record that travels."""
    forward(one, minutes=1)
    before = records_of(one)
    (noted,) = one.here.contradictions(settled=True)
    first = noted.a.draft.value == SIDES[winner].draft.value
    one.here.settle(noted.id, Verdict(Resolution.A_WINS if first else Resolution.B_WINS))
    (made,) = (record for id_, record in records_of(one).items() if id_ not in before)
    return made


@pytest.mark.parametrize("ahead", [timedelta(hours=-1), timedelta(hours=1), timedelta(days=365 * 100)])
def test_who_resolves_knowing_how_others_did_prevails_in_any_order_of_arrival(laptops: list[Laptop], ahead: timedelta):
    """A colleague's clock is an hour behind, an hour ahead, a hundred years ahead; then Bob decides otherwise, twice."""
    bob, *others = laptops
    theirs = SharedResolution(A, B, Resolution.A_WINS, ADA, bob.here.now() + ahead)
    take_in(bob, *SIDES, theirs)
    assert column(bob.here.store.database, ACTIVE) == [SIDES[0].draft.value]
    ours, again = resolve(bob, 1), resolve(bob, 0)
    last = resolve(bob, 1)
    for other, order in zip(others, permutations([theirs, ours, last]), strict=False):
        take_in(other, *SIDES)
        for record in (*order, again):
            take_in(other, record)
    assert [column(one.here.store.database, ACTIVE) for one in laptops] == [[SIDES[1].draft.value]] * len(laptops)


def test_two_who_resolve_without_knowing_of_each_other_end_alike(laptops: list[Laptop]):
    """The later one holds as their clocks say, on the laptops of both too."""
    ada, bob, *others = laptops
    for one in (ada, bob):
        take_in(one, *SIDES, SharedResolution(A, B, Resolution.BOTH_VALID, ADA, datetime(2026, 1, 1)))
    forward(ada, hours=1)
    hers, his = resolve(ada, 0), resolve(bob, 1)
    take_in(ada, his), take_in(bob, hers)
    for other, order in zip(others, ((hers, his), (his, hers)), strict=True):
        take_in(other, *SIDES)
        for record in order:
            take_in(other, record)
    assert [column(one.here.store.database, ACTIVE) for one in laptops] == [[SIDES[0].draft.value]] * len(laptops)
