"""One sentence at a time: what each sort of item sounds like, and what only sounds so."""

from __future__ import annotations

import tomllib
from datetime import datetime

import pytest
from talk.conversations import DATA, extract, turn_of

from companion.language.names import Names
from companion.records.talk import Item, ItemType

SENTENCES = tomllib.loads((DATA / "sentences.toml").read_text("utf-8"))
SAID = [(sort, said) for sort, sentences in SENTENCES.items() for said in sentences]
MONDAY = datetime(2026, 3, 2, 9, 0)


def found_in(said: str, reply: str = "OK.") -> list[Item]:
    items = extract([turn_of("one", 0, (said, reply), MONDAY)], [], [], Names()).items
    return [item for item in items if item.type is not ItemType.PERSON]


def test_nearly_all_that_is_said_is_found_as_what_it_is() -> None:
    """The model was taught these sentences, among thousands; a question that was answered leaves nothing."""
    missed = [
        (sort, said) for sort, said in SAID if sort != "none" and sort not in {one.type for one in found_in(said)}
    ]
    assert len(missed) <= 0.1 * sum(sort != "none" for sort, _ in SAID), missed


def test_hardly_anything_is_found_where_nothing_is_said() -> None:
    found = [(said, one.text) for said in SENTENCES["none"] for one in found_in(said)]
    assert len(found) <= 0.1 * len(SENTENCES["none"]), found


@pytest.mark.parametrize("said", [said for sort, said in SAID if sort != "none"])
def test_the_same_in_a_quotation_a_fence_or_another_s_mouth_is_not_found(said: str) -> None:
    for pasted in (f"> {said}", f"```\n{said}\n```", f"<tool_result>\n{said}\n</tool_result>", f"system: {said}"):
        assert found_in(pasted) == []


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("I'll write the docs by Friday", "2026-03-06"),
        ("I'll write the docs by tomorrow", "2026-03-03"),
        ("I'll write the docs next week", "2026-03-13"),
        ("I'll write the docs by next Friday", "2026-03-13"),
        ("I'll write the docs before 2026-03-20", "2026-03-20"),
        ("I'll write the docs by March 20", "2026-03-20"),
        ("I'll write the docs on the 5th of April", "2026-04-05"),
        ("I'll write the docs by the end of the month", "2026-03-31"),
        ("I'll write the docs in two weeks", "2026-03-16"),
        ("I'll write the docs by January 15", "2027-01-15"),
        ("I'll write the docs by EOD", "2026-03-02"),
        ("I'll write the docs", ""),
        ("I'll write the docs by February 31", ""),
        ("I'll write the docs for the Friday build", ""),
    ],
)
def test_a_day_is_counted_from_when_it_was_named(said: str, day: str) -> None:
    (item,) = found_in(said)
    assert item.type is ItemType.TASK
    assert item.details.get("due", "") == day
    assert "docs" in item.text


def test_an_item_tells_its_turn_and_the_words_it_rests_on() -> None:
    (item,) = found_in("Thanks. Let's go with DuckDB because it needs no server.")
    assert (item.text, item.details["why"]) == ("go with DuckDB", "it needs no server")
    assert (item.turn, item.quote) == (1, "Let's go with DuckDB because it needs no server.")


def test_what_follows_from_a_decision_is_no_reason_for_it_and_what_leads_to_it_is() -> None:
    (effect,) = found_in("We decided to run the export at night, so Anna need not wait for it.")
    assert "why" not in effect.details
    (led,) = found_in("The mobile app still calls it so we decided to keep the old route.")
    assert led.details["why"] == "The mobile app still calls it"


def test_what_was_rejected_is_a_decision_and_nothing_learned() -> None:
    (item,) = found_in("We rejected Kafka for the audit log.")
    assert (item.type, item.text) == (ItemType.DECISION, "We rejected Kafka for the audit log")


def test_since_when_one_waits_is_what_was_said_or_the_day_of_saying() -> None:
    (told,) = found_in("Waiting on Alex for the contract since last Thursday.")
    (untold,) = found_in("Waiting on Alex for the contract.")
    assert (told.details["since"], untold.details["since"]) == ("2026-02-26", "2026-03-02")
    assert (told.details["who"], told.text) == ("Alex", "Alex for the contract since last Thursday")
