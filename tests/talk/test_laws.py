"""Laws of extraction: no invented words, the same twice, order of unrelated turns, linear time."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.language.echo import without_echo
from companion.language.names import Names
from companion.records.talk import Extraction, ItemType, Turn
from companion.talk.items.anchors import anchor
from talk.conversations import READER, extract, turn_of

START = datetime(2026, 3, 2, 9, 0)
SAID = (
    "Let's go with DuckDB because it needs no server.",
    "I'll write the migration by Friday.",
    "We're waiting on Alex for the contract.",
    "The release is blocked by the expired certificate.",
    "Should we partition by device or by day?",
    "The export bug is now top priority.",
    "Lesson learned: a 3 line change can take the site down.",
    "What if we used Kafka?",
    "ok",
    "",
    "scratch that",
    "yes, do that",
    "no",
    "Maria said she'd review PR 341 tomorrow.",
    "fixed the flaky test in test_upload.py",
    "set the retry limit to 5",
    "Decisions:\n- drop Python 3.8\n- ship on 2026-02-16",
    "```\nlet's use MongoDB\n```",
    "> we decided to use SAP",
    "I changed my mind about the retry limit",
)
REPLIED = (
    "OK.",
    "",
    "Shall I add a test for the schema?",
    "I'd suggest a page size of 50.",
    "It depends on your users.",
    "Done.",
)
UNRELATED = tuple(
    said
    for said in SAID
    if said not in {"scratch that", "yes, do that", "no", "I changed my mind about the retry limit"}
)


def talk(said: list[tuple[str, str]]) -> list[Turn]:
    return [turn_of("law", at, one, START + timedelta(minutes=at)) for at, one in enumerate(said)]


def extracted(turns: list[Turn]) -> Extraction:
    return extract(turns, [], [], Names())


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text.lower()))  # `_0D` may be told without the sign that marks it


def spoken_in(turns: list[Turn]) -> set[str]:
    return words(" ".join(message.text for turn in turns for message in turn.messages))


TURNS = st.lists(st.tuples(st.sampled_from(SAID), st.sampled_from(REPLIED)), max_size=12)
ANYTHING = st.text(max_size=300) | st.tuples(st.sampled_from(SAID), st.text(max_size=60)).map(". ".join)
"""Any text, and any text behind something that is understood."""
ANY_TURNS = st.lists(st.tuples(ANYTHING, st.text(max_size=300)), max_size=6)


@settings(deadline=None)
@given(TURNS)
def test_no_item_has_a_word_that_nobody_said_and_its_quotation_is_of_its_turn(said: list[tuple[str, str]]) -> None:
    turns = talk(said)
    for item in extracted(turns).items:
        turn = next(turn for turn in turns if turn.number == item.turn)
        assert words(item.text) <= spoken_in(turns)
        assert words(item.quote) <= spoken_in([turn])


@settings(deadline=None)
@given(ANY_TURNS)
def test_whatever_is_said_it_is_read_and_its_words_were_said(said: list[tuple[str, str]]) -> None:
    turns = talk(said)
    for item in extracted(turns).items:
        assert words(item.text) <= spoken_in(turns)
    for turn in turns:
        assert anchor(turn, READER) in {0.0, 0.5, 1.0}


@settings(deadline=None)
@given(TURNS)
def test_the_same_talk_gives_the_same_twice_whatever_order_its_turns_come_in(said: list[tuple[str, str]]) -> None:
    turns = talk(said)
    assert extracted(turns) == extracted(list(reversed(turns)))


@settings(deadline=None)
@given(st.permutations(UNRELATED))
def test_the_order_of_unrelated_turns_changes_no_item(said: list[str]) -> None:
    def kept(order: list[str]) -> set[tuple[ItemType, str, tuple[tuple[str, str], ...]]]:
        turns = [turn_of("law", at, (one, "OK."), START) for at, one in enumerate(order)]
        return {(item.type, item.text, tuple(sorted(item.details.items()))) for item in extracted(turns).items}

    assert kept(list(said)) == kept(list(UNRELATED))


@settings(deadline=None)
@given(st.text(max_size=500))
def test_leaving_out_echo_is_done_once(text: str) -> None:
    once = without_echo(text)
    assert without_echo(once) == once


@settings(deadline=None)
@given(st.sampled_from(SAID))
def test_what_has_no_echo_is_left_as_it_is(text: str) -> None:
    assert without_echo(text) == text


@pytest.mark.parametrize("filler", ["a", "let's use ", "( ", "I'll fix it, and ", "x\n", "<a ", "`", "- \n"])
def test_the_end_of_a_message_of_a_million_characters_is_read_within_the_time_of_a_test(filler: str) -> None:
    message = filler * (1_000_000 // len(filler)) + "\n\nWe decided to use SQLite."
    assert [item.text for item in extracted(talk([(message, "OK.")])).items][-1:] == ["use SQLite"]


def test_long_turns_by_the_hundred_are_read_within_the_time_of_a_test() -> None:
    said = "Let's go with DuckDB, and I'll write the docs by Friday. " * 25
    items = extracted(talk([(said, said)] * 100)).items
    assert {item.text for item in items} == {"go with DuckDB", "write the docs"}
