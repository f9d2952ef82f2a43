"""What was said, handed back as far as a message asks for it; and what a history is where something fails."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import pytest
from adapters.planted import SHAPED
from vectorised import embed_pending

from app.conftest import Desk
from app.talks import say
from app.turns.said import ASSISTANT, NAME, USER, at_home, away, later, set_to, shown, spoken, talk
from companion.app.local import LocalCompanion
from companion.app.talks import past
from companion.config import Settings
from companion.errors import UnknownConversation, UsageError
from companion.records.sorts import Warmth
from companion.records.talk import Message
from companion.records.turn_history import TurnPart
from companion.store.talk import finding, known, running
from companion.store.talk.turn_index import talk_project


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
    assert (cold.part, cold.conversation) == (TurnPart.GIST, first)
    assert opened.recall_turn(cold.turn[:12]).messages[0].text.startswith("We decided")
    found = opened.history("Remember the integer cents?")
    (warm,) = [one for one in found.turns if one.turn == cold.turn]
    assert (warm.warmth, warm.part) == (Warmth.WARM, TurnPart.WHOLE)
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
    assert 0 < opened.runtime.adapters.counter.count("\n".join(one.text for one in found.anchors)) <= 200


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
    opened.runtime.settings = Settings(history_tokens=100_000, history_warm_tokens=50_000)
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
    assert "longer than" in found.missing[0] and "still being searched" in again.missing[0]
    go_on.set()
    past.past_turns(opened.runtime).close()


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
    opened.runtime.adapters.clock.advance(minutes=-10)  # type: ignore[attr-defined]
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
    assert [one.part for one in opened.history("", budget_tokens=800).turns][-1] is TurnPart.WHOLE
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


def test_secrets_never_reach_a_summary_or_a_history(opened: LocalCompanion):
    key = SHAPED["github"](random.Random(1))
    set_to(opened, array_tokens=60)
    talk(opened, f"We always use the token {key} here.", *(f"Look at part {n} of it now." for n in range(12)))
    block = opened.running().block
    assert block is not None and key not in block.text + opened.history("What did we say before?").text
    assert running.heard(opened.store.database, opened.store.user, "", 0)
    assert known.anchored(opened.store.database, opened.store.user, "", 5)


def test_searching_by_meaning_is_part_of_a_history_where_there_is_a_model(desk: Desk):
    companion = at_home(desk, embedder=True)
    runtime = companion.runtime
    assert runtime.adapters.embedder is not None
    away(companion, "We decided to keep prices in integer cents.")
    embed_pending(runtime.store.vectors, talk_project(runtime.store.user), runtime.adapters.embedder)
    later(companion, hours=2)
    away(companion, *(f"Another message, number {n}." for n in range(5)))
    talk(companion, "Hello.")
    assert companion.history("Remember the integer cents?").of(Warmth.COLD)
    companion.close()


def test_the_notes_folder_may_be_missing_or_unreadable(opened: LocalCompanion, tmp_path: Path):
    set_to(opened, array_tokens=60)
    (opened.store.home / "notes").mkdir()
    (opened.store.home / "notes" / "compaction.md").mkdir()
    talk(opened, *(f"Look at part {n} of it now." for n in range(12)))
    assert opened.running().block is not None
