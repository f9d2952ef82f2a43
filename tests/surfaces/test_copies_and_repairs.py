"""Copies that are made without being asked, and damage that commands meet: said, mended, and worked on with."""

from __future__ import annotations

import os
import time
from pathlib import Path

import duckdb
import pytest

from companion.store.backup import EVERY_S
from companion.store.copying import backups
from companion.store.files import FILE_NAME
from companion.store.probing import HEADER_BYTES, HEADERS, block_bytes
from surfaces.conftest import NOTE, Template
from surfaces.shells import Shell, refused

BLOCKS_OF = """
select unnest(list_append(additional_block_ids, block_id))
from pragma_storage_info($table)
"""
COMMANDS = (
    ("search", "rounded"),
    ("context", "--query", "rounding of prices"),
    ("remember", "Totals are integers"),
    ("init",),
    ("rebuild",),
    ("backup",),
)


@pytest.fixture
def stays_open() -> bool:
    """What is damaged or copied is opened anew by each command."""
    return False


def blocks(opened: duckdb.DuckDBPyConnection, table: str) -> set[int]:
    """The blocks that rows of a table are in."""
    return {row[0] for row in opened.execute(BLOCKS_OF, {"table": table}).fetchall() if row[0] is not None}


def indexes(file: Path) -> set[int]:
    """The blocks of indexes, and those that are free."""
    with duckdb.connect(str(file), read_only=True) as opened:
        known = {row[0] for row in opened.execute("select block_id from pragma_metadata_info()").fetchall()}
        tables = opened.execute("select table_name from duckdb_tables() where not internal").fetchall()
        length = block_bytes(opened)
        known.update(*(blocks(opened, table) for (table,) in tables))
    return set(range((file.stat().st_size - HEADERS * HEADER_BYTES) // length)) - known


def spoil(file: Path, which: set[int]) -> None:
    with duckdb.connect(str(file), read_only=True) as connection:
        length = block_bytes(connection)
    with file.open("r+b") as opened:
        for block in which:
            opened.seek(HEADERS * HEADER_BYTES + block * length + 1_000)
            opened.write(bytes(16) + b"spoiled")


def all_work(shell: Shell, folder: Path) -> None:
    for arguments in (*COMMANDS, ("export", folder)):
        assert shell(*arguments).code == 0, arguments
    assert NOTE in shell("search", "rounded").out


def test_damage_in_indexes_alone_is_found_before_a_write_meets_it_and_costs_nothing(
    shop: Shell, tmp_path: Path
) -> None:
    file = shop.home / FILE_NAME
    before = shop("stats", "--json").json["memories"]
    spoil(file, indexes(file))
    doctor = shop("doctor", "--json")
    assert doctor.code == 1
    assert "cannot be read" in doctor.out
    refused(shop("remember", "Totals are integers"), "cannot be read", "companion doctor --repair")
    assert shop("doctor", "--repair").code == 0
    assert shop("stats", "--json").json["memories"] == before
    all_work(shop, tmp_path / "export")


@pytest.mark.parametrize("table", ["code_files", "commits", "memories", "memory_entities", "checkouts", "store_meta"])
def test_a_store_with_damaged_rows_works_in_full_once_it_is_mended(shop: Shell, tmp_path: Path, table: str) -> None:
    before = shop("stats", "--json").json
    with duckdb.connect(str(shop.home / FILE_NAME), read_only=True) as opened:
        where = blocks(opened, table) - {-1}
    spoil(shop.home / FILE_NAME, where)
    assert shop("doctor").code == 1
    assert shop("doctor", "--repair").code == 0
    assert shop("context").code == 0
    all_work(shop, tmp_path / "export")
    after = shop("stats", "--json").json
    assert all(after[name] == before[name] for name in ("commits", "files", "symbols", "project"))


def test_a_copy_is_made_after_the_first_init_and_a_day_later_if_there_is_work(
    newcomer: Shell, template: Template
) -> None:
    shell = newcomer.at(template.repo.root)
    assert shell("init").code == 0
    (first,) = backups(shell.home)
    assert shell("remember", NOTE).code == 0
    assert backups(shell.home) == [first]
    os.utime(first, (time.time() - 2 * EVERY_S,) * 2)
    assert shell("search", "rounded").code == 0
    assert backups(shell.home) == [first]
    assert shell("remember", "Releases are tagged").code == 0
    second, before = backups(shell.home)
    assert before == first
    secret = shell("remember", "The cellar key hangs behind the clock", "--json").json["id"]
    assert shell("backup").code == 0
    assert b"cellar" in backups(shell.home)[0].read_bytes()
    assert shell("forget", secret, "--for-good").code == 0
    assert not [copy for copy in backups(shell.home) if b"cellar" in copy.read_bytes()]
    assert second.exists()
