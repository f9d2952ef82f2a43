"""Two facts about one slot, compared by their values alone: no sentence has to be read."""

from __future__ import annotations

import re

from companion.judge.comparing.scopes import Lie, lie, times_apart
from companion.language.quantities import disjoint, equal, quantities
from companion.records import Statement

Told = tuple[bool, float, str]

WAYS = "_command"
"""How attributes end of which there can be several."""
SURE, FAIRLY = 0.95, 0.8
"""Confidence where values or numbers are compared as they stand, and where one value may refine the other."""


def slot_ruling(a: Statement, b: Statement) -> Told | None:
    """What follows from subject, attribute and value; None unless both statements give the same slot a value."""
    if not (a.attribute and a.value and b.value) or (a.subject, a.attribute) != (b.subject, b.attribute):
        return None
    slot = f"{a.subject} {a.attribute.replace('_', ' ')}".strip()
    if lie(a, b) is Lie.APART:
        return False, SURE, f"{slot} is given for different places"
    if times_apart(a, b):
        return False, SURE, f"{slot} is given for different times"
    return _two_ways(a, b, slot) or _by_value(a, b, slot)


def _two_ways(a: Statement, b: Statement, slot: str) -> Told | None:
    """Two commands for one purpose: a project's tests may be run in several ways."""
    if not a.attribute.endswith(WAYS) or _plain(a.value) == _plain(b.value):
        return None
    return False, FAIRLY, f"{slot}: “{a.value}” and “{b.value}” are two ways, and both may do"


def _by_value(a: Statement, b: Statement, slot: str) -> Told:
    one, two = _plain(a.value), _plain(b.value)
    if one == two:
        return False, SURE, f"both give {slot} as “{a.value}”"
    numbered = _numbers(a.value, b.value)
    if numbered is not None:
        verb = "two values" if numbered else "values that agree"
        return numbered, SURE, f"{slot} has {verb}: “{a.value}” and “{b.value}”"
    if _within(one, two) or _within(two, one):
        return False, FAIRLY, f"of {slot}, “{a.value}” and “{b.value}”, one says more than the other"
    if lie(a, b) is not Lie.SAME:
        return False, FAIRLY, f"{slot} is “{a.value}” in one place and “{b.value}” in a narrower one"
    return True, FAIRLY, f"{slot} has two values: “{a.value}” and “{b.value}”"


def _plain(value: str) -> str:
    return re.sub(r"\s+", " ", value.strip().strip("`'\".").lower())


def _numbers(a: str, b: str) -> bool | None:
    """Whether the numbers of two values contradict; None unless each is one number and little else."""
    of_a, of_b = quantities(a), quantities(b)
    if len(of_a) != 1 or len(of_b) != 1 or of_a[0].dimension != of_b[0].dimension:
        return _versions(a, b)
    if equal(of_a[0], of_b[0]) and of_a[0].bound == of_b[0].bound:
        return False
    return disjoint(of_a[0], of_b[0]) or of_a[0].bound == of_b[0].bound


_BARE = re.compile(
    r"\s*+(?:(?:[<>=~^!]=?|==)\s*+)?v?\d++(?:\.[\dx*]++)*+\s*+(?:(?:\+|or newer|or later|and newer|and up)\s*+)?"
)


def _versions(a: str, b: str) -> bool | None:
    if not (_BARE.fullmatch(a) and _BARE.fullmatch(b)):
        return None
    one, two = quantities(f"version {a}"), quantities(f"version {b}")
    if len(one) != 1 or len(two) != 1:
        return None
    return disjoint(one[0], two[0]) or (one[0].bound == two[0].bound and not equal(one[0], two[0]))


def _within(a: str, b: str) -> bool:
    words_a, words_b = set(re.findall(r"\w+", a)), set(re.findall(r"\w+", b))
    return bool(words_a) and words_a <= words_b
