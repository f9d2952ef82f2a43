"""What a run archived is found only on request, and comes back when somebody asks for it."""

from __future__ import annotations

import pytest
from companion_consolidation import forget

from companion.api import Note
from companion.app.consolidation.archives import archive_for
from companion.records import Change, Kind, Profile, Retire, SearchQuery, Status, Supersede
from companion.store.consolidation import applying, journal


@pytest.fixture
def companion(desk, shop):
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    yield opened
    opened.close()


def consolidated(companion, *changes: Change) -> None:
    runtime, now = companion.runtime, companion.now()
    run = journal.open_run(runtime.store.database, companion.project, "command", ["forget"], now)
    journal.add(runtime.store.database, run, (("forget", one) for one in changes), runtime.adapters.redactor)
    journal.seal(runtime.store.database, run, {})
    applying.apply(runtime.store.database, run, now, counter=runtime.adapters.counter)
    assert journal.run(runtime.store.database, companion.project, run).refused == 0


def status(companion, id_: str) -> Status:
    return companion.store.memories.get([id_])[0].status


@pytest.fixture
def archived(companion):
    memory = companion.remember(Note("The zeppelin hangar closes at noon", Kind.FACT, assistant="claude"))
    consolidated(companion, Retire(memory.id, "not asked for in 91 days of work"))
    return memory


def test_an_ordinary_search_leaves_it_and_names_it_where_it_would_have_answered(companion, archived):
    assert archived.id not in {
        hit.memory.id for hit in companion.search(SearchQuery(text="zeppelin hangar", profile=Profile.MEMORY))
    }
    assert any(f"companion revive {archived.id[:12]}" in said for said in companion.notices())


def test_archived_matches_are_counted_beside_a_hit_that_fits_better_but_not_what_a_newer_one_replaced(
    companion, archived
):
    companion.remember(Note("The zeppelin hangar is where the hangar keys of the zeppelin hang"))
    old, new = (companion.remember(Note(f"The zeppelin leaves at {hour}")) for hour in (7, 9))
    consolidated(companion, Supersede(old.id, new.id, "newer"))
    assert companion.search(SearchQuery(text="zeppelin hangar", profile=Profile.MEMORY))
    assert [said for said in companion.notices() if said.startswith("1 archived match as well")]


def test_archived_matches_are_counted_behind_as_many_hits_as_were_asked_for(companion, archived):
    companion.remember(Note("The zeppelin hangar closes at noon on holidays"))
    assert companion.search(SearchQuery(text="zeppelin hangar closes at noon", limit=1, profile=Profile.MEMORY))
    assert [said for said in companion.notices() if said.startswith("1 archived match as well")]


def test_a_search_of_the_archive_finds_it_and_does_not_bring_it_back_yet(companion, archived):
    found = companion.search(SearchQuery(text="zeppelin hangar", include_archived=True, profile=Profile.MEMORY))
    assert found[0].memory.id == archived.id
    assert found[0].memory.status is Status.ARCHIVED
    assert status(companion, archived.id) is Status.ARCHIVED


def test_opening_it_brings_it_back_and_says_so(companion, archived):
    companion.expand(archived.id)
    assert status(companion, archived.id) is Status.ACTIVE
    assert any("has been restored" in said for said in companion.notices())
    assert archived.id in {
        hit.memory.id for hit in companion.search(SearchQuery(text="zeppelin hangar", profile=Profile.MEMORY))
    }


def test_citing_it_brings_it_back_for_a_life_of_its_own(companion, archived):
    companion.cite([archived.id], "answer")
    assert status(companion, archived.id) is Status.ACTIVE
    planned = forget.plan(archive_for(companion.runtime, companion.project, companion.now()))
    assert archived.id not in {one.id for one in planned if isinstance(one, Retire)}


def test_what_a_person_forgot_stays_forgotten(companion):
    memory = companion.remember(Note("The zeppelin hangar closes at noon", Kind.FACT))
    companion.forget(memory.id)
    companion.expand(memory.id)
    assert status(companion, memory.id) is Status.ARCHIVED


def test_what_was_superseded_stays_in_the_past(companion):
    old = companion.remember(Note("The hangar opens at 7", Kind.FACT))
    new = companion.remember(Note("The hangar opens at 9", Kind.FACT))
    consolidated(companion, Supersede(old.id, new.id, "said later"))
    companion.expand(old.id)
    assert status(companion, old.id) is Status.ARCHIVED
