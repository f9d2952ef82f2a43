"""The judge that is always there: findings of a comparison weighed by hand, and the reason in a sentence.

Place and time come first: what is said of two places or two times gets on. Of the rest every finding counts for
or against: a sign turned round, two values of one slot, two numbers of one thing against; a word of exception,
several values that may hold, a narrower place for. The points are judgement, not fitted: three make a clear case.
"""

from __future__ import annotations

import math

from companion.judging.compare import Comparison, compare
from companion.judging.features import narrower_permits, wider_says_all
from companion.judging.reasons import because
from companion.judging.scopes import Lie
from companion.judging.structured import slot_ruling
from companion.records import Ruling, Statement

NEEDED = 1.0
"""Points from which two statements contradict: one clear finding that nothing excuses."""
SURE = 0.95
"""Confidence where place or time decide."""


class RulesJudge:
    """Rules alone; no model, nothing to load but word lists."""

    name = "rules 1"

    def rule(self, a: Statement, b: Statement) -> Ruling:
        """Whether the two can both hold; the order of the two does not matter."""
        told = slot_ruling(a, b) or weighed(compare(a, b))
        return Ruling(told[0], told[1], told[2], self.name)


def weighed(c: Comparison) -> tuple[bool, float, str]:
    """Contradiction or not, how sure (0.5 to 1), and why."""
    if c.lie is Lie.APART or c.times_apart:
        return False, SURE, because(c, contradict=False)
    points = against(c) - excused(c)
    contradict = points >= NEEDED
    return contradict, round(1 / (1 + math.exp(-abs(points - NEEDED) - 0.2)), 2), because(c, contradict=contradict)


def against(c: Comparison) -> float:
    """Points for a contradiction, each finding once."""
    points = 0.0
    if c.denied:
        points += 1.5 + len(c.denied) / max(1, len(c.a.target | c.b.target))
    elif c.opposed:
        points += 0.7 * len(c.opposed) / len(c.shared)
    if c.poles_opposed:
        points += 1.0 if c.poles_agreed else 2.5
    if c.values_opposed:
        points += 2.5 if not (c.a.several or c.b.several) or c.a.only or c.b.only else 0.8
    if c.refused:
        points += 1.5
    if c.numbers_opposed:
        points += 1.6 + c.overlap
    if c.ends_opposed and not c.values_agreed:
        points += 0.4 if c.a.several or c.b.several else 1.5
    if (c.a.only or c.b.only) and c.head_shared and c.names_a and c.names_b and not c.names_shared:
        points += 1.2
    if c.places_opposed and c.head_shared and c.overlap >= 0.3:
        points += 1.5
    return points


def excused(c: Comparison) -> float:
    """Points for getting on."""
    points = 0.0
    points += 2.0 if c.things_apart else 0.0
    points += 1.3 if c.told_apart and not c.values_opposed else 0.0
    points += 0.6 if c.other_heads and not c.values_opposed else 0.0
    points += 2.0 if c.turned_agreed else 0.0
    points += 2.5 if c.a.plan != c.b.plan else 0.0
    points += 1.5 if c.a.past != c.b.past and not (c.a.now or c.b.now) else 0.0
    points += 1.5 if c.values_agreed and not c.numbers_opposed else 0.0
    points += 2.0 if c.numbers_agreed else 0.0
    points += 1.0 if c.poles_agreed and not c.poles_opposed and not c.numbers_opposed else 0.0
    points += 1.2 if _conditioned(c) and not c.numbers_opposed else 0.0
    points += 0.8 if not c.head_shared and not c.denied else 0.0
    return points + _placed(c)


def _conditioned(c: Comparison) -> bool:
    one, two = (any(clause.conditional for clause in claim.clauses) for claim in (c.a, c.b))
    return one != two


def _placed(c: Comparison) -> float:
    """A narrower statement may be an exception, unless the wider one was said of every one."""
    if c.lie is Lie.SAME:
        return 0.0
    if narrower_permits(c):
        return 3.0
    return 0.3 if wider_says_all(c) else 2.0
