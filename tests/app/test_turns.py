"""What was said, handed back: history as far as a message asks for it, the array on disk, sessions, and what fails."""

from __future__ import annotations

import json
import random
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from adapters.planted import SHAPED
from fakes import FakeClock, HashEmbedder, ScriptedModel, WordCounter
from waiting import until

from app.conftest import Desk
from app.talks import LabelledLines, say
from companion.adapters.secrets import SecretRedactor
from companion.app.local import LocalCompanion
from companion.app.nowhere import nowhere
from companion.app.rooms import Rooms
from companion.app.talks import heard, past
from companion.config import Settings
from companion.errors import ModelUnavailable, UnknownConversation, UsageError
from companion.records.sorts import Warmth
from companion.records.talk import Message, Role, TalkState, Turn
from companion.records.turns import Part
from companion.store.database import Database
from companion.store.talk import finding, known, running, summaries, turns
from companion.store.talk.summaries import Sort
from companion.store.talk.turn_index import talk_project
from companion.talk.items.anchors import anchor
from companion.talk.past import condensing, summing

USER, ASSISTANT = Role.USER, Role.ASSISTANT
NAME = "My name is Alex."


class AnchorsAlone(LabelledLines):
    """Finds no items but labelled ones, quickly; anchors are the real ones."""

    def anchor(self, turn: Turn) -> float:
        return anchor(turn)


def by_all_rules(companion: LocalCompanion) -> None:
    companion.rooms.talk_rules = heard.rules


