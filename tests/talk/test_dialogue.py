"""Who says it matters: what the assistant proposes, what the user agrees to, takes back, replaces, finishes."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from companion.language.names import Names
from companion.records.talk import Item, ItemType
from companion.talk.extract import extract
from talk.conversations import turn_of

START = datetime(2026, 3, 2, 9, 0)


def items_of(*said: tuple[str, str]) -> list[Item]:
    turns = [turn_of("talk", at, one, START + timedelta(minutes=at)) for at, one in enumerate(said)]
    return [item for item in extract(turns, [], [], Names()).items if item.type is not ItemType.PERSON]


def texts(*said: tuple[str, str]) -> list[str]:
    return [item.text for item in items_of(*said)]


PROPOSED = ("how do we page?", "Offsets get slow. Shall we use cursors of 50 rows?")


@pytest.mark.parametrize("answer", ["yes", "Sure, go ahead.", "ok", "sounds good", "yep do it", "Agreed.", "perfect"])
def test_what_the_assistant_asks_stands_once_the_user_agrees(answer: str) -> None:
    (item,) = items_of(PROPOSED, (answer, "Done."))
    assert (item.type, item.text, item.turn) == (ItemType.DECISION, "use cursors of 50 rows", 1)
    assert item.details["agreed"] == "2"


@pytest.mark.parametrize(
    "answer",
    ["no", "not now", "hmm, why?", "yes but what about deletes?", "let me think", "", "maybe later", "never mind"],
)
def test_what_the_user_does_not_agree_to_is_not_kept(answer: str) -> None:
    assert texts(PROPOSED, (answer, "OK.")) == []


def test_a_mere_suggestion_needs_a_firm_answer() -> None:
    suggested = ("what about limits?", "I'd suggest 100 requests per minute.")
    assert texts(suggested, ("ok", "")) == []
    assert texts(suggested, ("yes, let's do that", "")) == ["100 requests per minute"]


@pytest.mark.parametrize(
    ("answer", "chosen"), [("option 2", "A header"), ("the first one", "In the path"), ("3 please", "None at all")]
)
def test_an_option_is_chosen_by_number_or_place(answer: str, chosen: str) -> None:
    offered = "You could do:\n1. In the path\n2. A header\n3. None at all\n\nWhich do you prefer?"
    assert chosen in texts(("how do we version?", offered), (answer, ""))


def test_an_option_is_chosen_by_its_name() -> None:
    assert texts(("next?", "Do you want Redis or Memcached?"), ("Memcached", "")) == ["Memcached"]
    assert texts(("next?", "Do you want a separate schema or a separate server?"), ("separate server", "")) == [
        "separate server"
    ]


@pytest.mark.parametrize(
    "back", ["scratch that", "never mind", "no wait, forget that", "I changed my mind.", "let's not"]
)
def test_what_was_just_said_can_be_taken_back(back: str) -> None:
    assert texts(("Let's use Redis for the queue", "OK."), (back, "OK.")) == []


def test_what_was_said_long_ago_is_taken_back_by_name_only() -> None:
    small = [("ok", "Anything else?")] * 5
    said = ("Let's use Redis for the queue", "OK.")
    assert texts(said, *small, ("never mind", "OK.")) == ["use Redis for the queue"]
    assert texts(said, *small, ("I changed my mind about Redis", "OK.")) == []


def test_a_later_choice_stands_in_the_place_of_an_earlier_one() -> None:
    assert texts(("Let's use DuckDB.", ""), ("Actually, let's use SQLite.", "")) == ["use SQLite"]
    assert texts(("Let's use DuckDB.", ""), ("ok", ""), ("let's use SQLite instead of DuckDB", "")) == [
        "use SQLite instead of DuckDB"
    ]
    assert texts(("set the timeout to 30 seconds", ""), ("set the timeout to 60 seconds", "")) == [
        "set the timeout to 60 seconds"
    ]
    assert texts(("let's support Windows", ""), ("ok", ""), ("we won't support Windows", "")) == [
        "we won't support Windows"
    ]


def test_two_choices_of_different_things_both_stand() -> None:
    assert texts(("Let's use DuckDB for storage.", ""), ("Let's use ruff for linting.", "")) == [
        "use DuckDB for storage",
        "use ruff for linting",
    ]


def test_a_figure_without_its_thing_names_what_it_replaces() -> None:
    (item,) = items_of(("set the timeout to 30 seconds", ""), ("wait, make it 60 seconds", ""))
    assert (item.text, item.details["replaces"]) == ("make it 60 seconds", "set the timeout to 30 seconds")


def test_a_task_done_by_the_assistant_is_completed_until_it_fails() -> None:
    asked = ("add a retry to the client", "I've added a retry to the client.")
    assert [item.details["status"] for item in items_of(asked)] == ["completed"]
    assert [item.details["status"] for item in items_of(asked, ("it still fails", ""))] == ["in progress"]


def test_what_was_waited_for_and_came_is_no_wait_any_more() -> None:
    waits = ("waiting on Alex for the contract", "")
    assert [item.type for item in items_of(waits)] == [ItemType.WAITING_ON]
    assert [item.type for item in items_of(waits, ("Alex sent the contract", ""))] == [ItemType.TASK]


def test_a_blocker_that_is_cleared_is_none_any_more() -> None:
    blocked = ("the release is blocked by the expired certificate", "")
    assert texts(blocked, ("the release is unblocked", "")) == []


def test_a_question_that_nobody_could_answer_stays_open_until_it_is_decided() -> None:
    asked = ("Should we partition by device or by day?", "It depends on your queries.")
    (item,) = items_of(asked)
    assert (item.type, item.text) == (ItemType.QUESTION, "Should we partition by device or by day?")
    answered = {item.type: item for item in items_of(asked, ("let's partition by day", ""))}
    assert answered[ItemType.QUESTION].details["answer"] == "partition by day"


def test_a_question_that_was_answered_leaves_nothing() -> None:
    assert texts(("Which region should we deploy to?", "eu-west-1, as the other services are there.")) == []


def test_the_assistant_alone_leaves_nothing() -> None:
    alone = "We decided to use MongoDB. I'll rewrite everything by Friday. Waiting on Alex. Lesson learned: test."
    assert texts(("ok", alone), ("thanks", alone)) == []
