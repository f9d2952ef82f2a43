"""Laptops and a server: everything arrives once, whatever happens on the way."""

from __future__ import annotations

import multiprocessing
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from fakes import FakeClock
from laptops import PROJECT, Laptop, all_equal, laptop, push_all
from lines import line_to
from postgres import Base, made_from
from team_records import BOB, entry, version, withdrawal
from waiting import DEADLINE_S

from companion.app.team import syncing
from companion.app.team.linking import ServerLink, ServerLogRead, read_so_far, set_read
from companion.app.verbs.team_server import standing_of
from companion.errors import TeamServerUnreachable
from companion.ports import LogEntry
from companion.store.memories import usage
from companion.store.rows import column, tuples
from companion.team.text import record_id


@pytest.fixture
def team(base: Base) -> Base:
    """Ada and Bob share the shop."""
    base.admit("ada"), base.admit("bob")
    return base


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Laptop, Laptop]]:
    with ExitStack() as open_:
        yield open_.enter_context(laptop(tmp_path / "ada", "Ada")), open_.enter_context(laptop(tmp_path / "bob", "Bob"))


def count(base: Base) -> int:
    (row,) = base.run("select count(*) from companion.log")
    assert isinstance(row[0], int)
    return row[0]


def test_what_both_made_offline_is_on_both_after_each_synchronised(team: Base, two: tuple[Laptop, Laptop]):
    ada, bob = two
    mine = ada.make(*(version(f"Of Ada {number}") for number in range(5)))
    theirs = bob.make(*(version(f"Of Bob {number}", BOB) for number in range(5)))
    assert ada.sync(team.url("ada")).pushed == 5
    assert standing_of(ada.here, ServerLink(team.url("ada"), PROJECT)).waiting == 0, "also on a log that was empty"
    done = bob.sync(team.url("bob"))
    assert (done.pulled, done.pushed, len(done.memories)) == (5, 5, 5)
    assert ada.sync(team.url("ada")).pulled == 5
    assert ada.known == bob.known == {*mine, *theirs}
    again = ada.sync(team.url("ada")), bob.sync(team.url("bob"))
    assert [(one.pulled, one.pushed) for one in again] == [(0, 0), (0, 0)], "nothing goes twice"


def test_a_withdrawal_reaches_server_and_colleague(team: Base, two: tuple[Laptop, Laptop]):
    ada, bob = two
    taken = version("The zanzibar plan")
    ada.make(taken), ada.sync(team.url("ada")), bob.sync(team.url("bob"))
    assert record_id(taken) in bob.known
    ada.make(withdrawal(taken)), ada.sync(team.url("ada"))
    assert bob.sync(team.url("bob")).withdrawn == 1
    assert record_id(taken) not in bob.known | ada.known
    assert "zanzibar" not in str(team.run("select * from companion.log"))


def use(one: Laptop, memory: str) -> None:
    usage.record(one.here.store.database, [memory], "cited", "", one.here.now())


def next_day(one: Laptop) -> None:
    clock = one.here.runtime.adapters.clock
    assert isinstance(clock, FakeClock)
    clock.advance(days=1)


def used_by(one: Laptop, memory: str) -> list[tuple[object, ...]]:
    return tuples(one.here.store.database, "select used_by from team_records where memory_id = $memory", memory=memory)


def test_of_how_much_use_something_is_goes_round_once_a_day(team: Base, two: tuple[Laptop, Laptop]):
    """And the nightly run weighs by it."""
    ada, bob = two
    ada.make(version("The cache is cleared at noon"))
    ada.sync(team.url("ada"))
    (theirs,) = bob.sync(team.url("bob")).memories
    use(bob, theirs)
    bob.sync(team.url("bob")), ada.sync(team.url("ada"))
    (mine,) = column(ada.here.store.database, "select memory_id from team_records")
    assert used_by(ada, mine) == [(0,)], "both exchanged today"
    for one, login in ((bob, "bob"), (ada, "ada")):
        next_day(one)
        one.sync(team.url(login))
    assert used_by(ada, mine) == [(1,)]
    assert used_by(bob, theirs) == [(0,)], "to nobody else"


def test_who_may_only_read_hears_of_what_is_of_use_and_says_nothing(team: Base, two: tuple[Laptop, Laptop]):
    ada, bob = two
    team.admit("eve", role="companion_read")
    ada.make(version("The cache is cleared at noon"))
    ada.sync(team.url("ada"))
    (theirs,) = bob.sync(team.url("eve")).memories
    use(bob, theirs)
    next_day(bob)
    bob.sync(team.url("eve"))
    assert team.run("select * from companion.uses") == []


CUTS = [("cut_after", at) for at in (1, 400, 2_000, 9_000)] + [("cut_back_after", at) for at in (1, 400, 800, 1_100)]


