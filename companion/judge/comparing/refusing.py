"""Versions that one statement refuses beside those that the other asks for, as ranges."""

from __future__ import annotations

import math

from companion.judge.comparing.measuring import VAGUE, Difference, thing
from companion.language.bounds import EXACT
from companion.language.claims import Claim
from companion.language.quantities import Quantity
from companion.language.refusals import Refusal, refused


def asked_and_refused(a: Claim, b: Claim) -> tuple[Difference, ...]:
    """Versions that the first refuses for good and the second asks for."""
    return tuple(
        Difference(f"not {refusal.figure}", asked[0].quote.strip())
        for refusal in a.refusals
        if refusal.firm and (asked := _asked(b, refusal)) and _meets(refusal, asked)
    )


def parts_with(a: Claim, b: Claim, denied: frozenset[str]) -> bool:
    """Whether all that the first denies is of versions that the second does not ask for, or does not speak of."""
    told = [one for one in a.refusals if one.whole]
    words = frozenset(word for one in told for word in one.words)
    return bool(told) and denied <= words and not any(one.firm and _meets(one, _asked(b, one)) for one in told)


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
