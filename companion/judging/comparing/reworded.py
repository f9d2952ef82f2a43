"""Which two sentences may be the same in other words at all, before anybody reads them together.

Most of what is nearly the same and is not differs by words put in one another's place: "reads are cached", "writes
are cached". So two sentences are laid before a reader only if they are built differently, speak of the same numbers,
names and times, and no rule sees anything that turns one against the other.
"""

from __future__ import annotations

import re
from collections import Counter

from companion.judging.comparing.compare import Comparison, compare
from companion.judging.reading.claims import Claim
from companion.judging.reading.terms import Reading, read
from companion.records import Statement

SHARED_TERMS = 2
"""Terms that both must have: with fewer, a likeness of tone is all there is."""
_LABEL = re.compile(r"^([^.:;!?`]{2,60}): (?=\S)")
"""What is said of something after its name: "Memory limit: 64 MiB"."""


def rewordable(a: str, b: str) -> bool:
    """Whether nothing that can be counted keeps the two sentences apart."""
    one, other = (read(_LABEL.sub(r"\1 is ", text)) for text in (a, b))
    if one.sentences > 1 or other.sentences > 1 or one.time != other.time:
        return False
    return _built_differently(one, other) and _in_harmony(compare(Statement(a), Statement(b)))


def _built_differently(one: Reading, other: Reading) -> bool:
    """Whether enough is shared, and no word merely stands in another's place."""
    mine, theirs = (Counter(term.meaning for term in reading.terms) for reading in (one, other))
    return len(mine & theirs) >= SHARED_TERMS and (mine - theirs).total() != (theirs - mine).total()


def _in_harmony(c: Comparison) -> bool:
    """Whether the rules see neither a denial, nor another name, value, number, bound, order or time."""
    apart = c.opposed or c.poles_opposed or c.values_opposed or c.numbers.opposed or c.order_opposed
    alike = all(getattr(c.a, mark) == getattr(c.b, mark) for mark in ("only", "several", "plan", "past"))
    return alike and not apart and _counted(c.a) == _counted(c.b) and _named(c)


def _named(c: Comparison) -> bool:
    """Whether each name of one stands in the other, if in other letters: "Vault" begins a sentence, "vault" ends it."""
    texts = c.a.text.lower(), c.b.text.lower()
    return all(name in texts[1] for name in c.names_a) and all(name in texts[0] for name in c.names_b)


def _counted(claim: Claim) -> Counter[object]:
    """Every amount in one unit, with its bound, and the figures that are part of something else."""
    text = claim.text.replace("`", " ").replace('"', " ")
    for one in claim.quantities:
        text = text.replace(one.quote.strip(), " ", 1)
    amounts = ((one.dimension, one.low, one.high) for one in claim.quantities)
    return Counter((*amounts, *re.findall(r"\d+", text)))
