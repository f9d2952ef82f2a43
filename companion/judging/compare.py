"""Two claims laid side by side: what agrees, what differs, and what only seems to."""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.judging.bounds import EXACT
from companion.judging.claims import Claim, claim
from companion.judging.frames import clash
from companion.judging.lexicon import lexicon, stem
from companion.judging.quantities import Quantity, disjoint, equal
from companion.judging.scopes import Lie, lie, times_apart
from companion.records import Statement

SAME_SLOT = 0.2
"""Share of the words around two numbers that must be common for them to be numbers of one thing."""
MOST = 0.7
"""The same where the noun that is counted stands on one side only."""
_MEASURES = frozenset(
    stem(word)
    for word in (
        "timeout",
        "retry",
        "expire",
        "keep",
        "coverage",
        "approval",
        "latency",
        "port",
        "batch",
        "epoch",
        "rate",
    )
)
"""What numbers measure; two of these are two slots."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs, in words of the two statements."""

    a: str
    b: str


@dataclass(frozen=True)
class Comparison:
    """What a judge weighs. Every list quotes the two statements; a number is a share from 0 to 1."""

    lie: Lie
    times_apart: bool
    things_apart: tuple[str, ...]
    shared: frozenset[str]
    overlap: float
    jaccard: float
    left_a: frozenset[str]
    left_b: frozenset[str]
    opposed: frozenset[str]
    agreed: frozenset[str]
    poles_opposed: frozenset[str]
    poles_agreed: frozenset[str]
    values_opposed: tuple[Difference, ...]
    values_agreed: frozenset[str]
    refused: tuple[Difference, ...]
    numbers_opposed: tuple[Difference, ...]
    numbers_agreed: tuple[Difference, ...]
    numbers_apart: bool
    head_shared: bool
    names_shared: frozenset[str]
    names_a: frozenset[str]
    names_b: frozenset[str]
    places_opposed: tuple[Difference, ...]
    denied: frozenset[str]
    ends_opposed: tuple[Difference, ...]
    told_apart: frozenset[str]
    other_heads: bool
    turned_agreed: frozenset[str]
    a: Claim
    b: Claim


def compare(a: Statement, b: Statement) -> Comparison:
    """Lay two statements side by side."""
    one, two = claim(a.text), claim(b.text)
    words_a, words_b = set(one.signs), set(two.signs)
    shared = words_a & words_b
    opposed = {word for word in shared if not one.signs[word] & two.signs[word]}
    poles = set(one.poles) & set(two.poles)
    poles_opposed = {pole for pole in poles if not one.poles[pole] & two.poles[pole]}
    numbers = _numbers(one, two)
    return Comparison(
        lie=lie(a, b),
        times_apart=times_apart(a, b),
        things_apart=_things_apart(one, two),
        shared=frozenset(shared),
        overlap=len(shared) / max(1, min(len(words_a), len(words_b))),
        jaccard=len(shared) / max(1, len(words_a | words_b)),
        left_a=frozenset(words_a - shared),
        left_b=frozenset(words_b - shared),
        opposed=frozenset(opposed),
        agreed=frozenset(shared - opposed),
        poles_opposed=frozenset(poles_opposed),
        poles_agreed=frozenset(poles - poles_opposed),
        values_opposed=_values(one, two),
        values_agreed=frozenset(
            value for slot in one.fillers.keys() & two.fillers.keys() for value in one.fillers[slot] & two.fillers[slot]
        ),
        refused=_refused(one, two) + _refused(two, one, turned=True),
        numbers_opposed=numbers[0],
        numbers_agreed=numbers[1],
        numbers_apart=numbers[2],
        head_shared=bool(one.head & set(two.signs)) or bool(two.head & set(one.signs)),
        names_shared=one.names & two.names,
        names_a=one.names - two.names,
        names_b=two.names - one.names,
        places_opposed=_places(one, two),
        ends_opposed=_ends(one, two),
        told_apart=_told_apart(one, two),
        other_heads=bool(one.head and two.head) and not one.head & words_b and not two.head & words_a,
        turned_agreed=frozenset((shared - opposed) & (_turned(one) ^ _turned(two))),
        denied=frozenset(opposed & (one.target | two.target)),
        a=one,
        b=two,
    )


def _things_apart(a: Claim, b: Claim) -> tuple[str, ...]:
    kinds = [kind for kind in a.apart.keys() & b.apart.keys() if not a.apart[kind] & b.apart[kind]]
    found = [f"{', '.join(sorted(a.apart[kind]))} - {', '.join(sorted(b.apart[kind]))}" for kind in kinds]
    return tuple(sorted(found))


def _values(a: Claim, b: Claim) -> tuple[Difference, ...]:
    return tuple(
        Difference(", ".join(sorted(a.fillers[slot])), ", ".join(sorted(b.fillers[slot])))
        for slot in sorted(a.fillers.keys() & b.fillers.keys())
        if not a.fillers[slot] & b.fillers[slot]
    )


def _ends(a: Claim, b: Claim) -> tuple[Difference, ...]:
    """Two ends of one relation of one thing; a value known by another name is the same end."""
    found = clash(
        [frame for clause in a.clauses for frame in clause.frames],
        [frame for clause in b.clauses for frame in clause.frames],
    )
    return tuple(Difference(" ".join(sorted(one)), " ".join(sorted(two))) for one, two in found)


