"""What is remembered of files goes with them when they are renamed or moved, and is found by the old path too."""

from __future__ import annotations

from repos import Repo

from app.conftest import Desk
from companion.api import Note
from companion.app.local import LocalCompanion
from companion.ports import NoProgress
from companion.records import Profile, Scope, SearchQuery
from companion.records.looking import TimelineQuery

OLD, NEW = "shop/price.py", "src/shop/price.py"


def moved(repo: Repo, companion: LocalCompanion) -> None:
    repo.git("mv", "shop", "src/shop")
    repo.commit("Move to src")
    companion.refresh(None)


def found(companion: LocalCompanion, path: str) -> set[str]:
    hits = companion.search(SearchQuery(text="", entities=(f"file:{path}",), limit=50, profile=Profile.MEMORY))
    return {hit.memory.id for hit in hits}


def told_of(companion: LocalCompanion, path: str) -> set[str]:
    return {line.id for line in companion.why(path, 0).lines if line.id}


def known_files(companion: LocalCompanion) -> set[str]:
    memories = companion.store.memories.iterate(companion.project, archived=True)
    return {key[5:] for one in memories if not one.checkout for key in one.draft.entities if key.startswith("file:")}


def test_episodes_and_notes_move_with_a_folder_and_answer_to_the_old_path_too(desk: Desk, shop: Repo, live) -> None:
    (shop.root / "src").mkdir()
    note = live.remember(Note("Prices are never negative", scope=Scope(path=OLD)))
    folder = live.remember(Note("The shop knows no users", scope=Scope(path="shop")))
    episodes = found(live, OLD)
    assert episodes
    moved(shop, live)
    there = {one.path for one in live.tree.entries()} | {"src/shop"}
    assert known_files(live) <= there, "no memory names a file that is not there"
    assert found(live, NEW) == found(live, OLD) == episodes
    assert note.id in told_of(live, NEW)
    assert {one.id for one in live.library().within(NEW, 20)} >= {note.id, folder.id}
    assert live.expand(f"history:{OLD}").text == live.expand(f"history:{NEW}").text != ""
    assert live.timeline(TimelineQuery(path=OLD)).happened == live.timeline(TimelineQuery(path=NEW)).happened != ()
    live.scan(NoProgress(), full=True)
    assert found(live, NEW) == found(live, OLD) == episodes, "also after all of it was learned anew"


def test_learning_all_anew_leads_to_the_same_file_though_another_took_its_name_since(shop: Repo, live) -> None:
    (shop.root / "src").mkdir()
    moved(shop, live)
    episodes = found(live, NEW)
    shop.write(OLD, "def unlike():\n    return 'what was here before'\n")
    shop.commit("Begin something else under the old name")
    shop.git("mv", OLD, "elsewhere.py")
    shop.commit("Move that away")
    live.refresh(None)
    live.scan(NoProgress(), full=True)
    assert found(live, NEW) >= episodes != set()
    assert not found(live, "elsewhere.py") & episodes


def test_a_store_that_an_older_version_made_is_mended_by_the_next_scan_though_nothing_is_new(shop: Repo, live) -> None:
    (shop.root / "src").mkdir()
    moved(shop, live)
    episodes = found(live, NEW)
    with live.runtime.store.database.write() as connection:
        connection.execute("update memories set paths_as_of = null")
        connection.execute("update memory_entities set entity = replace(entity, 'file:src/', 'file:')")
    assert known_files(live) & {OLD}
    live.scan(NoProgress())
    assert OLD not in known_files(live)
    assert found(live, NEW) == found(live, OLD) == episodes != set()


def test_on_a_branch_that_renames_a_file_both_names_tell_and_going_back_loses_nothing(shop: Repo, live) -> None:
    episodes = found(live, OLD)
    told = told_of(live, OLD)
    shop.git("switch", "-qc", "topic")
    (shop.root / "src").mkdir()
    moved(shop, live)
    assert found(live, NEW) == found(live, OLD) == episodes
    assert told_of(live, NEW) >= told != set()
    (mark,) = [mark for mark in live.marks(NEW) if not mark.symbol]
    assert mark.memories
    shop.git("switch", "-q", "main")
    live.refresh(None)
    assert found(live, NEW) == found(live, OLD) == episodes
    assert told_of(live, OLD) >= told
    shop.git("merge", "-q", "--ff-only", "topic")
    live.refresh(None)
    assert NEW in known_files(live)
    assert OLD not in known_files(live)
    assert found(live, NEW) == found(live, OLD) == episodes
