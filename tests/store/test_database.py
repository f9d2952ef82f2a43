"""The file: who may open it, what survives a crash, what is said when it cannot be used."""

from __future__ import annotations

import os
import random
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from companion_schema import LATEST
from processes import HOLDER, WRITER, names, posix_only, put
from stores import open_store, store, store_of_before

from companion.config import HIDING_NAME
from companion.errors import StoreError, StoreHeld, StoreTooNew, UsageError
from companion.store import connecting
from companion.store.binding import duckdb
from companion.store.bulk import insert_rows
from companion.store.database import Database
from companion.store.files import FILE_NAME, log_path


def test_what_was_confirmed_is_there_after_kill_9_at_any_moment(tmp_path: Path) -> None:
    dice = random.Random(11)
    confirmed: list[str] = []
    for _ in range(8):
        command = [sys.executable, "-c", WRITER, str(tmp_path / "home"), str(len(confirmed) + 1000)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            confirmed += [child.stdout.readline().strip() for _ in range(dice.randrange(1, 40))]
            child.kill()
            confirmed += child.stdout.read().split()
        with store(tmp_path / "home") as database:
            there = set(names(database))
            assert set(confirmed) <= there
            with database.read() as connection:
                logged = {row[0] for row in connection.execute("select memory_id from usage_log").fetchall()}
            assert logged == there, "a transaction is there whole or not at all"
            confirmed = sorted(there)


def test_a_small_store_takes_one_thread_and_plans_briefly_and_a_large_one_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def settings() -> object:
        with store(tmp_path) as database, database.read() as connection:
            return connection.execute(
                "select current_setting('threads'), len(string_split(current_setting('disabled_optimizers'), ','))"
            ).fetchone()

    monkeypatch.setattr(connecting.os, "cpu_count", lambda: 64)
    small = (1, len(connecting.UNUSED_OPTIMIZERS))
    assert [settings(), settings()] == [small, small], "both where there is no file yet, and where there is"
    monkeypatch.setattr(connecting, "SMALL_STORE_BYTES", 1)
    assert settings() == (connecting.MAX_THREADS, 1)


def test_what_is_read_while_the_store_closes_is_broken_off(tmp_path: Path) -> None:
    database, begun, ends = open_store(tmp_path), threading.Event(), []

    def read() -> None:
        with pytest.raises(StoreError, match="closed while it was read"), database.read() as connection:
            begun.set()
            connection.execute("select count(*) from range(1_000_000) a, range(1_000_000) b").fetchall()
        ends.append("told")

    reader = threading.Thread(target=read)
    reader.start()
    begun.wait()
    database.close()
    reader.join()
    assert ends == ["told"]
    with store(tmp_path) as again:
        assert names(again) == []


def test_a_second_process_waits_and_is_then_told_who_holds_the_store(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stdin is not None
        child.stdout.readline()
        with pytest.raises(StoreHeld) as told:
            open_store(tmp_path, wait_s=0.12)
        assert told.value.holder_pid == child.pid
        assert str(child.pid) in str(told.value)
        assert "python" in str(told.value)
        assert told.value.next_step

        released = threading.Timer(0.2, lambda: (child.stdin.write("\n"), child.stdin.flush()))
        released.start()
        open_store(tmp_path, wait_s=30).close()
        released.join()


def test_a_store_that_another_process_took_meanwhile_is_closed_and_says_so(tmp_path: Path) -> None:
    database = open_store(tmp_path)
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with pytest.raises(StoreHeld), database.released():
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)
        assert child.stdout is not None
        child.stdout.readline()
    with child:
        with pytest.raises(StoreError, match="closed"), database.read():
            pass
        with pytest.raises(StoreError, match="closed"):
            put(database, "late")
        database.close()
        child.kill()


@posix_only
def test_nobody_else_may_read_the_store_nor_its_log(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        home = tmp_path / "deep" / "home"
        open_store(home).close()
        with store(home) as database:
            put(database, "a")
            assert stat.S_IMODE(home.stat().st_mode) == 0o700
            assert stat.S_IMODE((home / FILE_NAME).stat().st_mode) == 0o600
            assert stat.S_IMODE(log_path(home / FILE_NAME).stat().st_mode) == 0o600
            database.checkpoint()
            put(database, "b")
            assert stat.S_IMODE(log_path(home / FILE_NAME).stat().st_mode) == 0o600
    finally:
        os.umask(before)


@posix_only
def test_a_folder_with_other_things_in_it_keeps_its_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "letters.txt").write_text("dear")
    open_store(tmp_path).close()
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600
    assert not (tmp_path / HIDING_NAME).exists(), "what others keep there stays in git's sight"


def test_a_store_of_a_newer_program_is_refused_and_untouched(tmp_path: Path) -> None:
    with store(tmp_path) as database, database.write() as connection:
        connection.execute(
            "insert into schema_migrations (number, name, written_by) values ($n, 'later', '99.1')",
            {"n": LATEST + 1},
        )
    before = (tmp_path / FILE_NAME).read_bytes()
    with pytest.raises(StoreTooNew, match=r"99\.1"):
        open_store(tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_an_older_store_is_backed_up_before_it_is_brought_up_to_date(tmp_path: Path) -> None:
    with store_of_before(tmp_path / "home", 1) as database:
        put(database, "kept before")
    with store(tmp_path / "home") as database, database.read() as connection:
        assert connection.execute("select max(number) from schema_migrations").fetchall() == [(LATEST,)]
        assert names(database) == ["kept before"]
    assert len(list((tmp_path / "home" / "backups").iterdir())) == 1


def test_every_column_has_a_comment(tmp_path: Path) -> None:
    with store(tmp_path) as database, database.read() as connection:
        bare = connection.execute(
            "select table_name, column_name from duckdb_columns() where comment is null and not internal"
        ).fetchall()
    assert bare == []


def test_without_a_store_nothing_is_made_unless_asked(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="companion init"):
        open_store(tmp_path / "home", create=False)
    assert not (tmp_path / "home").exists()


def test_a_memory_limit_that_is_no_size_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="memory_limit"):
        open_store(tmp_path, memory_limit="plenty")


def test_long_work_spares_memory_and_processors_and_gives_them_back_even_where_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "SMALL_STORE_BYTES", 1)
    monkeypatch.setattr(connecting.os, "cpu_count", lambda: 4)
    with store(tmp_path) as database:

        def bounds() -> tuple[object, ...]:
            with database.read() as connection:
                row = connection.execute(
                    "select current_setting('memory_limit'), current_setting('threads')"
                ).fetchone()
            return row or ()

        before = bounds()
        with pytest.raises(ZeroDivisionError), database.sparing("100MB", 1):
            within = bounds()
            raise ZeroDivisionError
        assert (before[1], within[1]) == (4, 1)
        assert within[0] != before[0]
        assert bounds() == before


