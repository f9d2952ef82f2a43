"""Forgetting goes by work and use, never by the calendar, and spares what must not be lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest
from companion_consolidation import forget
from companion_consolidation.days import DAYS
from companion_consolidation.forget import Idle
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from store.stores import NOW, PROJECT, at, memories, store, work

from companion.kinds.by_hand import draft_from_note
from companion.kinds.levels import ladder
from companion.records import (
    Draft,
    EpisodeType,
    Failure,
    Importance,
    Kind,
    Memory,
    Retire,
    Scope,
    Source,
    Visibility,
)
from companion.store.bulk import insert_rows
from companion.store.consolidation.archive import StoredArchive
from companion.store.database import Database
from companion.store.memories import usage

IDLE = Idle("m1", Importance.DEFAULT, "", 0, 0, 0)


@contextmanager
def shelf(home: Path, working_days: int = 0) -> Iterator[Database]:
    """A store of a project that was worked on for so many days from NOW on."""
    with store(home) as database:
        work(database, *range(working_days))
        yield database


def tell(database: Database, text: str, when: datetime = NOW, **given) -> Memory:
    about = {name: given.pop(name) for name in ("kind", "pinned") if name in given}
    said = draft_from_note(
        text,
        about.get("kind", Kind.FACT),
        given.pop("scope", Scope()),
        Visibility.USER_PRIVATE,
        about.get("pinned", False),
        "",
        when,
    )
    return memories(database).remember(PROJECT, replace(said, **given), when)


def learn(database: Database, subject: str, when: datetime = NOW, **given) -> Memory:
    """A commit of long ago that is read now."""
    learned = Draft(Kind.EPISODE, "commit", subject, "", subject, ladder(subject), f"commit:{subject}")
    learned = replace(learned, valid_from=at(-900), **given)
    memories(database).reconcile(PROJECT, "episodes", [learned.origin], [learned], when)
    return next(one for one in memories(database).iterate(PROJECT) if one.draft.origin == learned.origin)


def planned(database: Database, when: datetime) -> list[Retire]:
    return list(forget.plan(StoredArchive(database, PROJECT, when)))


def gone(database: Database, when: datetime) -> set[str]:
    return {one.id for one in planned(database, when)}


LASTING = [
    "We just switched from Yarn to pnpm",
    "I just learned that Bob owns billing",
    "the deploy job restarts at 10:30 while we are debugging",
    "PR 612 is where the retry budget was decided",
    "temporary: ingest points at port 9355",
    "Prices are cents",
]


@pytest.mark.parametrize("source", [Source.BY_HAND, Source.CURATED, Source.SHADOW])
def test_what_a_person_wrote_or_confirmed_is_never_archived_whatever_it_sounds_like(tmp_path, source):
    with shelf(tmp_path, working_days=900) as database:
        for text in LASTING:
            tell(database, text, source=source)
            tell(database, text, kind=Kind.EPISODE, type=EpisodeType.CONVERSATION, source=source)
        assert planned(database, at(899)) == []


def test_the_calendar_alone_forgets_nothing(tmp_path):
    with shelf(tmp_path, working_days=3) as database:
        learn(database, "Fix it")
        assert planned(database, at(10_000)) == []


def test_history_that_nobody_asked_for_goes_after_ninety_days_of_work_and_not_before(tmp_path):
    with shelf(tmp_path, working_days=95) as database:
        memory = learn(database, "Fix it")
        assert gone(database, at(90)) == set(), "it was learned today, however old it is"
        assert gone(database, at(91)) == {memory.id}
        assert "91 days of work" in planned(database, at(91))[0].reason


def test_each_use_begins_a_life_anew(tmp_path):
    with shelf(tmp_path, working_days=160) as database:
        used, unused = learn(database, "Fix it"), learn(database, "Mend it")
        usage.record(database, [used.id], "retrieved", "a.py", at(60))
        assert gone(database, at(120)) == {unused.id}
        assert gone(database, at(159)) == {unused.id}


def test_being_shown_and_passed_over_is_no_use(tmp_path):
    with shelf(tmp_path, working_days=95) as database:
        memory = learn(database, "Fix it")
        usage.record(database, [memory.id], "ignored", "a.py", at(60))
        assert gone(database, at(94)) == {memory.id}


def test_pinned_critical_and_open_things_and_errors_without_a_fix_are_never_forgotten(tmp_path):
    error = Failure("f1", "ValueError", "no price")
    with shelf(tmp_path, working_days=800) as database:
        learn(database, "Fix it", pinned=True)
        learn(database, "Mend it", importance=Importance.CRITICAL)
        learn(database, "ValueError: no price", type=EpisodeType.ERROR, body=error)
        a, b = learn(database, "Allow floats"), learn(database, "Forbid floats")
        forgettable = learn(database, "Paint it green")
        oppose(database, a, b)
        assert gone(database, at(799)) == {forgettable.id}


def oppose(database: Database, a: Memory, b: Memory) -> None:
    columns = ("id", "project_id", "memory_a", "memory_b", "reason", "confidence", "detected_at")
    with database.write() as connection:
        insert_rows(connection, "contradictions", columns, [("x1", PROJECT, a.id, b.id, "both", 1.0, NOW)])


def test_what_a_file_still_says_is_left_to_its_reader(tmp_path):
    with shelf(tmp_path, working_days=400) as database:
        read = replace(tell(database, "x is 1").draft, origin="pyproject.toml", attribute="x")
        memories(database).reconcile(PROJECT, "facts", ["pyproject.toml"], [replace(read, source=Source.SCAN)], NOW)
        assert gone(database, at(399)) == set()


def worked_days(database: Database, since: datetime, now: datetime) -> int:
    """Days after `since` and up to `now` on which the project was worked on."""
    given = {"project": PROJECT, "since": since, "now": now}
    with database.read() as connection:
        (days,) = connection.execute(
            f"{DAYS}select count(*) from days where day > $since::date",
            given,
        ).fetchone() or (0,)
    return int(days)


def test_days_count_by_commits_asks_notes_and_not_by_what_is_still_to_come(tmp_path):
    with shelf(tmp_path, working_days=2) as database:
        memory = tell(database, "Prices are cents", at(5))
        usage.record(database, [memory.id], "retrieved", "a.py", at(9))
        usage.record(database, [memory.id], "ignored", "a.py", at(11))
        assert worked_days(database, at(-1), at(20)) == 4
        assert worked_days(database, at(0), at(20)) == 3
        assert worked_days(database, at(-1), at(6)) == 3


def test_a_clock_that_was_ahead_and_is_set_back_forgets_nothing(tmp_path):
    with shelf(tmp_path, working_days=200) as database:
        memory = learn(database, "Fix it", at(5_000))
        usage.record(database, [memory.id], "retrieved", "a.py", at(6_000))
        assert planned(database, at(10)) == []
        assert planned(database, at(199)) == []


@given(
    st.builds(
        Idle,
        id=st.just("m1"),
        importance=st.integers(0, 2),
        successor=st.just(""),
        idle_days=st.integers(0, 500),
        cited=st.integers(0, 9),
        longest_days=st.integers(0, 200),
    ),
    st.booleans(),
)
def test_use_only_ever_lengthens_a_life(idle, cited):
    used = replace(idle, cited=idle.cited + cited, longest_days=max(idle.longest_days, idle.idle_days), idle_days=0)
    assert forget.left_days(used) >= forget.left_days(idle)


def test_a_task_of_every_quarter_is_waited_for_and_what_matters_lives_longer():
    assert forget.left_days(replace(IDLE, longest_days=60)) == 180
    assert forget.left_days(replace(IDLE, importance=Importance.SIGNIFICANT)) > forget.left_days(IDLE)


def test_ten_thousand_memories_that_say_the_same_are_no_trouble(tmp_path):
    with shelf(tmp_path, working_days=200) as database:
        learn(database, "Fix it")
        multiply(database, 10_000)
        assert len(gone(database, at(150))) == 10_001


def multiply(database: Database, times: int) -> None:
    """So many memories like the one that is there."""
    with database.write() as connection:
        connection.execute(
            "insert into memories select * exclude (n) replace (id || n as id) from memories, range($times) as t(n)",
            {"times": times},
        )
