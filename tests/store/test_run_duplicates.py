"""Of memories that say the same one stays with the evidence of all; what differs in any matter stays apart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from companion_consolidation import dedupe
from fakes import HashEmbedder, PlainRedactor, WordCounter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from runs import WHEN, carry_out, consolidated, plan
from stores import NOW, PROJECT, at, memories, store
from talk.scripted import ScriptedReader
from vectorised import embed_pending

from companion.judge.likeness import ReadLikeness
from companion.kinds.by_hand import draft_from_note
from companion.records import (
    Alike,
    Draft,
    Evidence,
    EvidenceKind,
    Inquiry,
    Kind,
    Memory,
    Merge,
    Nearness,
    Scope,
    Source,
    Status,
    Twins,
    Visibility,
)
from companion.records.readings import PairReading
from companion.store.consolidation import undoing
from companion.store.consolidation.archive import StoredArchive
from companion.store.consolidation.duplicates import twins
from companion.store.consolidation.view import View
from companion.store.database import Database
from companion.store.memories.memories import Memories
from companion.store.text.index import TextIndex
from companion.store.vectors.vectors import Vectors

ANY = Nearness(same=0.9, related=0.5, merge=0.5)
NEAR = Nearness(same=0.9, related=0.5, merge=0.9, asked=0.1)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with store(tmp_path) as opened:
        yield opened


def note(text: str, **given: Any) -> Draft:
    scope = given.pop("scope", Scope())
    kind = given.pop("kind", Kind.FACT)
    draft = draft_from_note(text, kind, scope, Visibility.USER_PRIVATE, pinned=False, label="", now=NOW)
    return replace(draft, **given)


def keep(database: Database, *drafts: Draft | str) -> list[str]:
    """Remember by hand, a day after the other, with vectors; ids in their order."""
    keeper = memories(database)
    ids = [
        keeper.remember(PROJECT, note(one) if isinstance(one, str) else one, at(day)).id
        for day, one in enumerate(drafts)
    ]
    embed_pending(Vectors(database, TextIndex(database)), PROJECT, HashEmbedder())
    return ids


def found(database: Database, **given: Any) -> list[Twins]:
    archive = StoredArchive(database, PROJECT, WHEN, nearness=ANY, likeness=ReadLikeness(), **given)
    return list(archive.twins())


def merged(database: Database, *drafts: Draft | str) -> bool:
    ids = keep(database, *drafts)
    assert len(set(ids)) == len(drafts)
    return bool(found(database))


def get(database: Database, id_: str) -> Memory:
    return memories(database).get([id_])[0]


# --- what is one -----------------------------------------------------------------------------------


def test_of_what_is_new_alone_only_what_is_new_is_folded(database: Database) -> None:
    first, old, new = keep(database, "Prices are cents", "Prices are cents.", "prices are cents")
    assert [set(one.drop) for one in found(database)] == [{old, new}]
    (group,) = found(database, since=at(2))
    assert (group.keep, set(group.drop)) == (first, {new})
    assert found(database, since=at(3)) == []


def test_the_same_in_other_words_is_found_by_nearness_and_the_oldest_stays(database: Database) -> None:
    ids = keep(database, "In staging, jobs are retried 3 times.", "Jobs are retried three times in staging.")
    (group,) = found(database)
    assert (group.keep, group.drop) == (ids[0], (ids[1],))
    assert group.how is Alike.SAME_TERMS
    assert 0.5 <= group.cosine < 1


def test_the_same_words_are_found_without_vectors_and_without_anybody_to_compare(database: Database) -> None:
    keeper = memories(database)
    for text in ("Sign every commit.", "Sign  every\ncommit."):
        keeper.remember(PROJECT, note(text), NOW)
    (group,) = twins(View(database, PROJECT, WHEN))
    assert group.how is Alike.SAME_WORDS


def test_several_are_folded_into_one_at_once(database: Database) -> None:
    ids = keep(
        database, "Use UTC for dates.", "We use UTC for dates.", "Please use UTC for dates.", "We do use UTC for dates."
    )
    (group,) = found(database)
    assert {group.keep, *group.drop} == set(ids)


def test_the_more_important_one_stays_then_the_more_used_then_the_older(database: Database) -> None:
    ids = keep(database, "Use UTC for dates.", "We use UTC for dates.")
    memories(database).pin(ids[1], on=True)
    assert [(one.keep, one.drop) for one in found(database)] == [(ids[1], (ids[0],))]


def test_a_merge_keeps_the_evidence_entities_and_use_of_all_and_undo_restores_both(database: Database) -> None:
    ids = keep(
        database,
        note("Run `make_all` before testing.", evidence=(Evidence(EvidenceKind.CONVERSATION, "talk-1"),)),
        note(
            "Before testing, run `make_all`.",
            evidence=(Evidence(EvidenceKind.CONVERSATION, "talk-2"),),
            entities=("topic:make",),
        ),
    )
    before = memories(database).get(ids)
    run = plan(database, dedupe.plan(StoredArchive(database, PROJECT, WHEN, nearness=ANY, likeness=ReadLikeness())))
    assert carry_out(database, run).applied == 1
    kept, gone = memories(database).get(ids)
    said = {one.ref: one.quote for one in kept.draft.evidence}
    assert said == {"talk-1": "", "talk-2": "", "companion remember": "Before testing, run `make_all`."}
    assert {"topic:make", "symbol:make_all"} <= set(kept.draft.entities)
    assert (gone.status, gone.superseded_by) == (Status.ARCHIVED, ids[0])
    undoing.undo(database, run, None, WHEN)
    assert memories(database).get(ids) == before


def test_after_a_merge_the_next_run_has_nothing_to_do(database: Database) -> None:
    keep(database, "Use UTC for dates.", "We use UTC for dates.")
    consolidated(database, *[Merge(one.keep, one.drop, "same") for one in found(database)])
    assert found(database) == []


class Neighbourly:
    """Takes two texts for the same if their last words are next to each other in the alphabet."""

    def difference(self, a: str, b: str) -> str:
        return "" if abs(ord(a[-1]) - ord(b[-1])) <= 1 else "too far apart"


def test_every_text_is_compared_with_the_one_that_stays_and_not_with_a_chain_of_others(database: Database) -> None:
    first, second, third, fourth = keep(database, *(f"Use the time zone called {letter}" for letter in "abcd"))
    archive = StoredArchive(database, PROJECT, WHEN, nearness=ANY, likeness=Neighbourly())
    assert [(one.keep, one.drop) for one in archive.twins()] == [(first, (second,)), (third, (fourth,))]


def test_ten_thousand_of_one_key_become_one_group_in_one_pass(database: Database) -> None:
    (first,) = keep(database, "The cache keeps 5 entries.")
    with database.write() as connection:
        connection.execute(
            "insert into memories by name select memories.* replace ('m' || n as id, $now + to_seconds(n) as created_at)"
            " from memories, range(10_000) as numbers(n) where id = $id",
            {"id": first, "now": at(1)},
        )
    (group,) = found(database)
    assert (group.keep, len(group.drop)) == (first, 10_000)


# --- what is not -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Scope(environment="dev"), Scope(environment="prod")),
        (Scope(path="src/a"), Scope(path="src/b")),
        (Scope(language="go"), Scope(language="rust")),
        (Scope(version="1.0"), Scope(version="1.1")),
        (Scope(branch="main"), Scope(branch="next")),
        (Scope(), Scope(environment="prod")),
    ],
)
def test_what_holds_in_different_places_is_never_one(database: Database, one: Scope, other: Scope) -> None:
    assert not merged(
        database, note("The log level is debug.", scope=one), note("The log level is debug.", scope=other)
    )


@pytest.mark.parametrize(
    "given",
    [
        {"persona": "ada"},
        {"visibility": Visibility.PROJECT_SHARED},
        {"subject": "another"},
        {"type": "preference"},
        {"valid_to": at(50)},
    ],
)
def test_what_others_see_or_what_is_of_another_sort_is_never_one(database: Database, given: dict[str, Any]) -> None:
    assert not merged(database, "Use UTC for dates.", note("We use UTC for dates.", **given))


def test_another_value_of_the_same_thing_is_another_statement_whatever_the_words(database: Database) -> None:
    """A redacted or shortened text may leave out what the two differ in."""
    said = [note("The time zone is set.", attribute="zone", value=zone, origin=zone) for zone in ("utc", "cet")]
    assert not merged(database, *said)
    assert merged(database, *(replace(one, subject="clock", value="utc") for one in said))


def test_what_two_users_said_is_never_one(database: Database) -> None:
    keep(database, "Use UTC for dates.")
    another = Memories(database, WordCounter(), PlainRedactor(), "u2")
    another.remember(PROJECT, note("We use UTC for dates."), at(1))
    embed_pending(Vectors(database, TextIndex(database)), PROJECT, HashEmbedder())
    assert found(database) == []


def test_what_a_person_said_and_what_a_file_says_stay_two(database: Database) -> None:
    keep(database, "Use UTC for dates.")
    read = note("We use UTC for dates.", source=Source.SCAN, origin="README.md")
    memories(database).reconcile(PROJECT, "facts", {"README.md"}, [read], NOW)
    embed_pending(Vectors(database, TextIndex(database)), PROJECT, HashEmbedder())
    assert found(database) == []


def test_what_two_files_say_stays_two_for_each_ends_with_its_file(database: Database) -> None:
    said = [
        note(text, source=Source.SCAN, origin=origin)
        for text, origin in (("Use UTC for dates.", "a.md"), ("We use UTC for dates.", "b.md"))
    ]
    memories(database).reconcile(PROJECT, "facts", {"a.md", "b.md"}, said, NOW)
    embed_pending(Vectors(database, TextIndex(database)), PROJECT, HashEmbedder())
    assert found(database) == []


@pytest.mark.parametrize("kind", [Kind.EPISODE, Kind.PATTERN])
def test_two_happenings_or_patterns_are_two_however_alike_they_sound(database: Database, kind: Kind) -> None:
    first = note("Fixed the build.", kind=kind)
    assert not merged(database, first, note("Fixed the build!", kind=kind, body=first.body))
    assert merged(database, "Fixed the build.", "Fixed the build!")


def test_decisions_in_force_and_what_is_pinned_are_never_folded_into_another(database: Database) -> None:
    ids = keep(
        database,
        "We decided to use UTC for dates.",
        "We decided to use  UTC for dates",
        "Sign commits.",
        "Sign the commits.",
    )
    for id_ in ids[2:]:
        memories(database).pin(id_, on=True)
    assert found(database) == []


words = st.sampled_from(["cache", "queue", "worker", "index", "token", "deploy", "retry", "schema"])
places = st.sampled_from(["in dev", "in staging", "in production", "in CI", "locally"])
denials = st.sampled_from(["keeps", "does not keep", "never keeps", "may keep", "must keep"])
parts = st.tuples(words, denials, st.integers(2, 60), words, st.tuples(st.integers(0, 5), st.integers(0, 20)), places)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(parts, st.integers(0, 5), parts)
def test_a_change_of_number_environment_version_polarity_or_subject_never_merges(
    tmp_path_factory: pytest.TempPathFactory, one: tuple[Any, ...], place: int, others: tuple[Any, ...]
) -> None:
    other = (*one[:place], others[place], *one[place + 1 :])
    if {one[1], other[1]} == {"does not keep", "never keeps"} or one == other:
        return
    texts = [
        f"The {subject} {keeps} {number} {thing}s since v{major}.{minor} {where}."
        for subject, keeps, number, thing, (major, minor), where in (one, other)
    ]
    with store(tmp_path_factory.mktemp("law")) as database:
        assert not merged(database, *texts)


# --- what a reader sees more -----------------------------------------------------------------------

LONG = "Use UTC for all dates, because the reports of Lisbon and Tokyo are compared."


def near(database: Database, contains: float = 0.9) -> list[Inquiry | Twins]:
    """What is found where the reader takes the longer text to contain the shorter by the share given."""
    reading = PairReading(contrary=0, same=0, contains=contains, contained=0, beside=1 - contains)
    reader = ScriptedReader(pair=lambda longer, shorter: reading)
    archive = StoredArchive(database, PROJECT, WHEN, nearness=NEAR, likeness=ReadLikeness(reader))
    return list(archive.near_twins())


@pytest.mark.parametrize("texts", [("Use UTC for all dates.", LONG), (LONG, "Use UTC for all dates.")])
def test_of_two_of_which_one_says_more_the_longer_stays(database: Database, texts: tuple[str, str]) -> None:
    ids = keep(database, *texts)
    (group,) = near(database)
    assert isinstance(group, Twins)
    assert (group.how, group.keep) == (Alike.CONTAINED, ids[texts.index(LONG)])
    (question,) = near(database, contains=0.6)
    assert isinstance(question, Inquiry)


@pytest.mark.parametrize(
    "short",
    ["Use UTC for 2 dates.", "Never use UTC for all dates.", "Dana must use UTC for dates.", "use UTC for All dates"],
)
def test_a_reader_is_not_believed_where_the_longer_lacks_a_mark_of_the_shorter(database: Database, short: str) -> None:
    keep(database, short, LONG)
    assert [type(one) for one in near(database)] == [Inquiry]


def test_what_a_person_wrote_does_not_end_in_what_an_assistant_did(database: Database) -> None:
    keep(database, "Use UTC for all dates.", note(LONG, origin="assistant claude"))
    assert [type(one) for one in near(database)] == [Inquiry]


def test_what_is_pinned_is_not_folded_into_what_says_more(database: Database) -> None:
    short, _ = keep(database, "Use UTC for all dates.", LONG)
    memories(database).pin(short, on=True)
    assert [type(one) for one in near(database)] == [Inquiry]
