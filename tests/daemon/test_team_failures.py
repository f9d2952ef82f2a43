"""What becomes of a team's server while daemons work with it: killed, full, slow; it is told once, and nothing is lost."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path

import psycopg
import pytest
from desks import Desk, desk
from laptops import PROJECT
from lines import line_to
from postgres import FULL, WAITS, Base, base, kill, postgres_folder, prepare_server, running, start_again
from team_records import BOB, version
from waiting import until

from companion.api import Order
from companion.app.team import syncing
from companion.daemon import team
from companion.records import Format, Signals
from companion.store.database import Database
from companion.store.trouble import unwritable

__all__ = ["base", "postgres_folder"]

STANDS = "select * from companion.log order by position"


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Desk, Desk]]:
    """Ada and Bob, whose daemons send seven records at once and ask again soon."""
    monkeypatch.setattr(syncing, "BATCH", 7)
    monkeypatch.setattr(syncing, "BATCH_MOST", 7)
    monkeypatch.setattr(team, "AGAIN_S", 0.05)
    with ExitStack() as open_:
        yield open_.enter_context(desk(tmp_path / "ada", "Ada")), open_.enter_context(desk(tmp_path / "bob", "Bob"))


def connect(base: Base, ada: Desk, bob: Desk) -> None:
    for one, login in ((ada, "ada"), (bob, "bob")):
        base.admit(login, PROJECT)
        one.asks.team_connect(base.url(login), PROJECT)
    until(lambda: ada.online and bob.online)


def test_a_server_that_is_killed_in_a_batch_has_all_it_acknowledged_and_gets_the_rest_once(two: tuple[Desk, Desk]):
    ada, bob = two
    with running(durable=True) as server, ExitStack() as killed:
        killed.enter_context(suppress(psycopg.OperationalError))
        base = Base(str(server.get_postmaster_info().socket_dir), "postgres")
        prepare_server(base.url())
        connect(base, ada, bob)
        base.stop_behind(10, WAITS)
        holder = killed.enter_context(psycopg.connect(base.url(), autocommit=True))
        holder.execute("select pg_advisory_lock(7)")
        made = ada.make(*(version(f"Of Ada {number}") for number in range(20)))
        until(lambda: base.run("select count(*) from pg_locks where not granted") == [(1,)])
        acknowledged = base.run(STANDS)
        kill(server)
        until(lambda: ada.online is False and bob.online is False)
        made += bob.make(version("Made while it was away", BOB))
        start_again(server)
        assert base.run(STANDS)[: len(acknowledged)] == acknowledged
        until(lambda: ada.known == bob.known == set(made))
        until(lambda: ada.online and bob.online)
        assert len(acknowledged) == 7
        assert set(base.log()) == set(made)
        for one in two:
            assert one.log.count("team failed") == 1, "it is told once, however often it is tried"
            one.asks.team_disconnect()


def test_a_server_without_room_is_told_once_and_given_all_when_it_has_room(base: Base, two: tuple[Desk, Desk]):
    """What others could append meanwhile still comes."""
    ada, bob = two
    connect(base, ada, bob)
    base.stop_behind(10, FULL)
    made = ada.make(*(version(f"Of Ada {number}") for number in range(20)))
    until(lambda: ada.online is False)
    standing = ada.asks.team_status().server
    assert standing is not None and "No space left" in standing.wrong
    assert (standing.waiting, len(base.log())) == (20, 7), "a batch is whole or not there"
    until(lambda: len(bob.known) == 7)
    made += bob.make(version("Of Bob", BOB))
    until(lambda: made[-1] in ada.known and ada.online is False)
    base.go_on()
    until(lambda: ada.known == bob.known == set(made))
    until(lambda: ada.online)
    assert set(base.log()) == set(made)
    assert ada.log.count("team failed") == 1, "it is told once, however often it is tried"


def test_a_laptop_whose_disk_is_full_says_so_once_and_takes_in_the_rest_when_there_is_room(
    base: Base, two: tuple[Desk, Desk], monkeypatch: pytest.MonkeyPatch
):
    ada, bob = two
    base.admit("ada", PROJECT), base.admit("bob", PROJECT)
    ada.asks.team_connect(base.url("ada"), PROJECT)
    made = ada.make(*(version(f"Of Ada {number}") for number in range(30)))
    until(lambda: len(base.log()) == len(made))
    prepare, refused = Database._prepare_log, count(1)
    last = 0

    def with_little_room(database: Database) -> None:
        nonlocal last
        if database is bob.daemon.runtime.store.database and len(bob.known) >= 14:
            last = next(refused)
            raise unwritable(database.path, os.strerror(errno.ENOSPC))
        prepare(database)

    with monkeypatch.context() as disk:
        disk.setattr(Database, "_prepare_log", with_little_room)
        bob.asks.team_connect(base.url("bob"), PROJECT)
        until(lambda: bob.online is False)
        before = last
        bob.wake()
        until(lambda: last > before)
        standing = bob.asks.team_status().server
        assert standing is not None and "No space left" in standing.wrong
        assert len(bob.known) == 14, "a batch is whole or not there"
    bob.wake()
    until(lambda: bob.known == set(made))
    until(lambda: bob.online)
    assert bob.log.count("team failed") == 1, "it is told once, however often it is tried"


def test_a_context_asks_the_server_nothing_whether_it_is_there_slow_or_silent(
    base: Base, two: tuple[Desk, Desk], postgres_folder: str
):
    ada, bob = two
    for login in ("ada", "bob"):
        base.admit(login, PROJECT)
    bob.asks.team_connect(base.url("bob"), PROJECT)
    bob.share("Deploys happen on Tuesdays only.")
    with line_to(postgres_folder) as line:
        ada.asks.team_connect(f"postgresql://ada@127.0.0.1:{line.port}/{base.name}", PROJECT)
        until(lambda: ada.online and "Tuesdays" in ada.says)
        for tokens, how in enumerate(("there", "slow", "silent"), 2_000):
            line.delay_s = 0.0 if how == "there" else 0.2
            if how == "silent":
                line.hold()
            before = line.came
            context = ada.asks.assemble(tokens, Signals(query="when do deploys happen"), Format.MARKDOWN, Order.PEOPLE)
            assert "Tuesdays" in context.text, how
            assert line.came == before, how
        ada.share("Something for the server.")
        until(lambda: line.came > before)
        line.free.set()
