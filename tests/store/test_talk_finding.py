"""Turns are found by their words, their neighbours', their meaning and their conversation, as they come and go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from evals.labelled.recall import talks
from fakes import HashEmbedder, WordCounter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stores import at, store
from vectorised import embed_pending

from companion.records.talk import Conversation, Message, Role, TalkState, Turn
from companion.store.database import Database
from companion.store.talk import conversations, finding, log_import, talk_turns
from companion.store.talk.turn_index import talk_project
from companion.store.text.index import FOLDER, TextIndex
from companion.store.vectors.vectors import Vectors

USER = "u1test"
COUNTER = WordCounter()
WORDS = ("price", "cents", "tax", "boat", "zeppelin", "hangar", "login", "cache")


@dataclass
class Archive:
    """A store with the indexes of what was said in it."""

    database: Database
    index: TextIndex
    vectors: Vectors

    def hear(self, name: str, *lines: str, user: str = USER, day: float = 0) -> Conversation:
        """A transcript as far as it goes now; lines that are there already are not taken in again."""
        held = Conversation("", user, TalkState.ARCHIVED, at(day), source="test", outside=name)
        read = [
            Turn("", "", 0, at(day), (Message(Role.USER, line),), outside=f"{name} {n}") for n, line in enumerate(lines)
        ]
        log_import.keep(self.database, held, read, at(day), counter=COUNTER)
        return conversations.take_in(self.database, held)

    def embed(self, embedder: HashEmbedder) -> None:
        embed_pending(self.vectors, talk_project(USER), embedder)

    def find(
        self,
        text: str,
        *,
        user: str = USER,
        embedder: HashEmbedder | None = None,
        among: frozenset[str] | None = None,
        but: str = "",
    ) -> list[str]:
        """What the turns that are found say, best first."""
        asked = finding.TurnQuery(text, among=among, but=but)
        if embedder is not None:
            asked = finding.TurnQuery(text, embedder.model, embedder.embed([text])[0], among, but)
        found = finding.turns(self.database, self.index, self.vectors, user, asked, 20)
        words = {turn.id: talk_turns.words_of(turn.messages) for one in found for turn in self.of(one.conversation)}
        return [words[one.turn] for one in found]

    def of(self, conversation: str) -> tuple[Turn, ...]:
        return talk_turns.of(self.database, conversation)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with store(tmp_path) as database:
        index = TextIndex(database, tmp_path / FOLDER)
        try:
            yield Archive(database, index, Vectors(database, index))
        finally:
            index.close()


def test_an_answer_is_found_by_the_words_of_its_question(archive: Archive) -> None:
    archive.hear("a", "Where does the zeppelin land?", "In the hangar behind the hill.", "Thanks!", "Bye!")
    archive.hear("b", "What about lunch?", "At noon.")
    assert archive.find("zeppelin land")[:2] == ["Where does the zeppelin land?", "In the hangar behind the hill."]
    assert "At noon." not in archive.find("zeppelin land")


def test_what_is_said_later_is_found_and_so_is_what_stood_before_it(archive: Archive) -> None:
    lines = ["Where does the zeppelin land?", "I will look."]
    archive.hear("a", *lines)
    assert archive.find("mooring mast") == []
    archive.hear("a", *lines, "At the mooring mast.")
    assert archive.find("mooring mast") == ["At the mooring mast.", "I will look."]


def test_a_conversation_that_is_gone_is_found_no_more(archive: Archive) -> None:
    gone = archive.hear("a", "The zeppelin lands at noon", "Good")
    archive.hear("b", "A zeppelin is no boat")
    assert len(archive.find("zeppelin")) == 3
    with archive.database.write() as connection:
        connection.execute("delete from turns where conversation_id = $id", {"id": gone.id})
        connection.execute("delete from conversations where id = $id", {"id": gone.id})
    assert archive.find("zeppelin") == ["A zeppelin is no boat"]


def test_nobody_finds_what_another_user_said(archive: Archive) -> None:
    archive.hear("a", "The zeppelin lands at noon", user="u1other")
    assert archive.find("zeppelin") == []
    assert archive.find("zeppelin", user="u1other") == ["The zeppelin lands at noon"]


def test_a_search_can_keep_to_one_conversation_or_leave_one_out(archive: Archive) -> None:
    one = archive.hear("a", "The zeppelin lands at noon")
    archive.hear("b", "The zeppelin is late")
    assert archive.find("zeppelin", among=frozenset([one.id])) == ["The zeppelin lands at noon"]
    assert archive.find("zeppelin", but=one.id) == ["The zeppelin is late"]


def test_meaning_finds_what_shares_no_word_with_the_index_of_words(archive: Archive) -> None:
    embedder = HashEmbedder()
    archive.hear("a", "The zeppelin lands at noon", "Good", "So be it")
    archive.hear("b", "Prices are cents")
    archive.embed(embedder)
    with_meaning = archive.find("the at", embedder=embedder)
    assert archive.find("the at") == []
    assert "The zeppelin lands at noon" in with_meaning


def test_the_nearest_of_what_is_foreign_to_a_question_is_not_near(archive: Archive) -> None:
    embedder = HashEmbedder()
    archive.hear("a", "The zeppelin lands at noon")
    archive.embed(embedder)

    def near(text: str) -> float:
        asked = finding.TurnQuery(text, embedder.model, embedder.embed([text])[0])
        return max(
            one.meaning for one in finding.turns(archive.database, archive.index, archive.vectors, USER, asked, 5)
        )

    assert near("the zeppelin lands at noon") > 0.9
    assert near("the quantum zebra") < 0.6


def test_a_conversation_counts_by_its_best_turns(archive: Archive) -> None:
    much = archive.hear("a", "The zeppelin lands at noon", "The zeppelin is late", "A zeppelin again")
    little = archive.hear("b", "We saw a boat", "and one zeppelin", "and the sea", "and the sky")
    asked = finding.TurnQuery("zeppelin")
    found = talks(archive.database, archive.index, archive.vectors, USER, asked, 10)
    assert found == [much.id, little.id]


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    told=st.lists(
        st.tuples(st.sampled_from("ab"), st.lists(st.sampled_from(WORDS), min_size=1, max_size=4)),
        min_size=1,
        max_size=12,
    ),
    asked=st.sampled_from(WORDS),
)
def test_however_it_came_in_the_same_is_found(
    tmp_path_factory: pytest.TempPathFactory, told: list[tuple[str, list[str]]], asked: str
) -> None:
    """Taking in line by line, with a search after each, ends where taking all in at once does."""
    home = tmp_path_factory.mktemp("talk")
    with store(home) as database:
        stepwise = Archive(database, index := TextIndex(database, home / FOLDER), Vectors(database, index))
        lines: dict[str, list[str]] = {"a": [], "b": []}
        for name, words in told:
            lines[name].append(" ".join(words))
            stepwise.hear(name, *lines[name])
            stepwise.find(asked)
        fresh = TextIndex(database, home / "fresh")
        try:
            anew = Archive(database, fresh, Vectors(database, fresh))
            before = finding.turns(database, index, None, USER, finding.TurnQuery(asked), 50)
            after = finding.turns(database, anew.index, None, USER, finding.TurnQuery(asked), 50)
            assert {one.turn for one in before} == {one.turn for one in after}
        finally:
            fresh.close()
            index.close()