def test_a_line_that_is_cut_anywhere_loses_and_doubles_nothing(
    team: Base, two: tuple[Laptop, Laptop], postgres_folder: str, monkeypatch: pytest.MonkeyPatch
):
    """Cut on the way there, or on the way back, when the server has done it and nobody is told."""
    monkeypatch.setattr(syncing, "BATCH", 7)
    monkeypatch.setattr(syncing, "BATCH_MOST", 7)
    ada, bob = two
    made: list[str] = []
    with line_to(postgres_folder) as line:
        url = f"postgresql://ada@127.0.0.1:{line.port}/{team.name}"
        for where, at in CUTS:
            made += ada.make(*(version(f"Of Ada {number}, {where} {at}") for number in range(20)))
            setattr(line, where, at)
            with pytest.raises(TeamServerUnreachable):
                ada.sync(url)
            ada.sync(url)
            bob.sync(team.url("bob"))
            assert (count(team), bob.known) == (len(made), set(made)), (where, at)


def test_a_server_that_falls_silent_is_given_up_and_asked_again(
    team: Base, two: tuple[Laptop, Laptop], postgres_folder: str, monkeypatch: pytest.MonkeyPatch
):
    ada, _ = two
    ada.make(version("Of Ada"))
    with line_to(postgres_folder) as line:
        url = f"postgresql://ada@127.0.0.1:{line.port}/{team.name}?connect_timeout=2"
        line.hold()
        with pytest.raises(TeamServerUnreachable):
            ada.sync(url)
        line.free.set()
        assert ada.sync(url).pushed == 1


def test_a_restored_server_is_given_again_what_it_lost(team: Base, two: tuple[Laptop, Laptop], postgres_folder: str):
    """Yesterday's backup lacks what Ada shared today, and Bob, who had read it, shares something before her."""
    ada, bob = two
    early = ada.make(version("Yesterday"))
    ada.sync(team.url("ada")), bob.sync(team.url("bob"))
    team.forget_connections()
    backup = made_from(postgres_folder, team.name)
    today = ada.make(version("Today"), version("Today too"))
    ada.sync(team.url("ada")), bob.sync(team.url("bob"))
    late = bob.make(version("Of Bob", BOB))
    done = bob.sync(backup.url("bob"))
    assert (done.restored, done.pushed) == (True, 3)
    ada.sync(backup.url("ada"))
    assert ada.known == bob.known == {*early, *today, *late}
    assert (count(backup), bob.sync(backup.url("bob")).restored) == (4, False)


def test_what_was_pushed_and_lost_before_it_was_read_back_goes_again(
    team: Base, two: tuple[Laptop, Laptop], postgres_folder: str
):
    """Ada is killed between her push and her look at the log; the server is restored to the moment before."""
    ada, _ = two
    ada.make(version("Yesterday")), ada.sync(team.url("ada"))
    team.forget_connections()
    backup = made_from(postgres_folder, team.name)
    (today,) = ada.make(version("Today"))
    calls = iter([True, True, False, False, False])
    ada.sync(team.url("ada"), go_on=lambda: next(calls, False))
    assert count(team) == 2
    ada.sync(backup.url("ada"))
    assert backup.run("select record from companion.log where position = 2") == [(today,)]


def test_a_laptop_restored_from_a_backup_catches_up(team: Base, tmp_path: Path):
    with laptop(tmp_path / "ada", "Ada") as ada:
        first = ada.make(version("First"))
        ada.sync(team.url("ada"))
    shutil.copytree(tmp_path / "ada" / "home", tmp_path / "copy")
    with laptop(tmp_path / "ada", "Ada") as ada:
        second = ada.make(version("Second"))
        ada.sync(team.url("ada"))
    shutil.rmtree(tmp_path / "ada" / "home")
    shutil.copytree(tmp_path / "copy", tmp_path / "ada" / "home")
    with laptop(tmp_path / "ada", "Ada") as ada:
        third = ada.make(version("Third"))
        done = ada.sync(team.url("ada"))
        assert (done.pulled, done.pushed) == (1, 1)
        assert ada.known == {*first, *second, *third}
    assert count(team) == 3


def test_two_laptops_of_one_identity_have_the_same(team: Base, tmp_path: Path):
    with laptop(tmp_path / "one", "Ada") as one, laptop(tmp_path / "two", "Ada") as two:
        same = version("Said on both")
        one.make(same, version("On one")), two.make(same, version("On two"))
        for each in (one, two, one):
            each.sync(team.url("ada"))
        assert one.known == two.known and len(one.known) == count(team) == 3


def test_clocks_an_hour_off_change_nothing(team: Base, two: tuple[Laptop, Laptop]):
    ada, bob = two
    clock = ada.here.runtime.adapters.clock
    assert isinstance(clock, FakeClock)
    clock.advance(hours=1)
    ada.make(version("From the future")), bob.make(version("Of now", BOB))
    for one, login in ((ada, "ada"), (bob, "bob"), (ada, "ada")):
        one.sync(team.url(login))
    assert all_equal(two) and len(ada.known) == 2


