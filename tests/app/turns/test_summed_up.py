"""What older turns become: a block in the array, sums of a session and of the whole, made again after every loss."""

from __future__ import annotations

import json

import pytest
from fakes import ScriptedModel
from waiting import until

from app.conftest import Desk
from app.talks import say
from app.turns.said import ASSISTANT, NAME, USER, at_home, away, by_all_rules, later, set_to, shown, spoken, talk
from companion.app.local import LocalCompanion
from companion.errors import ModelUnavailable, UsageError
from companion.records.sorts import Warmth
from companion.records.talk import Message, Role, TalkState
from companion.store.talk import summaries
from companion.store.talk.summaries import SummarySort
from companion.talk.past import condensing, summing


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
    opened.runtime.adapters.make_language_model = lambda: model
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


def test_with_a_model_a_daemon_has_it_word_the_block_aside_and_rules_only_step_in_where_it_never_does(
    opened: LocalCompanion,
):
    said = [f"We moved the parser of file_{n}.py to the new reader." for n in range(12)]
    tokens = 14 * len(said)
    set_to(opened, array_tokens=tokens // 2 + 40, model_endpoint="http://127.0.0.1:9/v1", model_name="m")
    good = json.dumps({"course": ["2026-01-05 · We moved the parser of file_1.py to the new reader."]})
    model = ScriptedModel([ModelUnavailable("late"), good])
    opened.runtime.adapters.make_language_model = lambda: model
    talk(opened, *said)
    assert opened.running().block is None and model.asked == []  # a command does not wait for a model
    opened.runtime.shared = True
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
    talk(
        opened,
        "Hello.",
        "What is for lunch?",
        "We keep prices in cents. I must mend the rounding test tomorrow",
        "Fine.",
    )
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
    assert held.tokens == sum(opened.runtime.adapters.counter.count(one.text) for one in held.messages)
    opened.close_conversation()
    assert opened.running() == held


def test_past_the_threshold_older_turns_become_a_block_again_and_again(opened: LocalCompanion):
    by_all_rules(opened)
    set_to(opened, array_tokens=150)
    (opened.store.home / "notes").mkdir()
    (opened.store.home / "notes" / "compaction.md").write_text("Keep: parser\nTokens: 200\n")
    talk(opened, f"{NAME} I must send the invoice to Bob on Friday.", "The parser keeps comments.")
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
    away(opened, "I must send the invoice to Bob on Friday.")
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
    database, user = opened.store.database, opened.store.user
    for sort in SummarySort:
        last = summaries.latest(database, user, sort)
        assert last is None or "recipe" not in last.text
    held = opened.running()
    assert held.block is not None and "recipe" not in held.block.text
    assert held.block.turns + held.turns == 25
    assert all("recipe" not in one.text for one in held.messages)
    assert opened.history("Remember the secret recipe?").of(Warmth.COLD) == ()
    assert all(one.turn in {turn.id for turn in opened.transcript().turns} for one in opened.turn_moves())
    assert sum(one.turns for one in opened.sessions()) == 25


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


def test_rolling_summaries_do_not_tell_of_more_turns_than_they_say(opened: LocalCompanion):
    talk(opened, *(f"Message {n}." for n in range(summing.ROLLING_EVERY)))
    (session,) = opened.sessions()
    assert [one.turns for one in session.rolling] == [summing.ROLLING_EVERY]
