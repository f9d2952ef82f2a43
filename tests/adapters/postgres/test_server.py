"""The log on a real server: complete, in order, never skipped, and found by search."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from postgres import Base, made_from
from team_records import ADA, BOB, entry, version, withdrawal
from waiting import until

from companion.adapters.postgres import preparing
from companion.adapters.postgres.preparing import prepare_server
from companion.adapters.postgres.server import PostgresServer
from companion.errors import TeamServerRefused, TeamServerUnreachable
from companion.ports import LogEntry, LogPlace
from companion.team.text import read, record_id

START = LogPlace()


def all_of(server: PostgresServer, after: LogPlace = START, limit: int = 100) -> dict[str, str]:
    """Everything behind a place."""
    found: dict[str, str] = {}
    while True:
        pulled = server.pull(after, limit)
        found.update(pulled.texts)
        after = pulled.place
        if not pulled.more:
            return found


def entries(*texts: str) -> list[LogEntry]:
    return [entry(version(text)) for text in texts]


def near(direction: int) -> Sequence[float]:
    """A unit vector."""
    return [1.0 if place == direction else 0.0 for place in range(384)]


def test_what_is_pushed_is_pulled_in_order_and_says_the_same(base: Base):
    base.admit("ada"), base.admit("bob")
    records = [version(f"Rule {number}: ½ „quoted“ \\ \n and so on") for number in range(25)]
    with base.server("ada") as ada, base.server("bob") as bob:
        assert ada.push([entry(one) for one in records], {}) == 25
        found = all_of(bob, limit=7)
    assert list(found) == [record_id(one) for one in records]
    assert [read(text.encode()) for text in found.values()] == records


def test_what_is_there_already_is_not_appended_again(base: Base):
    base.admit("ada")
    with base.server("ada") as ada:
        assert ada.push(entries("one", "two"), {}) == 2
        assert ada.push(entries("two", "three", "two"), {}) == 1
        place = ada.pull(START, 10).place
        assert (place.position, len(all_of(ada))) == (3, 3)
        assert ada.pull(place, 10).texts == {}


@pytest.mark.parametrize("isolation", ["read committed", "repeatable read"])
def test_nothing_is_skipped_that_was_being_committed_while_others_read(base: Base, isolation: str):
    """Eight append at once, in batches that commit in any order; who reads all the while misses none."""
    for login in ("ada", "bob"):
        base.admit(login)
    base.run(f"alter database {base.name} set default_transaction_isolation = '{isolation}'")
    done = threading.Event()

    def append(number: int) -> None:
        with base.server("ada") as one:
            for batch in range(10):
                one.push(entries(*(f"of {number}, {batch}, {place}" for place in range(7))), {})

    def follow() -> dict[str, str]:
        found: dict[str, str] = {}
        place = LogPlace()
        with base.server("bob") as one:
            last = False
            while not last:
                last = done.is_set()
                while (pulled := one.pull(place, 16)).texts:
                    found.update(pulled.texts)
                    place = pulled.place
        return found

    with ThreadPoolExecutor(9) as pool:
        following = pool.submit(follow)
        list(pool.map(append, range(8)))
        done.set()
        assert len(following.result()) == 560
    assert base.run("select count(*), max(position) from companion.log") == [(560, 560)]


def test_a_record_that_is_not_committed_yet_holds_back_those_behind_it(base: Base):
    """The rule by itself: while one has a position and has not committed, nobody gets a later one."""
    base.admit("ada"), base.admit("bob")
    row = entry(version("slow"))
    with psycopg.connect(base.url("ada")) as slow, base.server("bob") as bob, ThreadPoolExecutor(1) as pool:
        slow.execute(
            "insert into companion.log (project, record, kind, author, made_at, body) values ('shop', %s, %s, %s, %s, %s)",
            (row.id, row.kind, row.author, row.made_at, row.text),
        )
        pushing = pool.submit(bob.push, entries("quick"), {})
        waiting = "select count(*) from pg_locks where locktype = 'advisory' and not granted"
        until(lambda: base.run(waiting) == [(1,)])
        with base.server("ada") as reader:
            assert reader.pull(START, 10).texts == {}
            slow.commit()
            assert pushing.result() == 1
            assert list(all_of(reader)) == [row.id, entry(version("quick")).id]


def test_a_withdrawal_takes_the_text_from_log_and_search_and_stays_itself(base: Base):
    base.admit("ada"), base.admit("bob")
    kept, taken = version("Keep this one"), version("The zanzibar plan")
    with base.server("ada") as ada, base.server("bob") as bob:
        ada.push([entry(kept), entry(taken)], {record_id(taken): near(1)})
        place = bob.pull(START, 10).place
        assert [hit.version for hit in bob.search("zanzibar", None, 5)] == [record_id(taken)]
        ada.push([entry(withdrawal(taken))], {})
        assert bob.search("zanzibar", near(1), 5) == ()
        assert list(bob.pull(place, 10).texts) == [record_id(withdrawal(taken))], "the place is still one of this log"
        assert list(all_of(bob)) == [record_id(kept), record_id(withdrawal(taken))]
    for table in ("log", "texts", "meanings"):
        assert "zanzibar" not in str(base.run(f"select * from companion.{table}"))


def test_a_version_that_comes_behind_its_withdrawal_leaves_no_text(base: Base):
    base.admit("ada")
    taken = version("The zanzibar plan")
    with base.server("ada") as ada:
        ada.push([entry(withdrawal(taken))], {})
        ada.push([entry(taken)], {record_id(taken): near(1)})
        assert list(all_of(ada)) == [record_id(withdrawal(taken))]
        assert ada.search("zanzibar", None, 5) == ()
    assert "zanzibar" not in str(base.run("select * from companion.log"))


def test_a_log_restored_from_a_backup_is_known_and_read_from_its_start(base: Base, postgres_folder: str):
    base.admit("ada")
    with base.server("ada") as ada:
        ada.push(entries("one", "two"), {})
        early = ada.pull(START, 10)
    base.forget_connections()
    backup = made_from(postgres_folder, base.name)
    with base.server("ada") as ada:
        ada.push(entries("three"), {})
        place = ada.pull(early.place, 10).place
    with backup.server("ada") as ada:
        assert ada.pull(place, 10).anew, "the position is gone"
        ada.push(entries("another three"), {})
        pulled = ada.pull(place, 10)
        assert (pulled.anew, len(pulled.texts)) == (True, 3), "another record stands there"
        assert not ada.pull(early.place, 10).anew


def test_another_log_is_read_from_its_start(base: Base, postgres_folder: str):
    other = made_from(postgres_folder)
    other.run("update companion.server set id = gen_random_uuid()")
    places = []
    for one in (base, other):
        one.admit("ada")
        with one.server("ada") as ada:
            ada.push(entries("one"), {})
            places.append(ada.pull(START, 10).place)
    with base.server("ada") as ada:
        assert (ada.pull(places[0], 10).anew, ada.pull(places[1], 10).anew) == (False, True)


def test_who_listens_is_woken_by_what_others_append_not_by_other_projects(base: Base):
    base.admit("ada"), base.admit("ada", "other"), base.admit("bob")
    with base.server("bob", listens=True) as bob, base.server("ada") as ada, base.server("ada", "other") as other:
        bob.pull(START, 10)
        other.push(entries("elsewhere"), {})
        bob.wait(0.0)
        woken = threading.Event()
        waiting = threading.Thread(target=lambda: (bob.wait(None), woken.set()))
        waiting.start()
        ada.push(entries("here"), {})
        assert woken.wait(60)
        waiting.join()


def test_who_waits_can_be_woken_before_and_while_it_waits(base: Base):
    base.admit("bob")
    with base.server("bob", listens=True) as bob:
        bob.wake()
        bob.wait(None)
        waiting = threading.Thread(target=bob.wait, args=(None,))
        waiting.start()
        bob.wake()
        waiting.join(60)
        assert not waiting.is_alive()


def test_search_ranks_by_words_then_any_word_then_meaning(base: Base):
    base.admit("ada")
    both, one, none = version("Redirects of the login page"), version("Login by card"), version("Colours of the shop")
    with base.server("ada") as ada:
        vectors = {record_id(record): near(place) for place, record in enumerate((both, one, none))}
        ada.push([entry(record) for record in (both, one, none)], vectors)
        assert [hit.version for hit in ada.search("login redirect", None, 5)] == [record_id(both)]
        assert {hit.version for hit in ada.search("login teapot", None, 5)} == {record_id(both), record_id(one)}
        assert record_id(none) == ada.search("teapot", near(2), 5)[0].version
        assert ada.search("'); drop table companion.log; --", None, 5) == ()
        assert ada.search("", None, 5) == ()


def test_search_finds_what_is_in_its_project_alone_however_near_others_are(base: Base):
    base.admit("ada"), base.admit("bob", "other"), base.admit("bob")
    with base.server("bob", "other") as bob:
        for number in range(60):
            secret = version(f"A secret plan {number}", BOB)
            bob.push([entry(secret)], {record_id(secret): near(3)})
    ours = version("Our plan")
    with base.server("ada") as ada:
        ada.push([entry(ours)], {record_id(ours): near(4)})
        assert [hit.version for hit in ada.search("plan", near(3), 5)] == [record_id(ours)]


def test_versions_without_vectors_are_named_until_they_have_one(base: Base):
    base.admit("ada"), base.admit("bob")
    mine, theirs = version("one"), version("two", BOB)
    with base.server("ada") as ada, base.server("bob") as bob:
        ada.push([entry(mine)], {})
        bob.push([entry(theirs)], {})
        assert ada.without_vectors(10) == (record_id(mine),)
        ada.push([], {record_id(mine): near(0), record_id(theirs): near(0)})
        assert ada.without_vectors(10) == ()
        assert bob.without_vectors(10) == (record_id(theirs),), "nobody gives another's version a vector"


def test_without_the_extension_words_are_enough(postgres_folder: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(preparing, "_CAN_VECTORS", "select false")
    bare = made_from(postgres_folder, "template0")
    assert "words alone" in prepare_server(bare.url())[1]
    bare.admit("ada")
    one = version("Redirects of the login page")
    with bare.server("ada") as ada:
        ada.push([entry(one)], {record_id(one): near(0)})
        assert ada.without_vectors(10) == ()
        assert [hit.version for hit in ada.search("login", near(0), 5)] == [record_id(one)]
    monkeypatch.undo()
    assert "words and meaning" in prepare_server(bare.url())[1]
    with bare.server("ada") as ada:
        assert ada.without_vectors(10) == (record_id(one),)


def test_each_login_says_once_what_was_of_use_to_it_and_is_told_to_how_many_others(base: Base):
    base.admit("ada"), base.admit("bob"), base.admit("cleo")
    one, two = (version(text) for text in ("Of use", "Of use as well"))
    ids = [record_id(one), record_id(two)]
    with base.server("ada") as ada, base.server("bob") as bob, base.server("cleo") as cleo:
        ada.push([entry(one), entry(two)], {})
        assert ada.exchange_uses([*ids, "f" * 32]) == {}
        assert ada.exchange_uses(ids) == {}, "one's own vote is none of others"
        assert bob.exchange_uses(ids[:1]) == {ids[0]: 1, ids[1]: 1}
        assert cleo.exchange_uses(()) == {ids[0]: 2, ids[1]: 1}


def test_a_newer_server_is_refused_and_an_older_one_says_what_to_run(base: Base):
    base.admit("ada")
    base.run("insert into companion.migrations (number, name) values (9999, 'from the future')")
    with base.server("ada") as ada, pytest.raises(TeamServerRefused, match="pip install --upgrade"):
        ada.pull(START, 10)
    with pytest.raises(TeamServerRefused, match="newer companion"):
        prepare_server(base.url())
    base.run("delete from companion.migrations")
    with base.server("ada") as ada, pytest.raises(TeamServerRefused, match="companion team prepare"):
        ada.check()


def test_an_unprepared_database_and_a_stranger_are_told_what_to_ask_for(base: Base, postgres_folder: str):
    base.admit("ada")
    with (
        base.server("ada", "unknown project") as ada,
        pytest.raises(TeamServerRefused, match=r"put into companion\.members"),
    ):
        ada.check()
    with Base(postgres_folder, "postgres").server("ada") as ada, pytest.raises(TeamServerRefused, match="team prepare"):
        ada.check()


def test_two_who_prepare_at_once_prepare_it_once(postgres_folder: str):
    bare = made_from(postgres_folder, "template0")
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: prepare_server(bare.url())[0], range(4)))
    assert sum(not one.startswith("0 of") for one in done) == 1


def test_every_table_column_and_function_says_what_it_is(base: Base):
    tables = """
        select relname from pg_class
        where relnamespace = 'companion'::regnamespace and relkind = 'r' and obj_description(oid, 'pg_class') is null
    """
    columns = """
        select attrelid::regclass::text, attname from pg_attribute
        join pg_class on pg_class.oid = attrelid
        where relnamespace = 'companion'::regnamespace and relkind = 'r' and attnum > 0
            and col_description(attrelid, attnum) is null
    """
    functions = """
        select proname from pg_proc
        where pronamespace = 'companion'::regnamespace and obj_description(oid, 'pg_proc') is null
    """
    assert len(base.run("select 1 from pg_class where relnamespace = 'companion'::regnamespace and relkind = 'r'")) == 7
    assert base.run(tables) == base.run(columns) == base.run(functions) == []


def test_after_its_connections_were_ended_it_is_asked_again_with_a_new_one(base: Base):
    base.admit("ada")
    with base.server("ada") as ada:
        ada.push(entries("one"), {})
        base.forget_connections()
        with pytest.raises(TeamServerUnreachable):
            ada.push(entries("two"), {})
        assert ada.push(entries("two"), {}) == 1


def test_a_replica_that_only_reads_is_one_to_ask_later(base: Base):
    base.admit("ada")
    base.run(f"alter database {base.name} set default_transaction_read_only = on")
    with base.server("ada") as ada:
        assert ada.pull(START, 10).texts == {}
        with pytest.raises(TeamServerUnreachable, match="read-only"):
            ada.push(entries("one"), {})


def test_who_closes_ends_a_question_that_waits_for_its_answer(base: Base):
    base.admit("ada")
    with psycopg.connect(base.url()) as holder, base.server("ada") as ada, ThreadPoolExecutor(1) as pool:
        holder.execute("lock table companion.log in access exclusive mode")
        asking = pool.submit(ada.pull, START, 10)
        until(lambda: base.run("select count(*) from pg_locks where not granted") == [(1,)])
        ada.close()
        with pytest.raises(TeamServerUnreachable):
            asking.result(60)


def test_authors_are_told_as_the_record_says_and_logins_as_the_server_knows(base: Base):
    base.admit("ada"), base.admit("bob")
    with base.server("bob") as bob:
        bob.push([entry(version("one", ADA))], {})
    assert base.run("select author, login from companion.log") == [(ADA, "bob")]
