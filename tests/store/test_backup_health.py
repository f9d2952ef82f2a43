"""Copies that can be relied on, and repairs that keep everything."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import duckdb
import numpy as np
import pytest
from processes import crash_after, names, posix_only, put
from stores import NOW, PROJECT, fact, memories, open_store, store

from companion.errors import StoreDamaged, StoreUnwritable, UsageError
from companion.store.backup import KEPT, backup
from companion.store.care import health
from companion.store.care.deleted import Deleted, note, write_anew_if_wanted
from companion.store.connecting import BLOCK_BYTES
from companion.store.copying import backups
from companion.store.database import Database
from companion.store.files import FILE_NAME, log_path
from companion.store.probing import HEADER_BYTES, HEADERS, block_bytes
from companion.store.text.index import TextIndex
from companion.store.vectors.vectors import Vectors


def repair(home: Path) -> tuple[health.Finding, ...]:
    return health.repair(home, memory_limit="200MB")


def diagnose(home: Path) -> tuple[health.Finding, ...]:
    return health.diagnose(home, wait_s=1, memory_limit="200MB")


def states(findings: tuple[health.Finding, ...]) -> dict[str, str]:
    return {finding.name: finding.state for finding in findings}


def filled(home: Path) -> None:
    with store(home) as database:
        memories(database).reconcile(PROJECT, "facts", [], [fact(f"t{n}") for n in range(300)], NOW)
        put(database, "kept")


def test_a_copy_holds_what_was_confirmed_a_moment_before(tmp_path: Path) -> None:
    with store(tmp_path / "home") as database:
        put(database, "first")
        copy = backup(database, tmp_path / "deep" / "copy.duckdb")
        put(database, "after the copy")
    (tmp_path / "new").mkdir()
    copy.rename(tmp_path / "new" / FILE_NAME)
    with store(tmp_path / "new") as database:
        assert names(database) == ["first"]


@posix_only
def test_a_copy_is_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with store(tmp_path) as database:
            assert stat.S_IMODE(backup(database, None).stat().st_mode) == 0o600
    finally:
        os.umask(before)


def test_the_last_five_automatic_copies_stay_and_named_ones_are_never_touched(tmp_path: Path) -> None:
    with store(tmp_path / "home") as database:
        named = backup(database, tmp_path / "mine.duckdb")
        for number in range(KEPT + 3):
            put(database, f"n{number}")
            newest = backup(database, None)
        kept = backups(database.home)
        assert len(kept) == KEPT
        assert kept[0] == newest
        assert named.exists()
        with pytest.raises(UsageError, match="exists already"):
            backup(database, named)


def test_a_copy_that_cannot_be_written_is_said_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with store(tmp_path / "home") as database:
        with pytest.raises(StoreUnwritable):
            backup(database, tmp_path / "file" / "copy.duckdb")
        put(database, "goes on")


def test_a_sound_store_has_nothing_to_mend(tmp_path: Path) -> None:
    filled(tmp_path)
    before = (tmp_path / FILE_NAME).read_bytes()
    assert states(repair(tmp_path)) == {"store": health.OK}
    assert (tmp_path / FILE_NAME).read_bytes() == before
    with store(tmp_path) as database:
        backup(database, None)
    assert set(states(diagnose(tmp_path)).values()) == {health.OK}


def test_without_a_store_the_next_command_is_init(tmp_path: Path) -> None:
    for findings in (diagnose(tmp_path), repair(tmp_path)):
        (finding,) = findings
        assert "companion init" in finding.next_step


def test_a_damaged_log_is_kept_and_its_sound_beginning_taken_in(tmp_path: Path) -> None:
    crash_after(tmp_path, 30)
    log = log_path(tmp_path / FILE_NAME)
    whole = log.read_bytes()
    damaged = whole[:-40] + b"\x5a" * 8 + whole[-32:]
    log.write_bytes(damaged)
    with pytest.raises(StoreDamaged):
        open_store(tmp_path)
    assert states(diagnose(tmp_path))["store"] == health.BROKEN
    (done,) = repair(tmp_path)
    assert done.state == health.WARNING
    (kept,) = tmp_path.glob(f"{FILE_NAME}.wal.damaged-*")
    assert str(kept) in done.what
    assert kept.read_bytes() == damaged
    with store(tmp_path) as database:
        assert len(names(database)) >= 29
    assert states(diagnose(tmp_path))["kept aside"] == health.WARNING


def test_a_damaged_store_is_kept_and_the_newest_readable_copy_takes_its_place(tmp_path: Path) -> None:
    filled(tmp_path)
    with store(tmp_path) as database:
        good = backup(database, None)
        bad = backup(database, None)
    bad.write_bytes(b"torn" * 1000)
    damaged = b"\0" * 20 + (tmp_path / FILE_NAME).read_bytes()[20:]
    (tmp_path / FILE_NAME).write_bytes(damaged)
    (done,) = repair(tmp_path)
    assert good.name in done.what
    (kept,) = tmp_path.glob(f"{FILE_NAME}.damaged-*")
    assert kept.read_bytes() == damaged
    with store(tmp_path) as database:
        assert names(database) == ["kept"]
        assert len(list(memories(database).iterate(PROJECT))) == 300


def test_damage_inside_the_file_is_found_by_reading_all_of_it(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        for number in range(20):
            put(database, f"k{number}", os.urandom(30_000).hex())
        backup(database, None)
    data = bytearray((tmp_path / FILE_NAME).read_bytes())
    for position in range(len(data) // 3, len(data), len(data) // 3):
        data[position : position + 4096] = b"\x13" * len(data[position : position + 4096])
    (tmp_path / FILE_NAME).write_bytes(data)
    assert states(diagnose(tmp_path))["store"] == health.BROKEN
    repair(tmp_path)
    assert states(diagnose(tmp_path))["store"] == health.OK
    (kept,) = tmp_path.glob(f"{FILE_NAME}.damaged-*")
    assert kept.read_bytes() == bytes(data)


VECTOR_BLOCK = """
select max(block_id)
from pragma_storage_info('embeddings')
where column_name = 'vector'
    and segment_type = 'FLOAT'
