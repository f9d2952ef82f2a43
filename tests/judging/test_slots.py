"""A newer value takes the place of an older one only where both speak of the same property of the same thing."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.judging.slots import Slots
from companion.records import Scope, Told

DAY = datetime(2026, 1, 5)


def told(number: int, text: str, about: str = "cart", environment: str = "", **given) -> Told:
    return Told(
        str(number), text, about, Scope(environment=environment), "me", "", DAY + timedelta(days=number), **given
    )


def pairs(*said: Told) -> list[tuple[str, str]]:
    return [(one.old, one.new) for one in Slots().replaced(said)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("cart listens on port 7004", "cart listens on port 7011"),
        ("the timeout of cart is 5 s", "important: the timeout of cart is 9 s"),
        ("Anna owns cart", "Ben owns cart"),
        ("cart: memory limit is 512 MB", "cart: memory limit is 1024 MB"),
    ],
)
def test_another_value_of_the_same_property_takes_its_place(before, after):
    assert pairs(told(1, before), told(2, after)) == [("1", "2")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("cart uses redis", "cart uses kafka"),
        ("cart listens on 7004", "cart also listens on 7011"),
        ("cart listens on port 7004", "cart used to listen on port 7011"),
        ("cart listens on port 7004", "cart does not listen on port 7011"),
        ("the primary database of cart is db1", "the replica database of cart is db2"),
        ("the read timeout of cart is 5 s", "the write timeout of cart is 9 s"),
        ("cart 2 is deprecated", "cart 3 is deprecated"),
        ("cart listens on port 7004", "cart listens on port 7004"),
        ("lint cart before a commit", "test cart before a commit"),
        ("does cart listen on port 7004?", "does cart listen on port 7011?"),
        ("", "\u0000 :::"),
    ],
)
def test_what_may_both_be_true_stays(before, after):
    assert pairs(told(1, before), told(2, after)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Python 3.8 is supported", "Python 3.9 is supported"),
        ("Issue 12 is about the login", "Issue 14 is about the login"),
        ("we use pytest", "we use ruff"),
    ],
)
def test_without_a_thing_a_name_is_not_taken_for_a_value(before, after):
    assert pairs(told(1, before, about=""), told(2, after, about="")) == []


def test_without_a_thing_a_number_at_the_end_is_a_value():
    said = (told(1, "The API runs on port 8080", about=""), told(2, "The API runs on port 9090", about=""))
    assert pairs(*said) == [("1", "2")]


def test_another_environment_is_never_the_same_slot():
    said = [
        told(1, "cart listens on port 7004 in prod", environment="prod"),
        told(2, "cart listens on port 7011 in staging", environment="staging"),
        told(3, "cart listens on port 7012"),
    ]
    assert pairs(*said) == []


def test_another_source_says_its_own():
    mine = told(1, "cart listens on port 7004")
    theirs = Told("2", "cart listens on port 7011", "cart", Scope(), "them", "", DAY + timedelta(days=2))
    assert pairs(mine, theirs) == []


def test_what_no_longer_stands_is_neither_replaced_nor_replaces():
    older = told(1, "cart listens on port 7004")
    newer = told(2, "cart listens on port 7011", standing=False)
    assert pairs(older, newer) == []


def test_the_newest_of_many_values_is_what_holds():
    said = [told(number, f"cart listens on port {7_000 + number}") for number in range(4)]
    assert pairs(*said) == [("0", "3"), ("1", "3"), ("2", "3")]


def in_two_ways(things: int) -> list[Told]:
    """Things whose tide gauge is told in one way, then in quite another: only the values tell that both are one."""
    said = []
    for number, thing in enumerate(f"pier {chr(97 + n)}" for n in range(things)):
        said.append(told(number, f"{thing} reads {40 + number} at low water", thing))
        said.append(told(100 + number, f"gauge zero for {thing}: {40 + number}", thing))
    return said


def test_ten_things_said_in_two_ways_teach_that_the_ways_are_one():
    said = in_two_ways(10)
    changed = told(300, "gauge zero for pier a: 77", "pier a")
    assert ("0", "300") in pairs(*said, changed)
    assert ("0", "300") not in pairs(said[0], changed)


def test_after_how_many_seconds_and_how_many_times_are_two_properties():
    seconds = ("calls to {} time out after {} s", "{} client timeout: {} seconds", "give up on {} after {} s")
    times = ("{0} retries a failed call {1} times", "retry budget of {} is {}", "up to {1} retries in {0}")
    said, counts = [], {}
    for number, (name, place) in enumerate(product((f"shop{n}x" for n in range(30)), ("", "prod", "staging", "dev"))):
        for ways, values in ((seconds, (1, 2, 5, 10, 20, 30, 45, 60)), (times, (0, 1, 2, 3, 4, 5, 6))):
            text = ways[number % 7 % 3].format(name, values[number * 5 % len(values)])
            said.append(told(len(said), f"{text} in {place}" if place else text, name, place))
            counts[said[-1].id] = ways
    assert [pair for pair in pairs(*said) if counts[pair[0]] is not counts[pair[1]]] == []


def test_two_properties_that_merely_stand_side_by_side_stay_two():
    said = []
    for number, (thing, way) in enumerate(product((f"pier {chr(97 + n)}" for n in range(10)), (0, 1))):
        text = f"{thing} reads {40 + number} at low water" if way else f"crew of {thing}: {3 + number % 4}"
        said.append(told(number, text, thing))
    assert pairs(*said) == []


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.text(max_size=30), st.sampled_from(["", "prod", "dev"])), max_size=12)
)
def test_nothing_crosses_things_or_environments_and_nothing_replaces_itself(said):
    all_told = [told(n, f"{about} has limit {text}", about, where) for n, (about, text, where) in enumerate(said)]
    place = {one.id: (one.about, one.scope) for one in all_told}
    found = pairs(*all_told)
    assert all(old != new and place[old] == place[new] and int(old) < int(new) for old, new in found)
    assert len({old for old, _ in found}) == len(found)
    assert pairs(*reversed(all_told)) == found
