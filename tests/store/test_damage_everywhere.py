"""One bad byte anywhere in the file: it does not matter, or it is said and mended, and nothing readable is lost.

A block of DuckDB's is read whole or not at all, so a byte of each block stands for all of its bytes.
`COMPANION_FLIPS=5` tries as many bytes of each.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest
from processes import names, posix_only, put
from stores import NOW, PROJECT, fact, memories, store

from companion.errors import StoreDamaged
from companion.store import projects
from companion.store.backup import KEPT, backup
from companion.store.bulk import insert_rows, quoted
from companion.store.care import health
from companion.store.care.rebuilding import SCANNED
from companion.store.copying import backups
from companion.store.database import Database
from companion.store.files import FILE_NAME
from companion.store.probing import HEADER_BYTES, HEADERS, block_bytes
from companion.store.text.index import TextIndex
from companion.store.vectors.vectors import Vectors

FLIPS = int(os.environ.get("COMPANION_FLIPS", "1"))
"""Bytes tried of each block and header."""
MACHINES_OWN = {"store_meta", "schema_migrations", "checkouts"}
"""Tables in which opening a store, and mending it, write notes of their own."""
COMMIT_COLUMNS = (
    *("project_id", "seq", "sha", "parents", "author_name", "author_email", "authored_at", "committed_at", "subject"),
    *("is_merge", "file_count"),
)

TABLES = "select table_name, estimated_size from duckdb_tables() where not internal"
"""The size counts deleted rows too, until a checkpoint; it is 0 where there are none."""

Rows = dict[str, frozenset[str] | None]
"""By table its rows as text; None where they cannot all be read."""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of some thirty blocks with memories, vectors and commits, deleted rows among them, and a copy a day old."""
    home = tmp_path_factory.mktemp("template")
    numbers = np.random.default_rng(1).random((20, 384), dtype=np.float32)
    with store(home) as database:
        facts = [fact(f"topic {n}", os.fsdecode(f"{n}" * 20)) for n in range(20)]
        memories(database).reconcile(PROJECT, "facts", [], facts, NOW)
        Vectors(database, TextIndex(database)).keep(
            "p1", "m", [f"{number:032x}" for number in range(len(numbers))], numbers
        )
        rows = [
            (PROJECT, n, f"{n:040x}", "", f"A{n % 9}", "a@x", NOW, NOW, random.Random(n).randbytes(100).hex(), False, 1)
            for n in range(200)
        ]
        with database.write() as connection:
            insert_rows(connection, "commits", COMMIT_COLUMNS, rows)
        put(database, "kept")
        database.checkpoint()
        with database.write() as connection:
            connection.execute("delete from commits where seq between 50 and 150")
        copy = backup(database, None)
        memories(database).remember(PROJECT, fact("of today", "new"), NOW)
        with database.write() as connection:
            connection.execute("update memories set status = 'archived' where subject = 'topic 7'")
            connection.execute("delete from memories where subject = 'topic 8'")
    assert copy.exists()
    return home


def parts(file: Path) -> Iterator[tuple[str, int, int]]:
    """A name, the first byte and the length of each header and block of a store."""
    for number in range(HEADERS):
        yield f"header {number}", number * HEADER_BYTES, HEADER_BYTES
    with duckdb.connect(str(file), read_only=True) as connection:
        length = block_bytes(connection)
    for number, at in enumerate(range(HEADERS * HEADER_BYTES, file.stat().st_size, length)):
        yield f"block {number}", at, length


def flip(file: Path, at: int, width: int = 1) -> None:
    with file.open("r+b") as opened:
        opened.seek(at)
        before = opened.read(width)
        opened.seek(at)
        opened.write(bytes(byte ^ 0xFF for byte in before))


def rows_of(file: Path) -> Rows:
    """What can be read of a store; nothing of one that does not open."""
    found: Rows = {}
    try:
        with duckdb.connect(str(file), read_only=True) as connection:
            for table, size in connection.execute(TABLES).fetchall():
                try:
                    every = f"select one::varchar from {quoted(table)} as one"
                    rows = connection.execute(every).fetchall() if size else []
                except duckdb.Error:
                    found[table] = None
                else:
                    found[table] = frozenset(str(row[0]) for row in rows)
    except duckdb.Error:
        return {}
    return found


