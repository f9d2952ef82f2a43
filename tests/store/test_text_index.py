"""The text index: terms, ranks, staying in step with the store, and surviving what happens to files."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stores import NOW, PROJECT, at, fact, memories, store

from companion import wire
from companion.records import Level, Levels, Memory
from companion.store.bulk import insert_rows
from companion.store.database import Database
from companion.store.text import analysis
from companion.store.text.documents import FULL_TEXT_CHARACTERS, embedded_texts, memory_space
from companion.store.text.facets import Viewer
from companion.store.text.index import FOLDER, TextIndex
from companion.store.text.memory_index import MemoryIndex
from companion.store.text.word_index import WordIndex
from companion.store.text.word_space import Document


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with store(tmp_path) as opened:
        with opened.write() as connection:
            columns = ("id", "root_commit", "remote", "name", "first_seen_at")
            insert_rows(connection, "projects", columns, [(PROJECT, "r", "", "p", NOW)])
        yield opened


def document(key: str, text: str, state: int = 0) -> Document:
    return Document(key, state, Counter(analysis.terms(text)), (f"@{key}",), b"", text)


def ranked(file: WordIndex, query: str, limit: int = 100) -> list[tuple[str, float]]:
    found = file.rank("s", analysis.terms(query), limit)
    names = file.records("s", found.ords.tolist())
    return sorted(
        ((names[o][0], round(s, 4)) for o, s in zip(found.ords.tolist(), found.scores.tolist(), strict=True)),
        key=lambda one: (-one[1], one[0]),
    )


@pytest.mark.parametrize("name", ["parseHTTPRequest", "parse_http_request", "parse-http-request", "ParseHttpRequest"])
def test_identifiers_of_any_style_share_their_parts(name: str) -> None:
    assert {"pars", "http", "request"} <= set(analysis.terms(name))


def test_whole_identifiers_are_kept_beside_their_parts() -> None:
    assert "app.route" in analysis.terms("see app.route, please")
    assert "parse_request" in analysis.terms("parse_request()")
    assert analysis.terms("The END.") == ["end"]


def test_endings_and_case_make_no_difference() -> None:
    assert analysis.terms("Connections connected") == analysis.terms("connection connecting")


def test_scripts_without_spaces_give_pairs() -> None:
    assert analysis.terms("修复缓存") == ["修复", "复缓", "缓存"]


def test_a_rare_word_counts_more_than_a_common_one(tmp_path: Path) -> None:
    file = WordIndex(tmp_path / "i")
    file.add("s", [document(f"d{n}", "cache common") for n in range(8)] + [document("rare", "cache unusual")])
    assert ranked(file, "cache unusual")[0][0] == "rare"
    assert all(score > 0 for _, score in ranked(file, "cache"))


def test_spaces_do_not_see_each_other(tmp_path: Path) -> None:
    file = WordIndex(tmp_path / "i")
    file.add("s", [document("one", "cache")])
    file.add("other", [document("two", "cache")])
    assert [key for key, _ in ranked(file, "cache")] == ["one"]
    file.remove("other", ["two"])
    assert not file.states("other")
    assert file.states("s") == {"one": 0}


WORDS = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta", "omega"]), min_size=1, max_size=6).map(" ".join)
STEPS = st.lists(
    st.one_of(
        st.lists(st.tuples(st.sampled_from("abcdefgh"), WORDS), min_size=1, max_size=5),
        st.sampled_from("abcdefgh"),
    ),
    min_size=1,
    max_size=25,
)


@settings(max_examples=25, deadline=None)
@given(STEPS, WORDS)
def test_however_it_grew_an_index_answers_the_same(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[tuple[str, str]] | str], query: str
) -> None:
    folder = tmp_path_factory.mktemp("grown")
    grown, at_once = WordIndex(folder / "grown"), WordIndex(folder / "at-once")
    model: dict[str, str] = {}
    for step in steps:
        if isinstance(step, str):
            grown.remove("s", [step])
            model.pop(step, None)
        else:
            batch = dict(step)
            grown.add("s", [document(key, text) for key, text in batch.items()])
            model.update(batch)
        ranked(grown, query)  # what it has read for one question is no part of the next answer
        assert len(grown.having("s", ["@a"])) == ("a" in model)
    at_once.add("s", [document(key, text) for key, text in model.items()])
    mine, fresh = ranked(grown, query), ranked(at_once, query)
    assert {key for key, _ in mine} == {key for key, text in model.items() if set(text.split()) & set(query.split())}
    assert {key for key, _ in mine} == {key for key, _ in fresh}
    assert grown.states("s").keys() == at_once.states("s").keys() == model.keys()
    assert {grown.records("s", [o])[o][0] for o in grown.having("s", ["@a"]).tolist()} == {"a"} & set(model)
    assert grown.check() == ""
    grown.close()
    at_once.close()


def test_what_another_process_wrote_is_found_under_words_that_were_asked_before(tmp_path: Path) -> None:
    with closing(WordIndex(tmp_path / "index")) as mine, closing(WordIndex(tmp_path / "index")) as other:
        mine.add("s", [document("a", "one"), document("b", "two")])
        assert (ranked(mine, "three"), mine.having("s", ["@c"]).tolist()) == ([], [])
        mine.rest()
        other.add("s", [document("c", "three one")])
        other.remove("s", ["a"])
        with mine.steady():
            assert [key for key, _ in ranked(mine, "one")] == ["c"]
            assert [key for key, _ in ranked(mine, "three")] == ["c"]
            assert len(mine.having("s", ["@a", "@c"])) == 1


def test_questions_that_belong_together_see_the_index_of_one_moment(tmp_path: Path) -> None:
    with closing(WordIndex(tmp_path / "index")) as mine, closing(WordIndex(tmp_path / "index")) as other:
        mine.add("s", [document("a", "one")])
        mine.rest()
        with mine.steady():
            before = mine.view("s")
            other.add("s", [document("b", "one")])
            with mine.steady():
                assert mine.view("s") is before
            assert mine.view("s") is before
            assert ([key for key, _ in ranked(mine, "one")], mine.having("s", ["@a", "@b"]).tolist()) == (["a"], [0])
        assert mine.view("s").alive.tolist() == [True, True]
        assert (len(ranked(mine, "one")), mine.having("s", ["@a", "@b"]).tolist()) == (2, [0, 1])


class Full(AbstractContextManager[None]):
    """Refuses what is to become visible while it is full."""

    is_full = False

    def __enter__(self) -> None:
        if self.is_full:
            raise OSError("the disk is full")

    def __exit__(self, *_: object) -> None:
        pass


def test_what_could_not_be_made_visible_is_forgotten_with_the_space_it_was_for(tmp_path: Path) -> None:
    commits = Full()
    file = WordIndex(tmp_path / "index", commits)
    commits.is_full = True
    with pytest.raises(OSError, match="full"):
        file.add("lost", [document("a", "one")])
    commits.is_full = False
    file.add("s", [document("b", "two")])
    file.add("lost", [document("c", "three")])
    assert ranked(file, "one two three") == ranked(file, "two") != []
    with closing(WordIndex(tmp_path / "index")) as other:
        assert ranked(other, "two") == ranked(file, "two")


def test_what_was_learned_is_found_and_what_was_forgotten_is_not(database: Database) -> None:
    index, kept = TextIndex(database), memories(database)
    learned = kept.remember(PROJECT, fact("ruff", "100"), NOW)
    index.update(PROJECT)
    with index.asked() as file:
        assert list(file.states(memory_space(PROJECT))) == [learned.id]
    again = kept.remember(PROJECT, fact("ruff", "120"), at(1))
    index.update(PROJECT)
    with index.asked() as file:
        assert set(file.states(memory_space(PROJECT))) == {learned.id, again.id}
    with index.asked() as file:
        numbers = file.numbers(memory_space(PROJECT), [learned.id, again.id])
    active = index.table(PROJECT)["active"]
    assert [active[numbers[id_]] for id_ in (learned.id, again.id)] == [0, 1]


def test_nothing_new_means_nothing_written(database: Database) -> None:
    kept = memories(database)
    kept.remember(PROJECT, fact(), NOW)
    first = TextIndex(database)
    version = first.version(PROJECT)
    first.close()
    second = TextIndex(database)
    assert second.version(PROJECT) == version
    with second.asked() as file:
        assert file.view(memory_space(PROJECT)).alive.tolist() == [True]


def test_garbage_in_place_of_the_files_is_found_and_made_anew_by_who_asks(database: Database) -> None:
    memories(database).remember(PROJECT, fact(), NOW)
    TextIndex(database).version(PROJECT)
    for file in (database.home / FOLDER).glob("*/meta.json"):
        file.write_bytes(b"garbage" * 5_000)
    index = TextIndex(database)
    assert index.verify() != ""
    index.update(PROJECT)
    assert len(index.table(PROJECT)) == 1
    assert index.missing == index.verify() == ""


def test_damage_that_a_question_meets_is_said_and_the_next_question_answered(database: Database) -> None:
    memory = memories(database).remember(PROJECT, fact(entities=("topic:x",)), NOW)
    index = TextIndex(database)
    memory_index, reader, space = MemoryIndex(database, index), Viewer(), memory_space(PROJECT)
    index.update(PROJECT)
    with index.asked() as file:
        table, state = index.table(PROJECT).tobytes(), file.states(space)[memory.id]
        file.add(space, [Document(memory.id, state, {}, ("@topic:x",), table, "cut of")])
    assert memory_index.about(PROJECT, ["topic:x"], reader, 5) == ()
    assert "been rebuilt: ask again" in index.missing
    assert memory_index.about(PROJECT, ["topic:x"], reader, 5) == (memory,)
    memories(database).remember(PROJECT, fact("black"), at(1))
    index.update(PROJECT)
    assert index.missing == ""


def test_garbage_inside_a_file_is_found(tmp_path: Path) -> None:
    file = WordIndex(tmp_path / "i")
    file.add("s", [document(f"d{n}", f"cache word{n} " * 50) for n in range(300)])
    file.close()
    (stored,) = (tmp_path / "i").glob("*/*.pos") if list((tmp_path / "i").glob("*/*.pos")) else ()
    data = bytearray(stored.read_bytes())
    data[len(data) // 3] ^= 0xFF
    stored.write_bytes(data)
    with closing(WordIndex(tmp_path / "i")) as damaged:
        assert damaged.check() != ""


def test_an_index_of_another_version_is_made_anew(database: Database) -> None:
    memories(database).remember(PROJECT, fact(), NOW)
    old = TextIndex(database)
    old.update(PROJECT)
    old.close()
    (home,) = (database.home / FOLDER).iterdir()
    (home / "format").write_text("0")
    (home.parent / "of an earlier version").write_text("")
    index = TextIndex(database)
    assert list(home.parent.iterdir()) == []
    index.update(PROJECT)
    assert index.missing == ""
    assert len(index.table(PROJECT)) == 1


def test_a_file_that_another_process_made_anew_is_taken_over(database: Database) -> None:
    memories(database).remember(PROJECT, fact(), NOW)
    ours, theirs = TextIndex(database), TextIndex(database)
    ours.update(PROJECT)
    theirs.rebuild()
    theirs.rest()
    memories(database).remember(PROJECT, fact("black", "88"), NOW)
    ours.update(PROJECT)
    assert len(ours.table(PROJECT)) == 2
    assert ours.missing == ""


KILLED = """
import os, sys
from pathlib import Path
from companion.store.text.word_index import WordIndex
from companion.store.text.word_space import Document
file = WordIndex(Path(sys.argv[1]))
for number in range(10_000):
    file.add("s", [Document(f"{number}-{part}", number, {"cache": 1}) for part in range(3)])
    file.set_mark("s", str(number))
    print(number, flush=True)