def test_an_error_in_a_write_undoes_all_of_it(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        revision = database.revision
        with pytest.raises(ZeroDivisionError), database.write():
            put(database, "inner")
            raise ZeroDivisionError
        assert names(database) == []
        assert database.revision == revision


def test_an_error_that_is_swallowed_inside_a_write_is_not_taken_for_success(tmp_path: Path) -> None:
    import duckdb

    with store(tmp_path) as database:
        put(database, "a")
        with pytest.raises(duckdb.TransactionException), database.write() as connection:
            connection.execute("insert into store_meta values ('b', '')")
            with pytest.raises(duckdb.ConstraintException):
                connection.execute("insert into store_meta values ('a', 'twice')")
        assert names(database) == ["a"]


def test_a_write_inside_a_write_joins_it_and_sees_what_it_wrote(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        revision = database.revision
        with database.write():
            put(database, "inner")
            assert names(database) == ["inner"]
        assert database.revision == revision + 1


def test_a_quiet_write_leaves_the_revision(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        revision = database.revision
        with database.write(quiet=True) as connection:
            connection.execute("insert into store_meta values ('q', '')")
        assert database.revision == revision
        assert names(database) == ["q"]


def test_threads_write_one_after_another_while_others_read(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        wrong: list[BaseException] = []

        def work(number: int) -> None:
            try:
                for turn in range(20):
                    put(database, f"t{number}-{turn:02d}")
                    assert len(names(database)) > turn
            except BaseException as error:
                wrong.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []
        assert len(names(database)) == 80


def test_two_first_starts_at_once_make_one_store(tmp_path: Path) -> None:
    code = WRITER.replace("while True:", "for _ in range(3):")
    children = [
        subprocess.Popen(
            [sys.executable, "-c", code.replace("wait_s=1", "wait_s=30"), str(tmp_path), str(start)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for start in (0, 100)
    ]
    for child in children:
        _, complaint = child.communicate(timeout=60)
        assert child.returncode == 0, complaint
    with store(tmp_path) as database:
        assert len(names(database)) == 6
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [HIDING_NAME, FILE_NAME]


def test_an_interrupt_does_not_leave_a_writer_behind(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        with pytest.raises(KeyboardInterrupt), database.write() as connection:
            connection.execute("insert into store_meta values ('half', '')")
            signal.raise_signal(signal.SIGINT)
        put(database, "next")
        assert names(database) == ["next"]


def test_rows_of_every_type_arrive_as_they_were_given(tmp_path: Path) -> None:
    columns = ("project_id", "seq", "sha", "parents", "author_name", "author_email", "authored_at")
    columns += ("committed_at", "subject", "is_merge", "file_count")
    from datetime import datetime

    moment = datetime(2026, 1, 2, 3, 4, 5, 678901)
    rows = [
        ("p", number, f"sha{number}", "", "Zoë 🦆", "", moment, moment, "a\0b 'quote' \"", number % 2 == 0, 0)
        for number in range(12_001)
    ]
    with store(tmp_path) as database:
        with database.write() as connection:
            insert_rows(connection, "commits", columns, rows)
            insert_rows(connection, "embeddings", ("text_hash", "model", "vector"), [("h", "m", [0.5, 1])])
            insert_rows(connection, "commits", columns, [])
        with database.read() as connection:
            names_ = ", ".join(columns)
            back = connection.execute(f"select {names_} from commits order by seq").fetchall()
            assert back == rows
            assert connection.execute("select vector from embeddings").fetchall() == [([0.5, 1.0],)]


def test_a_column_or_a_row_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        with pytest.raises(ValueError, match="no_such"), database.write() as connection:
            insert_rows(connection, "store_meta", ("name", "no_such"), [("a", "b")])
        with pytest.raises(ValueError, match=r"shorter|longer|argument"), database.write() as connection:
            insert_rows(connection, "store_meta", ("name", "value"), [("a", "b"), ("c",)])


def test_what_is_kept_in_memory_is_let_go_and_everything_is_still_answered(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        with database.write() as connection:
            connection.execute(
                "create table wide as select md5(range::varchar) || md5('' || -range) as t from range(50000)"
            )
        database.checkpoint()
        with database.read() as connection:
            limit = connection.execute("select current_setting('memory_limit')").fetchone()
            connection.execute("select sum(length(t)) from wide where t != ''").fetchone()
        before = held(database)
        database.let_go("1MB")
        assert held(database) < before
        with database.read() as connection:
            assert connection.execute("select sum(length(t)) from wide").fetchone() == (50_000 * 64,)
            assert connection.execute("select current_setting('memory_limit')").fetchone() == limit


@pytest.mark.parametrize("at_work", [Database.read, Database.write])
def test_nothing_is_let_go_under_whoever_reads_or_writes(
    tmp_path: Path, at_work: Callable[[Database], AbstractContextManager[duckdb.DuckDBPyConnection]]
) -> None:
    """With less memory for a moment, what another thread asked meanwhile failed."""
    with store(tmp_path) as database:
        with database.write() as connection:
            connection.execute(
                "create table wide as select md5(range::varchar) || md5('' || -range) as t from range(50000)"
            )
        database.checkpoint()
        with at_work(database) as connection:
            connection.execute("select sum(length(t)) from wide where t != ''").fetchone()
            before = held(database)
            other = threading.Thread(target=database.let_go, args=("1MB",))
            other.start()
            other.join()
            assert held(database) >= before
        database.let_go("1MB")
        assert held(database) < before


def held(database: Database) -> int:
    with database.read() as connection:
        row = connection.execute("select sum(memory_usage_bytes) from duckdb_memory()").fetchone()
    return int(row[0]) if row else 0
