"""The log of uses is thinned to what runs read of it: no answer of a run changes, and it does not grow for ever."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from companion_consolidation.forget import unused
from companion_consolidation.rank import weighed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from runs import rows
from stores import NOW, PROJECT, at, fact, memories, store

from companion.store.bulk import insert_rows
from companion.store.consolidation.archive import StoredArchive
from companion.store.database import Database
from companion.store.memories import usage
from companion.store.memories.usage import SHOWN_AND_LEFT, passed_over

DAYS = 30
Use = tuple[int, str, int]
"""Which memory was used, how, and how many minutes after NOW."""

uses = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(usage.KINDS_OF_USE), st.integers(0, DAYS * 1_440)), max_size=60
)


@contextmanager
def told(home: Path) -> Iterator[tuple[Database, list[str]]]:
    """A store with three notes."""
    with store(home) as database:
        keeper = memories(database)
        yield database, [keeper.remember(PROJECT, fact(name, attribute=""), NOW).id for name in ("one", "two", "three")]


def log(database: Database, used: Sequence[tuple[str, str, datetime, str]]) -> None:
    with database.write() as connection:
        insert_rows(connection, "usage_log", ("memory_id", "what", "used_at", "context"), used)


def left(database: Database) -> int:
    return int(rows(database, "select count(*) from usage_log")[0][0])


@pytest.fixture
def episodes(tmp_path: Path) -> Iterator[tuple[Database, list[str]]]:
    """Three memories that may go unused."""
    with told(tmp_path) as (database, ids):
        with database.write() as connection:
            connection.execute("update memories set kind = 'episode', source = 'scan'")
        yield database, ids


@given(uses)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_run_reads_the_same_of_a_log_that_was_thinned(episodes: tuple[Database, list[str]], used: list[Use]) -> None:
    now, (database, ids) = at(DAYS + 10), episodes
    database.change("delete from usage_log")
    log(database, [(ids[n], what, NOW + timedelta(minutes=minute), "f.py") for n, what, minute in used])
    archive = StoredArchive(database, PROJECT, now)
    before = list(unused(archive, 0)), list(weighed(archive))
    usage.thin(database, now)
    assert (list(unused(archive, 0)), list(weighed(archive))) == before


def test_of_a_day_past_one_showing_of_each_memory_is_kept_and_of_this_week_all(tmp_path: Path) -> None:
    with told(tmp_path) as (database, ids):
        log(database, [(id_, "retrieved", NOW + timedelta(seconds=second), "") for id_ in ids for second in range(500)])
        usage.thin(database, at(6))
        assert left(database) == 1_500
        usage.thin(database, at(8))
        assert left(database) == 3 + 3, "one each, and all that the quarter of an hour began with"


def test_the_log_goes_back_some_hundred_days_of_use_and_keeps_the_newest_use_and_every_dismissal(
    tmp_path: Path,
) -> None:
    days = usage.DAYS_KEPT + 50
    with told(tmp_path) as (database, (one, rare, left_out)):
        log(database, [(one, "cited", at(day * 3), "") for day in range(days)])
        log(database, [(rare, "cited", at(0), ""), (rare, "ignored", at(0), SHOWN_AND_LEFT)])
        log(database, [(left_out, "ignored", at(0), "shop"), (left_out, "ignored", at(days * 3), "other")])
        usage.thin(database, at(days * 3))
        counted = rows(database, "select memory_id, count(*) from usage_log group by memory_id")
        assert dict(counted) == {one: usage.DAYS_KEPT - 1, rare: 2, left_out: 2}
        assert passed_over(database, [one, left_out], "shop") == {left_out}


def test_a_busy_log_keeps_its_newest_rows_and_each_memorys_newest_use(tmp_path: Path) -> None:
    with told(tmp_path) as (database, (one, two, _)):
        log(database, [(two, "cited", at(0), "")])
        log(database, [(one, "cited", at(1) + timedelta(seconds=n), "") for n in range(usage.ROWS_KEPT + 500)])
        usage.thin(database, at(5))
        assert left(database) == usage.ROWS_KEPT + 1
        assert rows(database, "select min(used_at) from usage_log where memory_id = $id", id=one) > [(at(1),)]


def test_a_clock_that_was_ahead_takes_no_use_away(tmp_path: Path) -> None:
    with told(tmp_path) as (database, (one, *_)):
        log(database, [(one, "cited", at(day), "") for day in range(20)])
        usage.thin(database, at(100_000))
        usage.thin(database, at(-100))
        assert left(database) == 20
