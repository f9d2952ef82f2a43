"""What people told of a file goes with it, moves with it, and comes back with it; nothing else does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

import pytest
from companion_consolidation import follow
from fakes import PlainRedactor, WordCounter
from store.stores import NOW, PROJECT, at, memories, store

from companion.kinds.by_hand import draft_from_note
from companion.records import (
    Change,
    ChangeStatus,
    Commit,
    Evidence,
    EvidenceKind,
    FileChange,
    Kind,
    Memory,
    Person,
    Rescope,
    Retire,
    Revive,
    Scope,
    Visibility,
    entity,
)
from companion.store.history.commits import History
from companion.store.memories import usage
from companion.store.night import applying, journal
from companion.store.night.archive import Archive

A, B = "shop/cart.py", "shop/basket.py"


@pytest.fixture
def database(tmp_path):
    with store(tmp_path) as opened:
        commit(opened, 0, FileChange(ChangeStatus.ADDED, A), FileChange(ChangeStatus.ADDED, "other.py"))
        yield opened


def commit(database, day: int, *changes: FileChange) -> None:
    someone = Person("Someone", "someone@example.org")
    made = Commit(f"{day:040d}", (), someone, at(day), at(day), f"On day {day}", "", changes)
    History(database, PlainRedactor()).add(PROJECT, [made])


def tell(database, text: str, when: datetime = NOW, path: str = "", evidence: tuple[str, ...] = (), **given) -> Memory:
    said = draft_from_note(text, Kind.FACT, Scope(path=path), Visibility.USER_PRIVATE, False, "", when)
    shown = tuple(Evidence(EvidenceKind.FILE, one) for one in evidence)
    names = tuple(entity("file", one) for one in evidence)
    return memories(database).remember(
        PROJECT, replace(said, evidence=shown, entities=said.entities + names, **given), when
    )


def night(database, changes: Iterable[Change]) -> None:
    """Carry changes out as a night does."""
    run = journal.open_run(database, PROJECT, "command", ["follow"], None, at(100))
    journal.add(database, run, (("follow", one) for one in changes), PlainRedactor())
    journal.seal(database, run, {})
    assert applying.apply(database, run, at(100), counter=WordCounter()).refused == 0


def planned(database) -> list[Retire | Rescope | Revive]:
    return list(follow.plan(Archive(database, PROJECT, at(100)), at(100)))


def test_what_hangs_on_a_file_that_is_there_stays(database):
    tell(database, "The cart rounds down", path=A)
    assert planned(database) == []


def test_what_hangs_on_a_deleted_file_is_retired_and_says_of_which(database):
    by_scope = tell(database, "The cart rounds down", path=A)
    by_evidence = tell(database, "Carts are slow", evidence=(A,))
    commit(database, 2, FileChange(ChangeStatus.DELETED, A))
    found = planned(database)
    assert {one.id for one in found} == {by_scope.id, by_evidence.id}
    assert all(isinstance(one, Retire) and A in one.reason for one in found)


def test_what_can_still_be_checked_elsewhere_stays(database):
    tell(database, "Carts are slow", evidence=(A, "other.py"))
    tell(database, "Carts are kept for a day", path="shop")
    commit(database, 2, FileChange(ChangeStatus.DELETED, A))
    assert planned(database) == []


def test_what_was_told_of_a_deletion_after_it_stays(database):
    commit(database, 2, FileChange(ChangeStatus.DELETED, A))
    tell(database, "The cart was deleted, since nobody used it", at(3), path=A)
    assert planned(database) == []


def test_what_is_pinned_or_was_cited_since_stays(database):
    tell(database, "The cart rounds down", path=A, pinned=True)
    cited = tell(database, "Carts are slow", path=A)
    commit(database, 2, FileChange(ChangeStatus.DELETED, A))
    usage.record(database, [cited.id], "cited", "expand", at(5))
    assert planned(database) == []


def test_what_hangs_on_a_renamed_file_moves_once(database):
    memory = tell(database, "The cart rounds down", path=A)
    named = tell(database, "Carts are slow", evidence=(A,))
    commit(database, 2, FileChange(ChangeStatus.RENAMED, B, A))
    found = planned(database)
    assert {(one.id, one.path, one.to) for one in found} == {(memory.id, A, B), (named.id, A, B)}
    night(database, found)
    moved = memories(database).get([memory.id])[0]
    assert moved.draft.scope.path == B
    assert planned(database) == []


def test_a_file_that_comes_back_brings_back_what_hung_on_it(database):
    memory = tell(database, "The cart rounds down", path=A)
    commit(database, 2, FileChange(ChangeStatus.DELETED, A))
    night(database, planned(database))
    assert memory.id not in {one.id for one in memories(database).iterate(PROJECT)}
    assert planned(database) == []
    commit(database, 4, FileChange(ChangeStatus.ADDED, A))
    assert planned(database) == [Revive(memory.id, f"{A} is back")]
    night(database, planned(database))
    assert memory.id in {one.id for one in memories(database).iterate(PROJECT)}
    assert planned(database) == []


def test_what_a_person_forgot_does_not_come_back_with_a_file(database):
    memory = tell(database, "The cart rounds down", path=A)
    commit(database, 2, FileChange(ChangeStatus.DELETED, A))
    memories(database).forget(memory.id, at(3))
    commit(database, 4, FileChange(ChangeStatus.ADDED, A))
    assert planned(database) == []
