"""Which two sentences may be the same in other words at all, before anybody reads them together.

Most of what is nearly the same and is not differs by words put in one another's place: "reads are cached", "writes
are cached". So two sentences are laid before a reader only if they are built differently, speak of the same numbers,
names and times, and no rule sees anything that turns one against the other.
"""

from __future__ import annotations

from collections import Counter

from companion.judging.compare import Comparison, compare
from companion.judging.terms import Reading, read
from companion.records import Statement

SHARED_TERMS = 2
"""Terms that both must have: with fewer, a likeness of tone is all there is."""


def rewordable(a: str, b: str) -> bool:
    """Whether nothing that can be counted keeps the two sentences apart."""
    one, other = read(a), read(b)
    if one.sentences > 1 or other.sentences > 1 or one.time != other.time:
        return False
    return _built_differently(one, other) and _in_harmony(compare(Statement(a), Statement(b)))


def _built_differently(one: Reading, other: Reading) -> bool:
    """Whether enough is shared, no number is left over, and no word merely stands in another's place."""
    mine, theirs = (Counter(term.meaning for term in reading.terms) for reading in (one, other))
    lost, won = mine - theirs, theirs - mine
    counted = any(letter.isdigit() for meaning in (*lost, *won) for letter in meaning)
    return not counted and len(mine & theirs) >= SHARED_TERMS and lost.total() != won.total()


def _in_harmony(c: Comparison) -> bool:
    """Whether the rules see neither a denial, nor another name, value, number, bound or time."""
    apart = c.opposed or c.poles_opposed or c.values_opposed or c.numbers.opposed or c.names_a or c.names_b
    alike = all(getattr(c.a, mark) == getattr(c.b, mark) for mark in ("only", "several", "plan", "past"))
    return alike and not apart