def at_home(desk: Desk, *, embedder: bool = False) -> LocalCompanion:
    """A companion outside of any repository."""
    database = Database.open(desk.home, wait_s=0.2, memory_limit="400MB")
    meaning = HashEmbedder() if embedder else None
    rooms = Rooms(database, Settings(), desk.clock, WordCounter(), SecretRedactor(), meaning)
    rooms.talk_rules = AnchorsAlone  # type: ignore[assignment]
    return nowhere(rooms, desk.home, owns_rooms=True)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that nothing was said in, made once."""
    home = tmp_path_factory.mktemp("empty")
    Database.open(home, wait_s=0.2, memory_limit="400MB").close()
    return home


@pytest.fixture
def desk(tmp_path: Path, empty: Path) -> Desk:
    home = shutil.copytree(empty, tmp_path / "home")
    return Desk(home, FakeClock())


@pytest.fixture
def opened(desk: Desk) -> Iterator[LocalCompanion]:
    companion = at_home(desk)
    yield companion
    companion.close()


def talk(companion: LocalCompanion, *texts: str, title: str = "Prices", persona: str = "") -> str:
    """A conversation that goes on."""
    companion.rooms.clock.advance(minutes=1)  # type: ignore[attr-defined]
    one = companion.start_conversation(title, persona)
    say(companion, *texts)
    return one.id


def later(companion: LocalCompanion, **by: float) -> None:
    companion.rooms.clock.advance(**by)  # type: ignore[attr-defined]


def away(companion: LocalCompanion, *texts: str, **named: str) -> str:
    """A conversation that was put away."""
    one = talk(companion, *texts, **named)
    companion.archive_conversation()
    return one


def set_to(companion: LocalCompanion, **settings: object) -> None:
    companion.rooms.settings = Settings(**settings)  # type: ignore[arg-type]


def spoken(companion: LocalCompanion, *texts: str) -> None:
    """Many turns at once, each answered, without what is made of them behind the answer."""
    one, rooms = companion.active_conversation(), companion.rooms
    assert one is not None
    for text in texts:
        said = [Message(USER, text), Message(ASSISTANT, "Noted.")]
        turns.say(rooms.database, one, said, companion.now(), channel="", counter=rooms.counter)


def shown(companion: LocalCompanion, message: str = "", **given: object) -> list[tuple[str, int]]:
    found = companion.history(message, **given)  # type: ignore[arg-type]
    return [(one.warmth.value, one.number) for one in found.turns]


def test_only_the_last_turns_are_handed_over_unless_the_message_points_back(opened: LocalCompanion):
    talk(opened, "We decided to keep prices in cents.", *(f"Look at file_{n}.py now." for n in range(8)))
    found = opened.history("Now run the tests.")
    assert [(one.warmth, one.number) for one in found.turns] == [(Warmth.HOT, n) for n in range(5, 10)]
    assert found.looked_back == ""
    found = opened.history("What did we decide about prices?")
    assert [one.number for one in found.of(Warmth.HOT)] == [5, 6, 7, 8, 9]
    assert [one.number for one in found.of(Warmth.WARM)] == [1, 2, 3, 4]
    assert found.of(Warmth.WARM)[0].relevance > found.of(Warmth.WARM)[1].relevance
    assert "did we decide" in found.looked_back
    assert shown(opened, "What did we decide?", back=False) == [("hot", n) for n in range(5, 10)]
    assert shown(opened, "Go on.", back=True)[0] == ("warm", 1)


def test_a_turn_of_long_ago_is_a_sentence_until_it_is_asked_for(opened: LocalCompanion):
    first = away(opened, "We decided to keep prices in integer cents.", "What is for lunch?")
    later(opened, hours=2)
    away(opened, *(f"Another message, number {n}." for n in range(5)))
    talk(opened, "Hello again.")
    (cold,) = [one for one in opened.history("Remember the integer cents?").of(Warmth.COLD) if one.number == 1]
    assert (cold.part, cold.conversation) == (Part.GIST, first)
    assert opened.recall_turn(cold.turn[:12]).messages[0].text.startswith("We decided")
    found = opened.history("Remember the integer cents?")
    (warm,) = [one for one in found.turns if one.turn == cold.turn]
    assert (warm.warmth, warm.part) == (Warmth.WARM, Part.WHOLE)
    moves = [(one.before, one.after, one.why) for one in opened.turn_moves() if one.turn == cold.turn]
    assert moves == [(Warmth.COLD, Warmth.WARM, "asked for"), (Warmth.HOT, Warmth.COLD, "archived")]
    later(opened, hours=3)
    say(opened, "Back again.")  # a session that is over asked for it
    cold_again = [one for one in opened.history("Remember the integer cents?").turns if one.turn == cold.turn]
    assert [one.warmth for one in cold_again] == [Warmth.COLD]
    with pytest.raises(UnknownConversation):
        opened.recall_turn("t1")


def test_every_move_between_hot_warm_and_cold_is_written_down(opened: LocalCompanion):
    one = away(opened, *(f"Message {n}." for n in range(7)))
    moves = opened.turn_moves(one)
    assert [(move.before, move.after) for move in moves if move.why == "grew old"] == [(Warmth.HOT, Warmth.WARM)] * 2
    assert sum(move.after is Warmth.COLD for move in moves) == 7


def test_what_was_said_for_good_leads_every_history_with_its_source(opened: LocalCompanion):
    first = away(opened, f"{NAME} I live in Graz.", "Fine.")
    talk(opened, "Fix the test.")
    found = opened.history("Go on.")
    assert [(one.text, one.confidence, one.conversation, one.number) for one in found.anchors][:1] == [
        (NAME, 1.0, first, 1)
    ]
    assert found.text.index(NAME) < found.text.index("Fix the test.")
    many = [f"From now on we always keep rule number {n} of this house." for n in range(12)]
    say(opened, *many)
    found = opened.history("Go on.")
    assert 0 < opened.rooms.counter.count("\n".join(one.text for one in found.anchors)) <= 200


def test_a_persona_hears_its_own_turns_and_those_with_none(opened: LocalCompanion):
    away(opened, "We decided to keep prices in cents.", persona="coach")
    away(opened, "We decided to keep prices in euros.")
    talk(opened, "Hello.", persona="builder")
    text = opened.history("What did we decide about prices?").text
    assert "euros" in text and "cents" not in text
    assert [one.persona for one in opened.sessions("coach")] == ["coach"]
    assert opened.running("coach").turns == 1


def test_a_long_conversation_is_sampled(opened: LocalCompanion):
    talk(opened, "This is the first message.")
    spoken(opened, *(f"This is message number {n} of many." for n in range(2, 71)))
    opened.rooms.settings = Settings(history_tokens=100_000, history_warm_tokens=50_000)
    numbers = [one.number for one in opened.history("What did we say before?").of(Warmth.WARM)]
    assert numbers == [1, 11, 21, 31, 41, 51, *range(56, 66)]


def test_the_time_that_is_named_is_looked_at_even_without_a_word_in_common(opened: LocalCompanion):
    then = away(opened, "We decided to keep prices in cents.")
    later(opened, days=30)
    away(opened, *(f"Something else entirely, number {n}." for n in range(5)))
    talk(opened, "Hello.")
    found = opened.history("What did we do last month?").of(Warmth.COLD)
    assert [one.conversation for one in found][:1] == [then]


# What fails (spec V14)


def test_a_search_that_is_too_slow_leaves_the_last_turns_and_says_so(
    opened: LocalCompanion, monkeypatch: pytest.MonkeyPatch
):
    away(opened, "We decided to keep prices in cents.")
    talk(opened, *(f"Message number {n}." for n in range(7)))
    go_on = threading.Event()
    plain = finding.turns

    def slow(*given: object) -> object:
        go_on.wait(60)
        return plain(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(finding, "turns", slow)
    monkeypatch.setattr(past, "ALONE_WAIT_S", 0.01)
    found = opened.history("What did we decide about prices?")
    again = opened.history("What did we decide about prices?")
    assert found.of(Warmth.COLD) == again.of(Warmth.COLD) == ()
    assert len(found.of(Warmth.HOT)) == 5 and len(found.of(Warmth.WARM)) >= 2
    assert "longer than" in found.missing[0] and "still being looked" in again.missing[0]
    go_on.set()
    opened.rooms.past.close()


def test_a_search_that_fails_leaves_the_last_turns_and_says_so(opened: LocalCompanion, monkeypatch: pytest.MonkeyPatch):
    talk(opened, "Hello.")

    def broken(*_: object) -> None:
        raise RuntimeError("damaged")

    monkeypatch.setattr(finding, "turns", broken)
    found = opened.history("What did we decide about prices?")
    assert [one.warmth for one in found.turns] == [Warmth.HOT]
    assert "companion doctor" in found.missing[0]


def test_a_short_budget_keeps_the_last_turn_before_all_else(opened: LocalCompanion):
    away(opened, "We decided to keep prices in cents.")
    talk(opened, *(f"Message number {n} about prices." for n in range(9)))
    for budget in (0, 10, 60, 120, 300, 2_000):
        found = opened.history("What did we decide about prices?", budget_tokens=budget)
        assert found.tokens <= budget
        if found.turns:
            assert found.turns[-1].number == 9
        assert not found.of(Warmth.COLD) or len(found.of(Warmth.HOT)) == 5
    with pytest.raises(UsageError):
        opened.history("", budget_tokens=-1)


def test_summing_up_that_fails_leaves_every_turn_as_it_was_said_and_is_tried_again(
    opened: LocalCompanion, monkeypatch: pytest.MonkeyPatch
):
    set_to(opened, array_tokens=60)
    broken = monkeypatch.context()
    with broken as patch:

        def fails(*_: object) -> None:
            raise ValueError("a fault")

        patch.setattr(condensing, "condense", fails)
        talk(opened, *(f"We looked at file number {n} for quite a while." for n in range(12)))
    held = opened.running()
    assert held.block is None and held.turns == 12
    assert "a fault" in opened.talk_progress().error
    say(opened, *(f"And now it works, number {n}." for n in range(4)))
    held = opened.running()
    assert held.block is not None and held.turns < 16
    assert opened.talk_progress().error == ""


def test_a_model_that_talks_nonsense_or_is_late_changes_nothing_until_it_does_better(opened: LocalCompanion):
    set_to(opened, array_tokens=10_000)
    talk(opened, *(f"We moved the parser of file_{n}.py to the new reader." for n in range(12)))
    good = json.dumps({"course": ["2026-01-05 · We moved the parser of file_1.py to the new reader."]})
    model = ScriptedModel([ModelUnavailable("late"), "nonsense", good])
    opened.rooms.make_language_model = lambda: model
    before = opened.running()
    for why in ("late", "form"):
        found = opened.compact(now_at_once=True)
        assert why in found.error and found.block is None
        assert opened.running() == before
        assert why in opened.talk_progress().error
    found = opened.compact(now_at_once=True)
    assert found.block is not None and found.block.made_by == "scripted"
    assert "file_1.py" in opened.running().messages[0].text
    assert opened.talk_progress().error == ""


def test_with_a_model_an_owner_has_it_word_the_block_aside_and_rules_only_step_in_where_it_never_does(
    opened: LocalCompanion,
):
    said = [f"We moved the parser of file_{n}.py to the new reader." for n in range(12)]
    tokens = 14 * len(said)
    set_to(opened, array_tokens=tokens // 2 + 40, model_endpoint="http://127.0.0.1:9/v1", model_name="m")
    good = json.dumps({"course": ["2026-01-05 · We moved the parser of file_1.py to the new reader."]})
    model = ScriptedModel([ModelUnavailable("late"), good])
    opened.rooms.make_language_model = lambda: model
    talk(opened, *said)
    assert opened.running().block is None and model.asked == []  # a command does not wait for a model
    opened.rooms.shared = True
    say(opened, *("Go on, please." for _ in range(4)))
    until(lambda: opened.talk_progress().error == "block: late")
    assert opened.running().block is None
    later(opened, minutes=11)
    say(opened, *("Go on, please." for _ in range(4)))
    until(lambda: opened.running().block is not None)
    assert opened.running().block.made_by == "scripted"  # type: ignore[union-attr]
    set_to(opened, array_tokens=40, model_endpoint="http://127.0.0.1:9/v1", model_name="m")
    say(opened, *said[:8])
    assert opened.running().block.made_by == "rules"  # type: ignore[union-attr]


def test_who_comes_back_after_hours_begins_a_session_with_what_matters_of_the_last(opened: LocalCompanion):
    by_all_rules(opened)
    talk(opened, "Hello.", "What is for lunch?", "We keep prices in cents. TODO: mend the rounding test", "Fine.")
    later(opened, hours=9)
    found = opened.history("Where do we keep prices?")
    assert "mend the rounding test" in found.before
    assert [one.number for one in found.turns] == [3, 4]
    say(opened, "Good morning.")
    first, second = opened.sessions()[::-1]
    assert (first.turns, first.ended_at is not None) == (4, True)
    assert (second.number, second.turns, second.ended_at) == (2, 1, None)
    assert first.summary is not None and first.summary.commitments == ("mend the rounding test",)
    assert [one.number for one in opened.history("Where do we keep prices?").turns] == [3, 4, 5]


def test_the_pause_that_ends_a_session_is_a_setting(opened: LocalCompanion):
    set_to(opened, session_gap_minutes=600)
    talk(opened, "Hello.")
    later(opened, hours=9)
    assert opened.history("Good morning.").before == ""
    say(opened, "Good morning.")
    (session,) = opened.sessions()
    assert (session.turns, session.ended_at) == (2, None)


# The array (spec V10)


def test_the_array_goes_on_over_conversations_and_is_what_was_said(opened: LocalCompanion):
    away(opened, "One.", "Two.")
    talk(opened, "Three.")
    opened.add_turn([Message(USER, "Four.")], channel="phone")
    held = opened.running()
    assert [one.text for one in held.messages] == ["One.", "Noted.", "Two.", "Noted.", "Three.", "Noted.", "Four."]
    assert held.tokens == sum(opened.rooms.counter.count(one.text) for one in held.messages)
    opened.close_conversation()
    assert opened.running() == held


def test_past_the_threshold_older_turns_become_a_block_again_and_again(opened: LocalCompanion):
    by_all_rules(opened)
    set_to(opened, array_tokens=150)
    (opened.rooms.home / "notes").mkdir()
    (opened.rooms.home / "notes" / "compaction.md").write_text("Keep: parser\nTokens: 200\n")
    talk(opened, f"{NAME} I'll send the invoice to Bob on Friday.", "The parser keeps comments.")
    blocks = set()
    for number in range(0, 32, 4):
        spoken(opened, *(f"Then we had a look at part number {number + n} of it." for n in range(3)))
        say(opened, f"Then we had a look at part number {number + 3} of it.")
        held = opened.running()
        assert held.tokens <= 150 + 200
        if held.block:
            blocks.add(held.block.number)
            assert held.messages[0].role is Role.SYSTEM
            assert NAME in held.block.text and "send the invoice" in held.block.text
            assert "The parser keeps comments." in held.block.text
            assert held.block.turns + held.turns == number + 6
    assert len(blocks) >= 2
    assert len(opened.transcript().turns) == 34


def test_promises_of_a_conversation_that_was_put_away_stay_in_the_array_until_they_are_settled(opened: LocalCompanion):
    by_all_rules(opened)
    set_to(opened, array_tokens=200)
    away(opened, "I'll send the invoice to Bob on Friday.")
    talk(opened, "Hello.")
    spoken(opened, *(f"Look at part {n} of it." for n in range(30)))
    later(opened, hours=2)
    say(opened, "Go on.")
    block = opened.running().block
    assert block is not None and "send the invoice" in block.text


def test_hidden_reasoning_is_not_kept(opened: LocalCompanion):
    opened.start_conversation("Prices")
    opened.add_turn([Message(USER, "Why?"), Message(ASSISTANT, "<think>the secret plan</think>Because.")])
    assert [one.text for one in opened.running().messages] == ["Why?", "Because."]
    with pytest.raises(UsageError):
        opened.add_turn([Message(ASSISTANT, "<think>nothing else</think>")])


def test_compacting_with_nothing_to_do_is_no_error(opened: LocalCompanion):
    assert opened.compact().turns == 0
    talk(opened, "Hello.")
    assert opened.compact(now_at_once=True).turns == 0
    assert opened.running().block is None


# Sessions and summaries (spec V12)


def test_a_session_is_summed_up_every_four_turns_and_earlier_summaries_stay(opened: LocalCompanion):
    talk(opened, *(f"We decided to keep value_{n} in cents." for n in range(9)))
    (session,) = opened.sessions()
    assert [(one.number, one.turns) for one in session.rolling] == [(1, 4), (2, 8)]
    assert all(0 < len(one.text) <= 600 for one in session.rolling)
    state = opened.talk_progress()
    assert (state.turns, state.sessions, state.error) == (9, 1, "")
    assert state.made_at == state.tried_at == opened.now()
    assert state.last_said.endswith("value_8 in cents.")


def test_the_whole_is_summed_up_anew_every_twenty_turns(opened: LocalCompanion):
    assert opened.whole_summary().version == 0
    opened.make_act("The shop")
    talk(opened, NAME)
    spoken(opened, *(f"Message number {n}." for n in range(18)))
    assert opened.whole_summary().version == 0
    say(opened, "The twentieth.")
    first = opened.whole_summary()
    assert (first.version, first.turns, first.profile) == (1, 20, (NAME,))
    assert first.projects == ("The shop",)
    spoken(opened, *(f"Message number {n}." for n in range(19)))
    say(opened, "The fortieth.")
    assert opened.whole_summary().version == 2
    assert opened.whole_summary(1) == first
    with pytest.raises(UsageError):
        opened.whole_summary(7)


def test_deleting_a_conversation_takes_what_was_summed_up_of_it_and_the_rest_is_made_again(opened: LocalCompanion):
    set_to(opened, array_tokens=200)
    first = away(opened, *(f"The secret recipe has part_{n} in it." for n in range(9)))
    later(opened, hours=2)
    talk(opened, "Hello.")
    spoken(opened, *(f"We looked at file number {n} for a while." for n in range(20)))
    later(opened, hours=2)
    say(opened, *(f"We looked at file number {n} for a while." for n in range(20, 24)))
    assert opened.running().block is not None
    opened.forget_conversation(first)
    database, user = opened.rooms.database, opened.rooms.user
    for sort in Sort:
        last = summaries.latest(database, user, sort)
        assert last is None or "recipe" not in last.text
    held = opened.running()
    assert held.block is not None and "recipe" not in held.block.text
    assert held.block.turns + held.turns == 25
    assert all("recipe" not in one.text for one in held.messages)
    assert opened.history("Remember the secret recipe?").of(Warmth.COLD) == ()
    assert all(one.turn in {turn.id for turn in opened.transcript().turns} for one in opened.turn_moves())
    assert sum(one.turns for one in opened.sessions()) == 25


# What comes in (spec V11, bad input)


def test_two_channels_at_once_make_one_queue_in_order(opened: LocalCompanion):
    opened.start_conversation("Prices")
    each = 6

    def speak(channel: str) -> None:
        for number in range(each):
            opened.add_turn([Message(USER, f"{channel} {number}")], channel=channel)

    threads = [threading.Thread(target=speak, args=(channel,)) for channel in ("phone", "desk")]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    (turn,) = opened.transcript().turns
    for channel in ("phone", "desk"):
        mine = [message.text for message in turn.messages if message.text.startswith(channel)]
        assert mine == [f"{channel} {number}" for number in range(each)]
    opened.add_turn([Message(ASSISTANT, "One after another.")], channel="desk")
    assert [one.number for one in opened.transcript().turns] == [1]


def test_messages_out_of_order_are_kept_as_they_come(opened: LocalCompanion):
    opened.start_conversation("Prices")
    opened.add_turn([Message(ASSISTANT, "An answer before any question.")])
    opened.add_turn([Message(USER, "The question.")])
    opened.add_turn([Message(ASSISTANT, "Another answer.")])
    opened.rooms.clock.advance(minutes=-10)  # type: ignore[attr-defined]
    opened.add_turn([Message(USER, "From a clock that was set back.")])
    assert [len(turn.messages) for turn in opened.transcript().turns] == [1, 2, 1]
    assert [one.number for one in opened.history().turns] == [1, 2, 3]
    assert len(opened.running().messages) == 4


def test_a_turn_of_a_million_characters_is_kept_cut_and_handed_over_within_the_budget(opened: LocalCompanion):
    opened.start_conversation("Prices")
    long = "the loop is slow " * 60_000
    opened.add_turn([Message(USER, long), Message(ASSISTANT, "Yes.")])
    say(opened, "And now?")
    found = opened.history("What did we say before?")
    assert found.tokens <= 4_400 and [one.number for one in found.turns][-1] == 2
    assert [one.part for one in opened.history("", budget_tokens=800).turns][-1] is Part.WHOLE
    assert "not kept" in opened.running().messages[0].text[-100:]
    opened.archive_conversation()
    talk(opened, "Hello.")
    assert opened.history("Remember the slow loop?").tokens <= 4_400


def test_without_anything_said_there_is_nothing_to_hand_over(opened: LocalCompanion):
    found = opened.history("What did we decide?")
    assert (found.text, found.tokens, found.turns, found.missing) == ("", 0, (), ())
    assert opened.running().messages == ()
    assert opened.sessions() == ()
    with pytest.raises(UsageError, match="nothing said"):
        opened.add_turn([Message(USER, "  ")])


def test_the_last_turns_are_the_newest_whoever_wrote_them(opened: LocalCompanion):
    one = talk(opened, "One.")
    assert shown(opened) == [("hot", 1)]
    spoken(opened, "Two.")  # by a way that tells the memory nothing
    assert shown(opened) == [("hot", 1), ("hot", 2)]
    opened.forget_conversation(one)
    assert shown(opened) == []


def test_what_stands_on_disk_is_the_array_of_who_opens_the_store_next(desk: Desk):
    first = at_home(desk)
    talk(first, "One.", "Two.")
    held = first.running()
    first.close()
    second = at_home(desk)
    assert second.running() == held
    assert shown(second) == [("hot", 1), ("hot", 2)]
    assert second.active_conversation() is not None
    assert second.conversations(TalkState.ACTIVE)
    second.close()


def test_secrets_never_reach_a_summary_or_a_history(opened: LocalCompanion):
    key = SHAPED["github"](random.Random(1))
    set_to(opened, array_tokens=60)
    talk(opened, f"We always use the token {key} here.", *(f"Look at part {n} of it now." for n in range(12)))
    block = opened.running().block
    assert block is not None and key not in block.text + opened.history("What did we say before?").text
    assert running.heard(opened.rooms.database, opened.rooms.user, "", 0)
    assert known.anchored(opened.rooms.database, opened.rooms.user, "", 5)


def test_searching_by_meaning_is_part_of_a_history_where_there_is_a_model(desk: Desk):
    companion = at_home(desk, embedder=True)
    rooms = companion.rooms
    assert rooms.embedder is not None
    away(companion, "We decided to keep prices in integer cents.")
    rooms.vectors.embed_pending(talk_project(rooms.user), rooms.embedder)
    later(companion, hours=2)
    away(companion, *(f"Another message, number {n}." for n in range(5)))
    talk(companion, "Hello.")
    assert companion.history("Remember the integer cents?").of(Warmth.COLD)
    companion.close()


def test_rolling_summaries_do_not_tell_of_more_turns_than_they_say(opened: LocalCompanion):
    talk(opened, *(f"Message {n}." for n in range(summing.ROLLING_EVERY)))
    (session,) = opened.sessions()
    assert [one.turns for one in session.rolling] == [summing.ROLLING_EVERY]


def test_the_notes_folder_may_be_missing_or_unreadable(opened: LocalCompanion, tmp_path: Path):
    set_to(opened, array_tokens=60)
    (opened.rooms.home / "notes").mkdir()
    (opened.rooms.home / "notes" / "compaction.md").mkdir()
    talk(opened, *(f"Look at part {n} of it now." for n in range(12)))
    assert opened.running().block is not None
