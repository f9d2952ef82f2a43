"""Rules and a small reader as one judge: rules propose a contradiction, the reader confirms or dismisses it.

Where the rules are not sure that both speak of one thing, the reader has to be; where they are, it may say that the two
get on. Where the two disagree nothing is decided: whoever understands what it reads is asked. In a run, where there is
time to read all of them, what the reader alone believes is asked as well; a contradiction is what it is nearly certain
of, if the two are single sentences and near in meaning: of what has little to do with one another it believes much.
What is compared by value, and what was read from files on both sides, is the rules' alone: a repository holds thousands
of sentences, and nobody asked for them to be read against one another.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from companion.judge.comparing.compare import compare
from companion.judge.comparing.structured import slot_ruling
from companion.judge.likeness import is_sentence
from companion.judge.rules import SURE, RulesJudge, to_do
from companion.language.word_lists import DENIALS
from companion.records import Ruling, Source, Statement

if TYPE_CHECKING:
    from companion.ports import Reader

CONFIRMED_FROM, DISMISSED_BELOW = 0.7, 0.3
"""Belief in a contradiction from which the reader confirms what the rules are not sure of, and below which it dismisses
what they propose. Figures over consistent notes and contradictions: `tests/judge/test_alarms.py`."""

ASKED_FROM, NEAR_FROM = 0.38, 0.82
"""Belief of the reader alone from which somebody else is asked, and from which it holds of two sentences that are near
in meaning (BENCHMARKS-HISTORY)."""
MAY_BE, IS = "read together, the two may not both hold", "read together, the two sentences cannot both hold"
_YES_AND_NO = DENIALS | {"always", "do", "does"}
_FIGURE = re.compile(r"\d[\d.,_:]*")


class NearInMeaning(NamedTuple):
    """What tells whether two texts are near in meaning, and the name of the model that it asks."""

    model: str
    near: Callable[[str, str], bool]


class LocalJudge:
    """See the module. A pair that is read takes some milliseconds."""

    def __init__(self, reader: Reader, nearness: NearInMeaning | None = None, *, thorough: bool = False) -> None:
        """`reader` is asked about what the rules propose; `thorough`, about all that they do not rule out.

        Without `nearness` no two texts are near in meaning.
        """
        self._reader = reader
        self._nearness = nearness
        self._thorough = thorough
        self._rules = RulesJudge()

    @property
    def name(self) -> str:
        """Names and versions of both, with all that a ruling hangs on."""
        ways = ["thorough"] * self._thorough + ([self._nearness.model] if self._nearness else [])
        return f"{self._rules.name}, reader {'-'.join([self._reader.version, *ways])}"

    def rule(self, a: Statement, b: Statement) -> Ruling:
        """Whether the two can both hold. They are always read in one order, so the order given cannot matter."""
        a, b = sorted((a, b), key=repr)
        proposed = replace(self._rules.rule(a, b), judge=self.name)
        ruled_out = proposed.contradict is False and (proposed.confidence >= SURE or not self._thorough)
        certain = proposed.contradict and (_by_value(a, b) or _yes_and_no(a, b))
        if ruled_out or certain or (a.attribute and slot_ruling(a, b)):
            return proposed
        if _from_file(a) and _from_file(b):
            return replace(proposed, contradict=bool(proposed.contradict))
        if proposed.contradict is None and to_do(compare(a, b)):
            return proposed
        contrary = self._reader.pair(*placed(a, b)).contrary
        if proposed.contradict is False and contrary < ASKED_FROM:
            return proposed
        if proposed.contradict is False:
            sure = contrary >= NEAR_FROM and self._holds_alone(a.text, b.text)
            return replace(proposed, contradict=sure or None, confidence=contrary, reason=IS if sure else MAY_BE)
        if contrary >= (DISMISSED_BELOW if proposed.contradict else CONFIRMED_FROM):
            return replace(proposed, contradict=True)
        if proposed.contradict or contrary >= ASKED_FROM:
            return replace(
                proposed, contradict=None, confidence=proposed.confidence if proposed.contradict else contrary
            )
        return replace(proposed, contradict=False, reason="read together, the two sentences are compatible")

    def _holds_alone(self, a: str, b: str) -> bool:
        """Whether what the reader believes that much of two texts holds by itself."""
        return is_sentence(a) and is_sentence(b) and self._nearness is not None and self._nearness.near(a, b)


def _by_value(a: Statement, b: Statement) -> bool:
    """Whether there is nothing to read: versions or choices side by side, or all but the figures is the same."""
    one, other = (_FIGURE.sub("#", statement.text.casefold()) for statement in (a, b))
    found = compare(a, b)
    return one == other or found.numbers.versions or found.chosen_otherwise


def _yes_and_no(a: Statement, b: Statement) -> bool:
    """Whether the two are one sentence about one place, which one says and the other denies with one word."""
    words = [re.findall(r"\w+", re.sub(r"['’]", "", one.text.casefold())) for one in (a, b)]
    denials = sorted(sum(word in DENIALS for word in some) for some in words)
    one, other = ([word for word in some if word not in _YES_AND_NO] for some in words)
    return denials == [0, 1] and one == other and _place(a) == _place(b)


def _from_file(statement: Statement) -> bool:
    return statement.said_by.startswith(f"{Source.SCAN.value} ")


def placed(a: Statement, b: Statement) -> tuple[str, str]:
    """Both texts; where they hold in different places, with the place before each, as the reader was taught."""
    one, other = _place(a), _place(b)
    return (a.text, b.text) if one == other else (f"[{one}] {a.text}", f"[{other}] {b.text}")


def _place(statement: Statement) -> str:
    scope = statement.scope
    fields = {"lang": scope.language, "path": scope.path, "env": scope.environment, "branch": scope.branch}
    told = [f"{name}:{value}" for name, value in (fields | {"version": scope.version}).items() if value]
    return ", ".join([statement.subject, *told] if statement.subject else told) or "project"
