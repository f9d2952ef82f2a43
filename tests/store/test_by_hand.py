"""What a person wrote by hand ends by that person alone: whatever a plan says, the store refuses the rest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import PlainRedactor
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from runs import WHEN, consolidated, refusals
from stores import NOW, PROJECT, at, memories, store

from companion.judge.faithfulness import left_out
from companion.kinds.by_hand import draft_from_note
from companion.records import (
    Change,
    CheckResult,
    Inquiry,
    JudgeQuestion,
    JudgeVerdict,
    Kind,
    Levels,
    Memory,
    Merge,
    Outdate,
    Retire,
    Reword,
    Scope,
    Source,
    Status,
    Supersede,
    Visibility,
)
from companion.records.talk import Item, ItemType, Settles
from companion.store import judgements
from companion.store.consolidation import by_hand, undoing
from companion.store.database import Database
from companion.store.talk import items


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with store(tmp_path) as opened:
        yield opened


def tell(database: Database, text: str, day: float = 0, assistant: str = "", **given: object) -> Memory:
    """What a person, or an assistant, wrote on a day."""
    draft = draft_from_note(text, Kind.FACT, Scope(), Visibility.USER_PRIVATE, False, "", at(day), assistant=assistant)
    return memories(database).remember(PROJECT, replace(draft, **given), at(day))


def now(database: Database, memory: Memory) -> Memory:
    return memories(database).get([memory.id])[0]


def all_now(database: Database, known: list[Memory]) -> list[Memory]:
    return list(memories(database).get([one.id for one in known]))


WRITTEN = [
    ("Prices are cents", ""),
    ("Prices are cents, never floats, says `price.py`", ""),
    ("We use pnpm 9", ""),
    ("We use pnpm 10", ""),
    ("Freeze until 12 January", ""),
    ("Prices are cents", "claude"),
    ("We use pnpm 11", "claude"),
]
SORTS = (Merge, Supersede, Outdate, Retire, Reword)
CHANGE = st.tuples(st.sampled_from(SORTS), st.integers(0, len(WRITTEN) - 1), st.integers(0, len(WRITTEN) - 1)).filter(
    lambda told: told[1] != told[2]
)


def change_of(sort: type, goes: str, stays: str) -> Change:
    match sort.__name__:
        case "Merge":
            return Merge(stays, (goes,), "same")
        case "Supersede":
            return Supersede(goes, stays, "newer")
        case "Reword":
            return Reword(goes, Levels("f", "s", "c", "i"), 1, "model", "shorter")
        case _:
            return sort(goes, "why not")  # type: ignore[no-any-return]


@pytest.fixture
def written(database: Database) -> list[Memory]:
    """What was written; after each example it is again as it was."""
    return [tell(database, text, day, who) for day, (text, who) in enumerate(WRITTEN)]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(CHANGE, min_size=1, max_size=6))
def test_no_plan_ends_or_rewords_what_a_person_wrote_but_by_a_newer_or_fuller_word_of_theirs(
    database: Database, written: list[Memory], told: list[tuple[type, int, int]]
) -> None:
    run = consolidated(database, *[change_of(sort, written[goes].id, written[stays].id) for sort, goes, stays in told])
    for before, after in zip(written, all_now(database, written), strict=True):
        assert after.draft.levels == before.draft.levels or before.draft.origin.startswith("assistant ")
        if after.status is Status.ACTIVE or before.draft.origin.startswith("assistant "):
            continue
        if not after.superseded_by:
            assert before.draft.valid_to is not None and before.draft.valid_to <= WHEN
            continue
        (heir,) = memories(database).get([after.superseded_by])
        assert heir.draft.origin == before.draft.origin
        newer = heir.created_at > before.created_at
        assert newer or not left_out(before.draft.levels.full, heir.draft.levels.full)
    undoing.undo(database, run, None, WHEN)
    assert all_now(database, written) == written


def test_what_is_refused_says_why(database: Database) -> None:
    mine, theirs = tell(database, "Prices are cents"), tell(database, "Prices are whole cents", 1, "claude")
    fuller, other = tell(database, "Prices are cents, never floats", 2), tell(database, "Nobody reads 7 logs", 3)
    run = consolidated(
        database,
        Outdate(mine.id, "a model says so"),
        Retire(mine.id, "unused"),
        Supersede(mine.id, theirs.id, "newer"),
        Supersede(fuller.id, mine.id, "it is older"),
        Merge(theirs.id, (mine.id,), "same"),
        Merge(mine.id, (other.id,), "same"),
        Reword(mine.id, Levels("f", "s", "c", "i"), 1, "model", "shorter"),
    )
    told = refusals(database, run)
    assert len(told) == 7
    assert set(told) >= {by_hand.STANDS, by_hand.ANOTHERS, by_hand.ELSEWHERE, by_hand.WORDS}
    assert any(why.startswith("a person wrote it, and what would stay leaves out:") for why in told)


def test_a_folded_note_keeps_its_words_as_evidence(database: Database) -> None:
    short, long = tell(database, "Prices are cents"), tell(database, "Prices are cents, never floats", 1)
    consolidated(database, Merge(long.id, (short.id,), "the second says it too"))
    assert now(database, short).superseded_by == long.id
    assert [one.quote for one in now(database, long).draft.evidence] == ["Prices are cents"]


def test_what_begins_later_does_not_take_a_place_before(database: Database) -> None:
    old, new = tell(database, "We deploy with Jenkins"), tell(database, "From 1 June 2026 we deploy with Argo", 1)
    consolidated(database, Supersede(old.id, new.id, "newer"))
    assert now(database, old).status is Status.ACTIVE


def asked(database: Database, *memory: Memory) -> None:
    inquiry = Inquiry(JudgeQuestion.PAIR, tuple(one.id for one in memory), "near", 0.9)
    judgements.ask(database, PROJECT, [inquiry], NOW, PlainRedactor())


def answer(database: Database, verdict: JudgeVerdict, judge: str) -> None:
    (one,) = judgements.waiting(database, PROJECT)
    judgements.answer(database, one, verdict, reason="", judge=judge, now=WHEN, redactor=PlainRedactor())


def test_that_two_notes_are_the_same_is_left_to_the_person_where_words_would_be_lost(database: Database) -> None:
    a, b = (
        tell(database, "Retry 3 times, then page Ana"),
        tell(database, "Retry, and then wake whoever is on call, at 9", 1),
    )
    asked(database, a, b)
    answer(database, JudgeVerdict.SAME, "assistant tiny")
    assert len(judgements.waiting(database, PROJECT)) == 1, "it waits for somebody else"
    answer(database, JudgeVerdict.SAME, judgements.PERSON)
    consolidated(database, Merge(b.id, (a.id,), "person says so"))
    assert now(database, a).superseded_by == b.id


def test_an_assistant_may_fold_what_the_other_note_says_all_of(database: Database) -> None:
    a, b = tell(database, "Prices are cents"), tell(database, "Prices are cents, never floats", 1)
    asked(database, a, b)
    answer(database, JudgeVerdict.SECOND_CONTAINS_FIRST, "assistant tiny")
    assert judgements.waiting(database, PROJECT) == []


def test_the_check_against_todays_code_ends_nothing_that_a_person_wrote(database: Database) -> None:
    mine = tell(database, "Prices are cents")
    memories(database).take_checked(PROJECT, [CheckResult(mine.id, "its file is gone")], WHEN)
    assert now(database, mine) == mine


def test_a_to_do_is_over_once_it_is_done_and_not_before(database: Database) -> None:
    mine = tell(database, "Drop the shim until 6 January 2026", valid_to=at(1))
    todo = items.add(database, Item("", ItemType.TASK, "Drop the shim", 0, memory=mine.id), "", NOW)
    assert list(by_hand.past(database, PROJECT, WHEN)) == []
    consolidated(database, Outdate(mine.id, "over"))
    assert now(database, mine).status is Status.ACTIVE
    items.settle(database, [Settles(todo.id, "user", 1.0, "")], WHEN)
    assert [one.id for one in by_hand.past(database, PROJECT, WHEN)] == [mine.id]


def test_what_an_assistant_wrote_gives_way_as_before(database: Database) -> None:
    old, new = tell(database, "We use pnpm 9", 0, "claude"), tell(database, "We use pnpm 10", 1, "claude")
    consolidated(database, Supersede(old.id, new.id, "newer"))
    assert now(database, old).superseded_by == new.id
    assert old.draft.source is Source.BY_HAND
