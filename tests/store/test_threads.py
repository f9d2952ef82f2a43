"""Several threads ask while one writes, as in a server: nothing fails, nothing is stale, nothing is torn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Barrier, Event

import numpy as np
import numpy.typing as npt
import pytest
from fakes import HashEmbedder, PlainRedactor
from stores import NOW, PROJECT, at, fact, memories, parts, store
from vectorised import embed_pending

from companion.records import ChangeStatus, Commit, FileChange, Person, Profile, SearchQuery
from companion.store.bulk import insert_rows
from companion.store.database import Database
from companion.store.history.commits import CommitHistory
from companion.store.library import StoreLibrary
from companion.store.readings import Readings
from companion.store.text.index import TextIndex
from companion.store.vectors.questions import KEPT_QUESTIONS, Questions
from companion.store.vectors.vectors import Vectors

CHECKOUT = "c1"
READERS = 4
WRITTEN = 24
"""Memories written while the others read: enough for segments to be merged several times."""


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with store(tmp_path) as opened:
        with opened.write() as connection:
            names = ("id", "project_id", "common_dir", "root")
            insert_rows(connection, "checkouts", names, [(CHECKOUT, PROJECT, "/g", "/r")])
        yield opened


def test_four_threads_ask_while_one_writes_and_each_sees_all_that_was_committed_before(database: Database) -> None:
    index = TextIndex(database)
    vectors, embedder, readings = Vectors(database, index, indexed_from=20), HashEmbedder(), Readings(database, index)
    committed: list[str] = []
    done, start = Event(), Barrier(READERS + 1)

    def library() -> StoreLibrary:
        return StoreLibrary(
            parts(database, text_index=index, vectors=vectors, readings=readings),
            PROJECT,
            CHECKOUT,
            embedder=embedder,
            read_lines=lambda *_: "",
        )

    def write() -> None:
        start.wait()
        try:
            for number in range(WRITTEN):
                name = f"gadget{number}"
                memories(database).remember(PROJECT, fact(name, entities=("file:x.py",)), at(number))
                _commit(database, number)
                embed_pending(vectors, PROJECT, embedder)
                committed.append(name)
        finally:
            done.set()

    def read(ask: Callable[[StoreLibrary, str], set[str]]) -> int:
        start.wait()
        asked = 0
        while not done.is_set() or not asked:
            before = list(committed)
            name = before[-1] if before else "gadget"
            found = ask(library(), name)
            assert not before or name in found, f"{name} was committed and is not found"
            asked += 1
        return asked

    asks = [_search, _about, _within_and_standing, _match]
    assert len(asks) == READERS
    with ThreadPoolExecutor(READERS + 1) as pool:
        writer = pool.submit(write)
        readers = [pool.submit(read, ask) for ask in asks]
        writer.result()
        assert all(reader.result() for reader in readers)
    assert index.missing == ""
    assert vectors.missing == {}


def _search(library: StoreLibrary, name: str) -> set[str]:
    library.expect(name)
    hits = library.search(SearchQuery(text=name, limit=WRITTEN, profile=Profile.MEMORY))
    assert all(0 <= hit.score <= 1 for hit in hits)
    return {hit.memory.draft.subject for hit in hits}


def _about(library: StoreLibrary, _: str) -> set[str]:
    found = library.about(["file:x.py"], WRITTEN)
    assert library.get([memory.id for memory in found]) == found
    return {memory.draft.subject for memory in found}


def _within_and_standing(library: StoreLibrary, _: str) -> set[str]:
    library.standing()
    library.topics(9)
    assert library.readiness().missing == ()
    return {memory.draft.subject for memory in library.within("pyproject.toml", WRITTEN)}


def _match(library: StoreLibrary, name: str) -> set[str]:
    library.match_files("gadgets mended", 9)
    library.recent(9)
    library.cochanged(["x.py"], 9)
    return {memory.draft.subject for memory in library.about(["topic:gadgets", "file:x.py"], WRITTEN)} | {name}


def _commit(database: Database, number: int) -> None:
    person = Person("Ann", "ann@x.org")
    changes = tuple(FileChange(ChangeStatus.MODIFIED, path) for path in ("x.py", f"y{number}.py"))
    when = NOW + timedelta(days=number)
    one = Commit(f"{number:040x}", ("p",), person, when, when, f"Mend gadgets {number}", "", changes)
    CommitHistory(database, PlainRedactor()).add(PROJECT, [one])


class _Counting(HashEmbedder):
    """Counts the texts it was given; fails on one word."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: list[str]) -> npt.NDArray[np.float32]:  # type: ignore[override]
        self.texts += texts
        if "broken" in texts:
            raise ValueError("no vector for this")
        return super().embed(texts)


def test_a_question_begun_early_is_embedded_once_and_gives_the_same_vector() -> None:
    questions, embedder = Questions(), _Counting()
    questions.begin(embedder, "how are gadgets mended")
    questions.begin(embedder, "how are gadgets mended")
    vector = questions.vector(embedder, "how are gadgets mended")
    assert embedder.texts == ["how are gadgets mended"]
    assert np.array_equal(vector, HashEmbedder().embed(["how are gadgets mended"])[0])
    assert np.array_equal(questions.vector(embedder, "how are gadgets mended"), vector)
    assert len(embedder.texts) == 1


def test_a_question_that_failed_is_told_so_and_tried_again() -> None:
    questions, embedder = Questions(), _Counting()
    questions.begin(embedder, "broken")
    for _ in range(2):
        with pytest.raises(ValueError, match="no vector"):
            questions.vector(embedder, "broken")
    assert embedder.texts == ["broken"] * 2


def test_only_the_latest_questions_are_kept() -> None:
    questions, embedder = Questions(), _Counting()
    for number in range(KEPT_QUESTIONS + 1):
        questions.vector(embedder, f"question {number}")
    questions.vector(embedder, f"question {KEPT_QUESTIONS}")
    assert len(embedder.texts) == KEPT_QUESTIONS + 1
    questions.vector(embedder, "question 0")
    assert len(embedder.texts) == KEPT_QUESTIONS + 2


def test_who_answers_once_waits_for_no_model_and_asks_one_that_has_answered() -> None:
    questions, embedder = Questions(), _Counting()
    questions.patient = False
    assert not questions.may_ask(embedder)
    questions.vector(embedder, "is it there")
    assert questions.may_ask(embedder)
