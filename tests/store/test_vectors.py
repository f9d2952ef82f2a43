"""Vectors: made once for each text, found by nearness, and never trusted from a damaged file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from embedded import among_mails, made, say
from fakes import HashEmbedder
from stores import PROJECT, at, memories
from vectorised import embed_pending, nearest

from companion.records import Importance
from companion.store.database import Database
from companion.store.vectors import file as vector_file


class Counting(HashEmbedder):
    """Remembers what it was asked to embed."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.asked += texts
        return super().embed(texts)


class Other(HashEmbedder):
    """Another model."""

    model = "other-32"


@pytest.mark.parametrize("exact", [20_000, 3])
def test_the_nearest_memory_comes_first(database: Database, exact: int) -> None:
    wanted = say(database, "a", "parse the config file")
    for number in range(12):
        say(database, f"s{number}", f"send mail number {number} to people")
    vectors, embedder = made(database, exact=exact), HashEmbedder()
    assert embed_pending(vectors, PROJECT, embedder) == 26
    for one in (vectors, made(database, exact=exact)):
        near = nearest(one, PROJECT, embedder.model, embedder.embed(["parse the config file"])[0], 3)
        assert near[0] == (wanted.id, pytest.approx(1.0, abs=1e-3))
        assert len({id_ for id_, _ in near}) == 3
        assert [s for _, s in near] == sorted((s for _, s in near), reverse=True)
    assert made(database, exact=exact).check(PROJECT, embedder).making is False


def test_each_text_is_embedded_once(database: Database) -> None:
    say(database, "a", "same words")
    say(database, "b", "same words")
    vectors, embedder = made(database), Counting()
    assert vectors.extent(PROJECT, embedder.model) == (2, 0)
    embed_pending(vectors, PROJECT, embedder)
    assert sorted(embedder.asked) == ["same words", "same words in full"]
    assert embed_pending(vectors, PROJECT, embedder) == 0
    assert vectors.extent(PROJECT, embedder.model) == (2, 2)


def test_summaries_come_first_then_what_matters_most(database: Database) -> None:
    say(database, "a", "plain")
    say(database, "b", "important", importance=Importance.SIGNIFICANT)
    pending = [text for _, text in made(database).pending(PROJECT, "m", 10)]
    assert pending == ["important", "plain", "important in full", "plain in full"]


def test_forgotten_memories_are_not_embedded(database: Database) -> None:
    memory = say(database, "a", "gone")
    memories(database).forget(memory.id, at(1))
    assert made(database).pending(PROJECT, "m", 5) == []


def test_vectors_of_different_models_never_meet(database: Database) -> None:
    say(database, "a", "some words")
    vectors = made(database)
    embed_pending(vectors, PROJECT, HashEmbedder())
    assert vectors.extent(PROJECT, Other.model) == (2, 0)
    assert nearest(vectors, PROJECT, Other.model, HashEmbedder().embed(["some words"])[0], 3) == []


def test_new_vectors_are_found_at_once(database: Database) -> None:
    say(database, "a", "first words")
    vectors, embedder = made(database), HashEmbedder()
    embed_pending(vectors, PROJECT, embedder)
    nearest(vectors, PROJECT, embedder.model, embedder.embed(["x"])[0], 1)
    later = say(database, "b", "second thing entirely")
    embed_pending(vectors, PROJECT, embedder)
    query = embedder.embed(["second thing entirely"])[0]
    assert nearest(vectors, PROJECT, embedder.model, query, 1)[0][0] == later.id


def saved(folder: Path, count: int = 40) -> Path:
    index = vector_file.new_index(8)
    rng = np.random.default_rng(3)
    index.add(np.arange(count, dtype=np.uint64), rng.normal(size=(count, 8)).astype(np.float32))
    vector_file.save(folder, "p", index)
    return next(folder.glob("p-*.usearch"))


def test_a_saved_index_is_loaded_whole(tmp_path: Path) -> None:
    saved(tmp_path)
    index = vector_file.load(tmp_path, "p", 8)
    assert index is not None
    assert len(index) == 40


