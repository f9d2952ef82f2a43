"""One person, topic or file under several names is one entity, told by what history says; others stay apart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runs import WHEN, consolidated, learn
from stores import PROJECT, at, fact, store

from companion.ports import FileOwner
from companion.records import Unite
from companion.store.bulk import insert_rows
from companion.store.consolidation import undoing
from companion.store.consolidation.entities import people, spellings, topics
from companion.store.consolidation.view import View
from companion.store.database import Database
from companion.store.memories.aliases import Spellings, named, one_each
from companion.store.search import names_in
from companion.store.text.facets import Viewer
from companion.store.text.index import TextIndex
from companion.store.text.memory_index import MemoryIndex

Author = tuple[str, str, int]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with store(tmp_path) as opened:
        yield opened


def united(*authors: Author, **mentioned: int) -> dict[str, str]:
    counts = {f"person:{name}": count for name, count in mentioned.items()}
    return {one.entity: one.stands_for for one in people(authors, counts)}


def test_names_that_share_an_address_are_one_person_by_the_full_name() -> None:
    found = united(("jdoe", "jane@doe.org", 90), ("Jane Doe", "jane@doe.org", 4), ("Jane Doe", "jd@work.com", 2))
    assert found == {"person:jdoe": "person:jane_doe"}


def test_a_handle_of_the_forge_is_its_owner() -> None:
    found = united(("Jane Doe", "123+jaydee@users.noreply.github.com", 4), jaydee=3)
    assert found == {"person:jaydee": "person:jane_doe"}


def test_the_same_name_in_other_letters_is_one_person() -> None:
    found = united(("José García", "jose@a.org", 9), ("Jose Garcia", "jg@b.org", 2), ("Garcia, Jose", "x@c.org", 1))
    assert found == {"person:jose_garcia": "person:josé_garcía", "person:garcia_jose": "person:josé_garcía"}


@pytest.mark.parametrize(
    "authors",
    [
        [
            ("John", "john@a.org", 3),
            ("John Smith", "john@a.org", 3),
            ("John", "john@b.org", 3),
            ("John Doe", "john@b.org", 3),
        ],
        [("John Smith", "john@a.org", 3), ("John Doe", "john@b.org", 3)],
        [("John Smith", "pair@a.org", 3), ("Mary Jones", "pair@a.org", 3)],
        [("Jane Doe", "root@localhost", 3), ("Max Mole", "root@localhost", 3), ("mm", "root@localhost", 1)],
        [("Jane Doe", "ci@b.org", 3), ("builder", "ci@b.org", 3)],
        [("unknown", "jane@doe.org", 3), ("Jane Doe", "jane@doe.org", 3)],
        [("dependabot[bot]", "jane@doe.org", 50), ("Jane Doe", "jane@doe.org", 2)],
        [(name, "shared@a.org", 1) for name in ("ann", "ben", "cem", "dan", "eva")],
    ],
    ids=["two Johns", "a first name", "a pair", "root", "a server", "no name", "a bot", "an address of many"],
)
def test_people_who_merely_share_a_first_name_or_a_machine_stay_apart(authors: list[Author]) -> None:
    assert united(*authors) == {}


names = st.sampled_from(["Ann Lee", "Ann Roy", "Ben Lee", "ann", "ben", "lee", "Ann", "A. Lee"])
addresses = st.sampled_from(["ann@a.org", "lee@a.org", "ben@b.org", "ann@b.org", "root@localhost"])


@given(st.lists(st.tuples(names, addresses, st.integers(1, 9)), max_size=8))
def test_nobody_is_two_people_and_no_chain_is_left(authors: list[Author]) -> None:
    found = united(*authors)
    assert not set(found) & set(found.values())
    whole = {key: found.get(key, key) for key in ("person:ann_lee", "person:ann_roy", "person:ben_lee")}
    assert whole["person:ben_lee"] not in (whole["person:ann_lee"], whole["person:ann_roy"])


def test_topics_differ_in_how_their_words_are_joined_and_in_well_known_short_names() -> None:
    found = {one.entity: one.stands_for for one in topics({"topic:front_end": 1, "topic:frontend": 5, "topic:k8s": 2})}
    assert found == {"topic:front_end": "topic:frontend"}
    assert not list(topics({"topic:test": 1, "topic:tests": 2, "project:api": 3, "topic:api": 1}))
    assert [one.entity for one in topics({"topic:k8s": 1, "topic:kubernetes": 2})] == ["topic:k8s"]


def commits(database: Database, *authors: Author) -> None:
    columns = (
        *("project_id", "seq", "sha", "parents", "author_name", "author_email", "authored_at", "committed_at"),
        *("subject", "is_merge", "file_count"),
    )
    rows = [
        (PROJECT, seq, f"{seq:040}", "", name, address, at(seq), at(seq), "work", False, 1)
        for seq, (name, address, _) in enumerate(authors, start=1)
    ]
    with database.write() as connection:
        insert_rows(connection, "commits", columns, rows)


def tidied(database: Database) -> str:
    return consolidated(database, *spellings(View(database, PROJECT, WHEN)))


def about(database: Database, *keys: str) -> set[str]:
    memory_index = MemoryIndex(database, TextIndex(database))
    return {memory.draft.value for memory in memory_index.about(PROJECT, keys, Viewer(), 10)}


def test_what_is_asked_by_one_name_is_found_by_all_until_it_is_undone(database: Database) -> None:
    commits(database, ("jdoe", "jane@doe.org", 1), ("Jane Doe", "jane@doe.org", 1))
    learn(database, fact("a", "1", entities=("person:jdoe",)), fact("b", "2", entities=("person:jane_doe",)))
    assert about(database, "person:jane_doe") == {"2"}
    run = tidied(database)
    assert about(database, "person:jane_doe") == about(database, "person:jdoe") == {"1", "2"}
    assert list(spellings(View(database, PROJECT, WHEN))) == []
    undoing.undo(database, run, None, at(200))
    assert about(database, "person:jane_doe") == {"2"}


def test_no_union_turns_round_when_the_other_name_becomes_the_more_frequent(database: Database) -> None:
    learn(database, fact("a", "1", entities=("topic:front_end",)), fact("b", "2", entities=("topic:frontend",)))
    tidied(database)
    learn(database, *[fact(f"c{n}", f"{n}", entities=("topic:frontend", "topic:front_end")) for n in range(3, 9)])
    assert list(spellings(View(database, PROJECT, WHEN))) == []


def test_words_of_a_question_name_an_entity_under_all_its_names() -> None:
    names = named([("topic:k8s", "topic:kubernetes")])
    assert "@topic:kubernetes" in names_in("deploy to k8s", names)
    assert "@topic:k8s" in names_in("kubernetes rollout", names)


def test_a_person_owns_once_under_all_names_and_addresses_but_a_first_name_is_nobodys() -> None:
    owners = [
        FileOwner("Jane Doe", "jane@doe.org", 4),
        FileOwner("Ann", "ann@a.org", 3),
        FileOwner("jdoe", "jd@work.com", 2),
        FileOwner("Ann", "ann@b.org", 1),
    ]
    names = named([("person:jdoe", "person:jane_doe")])
    assert [(one.person, one.commits) for one in one_each(owners, names)] == [("Jane Doe", 6), ("Ann", 3), ("Ann", 1)]


@given(st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("abcdef"), max_size=6))
def test_whatever_is_noted_no_variant_stands_for_a_variant_and_lookups_end(rows: dict[str, str]) -> None:
    names: Spellings = named(sorted(rows.items()))
    assert not set(names.stands_for) & set(names.variants)
    for key in "abcdef":
        assert key in names.all([key])


def test_spellings_are_told_with_their_reason() -> None:
    (found,) = people([("jdoe", "jane@doe.org", 1), ("Jane Doe", "jane@doe.org", 1)], {})
    assert found == Unite("person:jdoe", "person:jane_doe", "one address under both names: jdoe is Jane Doe")
