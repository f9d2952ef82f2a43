"""What memories have to do with one another, what is near, and how use is weighed: asked of a real store."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from companion_consolidation import rank
from fakes import HashEmbedder
from msgspec.structs import replace
from stores import NOW, PROJECT, at, fact, memories, store, work
from vectorised import embed_pending

from companion.api import NOT_USEFUL
from companion.records import (
    Artifact,
    ArtifactKind,
    Draft,
    Failure,
    Kind,
    Levels,
    Nearness,
    Relate,
    Relation,
    Unrelate,
    Warmth,
)
from companion.store.consolidation import nearest, neighbours, relations
from companion.store.consolidation.archive import StoredArchive
from companion.store.consolidation.neighbours import Neighbours, VectorBlock, model_of
from companion.store.consolidation.view import View
from companion.store.database import Database
from companion.store.memories import ties as kept_ties
from companion.store.memories import usage
from companion.store.memories.usage import SHOWN_AND_LEFT
from companion.store.text.index import TextIndex
from companion.store.vectors.vectors import Vectors

MODEL = HashEmbedder.model
NEAR = Nearness(same=0.95, related=0.8)


def says(subject: str, text: str, *entities: str, **given: object) -> Draft:
    levels = Levels(f"{text}, in full.", text, text[:60], subject[:50])
    return replace(fact(subject, text), attribute="", levels=levels, entities=entities, evidence=(), **given)  # type: ignore[arg-type]


def keep(database: Database, *drafts: Draft, now: datetime = NOW) -> dict[str, str]:
    """Ids by subject."""
    memories(database).reconcile(PROJECT, "test", {"pyproject.toml"}, drafts, now)
    with database.read() as connection:
        return dict(connection.execute("select subject, id from memories where status = 'active'").fetchall())


def embed(database: Database) -> None:
    embed_pending(Vectors(database, TextIndex(database)), PROJECT, HashEmbedder())


def found(database: Database, relation: Relation | None = None) -> set[tuple[str, str]]:
    with database.read() as connection:
        names = dict(connection.execute("select id, subject from memories").fetchall())
    ties = relations.ties(View(database, PROJECT, NOW, nearness=NEAR))
    return {
        (names[tie.a], names[tie.b])
        if tie.relation in (Relation.FIXED_BY, Relation.SUPERSEDES)
        else tuple(sorted((names[tie.a], names[tie.b])))  # type: ignore[misc]
        for tie in ties
        if isinstance(tie, Relate) and relation in (None, tie.relation)
    }


def write(database: Database, ties: list[Relate | Unrelate]) -> None:
    with database.write() as connection:
        for tie in ties:
            given = [PROJECT, tie.relation.value, tie.a, tie.b]
            connection.execute("delete from memory_links where project_id=? and relation=? and a=? and b=?", given)
            if isinstance(tie, Relate):
                connection.execute(
                    "insert into memory_links values (?,?,?,?,?,?,?)", [*given, tie.score, tie.reason, NOW]
                )


def test_memories_of_one_file_are_tied_and_the_rarer_the_file_the_more(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        keep(
            database,
            says("one", "a", "file:cart.py"),
            says("two", "b", "file:cart.py"),
            says("three", "c", "file:price.py"),
            says("four", "d", "file:price.py"),
            says("five", "e", "file:price.py"),
            says("six", "f", "file:other.py"),
        )
        assert found(database, Relation.SAME_FILE) == {
            ("one", "two"),
            ("five", "four"),
            ("five", "three"),
            ("four", "three"),
        }


def test_what_very_many_name_and_who_wrote_it_tie_nothing(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        many = [says(f"s{n}", f"text {n}", "file:all.py", "person:ann") for n in range(relations.COMMON + 1)]
        keep(database, *many)
        assert found(database) == set()


def test_words_of_a_programming_language_tie_nothing(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        keep(database, says("one", "a", "symbol:null", "symbol:parse"), says("two", "b", "symbol:null"))
        assert found(database) == set()
        keep(database, *(says(name, name, "symbol:null", "symbol:parse") for name in ("one", "two")))
        assert found(database, Relation.SAME_ENTITY) == {("one", "two")}


def test_a_memory_keeps_a_few_ties_of_a_sort(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        keep(database, *(says(f"s{n:02}", f"text {n}", "topic:money") for n in range(relations.COMMON)))
        pairs = found(database, Relation.SAME_ENTITY)
        for name in {one for pair in pairs for one in pair}:
            assert sum(name in pair for pair in pairs) <= relations.KEPT
        assert pairs


def test_memories_of_files_that_change_together_are_tied(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        keep(
            database, says("one", "a", "file:cart.py"), says("two", "b", "file:price.py"), says("six", "f", "file:x.py")
        )
        with database.write() as connection:
            for number, path in enumerate(("cart.py", "price.py", "x.py"), start=1):
                connection.execute("insert into history_files values (?, ?, ?, true, 1, 9, 5)", [PROJECT, number, path])
            for one, other, weight, together in ((1, 2, 3.0, 5), (2, 1, 3.0, 5), (1, 3, 0.1, 1), (3, 1, 0.1, 1)):
                connection.execute(
                    "insert into cochange values (?, ?, ?, ?, ?, 9)", [PROJECT, one, other, weight, together]
                )
        assert found(database, Relation.CO_CHANGE) == {("one", "two")}


def test_what_is_near_in_meaning_is_tied_once_there_are_vectors(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        keep(
            database,
            says("one", "prices are kept as integer cents in the shop"),
            says("two", "prices are kept as integer cents in our shop"),
            says("six", "releases go out on Friday by hand"),
        )
        assert found(database, Relation.NEAR) == set()
        embed(database)
        assert found(database, Relation.NEAR) == {("one", "two")}


def test_entries_of_one_list_are_not_near_by_their_form_alone(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        listed = [
            replace(says(name, f"the shop depends on the package {name} 1"), type="relationship")
            for name in ("left", "right")
        ]
        keep(database, *listed, says("six", "the shop depends on the package left 1"))
        embed(database)
        assert found(database, Relation.NEAR) == {("left", "six"), ("right", "six")}


def test_an_error_is_tied_to_the_commit_that_fixed_it(tmp_path: Path) -> None:
    sha = "ab" * 20
    broken = says("broken", "KeyError in cart", body=Failure("f1", "KeyError", "x", "fixed", sha), kind=Kind.EPISODE)
    fix = says("fix", "Guard the cart", artifacts=(Artifact(ArtifactKind.COMMIT, sha),), kind=Kind.EPISODE)
    with store(tmp_path) as database:
        keep(database, broken, fix, says("six", "else", artifacts=(Artifact(ArtifactKind.COMMIT, "cd" * 20),)))
        assert found(database, Relation.FIXED_BY) == {("broken", "fix")}


def test_a_newer_version_is_tied_to_the_one_it_replaced_and_never_to_itself(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        memories(database).reconcile(PROJECT, "test", {"pyproject.toml"}, [fact(value="100")], NOW)
        memories(database).reconcile(PROJECT, "test", {"pyproject.toml"}, [fact(value="120")], at(1))
        assert found(database, Relation.SUPERSEDES) == {("ruff", "ruff")}
        with database.write() as connection:
            connection.execute("update memories set supersedes = id")
        assert found(database, Relation.SUPERSEDES) == set()


def test_memories_of_two_personas_are_never_tied(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        keep(database, says("one", "a", "file:cart.py", persona="ann"), says("two", "b", "file:cart.py", persona="bea"))
        assert found(database) == set()


def test_what_is_kept_is_not_found_again_and_what_is_gone_is_struck_out(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        both = (says("one", "a", "file:cart.py"), says("two", "b", "file:cart.py"))
        ids = keep(database, *both)
        first = list(relations.ties(View(database, PROJECT, NOW)))
        write(database, first)
        assert list(relations.ties(View(database, PROJECT, NOW))) == []
        (shown,) = kept_ties.linked(database, PROJECT, [ids["one"]])[ids["one"]]
        assert (shown.id, shown.relation, shown.reason) == (ids["two"], Relation.SAME_FILE, "both name cart.py")

        with database.write() as connection:
            connection.execute("delete from memory_entities where memory_id = ?", [ids["two"]])
        (gone,) = relations.ties(View(database, PROJECT, NOW))
        assert gone == Unrelate(Relation.SAME_FILE, *sorted(ids.values()), "no longer so: both name cart.py")


def test_the_same_store_gives_the_same_ties_in_the_same_order(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        keep(database, *(says(f"s{n}", f"the text of number {n % 7}", f"topic:t{n % 5}") for n in range(40)))
        embed(database)
        once = list(relations.ties(View(database, PROJECT, NOW, nearness=NEAR)))
        assert once and once == list(relations.ties(View(database, PROJECT, NOW, nearness=NEAR)))


def pairs_of(near: Neighbours, blocks: Iterator[VectorBlock]) -> dict[tuple[str, str], float]:
    found = {}
    for block in blocks:
        for a, b, cosine in zip(near.ids[block.a], near.ids[block.b], block.cosine, strict=True):
            assert found.setdefault((min(a, b), max(a, b)), float(cosine)) == float(cosine)
    return found


def test_neighbours_are_what_comparing_each_with_each_would_find(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbours, "NEAREST", 59)
    with store(tmp_path) as database:
        texts = [f"{['red', 'green', 'blue'][n % 3]} thing {n} of kind {n % 4}" for n in range(60)]
        ids = keep(database, *(says(f"s{n:02}", text) for n, text in enumerate(texts)))
        embed(database)
        assert model_of(database, PROJECT) == MODEL
        near = Neighbours(database, PROJECT)
        got = pairs_of(near, near.pairs(0.8))
        matrix = HashEmbedder().embed(texts)
        cosine = matrix @ matrix.T
        expected = {
            (min(ids[f"s{i:02}"], ids[f"s{j:02}"]), max(ids[f"s{i:02}"], ids[f"s{j:02}"]))
            for i in range(60)
            for j in range(i)
            if cosine[i, j] >= 0.801
        }
        assert expected <= set(got)
        assert all(found >= 0.79 for found in got.values())


def near_places(vectors: nearest.PackedVectors) -> set[tuple[int, int]]:
    who = nearest.nearest(vectors, np.arange(len(vectors.scale)), 5, 0.9, lambda: None).who
    return {(one, other) for one, row in enumerate(who.tolist()) for other in row if other >= 0}


def test_in_groups_hardly_any_near_pair_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(7)
    middles = chance.standard_normal((200, 48))
    rows = middles[chance.integers(0, 200, 2_000)] + 0.25 * chance.standard_normal((2_000, 48))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    packed = nearest.PackedVectors.empty(*rows.shape)
    packed.put(np.arange(len(rows)), rows.astype(np.float32))
    exact = near_places(packed)
    monkeypatch.setattr(nearest, "EXACT_TEXTS", 100)
    grouped = near_places(packed)
    assert len(exact) > 1_000
    assert len(exact & grouped) >= 0.97 * len(exact)


def test_memories_that_say_the_very_same_are_neighbours_and_a_thousand_of_them_do_no_harm(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        drafts = [replace(says(f"s{n:04}", "the very same text"), value=str(n)) for n in range(1_000)]
        keep(database, *drafts)
        embed(database)
        near = Neighbours(database, PROJECT)
        got = pairs_of(near, near.pairs(0.9))
        assert 999 <= len(got) <= 1_000 * neighbours.SHARED_PAIRS


def test_facts_are_told_beside_facts_even_where_happenings_lie_nearer(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        same = "prices are kept as integer cents in {} shop"
        drafts = [replace(says(f"e{n}", same.format("the")), kind=Kind.EPISODE, value=str(n)) for n in range(9)]
        ids = keep(database, says("one", same.format("the")), says("two", same.format("our")), *drafts)
        embed(database)
        near = Neighbours(database, PROJECT)
        assert set(pairs_of(near, near.facts())) == {tuple(sorted((ids["one"], ids["two"])))}
        assert len(pairs_of(near, near.pairs(0.8))) > 1


def weighed(database: Database, now: datetime = NOW) -> dict[str, rank.Worth]:
    return {one.id: one for one in rank.weighed(StoredArchive(database, PROJECT, now))}


def test_a_burst_of_clicks_is_one_session_and_days_apart_are_several(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        id_ = keep(database, says("one", "a"))["one"]
        for minutes in (1, 2, 3):
            usage.record(database, [id_], "cited", "expand", at(minutes / 1_440))
        assert weighed(database, at(1))[id_].sessions == 1
        usage.record(database, [id_], "cited", "expand", at(1))
        assert weighed(database, at(2))[id_].sessions == 2


def test_being_left_and_being_dismissed_are_told_apart(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        ids = keep(database, says("one", "a"), says("two", "b"))
        usage.record(database, [ids["one"]], "ignored", SHOWN_AND_LEFT, NOW)
        usage.record(database, [ids["two"]], "ignored", NOT_USEFUL, NOW)
        found = weighed(database)
        assert (found[ids["one"]].ignored, found[ids["one"]].dismissed) == (1, 0)
        assert (found[ids["two"]].ignored, found[ids["two"]].dismissed) == (0, 1)


def test_use_fades_by_days_of_work_and_not_by_the_calendar(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        id_ = keep(database, says("one", "a"))["one"]
        usage.record(database, [id_], "cited", "expand", NOW)
        assert weighed(database, at(2_000))[id_].cited == pytest.approx(1, abs=0.02)
        work(database, *range(1, 61))
        assert weighed(database, at(2_000))[id_].cited == pytest.approx(0.5, abs=0.02)


def test_what_was_merely_shown_is_not_weighed(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        id_ = keep(database, says("one", "a"))["one"]
        usage.record(database, [id_], "retrieved", "cart.py", NOW)
        assert weighed(database) == {}


def test_what_rested_for_weeks_of_work_is_told_and_a_clock_set_back_makes_nothing_older(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        id_ = keep(database, says("one", "a"))["one"]
        work(database, *range(1, 41))
        assert weighed(database, at(50))[id_].idle_days == 40
        assert weighed(database, at(50))[id_].warmth is Warmth.HOT
        assert weighed(database, at(-400)) == {}