"""


def test_damage_among_the_numbers_of_vectors_is_found(tmp_path: Path) -> None:
    numbers = np.random.default_rng(1).random((400, 384), dtype=np.float32)
    with store(tmp_path) as database:
        Vectors(database, TextIndex(database)).keep("p1", "m", [f"{number:032x}" for number in range(400)], numbers)
        database.checkpoint()
        with database.read() as connection:
            (block,) = connection.execute(VECTOR_BLOCK).fetchone() or (-1,)
            length = block_bytes(connection)
    assert block >= 0
    with (tmp_path / FILE_NAME).open("r+b") as file:
        file.seek(HEADERS * HEADER_BYTES + block * length + length // 2)
        file.write(b"\x13" * 4096)
    assert states(diagnose(tmp_path))["store"] == health.BROKEN


def test_a_store_of_large_blocks_goes_on_and_has_small_ones_once_it_is_written_anew(tmp_path: Path) -> None:
    large = 262_144
    duckdb.connect(str(tmp_path / FILE_NAME), config={"default_block_size": large}).close()
    filled(tmp_path)
    assert states(diagnose(tmp_path))["store"] == health.OK
    with store(tmp_path) as database:
        with database.read() as connection:
            assert block_bytes(connection) == large
        note(database, Deleted())
        assert write_anew_if_wanted(database, "200MB")
        with database.read() as connection:
            assert block_bytes(connection) == BLOCK_BYTES
        assert "kept" in names(database)


def test_without_a_copy_the_damaged_store_is_kept_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"no store")
    (done,) = repair(tmp_path)
    assert done.state == health.BROKEN
    assert "companion init" in done.next_step
    (kept,) = tmp_path.glob(f"{FILE_NAME}.damaged-*")
    assert kept.read_bytes() == b"no store"
    open_store(tmp_path).close()


def test_a_log_without_its_store_is_kept_and_the_copy_restored(tmp_path: Path) -> None:
    filled(tmp_path)
    with store(tmp_path) as database:
        backup(database, None)
    crash_after(tmp_path, 3)
    log = log_path(tmp_path / FILE_NAME).read_bytes()
    (tmp_path / FILE_NAME).unlink()
    repair(tmp_path)
    (kept,) = tmp_path.glob(f"{FILE_NAME}.wal.damaged-*")
    assert kept.read_bytes() == log
    with store(tmp_path) as database:
        assert names(database) == ["kept"]


def test_a_store_that_is_gone_is_not_begun_anew_beside_its_copies_and_comes_back_from_one(tmp_path: Path) -> None:
    filled(tmp_path)
    with store(tmp_path) as database:
        copy = backup(database, None)
    (tmp_path / FILE_NAME).unlink()
    with pytest.raises(StoreDamaged, match=copy.name) as wrong:
        open_store(tmp_path)
    assert "companion doctor --repair" in wrong.value.next_step
    assert next(one for one in diagnose(tmp_path) if one.name == "store").state == health.BROKEN
    assert not (tmp_path / FILE_NAME).exists()
    repair(tmp_path)
    with store(tmp_path) as database:
        assert names(database) == ["kept"]


def test_a_store_that_another_process_holds_is_left_alone(tmp_path: Path) -> None:
    import subprocess
    import sys

    from processes import HOLDER

    filled(tmp_path)
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stdin is not None
        child.stdout.readline()
        (finding,) = repair(tmp_path)
        assert finding.state == health.BROKEN
        assert str(child.pid) in finding.what
        child.stdin.write("\n")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [FILE_NAME]


def test_links_of_nothing_and_broken_chains_are_found(tmp_path: Path) -> None:
    filled(tmp_path)
    with store(tmp_path) as database:
        with database.write() as connection:
            connection.execute("insert into memory_entities values ('p', 'm1none', 'topic:x')")
            connection.execute("update memories set supersedes = 'm1none' where subject = 't1'")
        found = states(health.examine(database))
    assert found == {"store": health.OK, "links": health.WARNING, "versions": health.WARNING}


@posix_only
def test_a_store_that_others_may_read_is_said(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / FILE_NAME).chmod(0o644)
    assert states(diagnose(tmp_path))["privacy"] == health.WARNING


def test_a_database_knows_nothing_of_copies_beside_it(tmp_path: Path) -> None:
    """Files that a killed start left do not keep a store from opening, and are named."""
    filled(tmp_path)
    (tmp_path / f"{FILE_NAME}.new-1-1").write_bytes(b"half")
    assert states(diagnose(tmp_path))["left over"] == health.WARNING
    assert isinstance(open_store(tmp_path), Database)
