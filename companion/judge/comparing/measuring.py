"""The numbers of two claims: which are of one thing, which of those differ or agree, which versions are refused."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from companion.language.amounts import EXACT
from companion.language.claims import Claim
from companion.language.lexicon import lexicon, stem
from companion.language.phrases import says
from companion.language.quantities import Quantity, as_rate, disjoint, equal
from companion.language.versions import Refusal, refused
from companion.language.word_lists import word_set

SAME_SLOT = 0.2
"""Share of the words around two numbers that must be common for them to be numbers of one thing."""
MOST = 0.7
"""The same where the noun that is counted stands on one side only."""
FEW = 2
"""A clause of no more words than this says nothing of what its number is of; the whole statement is looked at."""


class Difference(Struct, frozen=True):
    """One thing that differs, in words of the two statements."""

    a: str
    b: str


class Numbers(Struct, frozen=True):
    """What was found: `versions` says that versions differ."""

    opposed: tuple[Difference, ...]
    agreed: tuple[Difference, ...]
    versions: bool


def numbers(a: Claim, b: Claim) -> Numbers:
    """The numbers of two claims laid side by side."""
    against: list[Difference] = []
    versions = False
    both = [_aligned(one, two) for one, two in _alike(a, b) if _comparable(one, two)]
    same = [(one, two) for one, two in both if equal(one, two)]
    agreed = [Difference(one.quote.strip(), two.quote.strip()) for one, two in same]
    matched = {(side, pair[side].place) for pair in same for side in (0, 1)}
    # Two versions that are turned down are no two values.
    matched |= {(0, one.place) for one in a.quantities if refused(a.refusals, one.quote)}
    for one, two in both:
        if (0, one.place) in matched or (1, two.place) in matched:
            continue
        if _same_slot(a, one, b, two) and _differ(a, one, b, two):
            against.append(Difference(one.quote.strip(), two.quote.strip()))
            versions |= one.dimension == "version"
    return Numbers(tuple(against), tuple(agreed), versions)


def _alike(a: Claim, b: Claim) -> Iterator[tuple[Quantity, Quantity]]:
    """Every number of one beside every number of the other: versions that are refused beside such alone."""
    for one in a.quantities:
        for two in b.quantities:
            if refused(a.refusals, one.quote) == refused(b.refusals, two.quote):
                yield one, two


@cache
def _measures(name: str) -> frozenset[str]:
    return frozenset(map(thing, word_set("measures", name)))


def _differ(a: Claim, one: Quantity, b: Claim, two: Quantity) -> bool:
    if one.dimension == "count" and _around(a, one) & _around(b, two) & _measures("set"):
        return True
    if disjoint(one, two):
        return True
    if one.bound == two.bound != EXACT:
        # What is merely wished for may be narrower than what is enforced.
        return says(a.text, "measures.wished") == says(b.text, "measures.wished")
    # "Only 1.3" leaves no room for the rest of "1.2 and up".
    return (a.only and one.bound == EXACT != two.bound) or (b.only and two.bound == EXACT != one.bound)


def _aligned(one: Quantity, two: Quantity) -> tuple[Quantity, Quantity]:
    """Both as rates where one is told as a rate and the other as a period."""
    if {one.dimension, two.dimension} == {"every", "rate"}:
        return as_rate(one), as_rate(two)
    return one, two


def _comparable(a: Quantity, b: Quantity) -> bool:
    if {a.dimension, b.dimension} == {"every", "rate"}:
        return True
    if a.dimension != b.dimension:
        return {a.dimension, b.dimension} == {"every", "seconds"} and equal(a, b)
    if a.dimension == "clock":
        return a.about == b.about
    if a.dimension == "version":
        return not a.about or not b.about or thing(a.about) == thing(b.about) or {a.about, b.about} & VAGUE != set()
    if a.dimension == "count":
        nouns_a, nouns_b = _nouns(a), _nouns(b)
        if nouns_a and nouns_b:
            return bool(nouns_a & nouns_b)
        # What is counted is a whole number.
        return not (nouns_a or nouns_b) or float(a.value).is_integer() is float(b.value).is_integer()
    return True


VAGUE = word_set("measures", "vague")
"""What a version may be said to be of where no product is named."""


def thing(word: str) -> str:
    """The stem that stands for a word and all that mean the same."""
    stems = (stem(word.lower()),)
    match = lexicon().same.at(stems, 0)
    return str(match[1]) if match else stems[0]


def _nouns(quantity: Quantity) -> set[str]:
    words = re.findall(r"[a-z]\w+", quantity.about)
    return {
        thing(word) for word in words if word not in lexicon().silent and word not in word_set("measures", "uncounted")
    }


def _same_slot(a: Claim, one: Quantity, b: Claim, two: Quantity) -> bool:
    """Whether two comparable numbers are of one thing, by the words around them."""
    if one.dimension == "version":
        return True
    around_a, around_b = _around(a, one), _around(b, two)
    measures = _measures("measured")
    measured_a, measured_b = around_a & measures, around_b & measures
    if measured_a and measured_b and not measured_a & measured_b:
        return False
    common = around_a & around_b
    counted = [(nouns, around) for nouns, around in ((_nouns(one), around_b), (_nouns(two), around_a)) if nouns]
    if one.dimension == "count" and counted and not any(nouns <= around for nouns, around in counted):
        # "9000" and "9 workers": of one noun nothing is known on the other side, so most of the rest must agree.
        return len(common) > MOST * min(len(around_a), len(around_b))
    return len(common) / max(1, min(len(around_a), len(around_b))) >= SAME_SLOT


def _around(claim: Claim, quantity: Quantity) -> set[str]:
    """The words of the clause that a number stands in."""
    for clause in claim.clauses:
        if quantity.quote.strip() and quantity.quote.strip() in clause.text:
            return set(clause.stems) if len(clause.stems) > FEW else set(claim.signs)
    return set(claim.signs)


def asked_and_refused(a: Claim, b: Claim) -> tuple[Difference, ...]:
    """Versions that the first refuses for good and the second asks for."""
    return tuple(
        Difference(f"not {refusal.figure}", asked[0].quote.strip())
        for refusal in a.refusals
        if refusal.firm and (asked := _asked(b, refusal)) and _meets(refusal, asked)
    )


def _asked(claim: Claim, refusal: Refusal) -> list[Quantity]:
    """The versions of the same product that a claim speaks of without refusing them."""
    return [
        one
        for one in claim.quantities
        if one.dimension == "version"
        and _one_product(one.about, refusal.product)
        and not refused(claim.refusals, one.quote)
    ]


def _one_product(one: str, other: str) -> bool:
    return not one or not other or one in VAGUE or thing(one) == thing(other)


def _meets(refusal: Refusal, asked: list[Quantity]) -> bool:
    """Whether any version is refused and asked for; bounds hold together, single versions each."""
    if any(one.bound == EXACT and _cross(refusal, one.low, one.high) for one in asked):
        return True
    bounds = [one for one in asked if one.bound != EXACT]
    low, high = max((one.low for one in bounds), default=math.inf), min((one.high for one in bounds), default=-math.inf)
    return bool(bounds) and _cross(refusal, low, high)


def _cross(refusal: Refusal, low: float, high: float) -> bool:
    return max(refusal.low, low) < min(refusal.high, high)
