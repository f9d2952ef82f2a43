"""Rules and a fitted reader as one judge: what can be compared is compared, what must be understood is read.

Place, time, two numbers of one thing and two values of one property are the rules' alone. So is what was read from
files on both sides: a repository holds thousands of sentences, and nobody asked for them to be read against one
another. Of the rest a model reads both sentences together, and its leaning and the points of the rules are added up.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.judging.comparing.compare import compare
from companion.judging.comparing.reasons import because
from companion.judging.comparing.structured import slot_ruling
from companion.judging.rules import NEEDED, RulesJudge, against, apart, excused, told, weighed
from companion.records import Ruling, Source, Statement

if TYPE_CHECKING:
    from companion.ports import PairReader

RULES_SHARE = 0.5
"""What a point of the rules counts beside the reader's leaning (a logit); 0 and 1 told no more on pairs unseen."""
MOST_POINTS = 2.5
"""Points of the rules that count, for or against."""
NEEDED_LEANING = 1.5
"""Leaning from which two statements contradict: of pairs of groups never trained on, 6 in 100 that get on are called
contradictions then, and less than 10 with 95 % certainty."""
CLEAR = 1.0
"""Points beyond those needed from which two values of one property are settled by the rules: a reader that knows
neither tool takes "tracked in Sentry" and "reported to Rollbar" for two remarks. Lower ones open hardly more."""
LEAST_SHARE = 1e-6
"""Of belief, so that no logarithm is of nothing."""
MOST_READ = 1_000
"""Pairs that one judge reads, four seconds of a processor; the others are asked about again another night."""
READ_ALONE = "the two sentences exclude one another as they are read together, no single word shows it"


class LocalJudge:
    """See the module. A pair takes some milliseconds."""

    def __init__(self, reader: PairReader, most: int = MOST_READ) -> None:
        """`reader` is asked for what the rules cannot decide, of at most so many pairs."""
        self._reader = reader
        self._left = most
        self._rules = RulesJudge()

    @property
    def name(self) -> str:
        """Names and versions of both."""
        return f"{self._rules.name}, reader {self._reader.version}"

    def rule(self, a: Statement, b: Statement) -> Ruling:
        """Whether the two can both hold. They are always read in one order, so the order given cannot matter."""
        a, b = sorted((a, b), key=repr)
        if (_from_file(a) and _from_file(b)) or (a.attribute and slot_ruling(a, b)):
            return replace(self._rules.rule(a, b), judge=self.name)
        compared = compare(a, b)
        if apart(compared):
            return Ruling(*weighed(compared), self.name)
        counted = against(compared) - excused(compared)
        points = counted - NEEDED
        valued = bool(compared.values_opposed) and points >= CLEAR
        settled = points >= 0 if compared.numbers.opposed else valued or compared.only_units_differ
        if settled or not self._left:
            return Ruling(*told(compared, counted), self.name, again=not settled)
        self._left -= 1
        leaning = self._leaning(a, b) + RULES_SHARE * max(-MOST_POINTS, min(MOST_POINTS, points)) - NEEDED_LEANING
        contradict = leaning >= 0
        reason = READ_ALONE if contradict and points < 0 else because(compared, contradict=contradict)
        return Ruling(contradict, round(1 / (1 + math.exp(-abs(leaning) - 0.2)), 2), reason, self.name)

    def _leaning(self, a: Statement, b: Statement) -> float:
        contrary, same, beside = self._reader.read(*_placed(a, b))
        return math.log(max(LEAST_SHARE, contrary)) - math.log(max(LEAST_SHARE, same + beside))


def _from_file(statement: Statement) -> bool:
    return statement.said_by.startswith(f"{Source.SCAN.value} ")


def _placed(a: Statement, b: Statement) -> tuple[str, str]:
    """Both texts; where they hold in different places, with the place before each, as the reader was taught."""
    one, other = _place(a), _place(b)
    return (a.text, b.text) if one == other else (f"[{one}] {a.text}", f"[{other}] {b.text}")


def _place(statement: Statement) -> str:
    scope = statement.scope
    fields = {"lang": scope.language, "path": scope.path, "env": scope.environment, "branch": scope.branch}
    told = [f"{name}:{value}" for name, value in (fields | {"version": scope.version}).items() if value]
    return ", ".join([statement.subject, *told] if statement.subject else told) or "project"