def use_all_of(home: Path) -> None:
    """Do to every table what commands do: take a row out and put it in again, take all out, and write it down."""
    with store(home) as database:
        with database.read() as connection:
            tables = [quoted(name) for name, size in connection.execute(TABLES).fetchall() if size]
        for table in tables:
            with database.write() as connection:
                last = f"rowid = (select max(rowid) from {table})"
                connection.execute(f"create temporary table held as from {table} where {last}")
                connection.execute(f"delete from {table} where {last}")
                connection.execute(f"insert into {table} from held")
                connection.execute("drop table held")
        database.checkpoint()
        with database.write() as connection:
            for table in tables:
                connection.execute(f"delete from {table}")
        database.checkpoint()


def store_state(home: Path) -> str:
    found = health.diagnose(home, wait_s=1, memory_limit="200MB")
    return next(one.state for one in found if one.name == "store")


@pytest.mark.parametrize("part", range(3))
def test_a_bad_byte_anywhere_does_not_matter_or_is_found_and_mended(template: Path, tmp_path: Path, part: int) -> None:
    whole = template / FILE_NAME
    truth, copied = rows_of(whole), rows_of(backups(template)[0])
    drawn = random.Random(part)
    found_bad = 0
    for name, first, length in list(parts(whole))[part::3]:
        for number in range(FLIPS):
            home = tmp_path / f"{name} {number}"
            shutil.copytree(template, home)
            flip(home / FILE_NAME, first + drawn.randrange(length))
            readable = rows_of(home / FILE_NAME)
            state = store_state(home)
            if state == health.BROKEN:
                found_bad += 1
                assert health.BROKEN not in {one.state for one in health.repair(home, memory_limit="200MB")}, name
                assert list(home.glob(f"{FILE_NAME}.damaged-*")), name
                assert store_state(home) == health.OK, name
            now = rows_of(home / FILE_NAME) if state == health.BROKEN else readable
            use_all_of(home)
            for table in set(truth) - MACHINES_OWN - set(SCANNED):
                rows, there = readable.get(table), now[table]
                assert there is not None
                assert there >= (copied[table] & truth[table] if rows is None else rows), f"{name}: {table}"
                assert rows is None or state != health.OK or there == rows
            shutil.rmtree(home)
    assert found_bad


# ---------------------------------------------------------------------- each way to mend

BLOCKS = """
select block_id
from pragma_storage_info($table)
where column_name = $column
    and segment_type = 'VARCHAR'
order by row_group_id, start
"""
LONG = 600
"""Characters of a value, so that a few thousand of them fill several blocks."""


