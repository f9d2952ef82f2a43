"""Search: filters hold before anything is cut off, profiles give the figures they promise."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from fakes import HashEmbedder
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stores import NOW, PROJECT, at, fact, memories, parts, store
from vectorised import embed_pending

from companion.records import (
    Draft,
    Episode,
    Hit,
    Importance,
    Kind,
    Levels,
    Memory,
    Profile,
    Scope,
    SearchQuery,
    Visibility,
)
from companion.store.database import Database
from companion.store.library import StoreLibrary
from companion.store.memories import usage
from companion.store.ranking import COLD_LEAST_SCORE
from companion.store.search import names_in
from companion.store.text.index import TextIndex
from companion.store.vectors.vectors import Vectors


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with store(tmp_path) as opened:
        yield opened


def library(database: Database, *, embed: bool = False, **bound: object) -> StoreLibrary:
    index = TextIndex(database)
    vectors = Vectors(database, index)
    embedder = HashEmbedder() if embed else None
    if embedder is not None:
        embed_pending(vectors, PROJECT, embedder)
    return StoreLibrary(
        parts(database, text_index=index, vectors=vectors),
        PROJECT,
        "c1",
        embedder=embedder,
        read_lines=lambda *_: "",
        **bound,  # type: ignore[arg-type]
    )


def draft(subject: str, text: str, **given: object) -> Draft:
    return fact(subject, text, **{"levels": Levels(text, text, text[:40], text[:40]), **given})


def keep(database: Database, subject: str, text: str, when: datetime = NOW, **given: object) -> Memory:
    return memories(database).remember(PROJECT, draft(subject, text, **given), when)


def found(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.memory.draft.subject for hit in hits]


def feature(hit: Hit, name: str) -> float:
    return next(reason.value for reason in hit.reasons if reason.feature == name)


def test_words_alone_tell_of_nothing_that_it_does_not_fit(database: Database) -> None:
    keep(database, "wanted", "The parser caches connections")
    asked = SearchQuery(
        "please tell me what we once decided about connections and why it was done that way", profile=Profile.MEMORY
    )
    assert [hit.fits for hit in library(database).search(asked)] == [True]
    assert [hit.fits for hit in library(database, embed=True).search(asked)] == [False]


def test_what_has_no_vector_yet_is_not_said_to_fit_badly(database: Database) -> None:
    keep(database, "wanted", "The parser caches connections")
    bound = library(database, embed=True)
    keep(database, "new", "The mailer drops connections")
    asked = SearchQuery(
        "please tell me what we once decided about connections and why it was done that way", profile=Profile.MEMORY
    )
    assert {hit.memory.draft.subject: hit.fits for hit in bound.search(asked)} == {"wanted": False, "new": True}


def test_words_are_found_in_any_form(database: Database) -> None:
    keep(database, "wanted", "The parser caches connections")
    keep(database, "other", "Mail is sent at night")
    hits = library(database).search(SearchQuery("parse cached connection", profile=Profile.MEMORY))
    assert found(hits) == ["wanted"]
    assert "matches" in hits[0].reasons[0].says


def test_meaning_finds_what_words_do_not_rank(database: Database) -> None:
    keep(database, "wanted", "the of and")
    hits = library(database, embed=True).search(SearchQuery("the of and", profile=Profile.RECALL))
    assert found(hits)[0] == "wanted"
    assert feature(hits[0], "similarity") == pytest.approx(1.0, abs=1e-3)


def test_names_in_the_text_find_what_refers_to_them(database: Database) -> None:
    keep(database, "wanted", "Something unrelated", entities=("file:src/app.py", "person:ada_byron"))
    assert found(library(database).search(SearchQuery("what of src/app.py?", profile=Profile.MEMORY))) == ["wanted"]
    assert found(library(database).search(SearchQuery("ask Ada Byron", profile=Profile.MEMORY))) == ["wanted"]
    assert {"@file:a/b.py", "@topic:auth"} <= set(names_in("a/b.py and auth."))


FILTERS = [
    (SearchQuery("cache", kinds=(Kind.PATTERN,), profile=Profile.MEMORY), set()),
    (SearchQuery("cache", kinds=(Kind.FACT,), profile=Profile.MEMORY), {"base", "docs", "persona-none", "branch-none"}),
    (SearchQuery("cache", visibility=(Visibility.USER_PRIVATE,), profile=Profile.MEMORY), {"docs"}),
    (SearchQuery("cache", entities=("topic:docs",), profile=Profile.MEMORY), {"docs"}),
    (
        SearchQuery("cache", scope_path="docs/guide/a.md", profile=Profile.MEMORY),
        {"base", "docs", "persona-none", "branch-none"},
    ),
    (SearchQuery("cache", scope_path="src/x.py", profile=Profile.MEMORY), {"base", "persona-none", "branch-none"}),
    (
        SearchQuery("cache", scope_language="python", profile=Profile.MEMORY),
        {"base", "docs", "persona-none", "branch-none"},
    ),
    (SearchQuery("cache", scope_language="go", profile=Profile.MEMORY), {"base", "persona-none", "branch-none"}),
    (
        SearchQuery("cache", persona="ada", profile=Profile.MEMORY),
        {"base", "docs", "persona-none", "branch-none", "persona-ada"},
    ),
    (
        SearchQuery("cache", branch="topic", profile=Profile.MEMORY),
        {"base", "docs", "persona-none", "branch-none", "branch-topic"},
    ),
    (SearchQuery("cache", since=at(1), profile=Profile.MEMORY), {"docs"}),
    (SearchQuery("cache", until=at(1), profile=Profile.MEMORY), {"base", "persona-none", "branch-none"}),
    (SearchQuery("cache", act="story", profile=Profile.MEMORY), set()),
    (SearchQuery("cache", limit=0, profile=Profile.MEMORY), set()),
]


@pytest.mark.parametrize(
    ("query", "wanted"), FILTERS, ids=lambda given: str(sorted(given) if isinstance(given, set) else given)[:60]
)
def test_each_filter_restricts(filtered: tuple[StoreLibrary, ...], query: SearchQuery, wanted: set[str]) -> None:
    for bound in filtered:
        assert set(found(bound.search(query))) == wanted


@pytest.fixture(scope="module")
def filtered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[StoreLibrary, ...]]:
    with store(tmp_path_factory.mktemp("filtered")) as database:
        keep(database, "base", "cache one")
        keep(
            database,
            "docs",
            "cache two",
            at(2),
            entities=("topic:docs",),
            scope=Scope(path="docs", language="Python"),
            visibility=Visibility.USER_PRIVATE,
        )
        keep(database, "persona-none", "cache three")
        keep(database, "persona-ada", "cache four", persona="ada")
        keep(database, "branch-none", "cache five")
        keep(database, "branch-topic", "cache six", scope=Scope(branch="topic"))
        yield library(database), library(database, embed=True)


def test_a_filter_reaches_behind_a_thousand_better_matches(database: Database) -> None:
    crowd = [draft(f"s{n}", "cache cache cache", origin=f"o{n}") for n in range(400)]
    memories(database).reconcile(PROJECT, "test", [one.origin for one in crowd], crowd, NOW)
    keep(
        database, "wanted", "many words and one of them is cache here", scope=Scope(language="zig"), kind=Kind.WORKFLOW
    )
    for embed in (False, True):
        hits = library(database, embed=embed).search(
            SearchQuery("cache", kinds=(Kind.WORKFLOW,), profile=Profile.MEMORY)
        )
        assert found(hits) == ["wanted"]


def test_archived_ones_only_on_request(database: Database) -> None:
    memory = keep(database, "gone", "cache of old")
    memories(database).forget(memory.id, at(1))
    assert not library(database).search(SearchQuery("cache", profile=Profile.MEMORY))
    assert found(library(database).search(SearchQuery("cache", include_archived=True, profile=Profile.MEMORY))) == [
        "gone"
    ]


def test_an_earlier_moment_knows_what_was_known_then(database: Database) -> None:
    memory = keep(database, "old", "cache of old")
    memories(database).forget(memory.id, at(5))
    keep(database, "new", "cache of new", at(7))
    known = {
        days: found(library(database).search(SearchQuery("cache", as_of=at(days), profile=Profile.MEMORY)))
        for days in (-1, 1, 6, 8)
    }
    assert known == {-1: [], 1: ["old"], 6: [], 8: ["new"]}
    assert found(library(database, as_of=at(1)).search(SearchQuery("cache", profile=Profile.MEMORY))) == ["old"]


def test_a_replaced_value_was_known_until_it_was_replaced(database: Database) -> None:
    keep(database, "ruff", "cache is 100")
    keep(database, "ruff", "cache is 120", at(3))
    then = library(database).search(SearchQuery("cache", as_of=at(1), profile=Profile.MEMORY))
    now = library(database).search(SearchQuery("cache", profile=Profile.MEMORY))
    assert [hit.memory.draft.value for hit in then] == ["cache is 100"]
    assert [hit.memory.draft.value for hit in now] == ["cache is 120"]


def test_valid_at_asks_what_was_true(database: Database) -> None:
    keep(database, "a", "cache a", valid_from=at(-10), valid_to=at(-5))
    keep(database, "b", "cache b", valid_from=at(-5))
    assert found(library(database).search(SearchQuery("cache", valid_at=at(-7), profile=Profile.MEMORY))) == ["a"]
    assert found(library(database).search(SearchQuery("cache", valid_at=at(-5), profile=Profile.MEMORY))) == ["b"]


def test_memory_profile_weighs_similarity_recency_and_entity(database: Database) -> None:
    keep(database, "new", "cache words", entities=("topic:x",))
    keep(database, "old", "cache words", valid_from=at(-14), entities=("topic:x",))
    keep(database, "apart", "cache words", entities=("topic:y",), valid_from=at(-14))
    hits = {
        hit.memory.draft.subject: hit
        for hit in library(database).search(SearchQuery("cache words", profile=Profile.MEMORY))
    }
    assert feature(hits["new"], "recency") == pytest.approx(1.0)
    assert feature(hits["old"], "recency") == pytest.approx(0.5)
    assert feature(hits["old"], "entity frequency") == pytest.approx(2 / 3)
    assert feature(hits["apart"], "entity frequency") == pytest.approx(1 / 3)
    for hit in hits.values():
        weights = {reason.feature: reason.weight for reason in hit.reasons}
        assert weights == {"similarity": 0.4, "recency": 0.3, "entity frequency": 0.3}
        assert hit.score == pytest.approx(sum(reason.value * reason.weight for reason in hit.reasons))


def test_recall_and_cold_turns_keep_their_figures(database: Database) -> None:
    keep(database, "now", "something else")
    keep(database, "old", "cache words", valid_from=at(-10))
    keep(database, "ages", "cache is one of these many other things we said", valid_from=at(-500))
    hits = library(database).search(SearchQuery("cache words", profile=Profile.RECALL))
    assert feature(hits[0], "recency") == pytest.approx(1 / 2)
    assert [reason.weight for reason in hits[0].reasons] == [0.7, 0.3]
    keep(database, "anchor", "cache words", importance=Importance.SIGNIFICANT, valid_from=at(-10))
    cold = library(database).search(SearchQuery("cache words", profile=Profile.COLD_TURNS))
    assert feature(cold[0], "recency") == pytest.approx(math.exp(-1))
    assert [reason.weight for reason in cold[0].reasons] == [0.5, 0.3, 0.2]
    assert found(cold)[0] == "anchor"
    assert "ages" not in found(cold)
    assert all(hit.score >= COLD_LEAST_SCORE for hit in cold)


def test_use_and_importance_move_the_learned_ranking_a_little(database: Database) -> None:
    first = keep(database, "first", "cache words")
    for number in range(3):
        keep(database, f"peer{number}", "cache words")
    keep(database, "better", "cache words and what is asked: invalidation")
    usage.record(database, [first.id], "cited", "test", at(1))
    keep(database, "more", "nothing alike", at(1))
    hits = library(database).search(SearchQuery("cache words invalidation", profile=Profile.LEARNED))
    assert found(hits)[0] == "better"
    peers = [name for name in found(hits) if name.startswith("peer") or name == "first"]
    assert peers.index("first") <= 1


def test_without_a_text_the_filters_alone_answer(database: Database) -> None:
    keep(database, "plain", "one")
    keep(database, "matters", "two", importance=Importance.SIGNIFICANT)
    assert found(library(database).search(SearchQuery(kinds=(Kind.FACT,), profile=Profile.LEARNED)))[0] == "matters"


def test_a_memory_of_what_happened_is_as_old_as_that(database: Database) -> None:
    keep(
        database,
        "event",
        "cache words",
        kind=Kind.EPISODE,
        type="commit",
        body=Episode("t", NOW - timedelta(days=14)),
    )
    hit = library(database).search(SearchQuery("cache", profile=Profile.MEMORY))[0]
    assert feature(hit, "recency") == pytest.approx(0.5)


TEXT = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta", "src/app.py", "app.run", "ada"]), max_size=4).map(
    " ".join
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.builds(
        SearchQuery,
        text=TEXT,
        profile=st.sampled_from(list(Profile)),
        limit=st.integers(0, 4),
        kinds=st.sampled_from([(), (Kind.FACT,), (Kind.EPISODE, Kind.PATTERN)]),
        scope_path=st.sampled_from(["", "src/app.py", "docs"]),
        as_of=st.sampled_from([None, at(0.5), at(3)]),
        valid_at=st.sampled_from([None, at(0)]),
        include_archived=st.booleans(),
    )
)
def test_hits_are_within_the_query_ordered_and_the_same_twice(shared: StoreLibrary, query: SearchQuery) -> None:
    hits = shared.search(query)
    assert hits == shared.search(query)
    assert len(hits) <= query.limit
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len({hit.memory.id for hit in hits}) == len(hits)
    for hit in hits:
        assert 0 <= hit.score <= 1
        assert hit.reasons
        assert not query.kinds or hit.memory.draft.kind in query.kinds
        assert hit.memory.draft.persona == ""
        assert query.as_of is None or hit.memory.created_at <= query.as_of
        assert query.scope_path.startswith(hit.memory.draft.scope.path) or not query.scope_path


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreLibrary]:
    with store(tmp_path_factory.mktemp("shared")) as database:
        for number, text in enumerate(["alpha beta", "beta gamma", "gamma delta alpha", "delta", "alpha"]):
            entities = ("file:src/app.py",) if number % 2 else ("person:ada", "symbol:app.run")
            where = Scope(path="src") if number == 1 else Scope()
            keep(database, f"s{number}", text, at(number), entities=entities, scope=where)
        keep(database, "secret", "alpha beta gamma delta", persona="bo")
        memories(database).forget(keep(database, "gone", "alpha").id, at(2))
        yield library(database, embed=True)
