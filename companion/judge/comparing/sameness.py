"""How much of what the shorter of two statements is about the other speaks of too."""

from __future__ import annotations

import re

from companion.judge.comparing.compare import Comparison
from companion.language.amounts import UNITS
from companion.language.lexicon import lexicon, stem

_WORD = re.compile(r"[a-z][a-z+#]*")


def sameness(c: Comparison) -> float:
    """Share of what the shorter statement is about that the other speaks of too, 0 to 1.

    What the two say of it is left out: the values and numbers that differ, what sort of value they are, units, and
    words that take a stand. A subject that both were told to be about counts as a word of both.
    """
    given = (*c.values_opposed, *c.numbers.opposed, *c.ends_opposed, *c.places_opposed, *c.refused)
    values = {stem(word) for one in given for word in _WORD.findall(f"{one.a} {one.b}".lower())}
    sorts = _sorts(c)
    shared = c.told + sum(word in c.denied or not (word in sorts or word in UNITS) for word in c.shared)
    left = (claim.signs.keys() - c.shared for claim in (c.a, c.b))
    alone = min(sum(not (word in values | sorts or _says(word)) for word in words) for words in left)
    return shared / (shared + alone) if shared else 0.0


def _says(word: str) -> bool:
    return word in UNITS or lexicon().poles.at((word,), 0) is not None


def _sorts(c: Comparison) -> set[str]:
    """What sort of value the two differ in: "weekday" of Monday and Tuesday."""
    fillers = [filler for claim in (c.a, c.b) for clause in claim.clauses for filler in clause.fillers]
    slots = {slot for slot in c.a.fillers.keys() & c.b.fillers.keys() if not c.a.fillers[slot] & c.b.fillers[slot]}
    return {kind for filler in fillers if filler.slot in slots for kind in filler.kinds}
