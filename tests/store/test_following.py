"""Files keep their memories through renames, and are found by every path they had; nothing moves twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import PlainRedactor
from msgspec.structs import replace
from stores import PROJECT, at, fact, memories, store

from companion.records import (
    Artifact,
    ArtifactKind,
    ChangeStatus,
    Commit,
    Evidence,
    EvidenceKind,
    FileChange,
    Kind,
    Memory,
    Person,
    Scope,
    memory_key,
)
from companion.store.database import Database
from companion.store.history.commits import CommitHistory
from companion.store.memories.following import follow
from companion.store.text.facets import Viewer
from companion.store.text.index import TextIndex
from companion.store.text.memory_index import MemoryIndex

ADDED, DELETED, MODIFIED, RENAMED = (
    ChangeStatus.ADDED,
    ChangeStatus.DELETED,
    ChangeStatus.MODIFIED,
    ChangeStatus.RENAMED,
)
EPISODES = "episodes"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with store(tmp_path) as opened:
        yield opened


def sha(day: int) -> str:
    return f"{day:040d}"


def commit(database: Database, day: int, *changes: FileChange, branch: str = "") -> None:
    person = Person("Ann", "ann@x.org")
    made = Commit(sha(day), (), person, at(day), at(day), f"On day {day}", "", changes)
    CommitHistory(database, PlainRedactor()).add(PROJECT, [made], branch=branch)


def add(*paths: str) -> tuple[FileChange, ...]:
    return tuple(FileChange(ADDED, path) for path in paths)


def rename(*pairs: tuple[str, str]) -> tuple[FileChange, ...]:
    return tuple(FileChange(RENAMED, new, old) for old, new in pairs)


def told_of(day: int, *paths: str) -> object:
    return fact(
        f"what happened on day {day}",
        f"{day}",
        kind=Kind.EPISODE,
        type="commit",
        origin=f"commit:{sha(day)}",
        evidence=(Evidence(EvidenceKind.COMMIT, sha(day)), Evidence(EvidenceKind.FILE, paths[0], 3)),
        entities=tuple(f"file:{path}" for path in paths),
        artifacts=tuple(Artifact(ArtifactKind.FILE, path) for path in paths),
    )


def learn(database: Database, day: int, *paths: str) -> None:
    """An episode of the commit of a day, as a scan keeps it."""
    draft = told_of(day, *paths)
    memories(database).reconcile(PROJECT, EPISODES, [draft.origin], [draft], at(day))


def say(database: Database, text: str, day: float, path: str = "", **given: object) -> Memory:
    draft = fact(text, text, scope=Scope(path=path), evidence=(), entities=(), **given)
    return memories(database).remember(PROJECT, draft, at(day))


def named(database: Database) -> dict[str, tuple[str, ...]]:
    """What is named, by value, after following as often as it may be."""
    follow(database, PROJECT)
    once = {one.draft.value: one.draft for one in memories(database).iterate(PROJECT, archived=True)}
    assert follow(database, PROJECT) == 0, "following again moves nothing"
    for draft in once.values():
        paths = tuple(key[5:] for key in draft.entities if key.startswith("file:"))
        assert tuple(one.ref for one in draft.artifacts) in (paths, ())
        assert {one.ref for one in draft.evidence if one.kind is EvidenceKind.FILE} <= set(paths)
    return {value: tuple(key[5:] for key in draft.entities) for value, draft in once.items()}


def about(database: Database, path: str, **reader: object) -> set[str]:
    memory_index = MemoryIndex(database, TextIndex(database))
    found = memory_index.about(PROJECT, [f"file:{path}"], Viewer(**reader), 10)  # type: ignore[arg-type]
    assert set(found) <= set(memory_index.within(PROJECT, path, Viewer(**reader), 10)) or not found  # type: ignore[arg-type]
    return {memory.draft.value for memory in found}


def test_what_names_a_file_moves_with_it_through_a_chain_of_renames_and_is_found_by_each_name(database):
    commit(database, 1, *add("old.py", "other.py"))
    learn(database, 1, "old.py", "other.py")
    commit(database, 2, *rename(("old.py", "new.py")))
    assert named(database) == {"1": ("new.py", "other.py")}
    commit(database, 3, *rename(("new.py", "src/newest.py")))
    assert {path: about(database, path) for path in ("old.py", "new.py", "src/newest.py", "none.py")} == {
        "old.py": {"1"},
        "new.py": {"1"},
        "src/newest.py": {"1"},
        "none.py": set(),
    }, "also before it has moved"
    assert named(database) == {"1": ("other.py", "src/newest.py")}
    assert about(database, "old.py") == about(database, "src/newest.py") == {"1"}


def test_a_file_that_was_renamed_and_deleted_then_is_found_by_each_name(database):
    commit(database, 1, *add("old.py"))
    learn(database, 1, "old.py")
    commit(database, 2, *rename(("old.py", "new.py")))
    commit(database, 3, FileChange(DELETED, "new.py"))
    assert named(database) == {"1": ("new.py",)}
    assert about(database, "old.py") == about(database, "new.py") == {"1"}


def test_a_new_file_at_the_old_path_has_its_own_memories_and_a_look_back_those_of_then(database):
    commit(database, 1, *add("old.py"))
    learn(database, 1, "old.py")
    commit(database, 2, *rename(("old.py", "new.py")))
    commit(database, 3, *add("old.py"))
    learn(database, 3, "old.py")
    assert named(database) == {"1": ("new.py",), "3": ("old.py",)}
    assert (about(database, "old.py"), about(database, "new.py")) == ({"3"}, {"1"})
    assert about(database, "old.py", as_of=at(1.5)) == {"1"}
    assert about(database, "new.py", as_of=at(1.5)) == {"1"}


def test_names_that_were_exchanged_or_handed_on_are_followed_once(database):
    commit(database, 1, *add("a.py", "b.py", "c.py"))
    learn(database, 1, "a.py", "c.py")
    commit(database, 2, *rename(("a.py", "b.py"), ("b.py", "a.py")))
    assert named(database) == {"1": ("b.py", "c.py")}
    learn(database, 2, "b.py")
    commit(database, 3, *rename(("c.py", "d.py")))
    commit(database, 4, *rename(("b.py", "c.py")))
    assert named(database) == {"1": ("c.py", "d.py"), "2": ("c.py",)}


def test_a_rename_on_a_branch_alone_moves_nothing_until_it_is_merged_and_both_names_lead_there(database):
    commit(database, 1, *add("old.py"))
    learn(database, 1, "old.py")
    commit(database, 2, *rename(("old.py", "new.py")), branch="topic")
    commit(database, 3, FileChange(MODIFIED, "old.py"))
    learn(database, 3, "old.py")
    assert named(database) == {"1": ("old.py",), "3": ("old.py",)}
    assert about(database, "old.py") == about(database, "new.py") == {"1", "3"}
    CommitHistory(database, PlainRedactor()).clear_branch(PROJECT, [sha(2)])
    assert named(database) == {"1": ("new.py",), "3": ("new.py",)}
    assert about(database, "old.py") == about(database, "new.py") == {"1", "3"}


def test_what_is_learned_anew_by_its_old_name_is_moved_again(database):
    commit(database, 1, *add("old.py"))
    learn(database, 1, "old.py")
    commit(database, 2, *rename(("old.py", "new.py")))
    assert named(database) == {"1": ("new.py",)}
    learn(database, 1, "old.py")
    assert named(database) == {"1": ("new.py",)}


def test_a_memory_that_names_a_file_twice_by_then_names_it_once(database):
    commit(database, 1, *add("old.py"))
    commit(database, 2, *rename(("old.py", "new.py")))
    learn(database, 2, "old.py", "new.py")
    follow(database, PROJECT)
    (memory,) = memories(database).iterate(PROJECT)
    assert memory.draft.entities == ("file:new.py",)
    assert [one.ref for one in memory.draft.artifacts] == ["new.py"]


def test_what_people_told_of_a_file_or_a_folder_moves_with_it_and_stays_what_it_is_about(database):
    commit(database, 1, *add("lib/a.py", "lib/deep/b.py", "lib/c.py", "docs/x.md"))
    of_file, of_folder, elsewhere = (say(database, path, 1.5, path) for path in ("lib/deep/b.py", "lib/deep", "docs"))
    of_top = say(database, "lib", 1.5, "lib")
    commit(database, 2, *rename(*((f"lib/{one}", f"src/lib/{one}") for one in ("a.py", "deep/b.py", "c.py"))))
    assert follow(database, PROJECT) == 3
    ids = [one.id for one in (of_file, of_folder, of_top, elsewhere)]
    moved = memories(database).get(ids)
    assert [one.draft.scope.path for one in moved] == ["src/lib/deep/b.py", "src/lib/deep", "src/lib", "docs"]
    assert [one.key for one in moved] == [memory_key(one.draft, PROJECT) for one in moved]
    again = replace(of_file.draft, scope=Scope(path="src/lib/deep/b.py"))
    assert memories(database).remember(PROJECT, again, at(9)).id == of_file.id
    assert follow(database, PROJECT) == 0


def test_a_folder_of_which_a_file_is_left_stays_where_it_is(database):
    commit(database, 1, *add("lib/a.py", "lib/b.py"))
    memory = say(database, "lib", 1.5, "lib")
    commit(database, 2, *rename(("lib/a.py", "src/a.py")))
    assert follow(database, PROJECT) == 0
    commit(database, 3, FileChange(DELETED, "lib/b.py"))
    assert follow(database, PROJECT) == 1
    assert memories(database).get([memory.id])[0].draft.scope.path == "src"


def test_what_was_read_from_the_files_of_a_checkout_is_left_to_be_learned_anew(database):
    commit(database, 1, *add("old.py"))
    draft = fact("a", "1", origin="old.py", entities=("file:old.py",), evidence=())
    memories(database).reconcile(PROJECT, "facts@c1", ["old.py"], [draft], at(1))
    commit(database, 2, *rename(("old.py", "new.py")))
    assert follow(database, PROJECT) == 0


def test_a_store_without_history_or_renames_is_left_as_it_is(database):
    assert follow(database, PROJECT) == 0
    learn(database, 1, "old.py")
    commit(database, 1, *add("old.py"))
    assert follow(database, PROJECT) == 0