def long_values(database: Database, numbers: range) -> None:
    """Rows with a key (notes) and without (uses) whose texts no other row has."""
    texts = [(f"n{n:06d}", random.Random(n).randbytes(LONG // 2).hex()) for n in numbers]
    with database.write() as connection:
        insert_rows(connection, "store_meta", ("name", "value"), texts)
        uses = [(name, "cited", NOW, text) for name, text in texts]
        insert_rows(connection, "usage_log", ("memory_id", "what", "used_at", "context"), uses)


def damage(home: Path, table: str, column: str, after: float = 0.0) -> None:
    """Spoil the block that the first values of a column are in, or those after such a share of them."""
    with duckdb.connect(str(home / FILE_NAME), read_only=True) as connection:
        rows = connection.execute(BLOCKS, {"table": table, "column": column}).fetchall()
        length = block_bytes(connection)
    flip(home / FILE_NAME, HEADERS * HEADER_BYTES + rows[int(len(rows) * after)][0] * length + 5_000, 64)


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """A home whose copy lacks the last rows and holds one that was deleted since."""
    with store(tmp_path) as database:
        long_values(database, range(1_500))
        backup(database, None)
        long_values(database, range(1_500, 2_500))
        with database.write() as connection:
            connection.execute("delete from store_meta where name = 'n000007'")
            connection.execute("delete from usage_log where memory_id = 'n000007'")
    return tmp_path


def mended(home: Path) -> str:
    """What is said of a repair, after which all is sound."""
    (done,) = health.repair(home, memory_limit="200MB")
    assert done.state == health.WARNING
    assert store_state(home) == health.OK
    return done.what


@pytest.mark.parametrize(
    ("table", "key", "text"), [("store_meta", "name", "value"), ("usage_log", "memory_id", "context")]
)
def test_rows_beside_a_damaged_block_stay_and_a_copy_gives_the_others(
    long: Path, table: str, key: str, text: str
) -> None:
    damage(long, table, text)
    said = mended(long)
    with store(long) as database, database.read() as connection:
        there = {row[0] for row in connection.execute(f"select {key} from {table} where {text} <> ''").fetchall()}
    assert {f"n{n:06d}" for n in range(1_500) if n != 7} <= there
    assert {f"n{n:06d}" for n in range(2_100, 2_500)} <= there
    assert f"rows of {table.replace('_', ' ')}" in said
    if table == "store_meta":
        assert "n000007" not in there, "what was deleted stays deleted where its key would be known"


def test_without_a_copy_what_lies_in_other_blocks_is_all_there(long: Path) -> None:
    shutil.rmtree(long / "backups")
    damage(long, "store_meta", "value")
    said = mended(long)
    with store(long) as database:
        there = len(names(database))
    assert 0 < 2_499 - there < 900, "those that are read together with what is in one block"
    assert f"{2_499 - there:,} are lost" in said


def test_whose_store_it_is_is_known_even_if_the_notes_are_lost(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        memories(database).remember(PROJECT, fact(), NOW)
        projects.user_id(database, lambda: "u1")
        long_values(database, range(20))
    damage(tmp_path, "store_meta", "value")
    mended(tmp_path)
    with store(tmp_path) as database:
        assert projects.user_id(database, lambda: "u2") == "u1"


def test_damage_that_a_command_met_is_mended_even_if_it_is_not_found_again(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        put(database, "kept")
        backup(database, None)
        put(database, "since")
        with pytest.raises(StoreDamaged), database.read():
            raise duckdb.IOException("Corrupt database file: computed checksum 1 does not match stored checksum 2")
        (found,) = health.examine(database)
        assert found.state == health.BROKEN
        assert "checksum 1" in found.what
        assert "companion doctor --repair" in found.next_step
    assert store_state(tmp_path) == health.BROKEN
    assert "checksum 1" in mended(tmp_path)
    assert list(tmp_path.glob(f"{FILE_NAME}.damaged-*"))
    with store(tmp_path) as database:
        assert names(database) == ["kept", "since"]


def test_a_damaged_store_drives_no_sound_copy_out(template: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(template, home)
    before = backups(home)
    damage(home, "memories", "id")
    with store(home) as database:
        for _ in range(KEPT + 1):
            with pytest.raises(StoreDamaged):
                backup(database, None)
    assert backups(home) == before
    assert store_state(home) == health.BROKEN


@posix_only
def test_where_a_new_store_cannot_be_written_all_stays_as_it_is(long: Path) -> None:
    damage(long, "store_meta", "value")
    before = (long / FILE_NAME).read_bytes()
    code = (
        "import resource, signal, sys; from pathlib import Path; from companion.store.care import health;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000));"
        "print([one.state for one in health.repair(Path(sys.argv[1]), memory_limit='200MB')])"
    )
    said = subprocess.run([sys.executable, "-c", code, str(long)], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "['broken']"
    assert (long / FILE_NAME).read_bytes() == before
    assert sorted(one.name for one in long.iterdir() if "damaged" in one.name or "unfinished" in one.name) == []


def test_a_damaged_block_that_only_a_checkpoint_reads_is_found(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        long_values(database, range(6_000))
        database.checkpoint()
        with database.write() as connection:
            connection.execute("delete from usage_log where memory_id between 'n001000' and 'n005000'")
    damage(tmp_path, "usage_log", "context", 0.5)
    assert None not in rows_of(tmp_path / FILE_NAME).values(), "no row that is left is in it"
    assert store_state(tmp_path) == health.BROKEN
    mended(tmp_path)
    use_all_of(tmp_path)
