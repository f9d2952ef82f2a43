"""Numbers and units, in letters and in figures: the one vocabulary of them, what amount some words are, and its bound.

Exactly: "90 s", "90 seconds" and "one and a half minutes" are one amount; 30 days and a month are not, nor are
3.1 and 3.10, which may be versions. Bounds and ranges in whole sentences are read by `quantities`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from companion.language.phrases import opens, says
from companion.language.word_lists import listed


class Unit(Struct, frozen=True):
    """A unit by its short form: `factor` of `base`, the unit of its dimension; a loose one is only about that."""

    name: str
    dimension: str
    factor: Fraction
    base: str
    loose: bool

    def amount(self, value: Fraction) -> str:
        """So many of it as they are compared: in the base unit, or in its own if it is loose."""
        return f"{value} {self.name}" if self.loose else f"{value * self.factor} {self.base}"


_GRAMMAR = listed("grammar")
_LOOSE = frozenset(_GRAMMAR["kinds"]["loose"].split())
PERIODS = frozenset(_GRAMMAR["kinds"]["periods"].split())
"""Lengths of time that "a" and "every" stand before; "a byte" is a thing."""
OFTEN: dict[str, str] = _GRAMMAR["often"]
"""Words that tell how often, each with its period."""
TIMES: dict[str, int] = _GRAMMAR["times"]
"""Words that tell how many times."""
NUMBERS: dict[str, int] = {word: value for value, word in enumerate(_GRAMMAR["counted"].split())} | _GRAMMAR["numbers"]
"""Numbers in letters."""
SHORT = 2
"""Letters of a short form, which has no plural."""
_SPELLED = {
    word: Unit(name, dimension, Fraction(str(factor)), next(iter(units)), name in _LOOSE)
    for dimension, units in _GRAMMAR["units"].items()
    for name, (factor, *spellings) in units.items()
    for word in (name.lower(), *spellings)
}
UNITS: dict[str, Unit] = {f"{word}s": known for word, known in _SPELLED.items() if len(word) > SHORT} | _SPELLED
"""Every spelling of a unit, in the singular and the plural."""

_ONE = frozenset(("a", "an", "one", "single"))
_TEN, _HUNDRED = 10, 100
_FIGURE = re.compile(r"\d[\d_]*(?:,\d[\d_]*)*(?:\.\d+)?")
FIGURE_CHARACTERS = 40
"""Characters of a figure that is an amount; a longer row of digits is a key or a digest, and no float holds 310."""
_WITH_UNIT = re.compile(r"(?P<value>\d[\d_]*(?:,\d{3})*(?:\.\d+)?)\s?(?P<unit>%|[a-z]+)", re.IGNORECASE)

EXACT, AT_LEAST, AT_MOST = "exact", "at least", "at most"
NEAR_CHARS = 160
"""Characters before a number in which the words that belong to it stand: the longest phrase known takes half."""

BETWEEN_WORDS = 2
"""Words that may stand between a number and what bounds it: "5 open connections at most"."""
_FIRST = re.compile(r"^\s*\w+\s+")
_JOINED = re.compile(r"(?:\w|\b(?:min|max)\.|char\()[\s:]*$", re.IGNORECASE)
"""What a number follows in the same breath; behind any other mark it stands for itself."""
_PRODUCT_BETWEEN = re.compile(r"(\b(?:below|under|than|least|most|minimum|to)\s+)[\w.+#]+\s*$", re.IGNORECASE)


def unit(word: str) -> Unit | None:
    """The unit that a word is; None for what is none."""
    return UNITS.get(word.lower())


def number(word: str) -> Fraction | None:
    """The number that a word is: "five", "twenty-five", "30_000", "1,000"; None for "3.2.1" and for what is none."""
    low = word.lower()
    if low in NUMBERS:
        return Fraction(NUMBERS[low])
    tens, _, ones = low.partition("-")
    if _TEN <= NUMBERS.get(tens, 0) < _HUNDRED and 0 < NUMBERS.get(ones, 0) < _TEN:
        return Fraction(NUMBERS[tens] + NUMBERS[ones])
    return Fraction(re.sub("[_,]", "", low)) if len(low) <= FIGURE_CHARACTERS and _FIGURE.fullmatch(low) else None


def measured(token: str) -> tuple[str, Unit] | None:
    """The figure and the unit of a token that has both ("3sec", "80%"); None for any other."""
    found = _WITH_UNIT.fullmatch(token)
    known = unit(found["unit"]) if found else None
    return (found["value"], known) if found and known else None


def amount(words: Sequence[str]) -> tuple[int, str] | None:
    """The amount that some words begin with: how many of them it takes, and the amount in a common unit.

    None where they begin with no amount. A number without a unit is kept as it is written, for it may be a
    version, a port or a time of day; written out it is the same as in figures.
    """
    first, second, third = ([word.lower() for word in words[:3]] + ["", ""])[:3]
    if first == "half" and second in _ONE and third in PERIODS:
        return 3, UNITS[third].amount(Fraction(1, 2))
    if first in _ONE and second in PERIODS:
        return 2, UNITS[second].amount(Fraction(1))
    if first in TIMES:
        return 1, UNITS["times"].amount(Fraction(TIMES[first]))
    if (glued := measured(first)) is not None and (value := number(glued[0])) is not None:
        return 1, glued[1].amount(value)
    value = number(first)
    if value is not None and (counted := unit(second)) is not None:
        return 2, counted.amount(value)
    if first[:1].isdigit():
        return 1, re.sub("[_, ]", "", first) if value is not None else words[0].replace(" ", "")
    return None if value is None else (1, str(value))


def bound(text: str, start: int, end: int, operator: str) -> str:
    """How the number at text[start:end] is meant, `operator` being what stands directly before it (">=", "")."""
    if operator:
        return AT_MOST if operator.startswith("<") else AT_LEAST if operator[0] in ">^+" else EXACT
    before, after = text[max(0, start - NEAR_CHARS) : start], text[end : end + NEAR_CHARS]
    before = before if _JOINED.search(before) else ""
    if not says(before, "words.bounds.least_before", "words.bounds.most_before"):
        # "Nothing below Python 3.12": the word before the number is the product's name.
        before = _PRODUCT_BETWEEN.sub(r"\1", before)
    if says(before, "words.bounds.no_more"):
        return AT_MOST
    if says(before, "words.bounds.no_less", "words.bounds.least_before") or _follows(after, "words.bounds.least_after"):
        return AT_LEAST
    most = says(before, "words.bounds.most_before") or _follows(after, "words.bounds.most_after")
    return AT_MOST if most else EXACT


def _follows(after: str, bounds: str) -> bool:
    """Whether a bound stands behind a number, a few words on."""
    for _ in range(BETWEEN_WORDS + 1):
        if opens(after.lstrip(), bounds) or (after.lstrip().startswith("+") and bounds.endswith("least_after")):
            return True
        after = _FIRST.sub("", after)
    return False
