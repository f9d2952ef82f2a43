"""A laptop that is killed while it takes in what others shared has, after the next time, what one has that was not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from killed import killed_at
from laptops import Laptop, laptop
from msgspec.structs import replace
from postgres import Base
from team_records import ADA, BOB, version, withdrawal

from companion.app.team import exchange, folder, syncing
from companion.records import Resolution
from companion.records.team import SharedResolution, TeamRecord
from companion.store.backup import backup
from companion.store.rows import tuples
from companion.team.text import record_id

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")

SECRET = version("The customer is called Zanzibar Unobtainium", BOB)
"""What is withdrawn by what comes."""

HAS = [
    "select id, sort, author, about, text, memory_id <> '' from team_records order by id",
    """
    select value, status, archived_reason, origin, visibility, count(*)
    from memories
    group by all
    order by all
    """,
    """
    select team_records.id, memories.value, memories.origin
    from team_records
    join memories on memories.id = memory_id
    order by team_records.id
    """,
    """
    select least(a.value, b.value), greatest(a.value, b.value), resolved_at is null, resolution, contradictions.note
    from contradictions
    join memories as a on a.id = memory_a
    join memories as b on b.id = memory_b
    order by all
    """,
]
"""All that a store says of what came, but for the ids that it gave."""


def coming() -> list[TeamRecord]:
    """Sixty versions, of which some replace others, oppose each other, or were decided between; and a withdrawal."""
    plain = [version(f"Rule {number} of the shop", BOB) for number in range(50)]
    newer = [
        replace(version(f"Rule {number} of the shop, reworded", BOB), replaces=(record_id(plain[number]),))
        for number in range(5)
    ]
    opposed = [version("We indent with tabs."), version("We do not indent with tabs.", BOB)]
    sides = [version("Prices are integer cents."), version("Prices are not integer cents.", BOB)]
    a, b = sorted(map(record_id, sides))
    resolved = SharedResolution(a, b, Resolution.A_WINS, ADA, sides[0].made_at + timedelta(hours=1))
    return [*plain, *newer, *opposed, *sides, resolved, withdrawal(SECRET, BOB)]


@pytest.fixture
def before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ada's laptop, which knows something that is withdrawn then, in the store and in a copy of it."""
    monkeypatch.setattr(exchange, "ARRIVED_SCAN_S", 600.0)  # however slow the machine
    with laptop(tmp_path / "ada", "Ada") as ada:
        folder.write(tmp_path / "first", {record_id(SECRET): SECRET}, frozenset())
        ada.here.team_import(tmp_path / "first")
        backup(ada.here.store.database, None)
    folder.write(tmp_path / "second", {record_id(one): one for one in coming()}, frozenset())
    shutil.copytree(tmp_path / "ada", tmp_path / "before", symlinks=True)
    return tmp_path / "before"


def has(one: Laptop) -> list[list[tuple[object, ...]]]:
    return [tuples(one.here.store.database, query) for query in HAS]


def texts_left(one: Path) -> list[str]:
    """Files of a data folder that still say what was withdrawn."""
    return [path.name for path in (one / "home").rglob("*") if path.is_file() and b"Zanzibar" in path.read_bytes()]


def import_all(one: Path) -> list[list[tuple[object, ...]]]:
    with laptop(one, "Ada") as ada:
        ada.here.team_import(one.parent / "second")
        return has(ada)


def sync_all(one: Path, url: str) -> list[list[tuple[object, ...]]]:
    syncing.BATCH = syncing.BATCH_MOST = 20  # also in a process of its own
    with laptop(one, "Ada") as ada:
        ada.sync(url)
        return has(ada)


def same_as_undisturbed(
    before: Path, places: list[tuple[str, int]], act: Callable[..., object], *given: object
) -> None:
    ada = before.with_name("ada")

    def anew() -> None:
        shutil.rmtree(ada, ignore_errors=True)
        shutil.copytree(before, ada, symlinks=True)

    anew()
    assert texts_left(ada)
    whole = act(ada, *given)
    assert all(whole), "there is something of everything"
    assert not texts_left(ada)
    for place in places:
        anew()
        assert killed_at(place, act, ada, *given), place
        assert act(ada, *given) == whole, place
        assert texts_left(ada) == [], place


def test_an_import_that_is_killed_gives_with_the_next_what_an_undisturbed_one_gives(before: Path):
    same_as_undisturbed(before, [("_stand_or_end", 1), ("reach_copies", 1)], import_all)


def test_a_laptop_killed_while_it_takes_in_from_the_server_has_then_what_an_undisturbed_one_has(
    before: Path, base: Base, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(syncing, "BATCH", 20)
    monkeypatch.setattr(syncing, "BATCH_MOST", 20)
    base.admit("ada"), base.admit("bob")
    with laptop(before.parent / "bob", "Bob") as bob:
        bob.make(SECRET, *coming())
        bob.sync(base.url("bob"))
    places = [("_stand_or_end", 2), ("note_opposed", 1)]
    same_as_undisturbed(before, places, sync_all, base.url("ada"))
