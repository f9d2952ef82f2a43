"""What a user deletes is gone from the store, its journal, its indexes and the copies of it: not a byte is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from fakes import FakeClock, HashEmbedder
from killed import killed_at
from repos import Repo
from vectorised import embed_pending

from companion.api import Note
from companion.app.compose import open_runtime
from companion.app.local import LocalCompanion
from companion.config import Settings
from companion.records import SearchQuery
from companion.store.care.deleted import write_anew_if_wanted
from companion.store.database import Database
from companion.store.opening import open_store

from .conftest import Desk
from .talks import LabelledLines, say

SECRET = "zanzibar unobtainium"
OTHER = "prices are integer cents"


@pytest.fixture
def companion(desk: Desk, new_repo: Callable[..., Repo]) -> Iterator[LocalCompanion]:
    repo = new_repo("shop")
    repo.write("README.md", "A shop.")
    repo.commit("Begin")
    one = desk.open(repo.root)
    one.runtime.talk_rules = LabelledLines  # type: ignore[assignment]
    yield one
    one.close()


def files_with(home: Path, text: str) -> list[str]:
    return sorted(
        str(path.relative_to(home)) for path in home.rglob("*") if path.is_file() and text.encode() in path.read_bytes()
    )


def remembered(companion: LocalCompanion, text: str) -> str:
    companion.runtime.adapters.clock.moment += timedelta(hours=1)  # type: ignore[attr-defined]
    one = companion.start_conversation(f"about {text}")
    say(companion, f"decision: {text}", f"insight: {text} again")
    companion.close_conversation()
    companion.confirm_review()
    companion.find_turns(text)
    return one.id


def test_a_deleted_conversation_leaves_no_byte_in_the_store_or_its_copies(companion: LocalCompanion):
    home = companion.store.home
    remembered(companion, OTHER)
    companion.backup(None)
    gone = remembered(companion, SECRET)
    copies = [companion.backup(None), companion.backup(None)]
    assert files_with(home, SECRET)
    companion.forget_conversation(gone)
    told = " ".join(companion.notices())
    assert all(copy.name in told for copy in copies), told
    assert "companion-000001" not in told, "a copy that never held it stays as it is"
    companion.close()
    assert files_with(home, SECRET) == []
    for copy in copies:
        restored = Database(copy.parent, _opened(copy), name=copy.name)
        with restored.read() as connection:
            assert connection.execute("select count(*) from conversations").fetchall() == [(1,)]
            assert connection.execute("select count(*) from turns").fetchall() == [(2,)]
        restored.close()


def test_a_deleted_memory_leaves_the_copies_too_and_the_talk_stays(companion: LocalCompanion):
    home = companion.store.home
    remembered(companion, OTHER)
    (decision,) = [memory for memory in companion.story() if memory.draft.type == "decision"]
    companion.backup(None)
    companion.erase(decision.id)
    assert "companion-000001" in " ".join(companion.notices())
    (copy,) = (home / "backups").glob("*.duckdb")
    database = Database(copy.parent, _opened(copy), name=copy.name)
    with database.read() as connection:
        assert connection.execute("select count(*) from memories where id = $id", {"id": decision.id}).fetchone() == (
            0,
        )
        assert connection.execute("select count(*) from turns").fetchone() == (2,)
    database.close()


def test_no_vector_of_a_deleted_memory_is_left(desk: Desk, new_repo: Callable[..., Repo]):
    repo = new_repo("shop")
    repo.write("README.md", "A shop.")
    repo.commit("Begin")
    companion = desk.open(repo.root, embedder=True)
    gone = companion.remember(Note(SECRET)).id
    for number in range(9):
        companion.remember(Note(f"{OTHER} in branch {number}"))
    embed_pending(companion.store.vectors, companion.project, HashEmbedder())
    (file,) = (desk.home / "vectors").glob("*.vectors")
    (desk.home / "vectors" / f"{companion.project}-0123abcd.vectors").write_bytes(b"of a model of before")
    before = file.stat().st_size
    companion.erase(gone)
    assert [one.name for one in file.parent.glob("*.vectors")] == [file.name]
    assert file.stat().st_size - 32 == (before - 32) * 9 // 10
    assert companion.search(SearchQuery(OTHER))
    companion.close()


def test_a_copy_that_cannot_be_changed_is_named(companion: LocalCompanion):
    gone = remembered(companion, SECRET)
    copy = companion.backup(None)
    copy.write_bytes(copy.read_bytes()[:5000])
    companion.forget_conversation(gone)
    told = " ".join(companion.notices())
    assert str(copy) in told and "could not be changed" in told
    assert copy.stat().st_size == 5000


def test_where_others_ask_the_store_it_is_written_anew_when_it_is_opened_next(companion: LocalCompanion):
    home = companion.store.home
    gone = remembered(companion, SECRET)
    companion.runtime.shared = True
    companion.forget_conversation(gone)
    assert companion.find_turns(SECRET) == () and companion.story() == (), "nobody finds it from now on"
    companion.close()
    database = open_store(home, wait_s=1, memory_limit="200MB")
    assert write_anew_if_wanted(database, "200MB")
    assert not write_anew_if_wanted(database, "200MB"), "once is enough"
    database.close()
    assert files_with(home, SECRET) == []


def delete_all(home: Path, root: Path, told: str, talk: str) -> None:
    """Delete a memory and a conversation, in a process that may be killed."""
    companion = Desk(home, FakeClock()).open(root)
    companion.erase(told)
    companion.forget_conversation(talk)


@pytest.mark.parametrize("place", [("leave_everywhere", 2), ("reach_copies", 2), ("_mend", 4)])
def test_a_deletion_that_is_killed_is_finished_by_whoever_opens_the_store_next(companion: LocalCompanion, place):
    home, root = companion.store.home, Path(companion.state.root)
    gone = remembered(companion, SECRET)
    told = companion.remember(Note(f"the price of {SECRET}"))
    companion.backup(None), companion.backup(None)
    companion.close()
    assert killed_at(place, delete_all, home, root, told.id, gone), place
    assert files_with(home, SECRET), "a copy has it still"
    runtime = open_runtime(home, Settings(embeddings="off"), FakeClock())
    assert "It was removed from the backups" in " ".join(runtime.notices)
    runtime.close()
    assert files_with(home, SECRET) == []
    again = open_runtime(home, Settings(embeddings="off"), FakeClock())
    assert again.notices == (), "it is told once"
    again.close()


def test_nothing_unfinished_is_left_beside_the_copies(companion: LocalCompanion):
    gone = remembered(companion, SECRET)
    companion.backup(None)
    companion.forget_conversation(gone)
    assert [path.name for path in (companion.store.home / "backups").iterdir()] == ["companion-000001.duckdb"]


def _opened(path: Path):
    from companion.store.connecting import connect

    return connect(path, "200MB")
