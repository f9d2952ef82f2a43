"""The narrative, where it belongs, and what stays verbatim."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest

from companion.language.names import Names
from companion.records.talk import Act, Extraction, Item, ItemState, ItemType
from companion.talk.extract import extract
from companion.talk.items.anchors import anchor
from talk.conversations import Talk, talks, turn_of

START = datetime(2026, 3, 2, 9, 0)
TALKS = list(talks("tuned"))
ACTS = [Act("a1", "Night Owl"), Act("a2", "Tax filing"), Act("story", "Your Story", permanent=True)]


def talk(*said: str, open_items: tuple[Item, ...] = ()) -> Extraction:
    turns = [turn_of("now", at, (one, "OK."), START + timedelta(minutes=at)) for at, one in enumerate(said)]
    return extract(turns, open_items, ACTS, Names())


@pytest.mark.parametrize("each", TALKS, ids=[each.name for each in TALKS])
def test_a_narrative_has_two_to_four_sentences_and_no_figure_that_was_not_said(each: Talk) -> None:
    made = each.extracted()
    said = " ".join(message.text for turn in each.turns for message in turn.messages)
    days = " ".join(value for item in made.items for value in item.details.values())
    known = " ".join((said, days, *(item.text for item in each.open_items)))
    assert made.narrative.endswith((".", "?"))
    assert 1 <= len(re.findall(r"[.?](?= [A-Z]|$)", made.narrative)) <= 8
    figures = {word for word in re.findall(r"\d[\w.,-]*\w|\d", made.narrative)}
    assert {one for one in figures if one not in known} <= {"1", "2", "3", "4", "5", "6", "7", "8", "9"}


def test_a_narrative_tells_what_it_meant() -> None:
    made = talk(
        "Let's go with DuckDB because it needs no server.",
        "I'll write the migration for `rollup_hourly` by Friday.",
        "The release is blocked by the expired certificate.",
    )
    assert made.narrative == (
        "You decided to go with DuckDB because it needs no server. "
        "Still to do: write the migration for `rollup_hourly` (due 2026-03-06). "
        "Open: the release (blocked: the expired certificate)."
    )


def test_a_talk_that_meant_nothing_says_so() -> None:
    assert talk("hello", "thanks").narrative == "Nothing was decided, promised or left open."


def test_an_act_that_most_items_name_is_suggested() -> None:
    suggested = talk("In Night Owl, let's use REST", "For Night Owl we'll cap uploads at 25 MB").suggestion
    assert suggested is not None
    assert (suggested.act, suggested.pointing >= 2) == ("a1", True)
    assert "Night Owl" in suggested.reason


def test_no_act_is_suggested_where_none_is_clear() -> None:
    assert talk("let's use REST").suggestion is None
    assert talk("For Night Owl we'll use REST", "For Tax filing we'll use the new form").suggestion is None


def test_items_point_to_the_act_whose_open_items_share_their_people() -> None:
    earlier = Item(
        "w", ItemType.WAITING_ON, "the mockups", 1, entities=("person:priya",), state=ItemState.OPEN, act="a2"
    )
    made = talk("waiting on Priya for the numbers", "Priya promised to check the form by Friday", open_items=(earlier,))
    assert made.suggestion is not None
    assert made.suggestion.act == "a2"


@pytest.mark.parametrize(
    ("said", "strength"),
    [
        ("My name is Kel and I lead the platform team.", 1.0),
        ("I'm the maintainer of httpx", 1.0),
        ("I always squash before merging", 1.0),
        ("From now on we deploy on Tuesdays only.", 1.0),
        ("I prefer small PRs", 1.0),
        ("let's use MkDocs", 0.5),
        ("we agreed on a 30-day trial", 0.5),
        ("what is a rebase?", 0.0),
        ("I'm a bit lost", 0.0),
        ("never mind", 0.0),
        ("> I always squash", 0.0),
        ("ok", 0.0),
    ],
)
def test_an_anchor_says_who_the_user_is_or_what_holds_for_good(said: str, strength: float) -> None:
    assert anchor(turn_of("now", 0, (said, "I always help. From now on I remember."), START)) == strength


@pytest.mark.parametrize("each", [each for each in TALKS if "anchors" in each.raw], ids=lambda each: each.name)
def test_the_turns_of_a_talk_are_anchored_as_they_should(each: Talk) -> None:
    for number, strength in each.raw["anchors"].items():
        assert anchor(each.turns[int(number) - 1]) == strength, each.turns[int(number) - 1]


def test_files_symbols_and_people_are_keyed_as_the_project_knows_them() -> None:
    known = Names(files={"src/auth/session.py"}, symbols={"TokenStore.rotate"}, people={"Priya Patel"})
    turn = turn_of("now", 0, ("I'll fix TokenStore.rotate in session.py with priya tomorrow", ""), START)
    (item,) = [one for one in extract([turn], [], [], known).items if one.type is ItemType.TASK]
    assert {"file:src/auth/session.py", "symbol:TokenStore.rotate"} <= set(item.entities)
    assert any(key.startswith("person:priya") for key in item.entities)


def test_a_name_that_is_also_a_word_is_a_person_only_where_it_is_written_like_one() -> None:
    known = Names(people={"Can Somebody", "Mark Somebody"})
    one = turn_of(
        "talk", 0, ("A repeated POST can charge twice, so mark it. Thanks to Mark for the hint.", "ok"), START
    )
    people = [item.text for item in extract([one], [], [], known).items if item.type is ItemType.PERSON]
    assert people == ["Mark"]
