"""Conversations as they are kept: one place, moves that are written down, turns that join, items with a state, acts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from fakes import WordCounter
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from stores import NOW, at, store

from companion.errors import PlaceTaken, UnknownConversation, UsageError, WrongState
from companion.records.talk import (
    Conversation,
    Extraction,
    Item,
    ItemState,
    ItemType,
    Message,
    Part,
    Preview,
    Role,
    Settles,
    TalkState,
    Turn,
)
from companion.store.binding import duckdb
from companion.store.database import Database
from companion.store.statements import execute
from companion.store.talk import acts, conversations, items, log_import, talk_turns

USER = "u1test"
COUNTER = WordCounter()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with store(tmp_path) as opened:
        yield opened


def started(database: Database, day: float = 0, title: str = "Prices") -> Conversation:
    return conversations.start(database, Conversation("", USER, TalkState.ACTIVE, at(day), title=title))


def say(database: Database, one: Conversation, *texts: tuple[Role, str], day: float = 0) -> Turn:
    said = [Message(role, text) for role, text in texts]
    return talk_turns.say(database, one, said, at(day), channel="test", counter=COUNTER)


def test_a_second_conversation_is_refused_and_the_holder_named(database: Database) -> None:
    first = started(database)
    with pytest.raises(PlaceTaken, match="Prices") as refused:
        started(database, 1)
    assert "companion talk close" in refused.value.next_step
    assert conversations.holder(database, USER) == first


def test_a_conversation_that_waits_for_review_holds_the_place_and_an_archived_one_leaves_it(database: Database) -> None:
    one = started(database)
    conversations.move(database, one.id, {TalkState.ACTIVE}, TalkState.READY_TO_CLOSE, at(1))
    with pytest.raises(PlaceTaken, match="waiting for your review"):
        started(database, 2)
    conversations.move(database, one.id, {TalkState.READY_TO_CLOSE}, TalkState.COMPRESSING, at(2))
    done = conversations.move(database, one.id, {TalkState.COMPRESSING}, TalkState.ARCHIVED, at(2))
    assert (done.closed_at, done.archived_at) == (at(1), at(2))
    assert conversations.holder(database, USER) is None
    started(database, 3)


def test_what_cannot_be_done_in_a_state_is_refused_with_what_can(database: Database) -> None:
    one = started(database)
    with pytest.raises(WrongState, match="going on"):
        conversations.move(database, one.id, {TalkState.COMPRESSING}, TalkState.ARCHIVED, at(1))
    assert conversations.get(database, one.id).state is TalkState.ACTIVE
    conversations.move(database, one.id, {TalkState.ACTIVE}, TalkState.READY_TO_CLOSE, at(1))
    with pytest.raises(WrongState):
        say(database, one, (Role.USER, "One more thing"))
    with pytest.raises(WrongState):
        conversations.pause(database, one.id, at(1), on=True)


def test_pausing_keeps_the_place_and_can_be_ended(database: Database) -> None:
    one = started(database)
    assert conversations.pause(database, one.id, at(1), on=True).paused
    assert conversations.get(database, one.id[:10]).paused
    assert conversations.holder(database, USER) is not None
    assert not conversations.pause(database, one.id, at(2), on=False).paused


def test_an_id_is_known_by_its_beginning_and_an_unknown_one_is_said(database: Database) -> None:
    one = started(database)
    assert conversations.get(database, one.id[:8]) == one
    for unknown in ("c2ffffffff", "c2", ""):
        with pytest.raises(UnknownConversation, match="talk list"):
            conversations.get(database, unknown)


def test_messages_that_pile_up_are_one_turn_and_an_answer_ends_it(database: Database) -> None:
    one = started(database)
    say(database, one, (Role.USER, "Hello"))
    say(database, one, (Role.USER, "are you there?"))
    first = say(database, one, (Role.ASSISTANT, "Yes."))
    assert first.number == 1
    assert first.said(Role.USER) == "Hello\n\nare you there?"
    assert say(database, one, (Role.ASSISTANT, "What is it?")).number == 1
    assert say(database, one, (Role.USER, "Prices are cents")).number == 2
    assert [turn.number for turn in talk_turns.of(database, one.id)] == [1, 2]
    assert conversations.get(database, one.id).turns == 2


def test_a_million_characters_are_cut_and_the_cut_is_said(database: Database) -> None:
    told = say(database, started(database), (Role.USER, "a" * 1_000_000))
    assert len(told.messages[0].text) < talk_turns.MESSAGE_MAX + 100
    assert told.messages[0].text.endswith("800,000 more characters were not kept]")


def test_a_transcript_that_has_grown_is_read_again_without_anything_twice(database: Database) -> None:
    read = [
        Turn("", "", 0, at(n), (Message(Role.USER, f"Turn {n}"), Message(Role.ASSISTANT, "Yes")), outside=f"o{n}")
        for n in range(5)
    ]
    log = Conversation("", USER, TalkState.ARCHIVED, NOW, source="an assistant", outside="log-1")
    one = conversations.take_in(database, log)
    assert log_import.keep(database, log, read[:3], at(9), counter=COUNTER).new == 3
    assert conversations.take_in(database, log) == conversations.get(database, one.id)
    assert log_import.keep(database, log, read, at(9), counter=COUNTER).new == 2
    assert log_import.keep(database, log, read, at(9), counter=COUNTER).new == 0
    assert [turn.outside for turn in talk_turns.of(database, one.id)] == ["o0", "o1", "o2", "o3", "o4"]
    assert conversations.holder(database, USER) is None


def item(text: str, type_: ItemType = ItemType.TASK, turn: int = 1) -> Item:
    return Item("", type_, text, turn, quote=text, details={"status": "decided"})


def test_items_are_candidates_until_confirmed_then_open_then_settled(database: Database) -> None:
    one = started(database)
    kept = items.propose(database, one.id, [item("mend the flaky test"), item("ask Alex")], "", NOW)
    assert items.open_ones(database, 10) == ()
    again = items.propose(database, one.id, [item("mend the flaky test")], "", NOW)
    assert [found.id for found in items.of_conversation(database, one.id)] == [kept[0].id] == [again[0].id]
    items.confirm(database, [kept[0].id], "m1", "a1", at(1))
    (open_one,) = items.open_ones(database, 10)
    assert (open_one.memory, open_one.act, open_one.state) == ("m1", "a1", ItemState.OPEN)
    assert items.open_ones(database, 10, before=at(1) - items.STALE_AFTER) == ()
    assert items.open_ones(database, 10, before=at(7) - items.STALE_AFTER) == (open_one,)
    items.settle(database, [Settles(open_one.id, "user", 1.0, "said so")], at(8))
    assert items.open_ones(database, 10) == ()
    settled = items.get(database, open_one.id[:9])
    assert (settled.state, settled.settled_by, settled.settled_at) == (ItemState.SETTLED, "user", at(8))


def test_what_is_extracted_again_leaves_confirmed_items_alone(database: Database) -> None:
    one = started(database)
    (kept,) = items.propose(database, one.id, [item("mend the test")], "", NOW)
    items.confirm(database, [kept.id], "m1", "", at(1))
    items.propose(database, one.id, [item("mend the test"), item("ask Alex")], "", at(2))
    states = {found.text: found.state for found in items.of_conversation(database, one.id)}
    assert states == {"mend the test": ItemState.OPEN, "ask Alex": ItemState.CANDIDATE}


def test_a_preview_comes_back_as_it_was_kept(database: Database) -> None:
    one = started(database)
    found = (item("mend the test"),)
    preview = Preview(
        one, Extraction("It was decided.", found), (Part("", "It was decided.", ("i1",)),), "First words."
    )
    assert conversations.preview(database, one) is None
    conversations.keep_preview(database, preview)
    assert conversations.preview(database, one) == preview


def test_a_deleted_act_leaves_what_it_held_to_your_story_which_stays(database: Database) -> None:
    story = acts.your_story(database, USER, NOW)
    work = acts.ensure(database, USER, "Work", NOW)
    assert acts.ensure(database, USER, " work ", at(1)) == work
    one = started(database)
    (kept,) = items.propose(database, one.id, [item("mend the test")], "", NOW)
    items.confirm(database, [kept.id], "m1", work.id, NOW)
    acts.delete(database, acts.named(database, USER, "WORK"), USER, at(2))
    assert [act.name for act in acts.all_of(database, USER)] == ["Your Story"]
    assert items.get(database, kept.id).act == story.id
    for kept_act in (story, acts.ensure(database, USER, "shop", NOW, project="p1")):
        with pytest.raises(UsageError):
            acts.delete(database, kept_act, USER, at(3))
    assert acts.ensure(database, USER, "Work", at(4)).id == work.id


class OnePlace(RuleBasedStateMachine):
    """Whatever is asked in whatever order: at most one conversation holds the place, and it is the one that is open."""

    @initialize()
    def begin(self) -> None:
        self.folder = TemporaryDirectory()
        self.opened = store(Path(self.folder.name))
        self.database = self.opened.__enter__()
        self.hour = 0

    def teardown(self) -> None:
        if hasattr(self, "opened"):
            self.opened.__exit__(None, None, None)
            self.folder.cleanup()

    def known(self) -> list[Conversation]:
        return list(conversations.listed(self.database, USER, 100))

    @rule()
    def start(self) -> None:
        self.hour += 1
        new = Conversation("", USER, TalkState.ACTIVE, NOW + timedelta(hours=self.hour))
        if any(one.state in conversations.HOLDING for one in self.known()):
            with pytest.raises(PlaceTaken):
                conversations.start(self.database, new)
        else:
            conversations.start(self.database, new)

    @rule(which=st.integers(0, 5), after=st.sampled_from(list(TalkState)))
    def move(self, which: int, after: TalkState) -> None:
        known = self.known()
        if which >= len(known):
            return
        others = [one for one in known if one.id != known[which].id and one.state in conversations.HOLDING]
        moved = (known[which].id, set(TalkState), after, NOW)
        if others and after in conversations.HOLDING and known[which].state not in conversations.HOLDING:
            with pytest.raises(PlaceTaken):
                conversations.move(self.database, *moved)
            assert conversations.get(self.database, known[which].id).state is known[which].state
        else:
            conversations.move(self.database, *moved)

    @invariant()
    def one_holds(self) -> None:
        if not hasattr(self, "database"):
            return
        holding = [one.id for one in self.known() if one.state in conversations.HOLDING]
        there = conversations.holder(self.database, USER)
        assert holding == ([] if there is None else [there.id])


TestOnePlace = OnePlace.TestCase
TestOnePlace.settings = settings(max_examples=12, stateful_step_count=15, deadline=None)


class Recorded:
    """A database that writes down what is executed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.statements: list[str] = []

    @contextmanager
    def write(self, *, quiet: bool = False) -> Iterator[Recorded]:
        with self._database.write(quiet=quiet) as connection:
            self._connection = connection
            yield self

    def change(self, statement: str, given: dict[str, Any] | None = None, *, quiet: bool = False) -> None:
        with self.write(quiet=quiet):
            execute(self, statement, given)

    def extract_statements(self, statement: str) -> list[duckdb.Statement]:
        return self._connection.extract_statements(statement)

    def execute(self, statement: duckdb.Statement, given: dict[str, Any] | None = None) -> Any:
        self.statements.append(statement.query)
        return self._connection.execute(statement, given)


def test_what_many_turns_and_items_are_is_told_by_one_statement_each(database: Database) -> None:
    one = started(database)
    said = [say(database, one, (Role.USER, f"word {n}"), (Role.ASSISTANT, "ok"), day=n / 100) for n in range(30)]
    found = [Item("", ItemType.TASK, f"mend part {n}", 1) for n in range(30)]
    kept = items.propose(database, one.id, found, "", at(1))
    items.confirm(database, [item.id for item in kept], "m1", "a1", at(1))
    recorded = Recorded(database)
    log_import.anchor(recorded, [(turn.id, 0.5) for turn in said])  # type: ignore[arg-type]
    items.settle(recorded, [Settles(item.id, "user", 1.0, "done") for item in kept], at(2))  # type: ignore[arg-type]
    assert len(recorded.statements) == 2
    assert {turn.anchor for turn in talk_turns.of(database, one.id)} == {0.5}
    assert {item.state for item in items.of_conversation(database, one.id)} == {ItemState.SETTLED}
