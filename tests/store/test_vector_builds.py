"""An index of vectors is made beside what is searched: nobody waits for it, and nothing kept meanwhile is lost."""

from __future__ import annotations

import threading

import pytest
from embedded import made, say
from fakes import HashEmbedder
from stores import PROJECT
from vectorised import embed_pending, nearest

from companion.records import Importance, Memory
from companion.store.database import Database
from companion.store.vectors.vectors import BEING_MADE, Vectors


def many(database: Database, count: int) -> list[Memory]:
    return [say(database, f"m{number}", f"word{number} said by nobody else") for number in range(count)]


def found(vectors: Vectors, embedder: HashEmbedder, memory: Memory) -> bool:
    query = embedder.embed([memory.draft.levels.summary])[0]
    near = nearest(vectors, PROJECT, embedder.model, query, 50)
    return memory.id in [id_ for id_, similarity in near if similarity > 0.99]


@pytest.mark.parametrize("exact", [20_000, 3], ids=["matrix", "index"])
def test_what_is_kept_while_an_index_is_made_is_found_at_once_and_is_in_the_file(
    database: Database, exact: int
) -> None:
    many(database, 6)
    embedder = HashEmbedder()
    vectors = made(database, exact=exact)
    for digest, text in vectors.pending(PROJECT, embedder.model, 100):
        vectors.keep(PROJECT, embedder.model, [digest], embedder.embed([text]))
    assert vectors.refresh_some(PROJECT, embedder, 1) == (exact == 3)
    later = say(database, "later", "something else entirely")
    ((digest, text), *_) = vectors.pending(PROJECT, embedder.model, 1)
    vectors.keep(PROJECT, embedder.model, [digest], embedder.embed([text]))
    assert found(vectors, embedder, later)
    vectors.refresh(PROJECT, embedder)
    for one in (vectors, made(database, exact=exact)):
        assert found(one, embedder, later)


def test_an_index_is_never_made_twice_at_once_whoever_asks(database: Database) -> None:
    many(database, 5)
    embedder = HashEmbedder()
    embed_pending(made(database, exact=30), PROJECT, embedder)
    vectors = made(database, exact=3)
    assert vectors.refresh_some(PROJECT, embedder, 9)
    outcomes: list[bool] = []
    another = threading.Thread(target=lambda: outcomes.append(vectors.refresh_some(PROJECT, embedder, 1)))
    another.start()
    another.join()
    assert outcomes == [False]  # the last of ten: it went on where the first had stopped


def test_while_a_file_lacks_many_the_most_useful_is_searched_and_said(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.store.vectors.vectors.MEANWHILE_VECTORS", 4)
    many(database, 6)
    weighty = say(database, "w", "the heaviest of all", importance=Importance.CRITICAL)
    embedder = HashEmbedder()
    embed_pending(made(database), PROJECT, embedder)
    for path in (database.home / "vectors").iterdir():
        path.unlink()
    vectors = made(database)
    assert found(vectors, embedder, weighty)
    assert vectors.missing == {PROJECT: BEING_MADE}
    assert vectors.check(PROJECT, embedder).making
    assert vectors.refresh_some(PROJECT, embedder, 1)
    vectors.refresh(PROJECT, embedder)
    assert vectors.missing == {}
    assert len(nearest(vectors, PROJECT, embedder.model, embedder.embed(["the"])[0], 7)) == 7


def test_searching_goes_on_while_others_keep_and_make_the_index_anew(database: Database) -> None:
    early = many(database, 20)
    embedder = HashEmbedder()
    vectors = made(database, exact=5)
    embed_pending(vectors, PROJECT, embedder)
    late = [say(database, f"late{number}", f"late{number} and nothing more") for number in range(20)]
    wrong: list[str] = []
    ended = threading.Event()

    def keep() -> None:
        while pending := vectors.pending(PROJECT, embedder.model, 1):
            vectors.keep(PROJECT, embedder.model, [pending[0][0]], embedder.embed([pending[0][1]]))

    def make() -> None:
        for _ in range(3):
            vectors.rebuild(PROJECT, embedder)

    def search() -> None:
        while not ended.is_set():
            wrong.extend(one.id for one in early[::5] if not found(vectors, embedder, one))

    searching = threading.Thread(target=search)
    searching.start()
    working = [threading.Thread(target=work) for work in (keep, make, make)]
    for thread in working:
        thread.start()
    for thread in working:
        thread.join()
    ended.set()
    searching.join()
    assert wrong == []
    assert all(found(vectors, embedder, one) for one in (*early, *late))
    vectors.refresh(PROJECT, embedder)
    assert vectors.missing == {}
