"""Forgetting goes by work and use, never by the calendar, and spares what must not be lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from companion_consolidation import forget
from companion_consolidation.cues import passing, seldom
from hypothesis import given
from hypothesis import strategies as st
from store.stores import NOW, PROJECT, at, memories, store

from companion.judging.slots import Slots
from companion.kinds.by_hand import draft_from_note
from companion.records import (
    Decision,
    DecisionStatus,
    Draft,
    EpisodeType,
    Evidence,
    EvidenceKind,
    Failure,
    Idle,
    Importance,
    Kind,
    Memory,
    Retire,
    Scope,
    Source,
    Supersede,
    Visibility,
)
from companion.store.bulk import insert_rows
from companion.store.database import Database
from companion.store.memories import usage
from companion.store.night.activity import worked_days
from companion.store.night.archive import Archive

IDLE = Idle("m1", Kind.FACT, "fact", "title", "Prices are cents", 2, True, "", "", "", 0, 0, 0, 0, 0)


@contextmanager
def shelf(home: Path, working_days: int = 0) -> Iterator[Database]:
    """A store of a project that was worked on for so many days from NOW on."""
    with store(home) as database:
        work(database, range(working_days))
        yield database


def work(database: Database, days: range) -> None:
    rows = [(PROJECT, at(day).date(), "Someone", 1, 1) for day in days]
    with database.write() as connection:
        insert_rows(connection, "activity", ("project_id", "day", "person", "commits", "files"), rows)


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


def planned(database: Database, when: datetime) -> list[Retire | Supersede]:
    return list(forget.plan(Archive(database, PROJECT, when, slots=Slots()), when))


def gone(database: Database, when: datetime) -> set[str]:
    return {one.id for one in planned(database, when) if isinstance(one, Retire)}


def test_the_calendar_alone_forgets_nothing(tmp_path):
    with shelf(tmp_path, working_days=3) as database:
        tell(database, "just restarted cart, run 9437", kind=Kind.EPISODE)
        tell(database, "Prices are cents")
        assert planned(database, at(10_000)) == []


def test_what_was_told_plainly_goes_after_ninety_days_of_work_without_use_and_not_before(tmp_path):
    with shelf(tmp_path, working_days=92) as database:
        memory = tell(database, "Prices are cents")
        assert gone(database, at(90)) == set()
        assert gone(database, at(91)) == {memory.id}
        assert "91 days of work" in planned(database, at(91))[0].reason


def test_talk_of_the_moment_that_was_cited_lives_as_long_as_anything_that_was_told():
    said = replace(IDLE, kind=Kind.EPISODE, text="just restarted cart, run 9437", age_days=40, idle_days=40)
    assert forget.left_days(said)[0] < 0
    assert forget.left_days(replace(said, cited=1))[0] > 0


def test_talk_of_the_moment_goes_after_a_week_of_work(tmp_path):
    with shelf(tmp_path, working_days=12) as database:
        memory = tell(database, "just restarted cart, run 9437", kind=Kind.EPISODE)
        kept = tell(database, "once a year: restart cart by hand", kind=Kind.EPISODE)
        assert gone(database, at(7)) == set()
        assert gone(database, at(8)) == {memory.id}
        assert kept.id not in gone(database, at(11))


def test_each_use_begins_a_life_anew(tmp_path):
    with shelf(tmp_path, working_days=160) as database:
        used, unused = tell(database, "Prices are cents"), tell(database, "Dates are in UTC")
        usage.record(database, [used.id], "retrieved", "a.py", at(60))
        assert gone(database, at(120)) == {unused.id}
        assert gone(database, at(159)) == {unused.id}


def test_being_shown_and_passed_over_is_no_use(tmp_path):
    with shelf(tmp_path, working_days=95) as database:
        memory = tell(database, "Prices are cents")
        usage.record(database, [memory.id], "ignored", "a.py", at(60))
        assert gone(database, at(94)) == {memory.id}


def test_pinned_critical_and_open_things_and_decisions_in_force_are_never_forgotten(tmp_path):
    decision = Decision("Which prices?", "cents", "exact", DecisionStatus.IN_FORCE)
    error = Failure("f1", "ValueError", "no price")
    with shelf(tmp_path, working_days=800) as database:
        tell(database, "Prices are cents", pinned=True)
        tell(database, "Prices are exact", importance=Importance.CRITICAL)
        tell(database, "We decided on cents", type="decision", body=decision)
        tell(database, "ValueError: no price", kind=Kind.EPISODE, type=EpisodeType.ERROR, body=error)
        a, b = tell(database, "Prices may be float"), tell(database, "Prices are never float")
        oppose(database, a, b)
        forgettable = tell(database, "Somebody painted the office green")
        assert gone(database, at(799)) == {forgettable.id}


def oppose(database: Database, a: Memory, b: Memory) -> None:
    columns = ("id", "project_id", "memory_a", "memory_b", "reason", "confidence", "detected_at")
    with database.write() as connection:
        insert_rows(connection, "contradictions", columns, [("x1", PROJECT, a.id, b.id, "both", 1.0, NOW)])


def test_what_a_file_still_says_is_left_to_its_reader(tmp_path):
    with shelf(tmp_path, working_days=400) as database:
        read = replace(tell(database, "x is 1").draft, origin="pyproject.toml", attribute="x")
        memories(database).reconcile(PROJECT, "facts", ["pyproject.toml"], [replace(read, source=Source.SCAN)], NOW)
        assert len(gone(database, at(399))) == 1, "the told one alone"


def test_history_that_nobody_asked_for_goes_after_ninety_days_of_work(tmp_path):
    commit = Draft(
        Kind.EPISODE, "commit", "Fix it", "", "Fix it", tell_levels("Fix it"), "commit:1", valid_from=at(-900)
    )
    with shelf(tmp_path, working_days=95) as database:
        memories(database).reconcile(PROJECT, "episodes", ["commit:1"], [commit], NOW)
        assert gone(database, at(90)) == set(), "it was learned today, however old it is"
        assert len(gone(database, at(92))) == 1


def tell_levels(text: str):
    from companion.kinds.levels import ladder

    return ladder(text)


def test_a_newer_value_supersedes_unless_it_is_of_another_environment_or_pinned(tmp_path):
    with shelf(tmp_path) as database:
        old = tell(database, "cart listens on port 7004", subject="cart")
        tell(database, "cart listens on port 7005", subject="cart", scope=Scope(environment="prod"))
        tell(database, "cart allows 5 clients", subject="cart", pinned=True)
        tell(database, "cart allows 9 clients", at(1), subject="cart")
        new = tell(database, "cart listens on port 7011", at(1), subject="cart")
        assert [(one.old, one.new) for one in planned(database, at(2))] == [(old.id, new.id)]


def test_talk_of_the_moment_takes_the_place_of_nothing(tmp_path):
    with shelf(tmp_path) as database:
        tell(database, "cart points at port 7004", subject="cart")
        tell(database, "temporary: cart points at port 9355", at(1), subject="cart", kind=Kind.EPISODE)
        assert planned(database, at(2)) == []


def test_days_count_by_commits_asks_notes_and_not_by_what_is_still_to_come(tmp_path):
    with shelf(tmp_path, working_days=2) as database:
        memory = tell(database, "Prices are cents", at(5))
        usage.record(database, [memory.id], "retrieved", "a.py", at(9))
        usage.record(database, [memory.id], "ignored", "a.py", at(11))
        assert worked_days(database, PROJECT, at(-1), at(20)) == 4
        assert worked_days(database, PROJECT, at(0), at(20)) == 3
        assert worked_days(database, PROJECT, at(-1), at(6)) == 3


def test_a_clock_that_was_ahead_and_is_set_back_forgets_nothing(tmp_path):
    with shelf(tmp_path, working_days=200) as database:
        memory = tell(database, "Prices are cents", at(5_000))
        usage.record(database, [memory.id], "retrieved", "a.py", at(6_000))
        assert planned(database, at(10)) == []
        assert planned(database, at(199)) == []


@given(
    st.builds(
        Idle,
        id=st.just("m1"),
        kind=st.sampled_from(Kind),
        type=st.sampled_from(["", "fact", "conversation"]),
        title=st.just("title"),
        text=st.sampled_from(
            ["just restarted it, run 12", "once a year: rotate", "Prices are cents", "build 7 was green"]
        ),
        importance=st.integers(0, 2),
        told=st.booleans(),
        document=st.sampled_from(["", "docs/a.md", "src/a.py"]),
        environment=st.sampled_from(["", "prod"]),
        successor=st.just(""),
        age_days=st.integers(0, 500),
        idle_days=st.integers(0, 500),
        used_days=st.integers(0, 50),
        cited=st.integers(0, 9),
        longest_days=st.integers(0, 200),
    ),
    st.booleans(),
)
def test_use_only_ever_lengthens_a_life(idle, cited):
    used = replace(
        idle,
        used_days=idle.used_days + 1,
        cited=idle.cited + cited,
        longest_days=max(idle.longest_days, idle.idle_days),
        idle_days=0,
    )
    assert forget.left_days(used)[0] >= forget.left_days(idle)[0]


def test_a_task_of_every_quarter_is_waited_for():
    assert forget.left_days(replace(IDLE, longest_days=60))[0] == 180
    assert forget.left_days(replace(IDLE, text="rotate the credentials"))[0] == 360


def test_a_document_an_environment_and_steps_live_longer_than_talk():
    plain = forget.left_days(IDLE)[0]
    for longer in (
        replace(IDLE, document="docs/prices.md"),
        replace(IDLE, environment="prod"),
        replace(IDLE, kind=Kind.WORKFLOW),
    ):
        assert forget.left_days(longer)[0] > plain


@pytest.mark.parametrize(
    "text",
    [
        "just restarted ledger, run 9437",
        "auth build 9009 was green",
        "scratch note 5198 about catalog, delete later",
        "temporary: ingest points at port 9355 while I debug",
        "the suite failed again this time, rerunning",
        "pairing with Dana until noon",
        "hello there",
        "back in 5",
        "pipeline #3312 failed",
        "vpn dropped twice today, ticket 4471",
        "looking into the atlas alert from this morning",
        "reviewing Kim's change to atlas",
        "asked Priya to have a look at the ranker",
        "atlas seems slower since lunch",
        "PR 612 is waiting for review",
        "playing with the renderer, 40 feels good",
        "bisecting the patcher, 14 commits left",
        "can't reproduce bug 88 here",
        "on it until Thursday",
    ],
)
def test_talk_of_the_moment_is_known_by_its_form(text):
    assert passing(text, talk=True)
    assert not passing(f"important: {text}", talk=True)


@pytest.mark.parametrize(
    "text",
    [
        "cart listens on port 7004",
        "the deploy is done with `make deploy`",
        "tests take 3 minutes",
        "we are using Postgres for orders",
        "keep the lock while we write the index",
        "see PR 123 for why we chose it",
        "temporary files live in /var/tmp",
        "you just need to set the port",
        "CI needs Docker 24",
        "reach cart on :7017",
        "we moved atlas to Postgres last year",
        "disabled the cache of atlas since it lies",
        "pinned numpy to 1.26",
        "building atlas requires cmake",
        "pricing listens on port 7004",
        "atlas is being replaced by core-v2",
        "atlas is missing tests for leap years",
        "atlas still supports Python 3.8",
        "it was slow because of a cold cache",
        "using uv with atlas",
        "Noor looks after atlas",
    ],
)
def test_what_is_no_talk_of_the_moment_is_not_taken_for_it(text):
    assert not passing(text, talk=False)
    assert not passing(text, talk=True)


@pytest.mark.parametrize("text", ["once a year", "in an emergency", "runbook", "restore the snapshot", "never do this"])
def test_what_is_needed_seldom_announces_it(text):
    assert seldom(text)


def test_ten_thousand_memories_that_say_the_same_are_no_trouble(tmp_path):
    with shelf(tmp_path, working_days=200) as database:
        tell(database, "Prices are cents")
        multiply(database, 10_000)
        assert len(gone(database, at(150))) == 10_001


def multiply(database: Database, times: int) -> None:
    """So many memories like the one that is there."""
    with database.write() as connection:
        connection.execute(
            "insert into memories select * exclude (n) replace (id || n as id) from memories, range($times) as t(n)",
            {"times": times},
        )


def test_evidence_in_a_document_is_what_makes_a_statement_documented(tmp_path):
    evidence = (Evidence(EvidenceKind.FILE, "docs/prices.md"),)
    with shelf(tmp_path, working_days=120) as database:
        tell(database, "Prices are cents", evidence=evidence)
        assert gone(database, at(119)) == set()
