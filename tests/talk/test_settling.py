"""What a conversation settles of earlier ones: only what somebody says is done, answered or off, and by what words."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from companion.language.names import Names
from companion.records.talk import Extraction, Item, ItemState, ItemType
from companion.talk.extract import extract
from talk.conversations import turn_of

START = datetime(2026, 3, 2, 9, 0)
CONTRACT = Item(
    "w",
    ItemType.WAITING_ON,
    "the contract",
    1,
    details={"who": "Alex"},
    entities=("person:alex",),
    state=ItemState.OPEN,
)
FLAKY = Item("t", ItemType.TASK, "fix the flaky test in test_upload.py", 2, state=ItemState.OPEN)
FORMAT = Item("q", ItemType.QUESTION, "Which calendar format handles recurrence best?", 3, state=ItemState.OPEN)
ROLE = Item(
    "b", ItemType.BLOCKER, "the missing IAM role", 4, details={"blocks": "the backup job"}, state=ItemState.OPEN
)
OPEN = (CONTRACT, FLAKY, FORMAT, ROLE)


def talk(*said: str) -> Extraction:
    turns = [turn_of("now", at, (one, "OK."), START + timedelta(minutes=at)) for at, one in enumerate(said)]
    return extract(turns, OPEN, [], Names())


@pytest.mark.parametrize(
    ("said", "settled"),
    [
        ("Alex sent the contract", "w"),
        ("The contract from Alex arrived this morning", "w"),
        ("fixed the flaky test in test_upload.py", "t"),
        ("I've finally fixed the flaky test_upload.py test", "t"),
        ("We decided that iCalendar is the calendar format for recurrence", "q"),
        ("the IAM role is in place", "b"),
    ],
)
def test_what_is_said_to_be_over_settles_what_was_open(said: str, settled: str) -> None:
    made = talk(said)
    (one,) = made.settles
    assert one.item == settled
    assert one.confidence > 0.7
    assert one.by in {item.id for item in made.items}
    assert "“" in one.reason


@pytest.mark.parametrize(
    "said",
    [
        "Alex hasn't sent the contract",
        "Has Alex sent the contract?",
        "when Alex sends the contract, we'll start",
        "if the flaky test is fixed we can merge",
        "I'll fix the flaky test in test_upload.py tomorrow",
        "Maria sent the offer",
        "fixed the upload page",
        "the contract is important",
        "which calendar format do you like?",
        "I hope Alex sent the contract",
        "> Alex sent the contract",
    ],
)
def test_what_is_not_said_to_be_over_stays_open(said: str) -> None:
    assert talk(said).settles == ()


def test_somebody_else_s_contract_is_another_one() -> None:
    assert talk("Maria sent the contract").settles == ()