"""


def test_a_killed_writer_leaves_whole_batches(tmp_path: Path) -> None:
    path = tmp_path / "i"
    for _ in range(3):
        shutil.rmtree(path, ignore_errors=True)
        writer = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        for line in writer.stdout:
            if int(line) >= 12:
                break
        writer.kill() if os.name == "nt" else writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        file = WordIndex(path)
        assert file.check() == ""
        assert len(file.states("s")) % 3 == 0
        assert len(file.states("s")) >= 3 * int(file.mark("s"))
        assert len(file.rank("s", ["cache"], 10**6).ords) == len(file.states("s"))
        file.close()


def test_embedded_texts_are_capped_and_each_once(database: Database) -> None:
    long = "word " * 1_000
    memory = memories(database).remember(PROJECT, fact(levels=Levels(long, "short", "s", "s")), NOW)
    assert embedded_texts(memory) == ("short", long[:FULL_TEXT_CHARACTERS])
    same = memories(database).remember(PROJECT, fact("b", levels=Levels("one", "one", "o", "o")), NOW)
    assert embedded_texts(same) == (same.draft.levels.at(Level.SUMMARY),)


def test_the_same_change_in_two_memories_at_once_is_taken_in(database: Database) -> None:
    kept = [memories(database).remember(PROJECT, fact(name, entities=("act:work",)), NOW) for name in ("a", "b")]
    index = TextIndex(database)
    before = index.version(PROJECT)
    with database.write() as connection:
        connection.execute("update memory_entities set entity = 'act:life'")
    named = index.version(PROJECT)
    with database.write() as connection:
        connection.execute("update memories set usefulness = 0.5")
    used = index.version(PROJECT)
    with database.write() as connection:
        connection.execute("update memory_evidence set quote = 'as it reads now'")
    assert len({before, named, used, index.version(PROJECT)}) == 4
    with index.asked() as file:
        assert len(file.having(memory_space(PROJECT), ["@act:life"])) == len(kept)
    index.close()


def test_a_copy_of_a_memory_is_read_whole_or_not_at_all(database: Database) -> None:
    memory = memories(database).remember(PROJECT, fact(), NOW)
    text = wire.keep(memory, Memory, wire.Spelling.PACKED)
    assert wire.kept(Memory, text) == memory
    broken = [text[:end] for end in range(len(text))] + [text + "\n[]", f"{text} ", f" {text}"]
    for copy in broken:
        with pytest.raises(ValueError, match=r"no Memory of ours|Expecting|Unterminated|Invalid"):
            wire.kept(Memory, copy)
