"""Numbers in prose are read in one unit, with the range they give."""

from __future__ import annotations

import math

import pytest

from companion.judge.rules import RulesJudge
from companion.language.amounts import NUMBERS, UNITS, amount, number
from companion.language.marks import marks_of
from companion.language.quantities import disjoint, quantities
from companion.records import Statement


@pytest.mark.parametrize(
    ("text", "dimension", "low", "high"),
    [
        ("It waits 30 s.", "seconds", 30, 30),
        ("timeout = 30_000 ms", "seconds", 30, 30),
        ("timeout_ms = 30000", "seconds", 30, 30),
        ("They are kept for two weeks.", "seconds", 1_209_600, 1_209_600),
        ("Half of the jobs fail.", "percent", 50, 50),
        ("One in ten requests is traced.", "percent", 10, 10),
        ("The hit rate must not drop below 95 percent.", "percent", 95, math.inf),
        ("Uploads may be at most 10 MB.", "bytes", -math.inf, 10_000_000),
        ("Backups are made every 6 hours.", "every", 21_600, 21_600),
        ("It is backed up four times a day.", "every", 21_600, 21_600),
        ("Rate: 60 requests per minute.", "rate", 1, 1),
        ("Python 3.9 and newer.", "version", 3_009_000, math.inf),
        ("Pin numpy to 1.26.x.", "version", 1_026_000, 1_027_000),
        ("Angular was upgraded to 17.", "version", 17_000_000, 18_000_000),
        ("It starts at 4:30 pm.", "clock", 990, 990),
        ("It starts at noon UTC.", "clock", 720, 720),
        ("It starts at 01:00 CEST.", "clock", 1_380, 1_380),
        ("It may not take more than 5 s.", "seconds", -math.inf, 5),
        ("It can never be less than 5 s.", "seconds", 5, math.inf),
        ("It is kept for exactly one day.", "seconds", 86_400, 86_400),
        ("Events are kept forever.", "seconds", math.inf, math.inf),
    ],
)
def test_an_amount_is_read(text: str, dimension: str, low: float, high: float) -> None:
    found = [one for one in quantities(text) if one.dimension == dimension]
    assert [(one.low, one.high) for one in found] == [(low, high)]


def test_a_minor_version_lies_within_its_major_one() -> None:
    (major,), (minor,), (other,) = (quantities(f"runs on Node {number}") for number in ("20", "20.11", "22"))
    assert not disjoint(major, minor)
    assert disjoint(major, other)


def test_names_with_digits_are_no_amounts() -> None:
    assert quantities("Hosted in eu-central-1 with UTF-8 and sha256.") == ()


@pytest.mark.parametrize("text", ["{} days", "at most {} MB", "{} requests per minute"])
def test_a_key_of_hundreds_of_digits_is_no_amount(text: str) -> None:
    long = text.format("9" * 400)
    assert quantities(long) == ()
    assert not RulesJudge().rule(Statement(long), Statement(text.format(3))).contradict


@pytest.mark.parametrize("word", sorted(word for word in UNITS if word.isalpha() and UNITS[word].dimension != "times"))
def test_every_reader_knows_every_unit(word: str) -> None:
    (read,) = quantities(f"It is 7 {word}.")
    assert (read.dimension, read.low) == (UNITS[word].dimension, pytest.approx(float(7 * UNITS[word].factor)))
    assert amount(["7", word]) == (2, UNITS[word].amount(number("7")))
    assert {mark.text for mark in marks_of(f"it is 7 {word}")} == {f"7 {UNITS[word].name}"}


@pytest.mark.parametrize("word", sorted(NUMBERS.keys() - {"one"}))
def test_every_reader_knows_every_number(word: str) -> None:
    (read,) = quantities(f"It has {word} wheels.")
    assert read.low == NUMBERS[word]
    assert amount([word, "wheels"]) == (1, str(NUMBERS[word]))
    assert {mark.text for mark in marks_of(f"it has {word} wheels")} == {str(NUMBERS[word])}


@pytest.mark.parametrize("text", ["It was last used on 2025-11-17.", "The server speaks HTTP/2."])
def test_a_day_and_the_number_of_a_protocol_are_no_amounts(text: str) -> None:
    assert quantities(text) == ()


def test_a_page_of_spaces_is_read_as_one() -> None:
    assert quantities(f"It waits{' ' * 500}30{chr(10) * 500}s.") == quantities("It waits 30\ns.")
