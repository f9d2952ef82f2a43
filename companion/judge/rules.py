"""The judge that is always there: findings of a comparison weighed by hand, and the reason in a sentence.

Place, time and version come first: what is said of two places, two times or two versions gets on. Of the rest every
finding counts for or against: a sign turned round, two values of one slot, two numbers of one thing against; a word of
exception, several values that may hold, a narrower place for. The points are judgement, some moved after a sweep over
labelled development pairs, so figures on those pairs flatter them. What counts against two statements that may be of
two things decides nothing: most notes of a project differ in some number, weekday or tool.
"""

from __future__ import annotations

import math

from companion.judge.comparing import apartness
from companion.judge.comparing.compare import Comparison, compare
from companion.judge.comparing.reasons import because
from companion.judge.comparing.sameness import of_two_things, sameness
from companion.judge.comparing.scopes import Lie
from companion.judge.comparing.structured import slot_ruling
from companion.language.noted_todos import is_todo
from companion.records import Ruling, Statement

NEEDED = 1.0
"""Points from which two statements contradict: one clear finding that nothing excuses."""
SAME_THING = 0.3
"""Share of the words of the shorter statement that both must have to speak of the same thing."""
ONE_THING, TWO_THINGS = 0.6, 0.3
"""Sameness from which two statements are of one thing, and below which they are of two; what lies between, rules alone
cannot say. Of 180 consistent notes 3 pairs come over the first, 14 over 0.5, and 76 have points enough."""
LITTLE = 0.34
"""Share of common words below which a denial is most likely of something else: "never log keys", "keys expire"."""
SURE, UNSURE = 0.95, 0.6
"""Confidence where place, time or version decide, and where it is not clear what the two speak of."""


class RulesJudge:
    """Rules alone; no model, nothing to load but word lists."""

    name = "rules 10"

    def rule(self, a: Statement, b: Statement) -> Ruling:
        """Whether the two can both hold. They are always read in one order, so the order given cannot matter."""
        a, b = sorted((a, b), key=repr)
        return Ruling(*(slot_ruling(a, b) or weighed(compare(a, b))), self.name)


def weighed(c: Comparison) -> tuple[bool | None, float, str]:
    """Contradiction or not (None: they may be of one thing or of two), how sure (0.5 to 1), and why."""
    if apart(c):
        return False, SURE, because(c, contradict=False)
    points = against(c) - excused(c)
    contradict = points >= NEEDED
    same = sameness(c) if contradict else 1.0
    if same < TWO_THINGS:
        return False, UNSURE, "nothing shows that the two are about the same thing"
    two_things = contradict and of_two_things(c)
    if two_things and c.denied:
        return False, UNSURE, "the two are about different things"
    if same < ONE_THING or two_things or (contradict and to_do(c)):
        return None, UNSURE, because(c, contradict=True)
    return contradict, round(1 / (1 + math.exp(-abs(points - NEEDED) - 0.2)), 2), because(c, contradict=contradict)


def to_do(c: Comparison) -> bool:
    """Whether one only asks, or says what is to be done: what the other says may be that it is done, or why."""
    return any(claim.said.rstrip().endswith("?") or is_todo(claim.said) for claim in (c.a, c.b))


def apart(c: Comparison) -> bool:
    """Whether place or time decide that both hold, or the two are one text."""
    return c.lie is Lie.APART or c.times_apart or c.a.text == c.b.text


def against(c: Comparison) -> float:
    """Points for a contradiction, each finding once."""
    points = 0.0
    if c.denied:
        points += 2.0 + 1.6 * c.denied_share
    elif c.opposed:
        points += 1.1 * len(c.opposed) / len(c.shared)
    if c.poles_opposed:
        points += 1.0 if c.poles_agreed else 2.5
    if c.values_opposed:
        points += 2.5 if not (c.a.several or c.b.several) or c.a.only or c.b.only else 0.8
    if c.refused and (c.head_shared or c.overlap >= SAME_THING):
        points += 1.5
    if c.numbers.opposed:
        points += 1.6 + c.overlap
    if c.ends_opposed:
        points += 2.4
    if c.order_opposed:
        points += 2.0
    if c.shut_out:
        points += 2.4
    if c.freed and c.head_shared:
        points += 1.2
    if _shut_out(c):
        points += 1.6
    return points


def excused(c: Comparison) -> float:
    """Points for getting on."""
    points = 0.0
    points += 2.6 if c.things_apart and not _shut_out(c) else 0.0
    if any(apartness.other_objects(*pair, c.shared) for pair in c.both_ways):
        points += 3.5 if c.refused else 2.0
    points += 1.5 if c.denied and c.overlap < LITTLE else 0.0
    points += 2.5 if _merely_there(c) else 0.0
    if c.numbers.opposed and not c.told and apartness.other_subjects(c.a, c.b):
        points += 1.6
    points += 1.6 if c.values_opposed and not c.told and apartness.renamed(c.a, c.b) else 0.0
    points += 5.0 if any(apartness.exempted(*pair) for pair in c.both_ways) else 0.0
    points += 2.5 if c.a.plan != c.b.plan else 0.0
    points += 1.4 if c.a.over != c.b.over and not c.order_opposed else 0.0
    points += 1.1 if c.a.past != c.b.past and not (c.a.now or c.b.now) else 0.0
    points += 0.7 if c.values_agreed and not c.numbers.opposed else 0.0
    points += 2.0 if c.numbers.agreed and not (c.denied and _only_versions(c)) else 0.0
    points += 1.0 if c.poles_agreed and not c.poles_opposed and not c.numbers.opposed else 0.0
    points += 0.5 if not (c.head_shared or c.denied) else 0.0
    return points + _placed(c)


def _only_versions(c: Comparison) -> bool:
    """Whether no number of either is anything but a version."""
    return all(one.dimension == "version" for one in (*c.a.quantities, *c.b.quantities))


def _merely_there(c: Comparison) -> bool:
    """Whether all that the one denies and the other says is where: "not supported on main", "docs come from main"."""
    ends = {end for claim in (c.a, c.b) if claim.target & c.denied for _, end in claim.objects}
    return bool(c.denied) and c.denied <= ends and (not c.head_shared or _denies_doing(c))


def _denies_doing(c: Comparison) -> bool:
    """Whether all that is denied is doing something the other does not speak of: "never import it in the tests"."""
    verbs = [
        (clause.verb, other) for claim, other in ((c.a, c.b), (c.b, c.a)) for clause in claim.clauses if clause.verb
    ]
    return bool(verbs) and all(verb not in other.signs for verb, other in verbs)


def _shut_out(c: Comparison) -> bool:
    """Whether one says that it is so of one sort alone, and the other that it is so of another sort."""
    return bool(c.things_apart) and c.a.only != c.b.only and c.overlap >= SAME_THING and not c.opposed


def _placed(c: Comparison) -> float:
    """A narrower statement may be an exception, unless the wider one was said of every one."""
    if c.lie is Lie.SAME:
        return 0.0
    if any(one.permits or one.excepts for one in c.narrower) or any(one.permits and not one.every for one in c.wider):
        return 3.0
    return 0.3 if any(one.every or one.only for one in c.wider) else 2.4
