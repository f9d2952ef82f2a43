"""What a person told stands until a person ends it, whatever becomes of files."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import pytest
from companion_consolidation import follow
from fakes import PlainRedactor, WordCounter
from msgspec.structs import replace
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
    Retire,
    Revive,
    Scope,
    Status,
    Visibility,
    entity,
)
from companion.store.consolidation import applying, journal
from companion.store.consolidation.archive import StoredArchive
from companion.store.history.commits import CommitHistory
from companion.store.memories.reconcile import FADED
from companion.store.memories.rows_sql import MEMORIES

A, B = "shop/cart.py", "shop/basket.py"


@pytest.fixture
def database(tmp_path):
    with store(tmp_path) as opened:
        commit(opened, 0, FileChange(ChangeStatus.ADDED, A), FileChange(ChangeStatus.ADDED, "other.py"))
        yield opened


def commit(database, day: int, *changes: FileChange) -> None:
    someone = Person("Someone", "someone@example.org")
    made = Commit(f"{day:040d}", (), someone, at(day), at(day), f"On day {day}", "", changes)
    CommitHistory(database, PlainRedactor()).add(PROJECT, [made])


def tell(database, text: str, when: datetime = NOW, path: str = "", evidence: tuple[str, ...] = (), **given) -> Memory:
    said = draft_from_note(text, Kind.FACT, Scope(path=path), Visibility.USER_PRIVATE, False, "", when)
    shown = tuple(Evidence(EvidenceKind.FILE, one) for one in evidence)
    names = tuple(entity("file", one) for one in evidence)
    return memories(database).remember(
        PROJECT, replace(said, evidence=shown, entities=said.entities + names, **given), when
    )


def consolidated(database, changes: Iterable[Change]) -> None:
    """Carry changes out as a run does."""
    run = journal.open_run(database, PROJECT, "command", ["follow"], at(100))
    journal.add(database, run, (("follow", one) for one in changes), PlainRedactor())
    journal.seal(database, run, {})
    applying.apply(database, run, at(100), counter=WordCounter())
    assert journal.run(database, PROJECT, run).refused == 0


def planned(database) -> list[Retire | Revive]:
    return list(follow.plan(StoredArchive(database, PROJECT, at(100))))


def test_what_hangs_on_a_file_that_is_there_stays(database):
    tell(database, "The cart rounds down", path=A)
    assert planned(database) == []


def test_what_hangs_on_a_deleted_file_stays_for_whoever_told_it_to_end(database):
    tell(database, "The cart rounds down", path=A)
    tell(database, "Carts are slow", evidence=(A,))
    commit(database, 2, FileChange(ChangeStatus.DELETED, A))
    assert planned(database) == []


def test_what_an_earlier_version_put_away_unasked_comes_back(database):
    memory = tell(database, "We just switched from Yarn to pnpm")
    with database.write() as connection:  # no run of today would
        MEMORIES.change(connection, memory.id, status=Status.ARCHIVED, archived_at=at(8), archived_reason=FADED)
    assert memory.id not in {one.id for one in memories(database).iterate(PROJECT)}
    assert planned(database) == [Revive(memory.id, "a person told it, and no person ended it")]
    consolidated(database, planned(database))
    assert memory.id in {one.id for one in memories(database).iterate(PROJECT)}
    assert planned(database) == []


def test_what_a_person_forgot_does_not_come_back(database):
    memory = tell(database, "The cart rounds down", path=A)
    memories(database).forget(memory.id, at(3))
    assert planned(database) == []