def test_what_the_server_refuses_is_named_and_the_rest_goes(team: Base, two: tuple[Laptop, Laptop]):
    ada, _ = two
    team.run("alter table companion.log add check (body #>> '{draft,value}' <> 'Refused')")
    fine = [version(f"Fine {number}") for number in range(20)]
    (bad,) = ada.make(version("Refused"))
    ada.make(*fine)
    done = ada.sync(team.url("ada"))
    assert (set(done.refused), done.pushed) == ({bad}, 20)
    assert set(ada.sync(team.url("ada")).refused) == {bad}, "it is not noted as sent"


def test_who_may_only_read_reads_and_is_told_why_nothing_goes(team: Base, two: tuple[Laptop, Laptop]):
    ada, bob = two
    team.admit("eve", role="companion_read")
    ada.make(version("Of Ada")), ada.sync(team.url("ada"))
    bob.make(*(version(f"Of Bob {number}", BOB) for number in range(30)))
    done = bob.sync(team.url("eve"))
    assert (done.pulled, done.pushed, len(done.refused) >= syncing.REFUSED_MOST) == (1, 0, True)


def test_a_server_that_lies_is_not_believed(team: Base, two: tuple[Laptop, Laptop]):
    """A text under another's name, one that is none, and one that the door lets nobody out with."""
    _, bob = two
    secret = version("The key is " + "AKIA" + "IOSFODNN7EXAMPLQ")
    good = entry(version("Good"))
    with team.server("ada") as server:
        lie = LogEntry("f" * 32, good.kind, good.author, good.made_at, good.text)
        odd = LogEntry("e" * 32, "SharedVersion", "x", good.made_at, '{"record": "Tomorrow"}')
        server.push([lie, odd, entry(secret), good], {})
    done = bob.sync(team.url("bob"))
    assert (done.pulled, list(done.unfit)) == (1, [record_id(secret)])
    assert bob.known == {good.id}


def test_what_an_older_program_could_not_read_is_read_by_a_newer_one(team: Base, two: tuple[Laptop, Laptop]):
    ada, bob = two
    (made,) = ada.make(version("Of Ada"))
    ada.sync(team.url("ada")), bob.sync(team.url("bob"))
    fresh = bob.here
    (first,) = bob.known
    assert first == made
    read = read_so_far(fresh.runtime, fresh.project)
    assert read.unread_by == ""
    set_read(fresh.runtime, fresh.project, ServerLogRead(read.place, "0.0.1"))
    bob.sync(team.url("bob"))
    again = read_so_far(fresh.runtime, fresh.project)
    assert (again.place, again.unread_by) == (read.place, ""), "it was read from its start, to the same place"


def test_versions_get_vectors_behind(team: Base, two: tuple[Laptop, Laptop], monkeypatch: pytest.MonkeyPatch):
    ada, _ = two
    monkeypatch.setattr(syncing, "EMBEDDED_AT_ONCE", 3)
    ada.make(*(version(f"Of Ada {number}") for number in range(8)))
    ada.sync(team.url("ada"), vectors=True)
    assert team.run("select count(*) from companion.meanings") == [(8,)]


def test_a_pusher_that_is_killed_anywhere_loses_and_doubles_nothing(team: Base, tmp_path: Path):
    """Twenty are killed, each after so many milliseconds more; what is left is sent by one that is let alone."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["laptops"])
    with laptop(tmp_path / "ada", "Ada") as ada:
        made = ada.make(*(version(f"Of Ada {number}") for number in range(600)))
    for number in range(20):
        begun = processes.Event()
        one = processes.Process(target=push_all, args=(tmp_path / "ada", team.url("ada"), begun))
        one.start()
        assert begun.wait(DEADLINE_S)
        one.join(0.03 * number)
        one.kill()
        one.join()
    with laptop(tmp_path / "ada", "Ada") as ada, laptop(tmp_path / "bob", "Bob") as bob:
        ada.sync(team.url("ada"))
        bob.sync(team.url("bob"))
        assert ada.known == bob.known == set(made)
    assert count(team) == 600


def test_batches_grow_while_nobody_asks_and_are_small_again_once_somebody_does(
    two: tuple[Laptop, Laptop], team: Base, monkeypatch: pytest.MonkeyPatch
):
    """What others ask meanwhile waits for a small batch at most."""
    ada, bob = two
    ada.make(*(version(f"Of Ada {number}") for number in range(60)))
    ada.sync(team.url("ada"))
    monkeypatch.setattr(syncing, "BATCH", 4)
    monkeypatch.setattr(syncing, "BATCH_MOST", 16)
    sizes: list[int] = []
    with team.server("bob") as server:
        pull = server.pull
        monkeypatch.setattr(server, "pull", lambda place, limit: sizes.append(limit) or pull(place, limit))
        syncing.synchronise(bob.here, server, asked=lambda: len(sizes) >= 4)
    assert sizes == [4, 8, 16, 16, 4, 8, 16]
    assert ada.known == bob.known
