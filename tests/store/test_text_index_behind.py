"""The text index takes in a whole run behind the answers: nobody waits for it, nobody sees half of it."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stores import NOW, PROJECT, at, fact, memories, store

from companion.store.bulk import insert_rows
from companion.store.database import Database
from companion.store.text.documents import memory_space
from companion.store.text.index import TextIndex
from companion.store.text.word_index import WordIndex

DEADLINE_S = 30.0


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with store(tmp_path) as opened:
        with opened.write() as connection:
            columns = ("id", "root_commit", "remote", "name", "first_seen_at")
            insert_rows(connection, "projects", columns, [(PROJECT, "r", "", "p", NOW)])
        yield opened


def known(index: TextIndex) -> set[str]:
    """What the index holds now; nothing is taken in by looking."""
    with index.asked() as file:
        return set(file.states(memory_space(PROJECT)))


def test_what_was_taken_in_behind_the_answers_is_there_and_nothing_is_left_to_do(database: Database):
    index = TextIndex(database)
    index.update(PROJECT)
    written = {memories(database).remember(PROJECT, fact(f"tool {n}"), NOW).id for n in range(20)}
    assert known(index) == set()
    index.update_behind(PROJECT)
    assert known(index) == written
    index.update(PROJECT)
    assert (known(index), index.missing) == (written, "")
    index.close()


def test_who_asks_meanwhile_waits_for_nothing_and_gets_the_state_before(database: Database):
    index = TextIndex(database)
    first = memories(database).remember(PROJECT, fact("first"), NOW).id
    index.update(PROJECT)
    memories(database).remember(PROJECT, fact("second"), NOW)
    inside, leave = threading.Event(), threading.Event()
    keep = index._taking_in

    class Held:
        """Stands in for the moment in which a take-in is under way."""

        def __enter__(self) -> None:
            keep.acquire()
            inside.set()
            assert leave.wait(DEADLINE_S)

        def __exit__(self, *_: object) -> None:
            keep.release()

    def hold() -> None:
        with Held():
            pass

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        assert inside.wait(DEADLINE_S)
        index.update(PROJECT)  # comes back at once
        assert known(index) == {first}
    finally:
        leave.set()
        thread.join()
    index.update(PROJECT)
    assert len(known(index)) == 2
    index.close()


def test_it_becomes_visible_between_two_questions_and_never_within_one(database: Database):
    index = TextIndex(database)
    index.update(PROJECT)
    memories(database).remember(PROJECT, fact("first"), NOW)
    taking_in = threading.Thread(target=index.update_behind, args=(PROJECT,))
    with index.asked() as file:
        taking_in.start()
        taking_in.join(0.5)
        assert taking_in.is_alive(), "it waits until the question is answered"
        assert file.states(memory_space(PROJECT)) == {}
    taking_in.join(DEADLINE_S)
    assert not taking_in.is_alive()
    assert len(known(index)) == 1
    index.close()


def test_whoever_asks_while_all_of_it_is_checked_waits_for_none_of_it(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    memories(database).remember(PROJECT, fact("first"), NOW)
    index = TextIndex(database)
    index.update(PROJECT)
    begun, go_on, check = threading.Event(), threading.Event(), WordIndex.check

    def slowly(file: WordIndex) -> str:
        begun.set()
        go_on.wait(DEADLINE_S)
        return check(file)

    monkeypatch.setattr(WordIndex, "check", slowly)
    said: list[str] = []
    checking = threading.Thread(target=lambda: said.append(index.verify()))
    checking.start()
    assert begun.wait(DEADLINE_S)
    memories(database).remember(PROJECT, fact("second"), NOW)
    index.update(PROJECT)
    assert len(known(index)) == 2, "it is asked, and takes in what is new"
    go_on.set()
    checking.join(DEADLINE_S)
    assert said == [""]
    index.close()


def test_an_index_made_anew_meanwhile_is_whole(database: Database):
    index = TextIndex(database)
    for number in range(50):
        memories(database).remember(PROJECT, fact(f"tool {number}"), NOW)
    behind = [threading.Thread(target=index.update_behind, args=(PROJECT,)) for _ in range(3)]
    for thread in behind:
        thread.start()
    index.rebuild()
    for thread in behind:
        thread.join(DEADLINE_S)
    index.update(PROJECT)
    assert len(known(index)) == 50
    assert index.verify() == ""
    index.close()


MOVE = """
update memories
set
    status = $status,
    archived_at = if($status = 'archived', $now::timestamp, null),
    archived_reason = if($status = 'archived', 'unused', ''),
    superseded_by = $by,
    valid_to = $valid_to,
    importance = $importance,
    offered_level = $offered,
    warmth = $warmth,
    usefulness = $usefulness,
    cited_count = $cited,
    last_access_at = $now
where id = $id
"""


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A home with four memories that stand in the index, and their ids; each example moves them in a copy of it."""
    home = tmp_path_factory.mktemp("indexed")
    with store(home) as database:
        ids = [memories(database).remember(PROJECT, fact(f"tool {n}", entities=("topic:x",)), NOW).id for n in range(4)]
        index = TextIndex(database)
        index.update(PROJECT)
        index.close()
    return home, ids


@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_what_moved_stands_in_the_index_as_if_it_were_made_anew(indexed: tuple[Path, list[str]], data: st.DataObject):
    home, ids = indexed
    with tempfile.TemporaryDirectory() as folder, store(shutil.copytree(home, Path(folder) / "home")) as database:
        index = TextIndex(database)
        assert known(index) == set(ids)
        for id_ in data.draw(st.lists(st.sampled_from(ids), min_size=1, max_size=4, unique=True)):
            moved = {
                "id": id_,
                "now": at(data.draw(st.integers(0, 9))),
                "status": data.draw(st.sampled_from(["active", "archived"])),
                "by": data.draw(st.sampled_from(["", *ids])),
                "valid_to": data.draw(st.none() | st.just(at(3))),
                "importance": data.draw(st.integers(0, 3)),
                "offered": data.draw(st.sampled_from(["full", "summary", "compressed", "index"])),
                "warmth": data.draw(st.sampled_from(["hot", "warm", "cold"])),
                "usefulness": data.draw(st.sampled_from([-1.0, -0.125, 0.0, 0.3])),
                "cited": data.draw(st.integers(0, 5)),
            }
            with database.write() as connection:
                connection.execute(MOVE, moved)
        index.update(PROJECT)
        anew = TextIndex(database, Path(folder) / "anew")
        anew.update(PROJECT)
        assert held(index) == held(anew)
        index.close()
        anew.close()


def held(index: TextIndex) -> dict[str, tuple[int, str, bytes, list[str]]]:
    """State, record, facets and words by memory, whatever its number is."""
    space = memory_space(PROJECT)
    table = index.table(PROJECT)
    with index.asked() as file:
        states = file.states(space)
        numbers = file.numbers(space, list(states))
        named = {number: key for key, number in numbers.items()}
        found = {named[int(number)] for number in file.having(space, ["@topic:x"])}
        assert found == set(states)
        return {
            key: (states[key], file.keyed(space, [key])[key], table[number].tobytes(), sorted(found))
            for key, number in numbers.items()
        }
