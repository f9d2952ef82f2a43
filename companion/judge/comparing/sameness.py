"""Whether two statements speak of one thing: how much of what they are about both have, and what each has instead.

A contradiction is one difference: a denial, a value or a number, said of one thing under one condition. Where a second
thing differs in the same place of both sentences - who, what, where, when - the two may well be of two things: "guests
may not", "members may". In sentences that are otherwise one, they are; in others a word may be another name for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from companion.judge.comparing.compare import Comparison
from companion.judge.comparing.measuring import VAGUE
from companion.language.amounts import UNITS
from companion.language.claims import Claim
from companion.language.lexicon import TURN, lexicon, stem
from companion.language.versions import beside

_WORD = re.compile(r"[a-z][a-z+#]*")


def sameness(c: Comparison) -> float:
    """Share of what the shorter statement is about that the other speaks of too, 0 to 1.

    What the two say of it is left out: the values and numbers that differ, what sort of value they are, units, and
    words that take a stand. A subject that both were told to be about counts as a word of both.
    """
    if _of_one_version(c):
        return 1.0
    values = _values(c)
    sorts = _sorts(c)
    shared = c.told + sum(word in c.denied or not (word in sorts or word in UNITS) for word in c.shared)
    left = (claim.signs.keys() - c.shared for claim in (c.a, c.b))
    alone = min(sum(not (word in values | sorts or _says(word)) for word in words) for words in left)
    return shared / (shared + alone) if shared else 0.0


def of_two_things(c: Comparison) -> bool:
    """Whether the two are one sentence but for what is denied or counted, and one thing that each calls otherwise.

    A number and a value that both differ are two things as well: "at ten on Mondays", "at nine on Thursdays".
    """
    if c.numbers.opposed and c.values_opposed:
        return True
    if _of_one_version(c):
        return False
    if len(c.a.clauses) != len(c.b.clauses) or _of_all(c.a) or _of_all(c.b):
        return False
    a, b = (tuple(_told(c, claim)) for claim in (c.a, c.b))
    steps = [step for step in SequenceMatcher(None, a, b, autojunk=False).get_opcodes() if step[0] != "equal"]
    if len(steps) != 1:
        return False
    _, start, end, first, last = steps[0]
    one, two = a[start:end], b[first:last]
    return min(len(one), len(two)) == 1 and not (_named(one, c.b) or _named(two, c.a))


def _of_one_version(c: Comparison) -> bool:
    """Whether both speak of nothing but versions of one thing: "the minimum Go version is", "Go .. is required"."""
    products = [{one.about for one in claim.quantities if one.dimension == "version"} for claim in (c.a, c.b)]
    shared = products[0] & products[1] - VAGUE - {""}
    return c.numbers.versions and any(
        not beside(frozenset(c.a.signs), product) and not beside(frozenset(c.b.signs), product) for product in shared
    )


def _named(words: Sequence[str], other: Claim) -> bool:
    """Whether the other claim speaks of one of these too, or of a part of a path."""
    return any(part in other.signs for word in words for part in (word, *map(stem, word.split("/"))))


def _of_all(claim: Claim) -> bool:
    """Whether it speaks of all there are, what the other speaks of perhaps among them, or of one alone."""
    known = lexicon()
    words = [stem(word) for word in _WORD.findall(claim.text.lower())]
    return claim.only or any(words[at] not in known.denials for at, _, _ in known.lists["every"].found(words))


def _told(c: Comparison, claim: Claim) -> Iterator[str]:
    """What a claim speaks of, in its order: neither words that take a stand nor the values that the two differ in."""
    known = lexicon()
    passed = known.silent | UNITS.keys() | (set() if c.denied else _values(c))
    for clause in claim.clauses:
        words = [word.removeprefix(TURN) for word in clause.words]
        things = {at for at, _, _ in known.apart.found(words)}
        stands = {
            at
            for place, length, pole in known.poles.found(words)
            for at in range(place, place + length)
            if not pole.meaning or pole.meaning in c.poles_opposed
        }
        for at, word in enumerate(words):
            if at not in stands - things and word not in passed and not (word[0].isdigit() and c.numbers.opposed):
                yield word


def _values(c: Comparison) -> set[str]:
    given = (*c.values_opposed, *c.numbers.opposed, *c.ends_opposed, *c.refused)
    return {stem(word) for one in given for word in _WORD.findall(f"{one.a} {one.b}".lower())}


def _says(word: str) -> bool:
    return word in UNITS or lexicon().poles.at((word,), 0) is not None


def _sorts(c: Comparison) -> set[str]:
    """What sort of value the two differ in: "weekday" of Monday and Tuesday."""
    fillers = [filler for claim in (c.a, c.b) for clause in claim.clauses for filler in clause.fillers]
    slots = {slot for slot in c.a.fillers.keys() & c.b.fillers.keys() if not c.a.fillers[slot] & c.b.fillers[slot]}
    return {kind for filler in fillers if filler.slot in slots for kind in filler.kinds}