def test_saving_again_leaves_one_index_and_nothing_of_earlier_versions(tmp_path: Path) -> None:
    for name in ("p.json", "p-1.npy", "p.vectors", "p2.json"):
        (tmp_path / name).write_text("{}")
    saved(tmp_path)
    saved(tmp_path, 50)
    (path,) = tmp_path.glob("*.usearch")
    assert {one.name for one in tmp_path.iterdir()} == {path.name, "p.vectors", "p2.json"}


@pytest.mark.parametrize("damage", ["garbage inside", "cut", "empty", "no index", "another's name"])
def test_a_damaged_index_is_never_handed_to_usearch(tmp_path: Path, damage: str) -> None:
    path = saved(tmp_path)
    data = path.read_bytes()
    if damage == "garbage inside":
        path.write_bytes(data[:200] + os.urandom(len(data) - 300) + data[-100:])
    elif damage == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "no index":
        path.unlink()
    else:
        path.rename(path.with_stem("p-0123456789abcdef"))
    assert vector_file.load(tmp_path, "p", 8) is None


def test_a_whole_index_is_found_beside_a_damaged_one(tmp_path: Path) -> None:
    data = saved(tmp_path).read_bytes()
    (tmp_path / "p-0123456789abcdef.usearch").write_bytes(data[:100])
    index = vector_file.load(tmp_path, "p", 8)
    assert index is not None
    assert len(index) == 40


def test_an_index_of_another_dimension_is_not_used(tmp_path: Path) -> None:
    saved(tmp_path)
    assert vector_file.load(tmp_path, "p", 16) is None


@pytest.mark.parametrize("exact", [20_000, 3], ids=["matrix", "index"])
@pytest.mark.parametrize("damage", ["garbage", "cut", "flipped", "empty", "gone"])
def test_a_damaged_file_is_answered_without_and_mended_from_the_table(
    database: Database, damage: str, exact: int
) -> None:
    wanted = among_mails(database)
    embedder = HashEmbedder()
    embed_pending(made(database, exact=exact), PROJECT, embedder)
    query = embedder.embed(["parse the config file"])[0]
    for path in (database.home / "vectors").iterdir():
        whole = path.read_bytes()
        middle = len(whole) // 2
        if damage == "gone":
            path.unlink()
        else:
            flipped = whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :]
            spoilt = {"garbage": os.urandom(len(whole)), "cut": whole[:middle], "flipped": flipped, "empty": b""}
            path.write_bytes(spoilt[damage])
    vectors = made(database, exact=exact)
    near = nearest(vectors, PROJECT, embedder.model, query, 1)
    assert near == [(wanted.id, pytest.approx(1.0, abs=1e-3))]
    vectors.refresh(PROJECT, embedder)
    assert vectors.missing == {}
    assert made(database, exact=exact).check(PROJECT, embedder).making is False


def test_a_cold_process_answers_from_the_file_and_not_from_the_table(database: Database) -> None:
    wanted = among_mails(database)
    embedder = HashEmbedder()
    embed_pending(made(database), PROJECT, embedder)
    query = embedder.embed(["parse the config file"])[0]
    before = nearest(made(database), PROJECT, embedder.model, query, 5)
    with database.write() as connection:
        connection.execute("update embeddings set vector = list_reverse(vector)")
    assert nearest(made(database), PROJECT, embedder.model, query, 5) == before
    assert before[0][0] == wanted.id


def test_a_file_follows_what_is_added_and_what_goes(database: Database) -> None:
    gone = say(database, "a", "first words")
    for number in range(4):
        say(database, f"s{number}", f"send mail number {number}")
    embedder = HashEmbedder()
    embed_pending(made(database), PROJECT, embedder)
    memories(database).forget(gone.id, at(1))
    later = say(database, "b", "second thing entirely")
    embed_pending(made(database), PROJECT, embedder)
    cold = made(database)
    query = embedder.embed(["second thing entirely"])[0]
    assert nearest(cold, PROJECT, embedder.model, query, 1)[0][0] == later.id
    assert cold.missing == {}