def _turned(claim: Claim) -> frozenset[str]:
    return frozenset(word for clause in claim.clauses for word in clause.turned)


def _told_apart(a: Claim, b: Claim) -> frozenset[str]:
    """Shared nouns that another word stands before on each side: "access token" and "refresh token"."""
    found = set()
    before_a, before_b = _modifiers(a), _modifiers(b)
    for word in before_a.keys() & before_b.keys():
        one, two = before_a[word] - set(b.signs), before_b[word] - set(a.signs)
        if one and two and one == before_a[word] and two == before_b[word]:
            found.add(word)
    return frozenset(found)


def _modifiers(claim: Claim) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for clause in claim.clauses:
        for word, before in clause.modifiers.items():
            found[word] = found.get(word, frozenset()) | before
    return found


def _places(a: Claim, b: Claim) -> tuple[Difference, ...]:
    if not a.places or not b.places or any(_meets(one, two) for one in a.places for two in b.places):
        return ()
    return (Difference(", ".join(sorted(a.places)), ", ".join(sorted(b.places))),)


def _meets(a: str, b: str) -> bool:
    return a == b or a.startswith(b + "/") or b.startswith(a + "/") or a.endswith("/" + b) or b.endswith("/" + a)


def _refused(a: Claim, b: Claim, *, turned: bool = False) -> tuple[Difference, ...]:
    """What the first refuses and the second says."""
    found: list[Difference] = []
    for slot in sorted(a.refused.keys() & b.fillers.keys()):
        both = sorted((a.refused[slot] - a.fillers.get(slot, frozenset())) & b.fillers[slot])
        found += [Difference(one, f"not {one}") if turned else Difference(f"not {one}", one) for one in both]
    return tuple(found)


def _numbers(a: Claim, b: Claim) -> tuple[tuple[Difference, ...], tuple[Difference, ...], bool]:
    against: list[Difference] = []
    both = [(one, two) for one in a.quantities for two in b.quantities if _comparable(one, two)]
    same = [(one, two) for one, two in both if equal(one, two)]
    agreed = [Difference(one.quote.strip(), two.quote.strip()) for one, two in same]
    matched = {id(quantity) for pair in same for quantity in pair}
    for one, two in both:
        if id(one) in matched or id(two) in matched:
            continue
        if _same_slot(a, one, b, two) and _differ(a, one, b, two):
            against.append(Difference(one.quote.strip(), two.quote.strip()))
    comparable = bool(both)
    return tuple(against), tuple(agreed), bool(a.quantities) and bool(b.quantities) and not comparable


_SETTINGS = frozenset(stem(word) for word in ("timeout", "retry", "keep", "expire"))
"""Measures that are set to one number: "three retries" and "up to eight retries" are two settings."""


def _differ(a: Claim, one: Quantity, b: Claim, two: Quantity) -> bool:
    if _around(a, one) & _around(b, two) & _SETTINGS:
        return True
    if disjoint(one, two) or (one.bound == two.bound and one.bound != EXACT):
        return True
    # "Only 1.3" leaves no room for the rest of "1.2 and up".
    return (a.only and one.bound == EXACT != two.bound) or (b.only and two.bound == EXACT != one.bound)


def _comparable(a: Quantity, b: Quantity) -> bool:
    if a.dimension != b.dimension:
        return {a.dimension, b.dimension} == {"every", "seconds"} and equal(a, b)
    if a.dimension == "version":
        return not a.about or not b.about or _thing(a.about) == _thing(b.about) or {a.about, b.about} & _VAGUE != set()
    if a.dimension == "count":
        nouns_a, nouns_b = _nouns(a), _nouns(b)
        return not nouns_a or not nouns_b or bool(nouns_a & nouns_b)
    return True


_VAGUE = frozenset(
    ("version", "language", "interpreter", "minimum", "runtime", "compiler", "browser", "toolchain", "msrv", "level")
)


def _thing(word: str) -> str:
    stems = (stem(word.lower()),)
    match = lexicon().same.at(stems, 0)
    return str(match[1]) if match else stems[0]


def _nouns(quantity: Quantity) -> set[str]:
    words = re.findall(r"[a-z]\w+", quantity.about)
    return {_thing(word) for word in words if word not in lexicon().silent and word not in _UNCOUNTED}


_UNCOUNTED = frozenset(("time", "times", "means", "at", "items", "item"))


def _same_slot(a: Claim, one: Quantity, b: Claim, two: Quantity) -> bool:
    """Whether two comparable numbers are of one thing, by the words around them."""
    if one.dimension == "version":
        return True
    around_a, around_b = _around(a, one), _around(b, two)
    measured_a, measured_b = around_a & _MEASURES, around_b & _MEASURES
    if measured_a and measured_b and not measured_a & measured_b:
        return False
    common = around_a & around_b
    if one.dimension == "count" and not (_nouns(one) <= around_b or _nouns(two) <= around_a):
        # "9000" and "9 workers": of one noun nothing is known on the other side, so most of the rest must agree.
        return len(common) > MOST * min(len(around_a), len(around_b))
    return len(common) / max(1, min(len(around_a), len(around_b))) >= SAME_SLOT


def _around(claim: Claim, quantity: Quantity) -> set[str]:
    """The words of the clause that a number stands in."""
    for clause in claim.clauses:
        if quantity.quote.strip() and quantity.quote.strip() in clause.text:
            return set(clause.stems) or set(claim.signs)
    return set(claim.signs)
