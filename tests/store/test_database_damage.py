"""What survives a cut log, a damaged or missing file, a full disk; and what is said of each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from processes import crash_after, names, posix_only, put
from stores import open_store, store

from companion.errors import StoreDamaged, StoreUnwritable
from companion.store.files import FILE_NAME, log_path


def test_a_log_that_was_cut_off_opens_with_all_but_its_last_write_and_keeps_the_rest(tmp_path: Path) -> None:
    crash_after(tmp_path, 20)
    log = log_path(tmp_path / FILE_NAME)
    whole = log.read_bytes()
    log.write_bytes(whole[:-37])
    with store(tmp_path) as database:
        assert len(names(database)) >= 19
        (notice,) = database.notices
        assert "could not be read" in notice
    (kept,) = tmp_path.glob(f"{FILE_NAME}.wal.cut-*")
    assert kept.read_bytes() == whole[:-37]


def test_damage_that_looks_like_the_end_of_the_log_is_told_and_the_log_kept(tmp_path: Path) -> None:
    """DuckDB takes an impossible length for the end of the log and drops what follows."""
    crash_after(tmp_path, 40)
    log = log_path(tmp_path / FILE_NAME)
    whole = log.read_bytes()
    dropped_silently = 0
    for position in range(len(whole) // 2, len(whole) // 2 + 400, 8):
        damaged = whole[:position] + b"\xff" * 8 + whole[position + 8 :]
        home = tmp_path / f"copy{position}"
        home.mkdir()
        (home / FILE_NAME).write_bytes((tmp_path / FILE_NAME).read_bytes())
        log_path(home / FILE_NAME).write_bytes(damaged)
        try:
            with store(home) as database:
                complete = len(names(database)) >= 40
                dropped_silently += not complete and not database.notices
                if not complete:
                    (kept,) = home.glob("*.cut-*")
                    assert kept.read_bytes() == damaged
        except StoreDamaged as said:
            assert "companion doctor --repair" in str(said)
            assert log_path(home / FILE_NAME).read_bytes() == damaged
    assert dropped_silently == 0


@pytest.mark.parametrize("length", [50, 900_000])
def test_a_log_that_is_whole_leaves_no_copy_and_no_notice_however_long_it_is(tmp_path: Path, length: int) -> None:
    crash_after(tmp_path, 20, length)
    with store(tmp_path) as database:
        assert len(names(database)) >= 20
        assert database.notices == ()
    assert list(tmp_path.glob("*.cut-*")) == []


@pytest.mark.parametrize("damage", [b"", b"no store at all " * 500, b"\0" * 8192], ids=["empty", "text", "zeros"])
def test_a_file_that_is_no_store_is_said_and_kept(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(damage)
    with pytest.raises(StoreDamaged, match="companion doctor --repair"):
        open_store(tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == damage


def test_a_log_whose_store_is_gone_is_not_overwritten(tmp_path: Path) -> None:
    crash_after(tmp_path, 3)
    (tmp_path / FILE_NAME).unlink()
    log = log_path(tmp_path / FILE_NAME).read_bytes()
    with pytest.raises(StoreDamaged, match="missing"):
        open_store(tmp_path)
    assert log_path(tmp_path / FILE_NAME).read_bytes() == log


def test_a_home_that_cannot_be_a_folder_is_said(tmp_path: Path) -> None:
    """Stands for a read-only home: permission bits do not bind root, a file in the way does."""
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnwritable, match="cannot be written"):
        open_store(tmp_path / "file" / "home")


def test_a_write_whose_log_cannot_be_made_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        put(database, "before")
        database.checkpoint()
        log_path(database.path).mkdir()
        with pytest.raises(StoreUnwritable):
            put(database, "after")
        log_path(database.path).rmdir()
        assert names(database) == ["before"]
        put(database, "again")
    with store(tmp_path) as database:
        assert names(database) == ["again", "before"]


@posix_only
def test_a_full_disk_is_said_and_what_was_confirmed_stays(tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk."""
    code = """
import resource, signal, sys
from pathlib import Path
from companion.errors import StoreUnwritable
from companion.store.opening import open_store
database = open_store(Path(sys.argv[1]), wait_s=1, memory_limit="200MB")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = database.path.stat().st_size + 200_000
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
for number in range(1000):
    try:
        with database.write() as connection:
            connection.execute("insert into store_meta values ($n, $v)", {"n": f"k{number:04d}", "v": "x" * 20000})
    except StoreUnwritable as told:
        print("told", told, flush=True)
        break
    print(f"k{number:04d}", flush=True)
import os
os._exit(0)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
    )
    lines = done.stdout.splitlines()
    assert lines[-1].startswith("told The store in"), done.stdout + done.stderr
    with store(tmp_path) as database:
        assert set(lines[:-1]) <= set(names(database))
