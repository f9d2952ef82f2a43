"""What a note says of its own time holds: told as over from then on, archived by the next run, back by a person's act."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime

import pytest
from repos import Repo

from app.conftest import Desk, Readings
from companion.api import Note, Order, RunOrder
from companion.app.local import LocalCompanion
from companion.ports import NoProgress
from companion.records import Format, JudgeAnswer, Memory, SearchHit, SearchQuery, Signals, Status
from companion.records.talk import ItemType
from companion.surfaces.mcp.talk_answers import greeting

FREEZE = "The zebra cluster is frozen until 12 January"
WORDS = "zebra cluster frozen"


@pytest.fixture
def companion(desk: Desk, shop: Repo) -> Iterator[LocalCompanion]:
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    yield opened
    opened.close()


def consolidated(companion: LocalCompanion) -> None:
    companion.consolidate(RunOrder(), NoProgress())


def one(companion: LocalCompanion, id_: str) -> Memory:
    return companion.store.memories.get([id_])[0]


def hit(companion: LocalCompanion, id_: str, words: str = WORDS) -> SearchHit | None:
    return next((found for found in companion.search(SearchQuery(words)) if found.id == id_), None)


def in_context(companion: LocalCompanion, id_: str) -> bool:
    context = companion.assemble(4_000, Signals(query=WORDS), Format.JSON, Order.PEOPLE)
    return id_ in {item.id for tier in context.tiers for item in tier.items}


def test_a_note_is_served_until_its_own_words_say_that_it_is_over(companion: LocalCompanion, desk: Desk) -> None:
    id_ = companion.remember(Note(FREEZE)).id
    desk.clock.advance(days=7)
    found = hit(companion, id_)
    assert found is not None and found.over is None
    assert in_context(companion, id_)
    desk.clock.advance(days=1)
    found = hit(companion, id_)
    assert found is not None and found.over == datetime(2026, 1, 13)
    assert not in_context(companion, id_)


def test_the_next_run_archives_it_with_that_reason_and_a_search_names_it(companion: LocalCompanion, desk: Desk) -> None:
    id_ = companion.remember(Note(FREEZE)).id
    desk.clock.advance(days=9)
    consolidated(companion)
    assert one(companion, id_).status is Status.ARCHIVED
    assert one(companion, id_).archived_reason == "holds no longer: over since 2026-01-13"
    companion.notices()
    assert hit(companion, id_) is None
    told = " ".join(companion.notices())
    assert f"In the archive since 2026-01-14 (holds no longer: over since 2026-01-13): “{FREEZE}”" in told
    assert f"`companion revive {id_[:12]}`" in told
    companion.explain(4_000, Signals(query=WORDS), None, leave_one_out=False)
    assert any(line.startswith("In the archive since 2026-01-14") for line in companion.notices())
    companion.expand(id_)
    assert one(companion, id_).status is Status.ARCHIVED, "reading it does not make it hold again"


def test_a_greeting_names_what_ended_by_its_own_words_for_three_days(companion: LocalCompanion, desk: Desk) -> None:
    over, forgotten = (companion.remember(Note(text)).id for text in (FREEZE, "Ana is away until 12 January"))
    companion.forget(forgotten)
    desk.clock.advance(days=9)
    consolidated(companion)
    (named,) = companion.greeting().ended
    assert (named.id, named.archived_reason) == (over, "holds no longer: over since 2026-01-13")
    told = companion.greeting().text
    assert "Over by its own words (companion revive ID)" in told
    assert f"{FREEZE} [holds no longer: over since 2026-01-13]" in told
    assert over[:12] in greeting(companion.greeting()).text
    desk.clock.advance(days=4)
    assert companion.greeting().ended == ()


def test_what_answers_less_than_what_stands_is_counted_and_not_named(companion: LocalCompanion, desk: Desk) -> None:
    companion.remember(Note(FREEZE))
    companion.remember(Note("The zebra cluster is frozen whenever the stripes are repainted"))
    desk.clock.advance(days=9)
    consolidated(companion)
    companion.notices()
    companion.search(SearchQuery("zebra cluster frozen stripes repainted"))
    told = " ".join(companion.notices())
    assert "archived match" in told and "In the archive" not in told


def test_what_a_person_brings_back_or_edits_holds_again(companion: LocalCompanion, desk: Desk) -> None:
    first, second = (companion.remember(Note(text)).id for text in (FREEZE, "Ana is on holiday until 12 January"))
    desk.clock.advance(days=9)
    consolidated(companion)
    companion.revive(first)
    edited = companion.revise(second, "Ana is on holiday until 12 February").id
    consolidated(companion)
    assert one(companion, first).status is Status.ACTIVE
    assert one(companion, first).draft.valid_to is None
    assert hit(companion, first) is not None
    assert one(companion, edited).status is Status.ACTIVE
    assert one(companion, edited).draft.valid_to == datetime(2026, 2, 13)


def test_an_undone_end_is_not_made_again(companion: LocalCompanion, desk: Desk) -> None:
    id_ = companion.remember(Note(FREEZE)).id
    desk.clock.advance(days=9)
    report = companion.consolidate(RunOrder(), NoProgress())
    companion.undo(report.run)
    consolidated(companion)
    assert one(companion, id_).status is Status.ACTIVE


def test_what_is_to_be_taken_out_later_is_an_open_to_do_and_stands_until_it_is_done(
    companion: LocalCompanion, desk: Desk
) -> None:
    id_ = companion.remember(Note("Take the zebra banner down on Friday")).id
    (todo,) = companion.threads((ItemType.TASK,))
    assert (todo.memory, todo.details["due"]) == (id_, "2026-01-09")
    desk.clock.advance(days=30)
    consolidated(companion)
    assert one(companion, id_).status is Status.ACTIVE
    companion.settle_thread(todo.id)
    consolidated(companion)
    assert one(companion, id_).archived_reason == "holds no longer: it is done"


def test_a_note_that_calls_itself_a_to_do_is_open_until_it_is_done(companion: LocalCompanion) -> None:
    id_ = companion.remember(Note("todo: write the release notes by 2026-02-01")).id
    (todo,) = companion.threads((ItemType.TASK,))
    assert (todo.memory, todo.text, todo.details["due"]) == (id_, "write the release notes by 2026-02-01", "2026-02-01")
    companion.settle_thread(todo.id)
    consolidated(companion)
    assert one(companion, id_).archived_reason == "holds no longer: it is done"


def test_an_assistants_note_is_kept_as_its_own(companion: LocalCompanion) -> None:
    mine, theirs = companion.remember(Note(FREEZE)), companion.remember(Note(FREEZE, assistant="claude"))
    assert (mine.draft.origin, theirs.draft.origin) == ("by-hand", "assistant claude")
    consolidated(companion)
    assert one(companion, mine.id).status is Status.ACTIVE


WRITTEN = (
    "Zebras are striped",
    "We feed zebras 2 times a day",
    "We feed zebras twice a day, and never on Mondays",
    "Zebras sleep in hall 3",
    "Zebras sleep in hall 4",
    "temporary: the zebra counter is off by 5",
)


def written(desk: Desk, shop: Repo) -> list[str]:
    """Write all of that, and have the first run; returns the ids."""
    with closing(desk.open(shop.root, embedder=True)) as companion:
        ids = [companion.remember(Note(text)).id for text in WRITTEN]
        desk.clock.advance(days=120)
        consolidated(companion)
    return ids


@pytest.mark.parametrize("verdict", ["same", "first_contains_second", "second_contains_first", "contradict"])
def test_whatever_an_assistant_answers_and_runs_do_no_word_of_a_person_is_lost(
    desk: Desk, shop: Repo, readings: Readings, verdict: str
) -> None:
    desk.scan(shop.root)
    ids = readings.once("written and consolidated", desk, lambda: written(desk, shop))
    companion = desk.open(shop.root, embedder=True)
    for run in range(3):
        if run:
            desk.clock.advance(days=120)
            consolidated(companion)
        asked = companion.pending_judgements(50, "assistant careless")
        if asked:
            companion.judge([JudgeAnswer(question.id, verdict) for question in asked], "assistant careless")
    for id_, text in zip(ids, WRITTEN, strict=True):
        memory = one(companion, id_)
        assert memory.draft.levels.full == text
        if memory.status is Status.ARCHIVED:
            heir = one(companion, memory.superseded_by)
            assert heir.draft.origin == "by-hand"
            assert memory.archived_reason == "superseded" or text in {said.quote for said in heir.draft.evidence}
    companion.close()
