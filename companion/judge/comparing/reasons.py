"""Why two statements get on or not, in a sentence that quotes what differs."""

from __future__ import annotations

import re

from companion.judge.comparing.compare import Comparison
from companion.judge.comparing.measuring import Difference
from companion.judge.comparing.scopes import Lie
from companion.language.lexicon import stem

SHOWN = 3
"""Words quoted of a kind; more make no sentence."""
_WORD = re.compile(r"[^\W_]+")


def because(c: Comparison, *, contradict: bool) -> str:
    """A sentence on the strongest thing that differs, or on why nothing does."""
    return _against(c) if contradict else _together(c)


def _against(c: Comparison) -> str:
    if c.numbers.opposed:
        return _quoted("two numbers for one thing", c.numbers.opposed)
    if c.values_opposed:
        return _quoted("two values where one can hold", c.values_opposed)
    if c.poles_opposed:
        return f"one says and the other denies: {_listed(c, c.poles_opposed)}"
    if c.refused:
        return _quoted("one refuses what the other says", c.refused)
    if c.opposed:
        return f"one denies what the other says of {_listed(c, c.denied or c.opposed)}"
    if c.places_opposed:
        return _quoted("two places for one thing", c.places_opposed)
    if c.ends_opposed:
        ends = tuple(Difference(_as_written(c, one.a), _as_written(c, one.b)) for one in c.ends_opposed)
        return _quoted("two things where one is said", ends)
    return "the two say different things of the same property"


def _together(c: Comparison) -> str:
    if c.lie is Lie.APART:
        return "they apply to different places"
    if c.times_apart:
        return "they hold at different times"
    if c.versions_part:
        return "one turns down versions that the other does not ask for"
    if c.things_apart:
        return f"they speak of different things: {'; '.join(c.things_apart)}"
    if c.a.plan != c.b.plan:
        return "one is a plan, which changes nothing yet"
    if c.numbers.agreed:
        return _quoted("the same number", c.numbers.agreed)
    if c.values_agreed:
        return f"both say {_listed(c, c.values_agreed)}"
    return "nothing that one says is denied by the other"


def _quoted(what: str, differences: tuple[Difference, ...]) -> str:
    return f"{what}: " + "; ".join(f"“{one.a}” and “{one.b}”" for one in differences[:SHOWN])


def _listed(c: Comparison, stems: frozenset[str]) -> str:
    """Words as the statements write them; what stands for a word of theirs is only shown where nothing else is."""
    written = _written(c)
    words = [written[one] for one in sorted(stems) if one in written] or sorted(stems)
    return ", ".join(f"“{word}”" for word in words[:SHOWN])


def _as_written(c: Comparison, stems: str) -> str:
    written = _written(c)
    return " ".join(written.get(one, one) for one in stems.split())


def _written(c: Comparison) -> dict[str, str]:
    """The words of both statements by their stems."""
    return {stem(word.lower()): word.lower() for word in _WORD.findall(f"{c.b.text} {c.a.text}")}
