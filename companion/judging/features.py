"""A comparison as a row of numbers, one a question that a person would ask; weighed by hand or by fitted weights."""

from __future__ import annotations

from collections.abc import Callable

from companion.judging.compare import Comparison
from companion.judging.scopes import Lie

SOME = 2
"""More findings of one sort than this say no more."""


def _part(count: int) -> float:
    return min(count, SOME) / SOME


def _opposed(c: Comparison) -> float:
    return len(c.opposed) / max(1, len(c.shared))


def _opposed_head(c: Comparison) -> float:
    return float(bool(c.opposed & (c.a.head | c.b.head)))


def _fewer_only_poles(c: Comparison) -> float:
    return float(bool(c.poles_opposed) and not c.poles_agreed)


def _conditioned(c: Comparison) -> float:
    one, two = (any(clause.conditional for clause in claim.clauses) for claim in (c.a, c.b))
    return float(one != two)


def _names_clash(c: Comparison) -> float:
    return float(bool(c.names_a) and bool(c.names_b) and not c.names_shared)


def _no_sign(c: Comparison) -> float:
    """Nothing at all differs in sign, value or number."""
    return float(
        not (c.opposed or c.poles_opposed or c.values_opposed or c.refused or c.numbers.opposed or c.places_opposed)
    )


def _nested(c: Comparison) -> float:
    return float(c.lie in (Lie.FIRST_WIDER, Lie.SECOND_WIDER))


def wider_says_all(c: Comparison) -> bool:
    """Whether the statement with the wider place is said of every one."""
    return any(claim.every or claim.only for claim in c.wider)


def narrower_permits(c: Comparison) -> bool:
    """Whether the statement with the narrower place merely allows, or names an exception."""
    return any(claim.permits or claim.excepts for claim in c.narrower)


def wider_permits(c: Comparison) -> bool:
    """Whether the statement with the wider place merely allows, and not of every one."""
    return any(claim.permits and not claim.every for claim in c.wider)


FEATURES: dict[str, Callable[[Comparison], float]] = {
    "opposed words": _opposed,
    "opposed head": _opposed_head,
    "denied": lambda c: float(bool(c.denied)),
    "denied of target": lambda c: len(c.denied) / max(1, len(c.a.target | c.b.target)),
    "opposed places": lambda c: float(bool(c.places_opposed)),
    "opposed places of one head": lambda c: float(bool(c.places_opposed) and c.head_shared),
    "opposed ends": lambda c: float(bool(c.ends_opposed)),
    "opposed ends of several": lambda c: float(bool(c.ends_opposed) and (c.a.several or c.b.several)),
    "told apart": lambda c: float(bool(c.told_apart)),
    "told apart, denied": lambda c: float(bool(c.told_apart) and bool(c.denied)),
    "told apart, numbers": lambda c: float(bool(c.told_apart) and bool(c.numbers.opposed)),
    "other heads, opposed": lambda c: float(c.other_heads and bool(c.opposed or c.numbers.opposed)),
    "turned, agreed": lambda c: float(bool(c.turned_agreed)),
    "condition": _conditioned,
    "condition, opposed": lambda c: _conditioned(c) * float(bool(c.opposed)),
    "agreed words": lambda c: len(c.agreed) / max(1, len(c.shared)),
    "opposed meanings": lambda c: _part(len(c.poles_opposed)),
    "only opposed meanings": _fewer_only_poles,
    "agreed meanings": lambda c: _part(len(c.poles_agreed)),
    "opposed values": lambda c: _part(len(c.values_opposed)),
    "opposed values of several": lambda c: float(bool(c.values_opposed) and (c.a.several or c.b.several)),
    "opposed values of one head": lambda c: float(bool(c.values_opposed) and c.head_shared),
    "agreed values": lambda c: _part(len(c.values_agreed)),
    "refused values": lambda c: _part(len(c.refused)),
    "opposed numbers": lambda c: _part(len(c.numbers.opposed)),
    "opposed numbers of one thing": lambda c: float(bool(c.numbers.opposed)) * c.overlap,
    "agreed numbers": lambda c: _part(len(c.numbers.agreed)),
    "other numbers": lambda c: float(c.numbers.apart),
    "shared of the shorter": lambda c: c.overlap,
    "shared of both": lambda c: c.jaccard,
    "one within the other": lambda c: float(not c.left_a or not c.left_b),
    "same head": lambda c: float(c.head_shared),
    "other names": _names_clash,
    "same names": lambda c: float(bool(c.names_shared)),
    "several hold": lambda c: float(c.a.several or c.b.several),
    "only one holds": lambda c: float(c.a.only or c.b.only),
    "only one, other names": lambda c: float((c.a.only or c.b.only) and c.head_shared) * _names_clash(c),
    "all of them": lambda c: float(c.a.every or c.b.every),
    "one permits": lambda c: float(c.a.permits != c.b.permits),
    "one excepts": lambda c: float(c.a.excepts or c.b.excepts),
    "things apart": lambda c: float(bool(c.things_apart)),
    "a plan": lambda c: float(c.a.plan != c.b.plan),
    "the past": lambda c: float(c.a.past != c.b.past),
    "nested places": _nested,
    "nested, all": lambda c: _nested(c) * float(wider_says_all(c)),
    "nested, permitted": lambda c: _nested(c) * float(narrower_permits(c)),
    "crossing places": lambda c: float(c.lie is Lie.CROSSING),
    "crossing places, all": lambda c: float(c.lie is Lie.CROSSING and (c.a.every or c.b.every)),
    "nothing differs": _no_sign,
    "nothing differs, one head": lambda c: _no_sign(c) * float(c.head_shared),
    "nothing shared": lambda c: float(not c.shared),
}
"""Each question by name; its order is that of fitted weights."""


def row(comparison: Comparison) -> list[float]:
    """The answers in the order of FEATURES."""
    return [ask(comparison) for ask in FEATURES.values()]
