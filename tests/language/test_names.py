"""Who is a person in what somebody writes: seen by what is done or told, by who they are; never by a capital alone."""

from __future__ import annotations

from datetime import datetime

import pytest

from companion.language.names import Names, people_of
from companion.language.sentences import clauses
from companion.records.talk import Message, Role, Turn


def people(said: str, known: tuple[str, ...] = ()) -> dict[str, str]:
    turn = Turn("t", "c", 1, datetime(2026, 3, 2), (Message(Role.USER, said),))
    found = people_of(clauses([turn]), Names(people=known))
    return {found.shown[plain]: found.relations.get(plain, "") for plain in found.named}


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Nkechi said that it can wait.", {"Nkechi": ""}),
        ("Ask Nkechi Bello whether it can wait.", {"Nkechi Bello": ""}),
        ("I've assigned finding 6 to Nkechi, she needs three days.", {"Nkechi": ""}),
        ("Nkechi from the data team will review it.", {"Nkechi": "from the data team"}),
        ("Our tech lead is Nkechi.", {"Nkechi": "Our tech lead"}),
        ("Nkechi is our contact at the data vendor.", {"Nkechi": "our contact at the data vendor"}),
        ("Nkechi (legal team) has the contract.", {"Nkechi": "legal team"}),
        ("We meet Dr. Obi on Monday.", {"Obi": ""}),
    ],
)
def test_a_person_is_known_by_what_only_people_do_or_are(said: str, found: dict[str, str]) -> None:
    assert people(said) == found


@pytest.mark.parametrize(
    "said",
    [
        "Dates in the API are ISO 8601 strings.",
        "Edits in a linked directory go unnoticed.",
        "Flags in Unleash are gone after 90 days.",
        "Unsigned commits are turned down.",
        "It takes 11 ms. Rendering for headsets takes longer.",
        "Callers have to close the client. Closing it twice is fine.",
        "Don't put business logic in the view.",
    ],
)
def test_a_capital_alone_makes_no_person(said: str) -> None:
    assert people(said) == {}


def test_a_known_name_within_a_dont_is_nobody() -> None:
    assert people("please don't put it there", ("Don",)) == {}
    assert people("don said it can wait", ("Don",)) == {"don": ""}
