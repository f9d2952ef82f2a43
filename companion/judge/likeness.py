"""Do two statements say the same in other words? Only what must be so: a wrong merge loses a memory.

Two texts say the same if their terms are the same ones and the order they stand in is explained by the grammar:
"the worker retries jobs" and "jobs are retried by the worker" do, "a calls b" and "b calls a" do not. A number,
version, name, environment, "only", "all" or "at least" that stands in one alone is a term too, and keeps the
two apart; so do a different force ("must", "may") and a different time ("was", "is", "will").

Only single sentences are understood; what is longer must be the same word for word.
Nothing is guessed: what is not understood counts as different.

A small reader sees more: that a longer text says all of a shorter one, and a reason or a detail beside it. It is
believed only where the longer has every mark of the shorter (see `faithfulness`): it takes a sentence of other roles
or times for the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.judge.faithfulness import compare, left_out
from companion.language.frames import gathered
from companion.language.terms import STRICT, Term, TermReading, read_terms
from companion.records.findings import Alike

if TYPE_CHECKING:
    from companion.ports import Reader

SENTENCE_CHARS = 300
"""Up to here a text is a sentence that can be understood; longer ones, and several, must be the same word for word."""
MIN_TERMS = 2
"""Terms that a text must have to be turned round: a single one is a name."""
CONTAINS_FROM = 0.7
"""Share from which the reader is believed that one text contains the other (BENCHMARKS.md)."""
SHOWN_TERMS = 4
"""Terms named as what only one of two texts says."""

_INSIDE = re.compile(r"(?<=[\w,)] )[\"'`“‘]?([^\W\d_]\w*)")
"""A word inside a sentence: before it stands another word."""


class ReadLikeness:
    """Tells what keeps two texts apart. See `companion.ports.Likeness`."""

    def __init__(self, reader: Reader | None = None) -> None:
        """Without a `reader` only what rules know is known."""
        self._reader = reader

    def difference(self, a: str, b: str) -> str:
        """In a few words what the one text says and the other does not; empty where they say the same."""
        one, other = read_terms(a), read_terms(b)
        if one.plain == other.plain:
            return ""
        if one.sentences > 1 or other.sentences > 1 or max(len(one.plain), len(other.plain)) > SENTENCE_CHARS:
            return "more than a sentence, and not word for word the same"
        mine, theirs = Counter(t.meaning for t in one.terms), Counter(t.meaning for t in other.terms)
        if mine != theirs:
            alone = (mine - theirs) + (theirs - mine)
            said = dict.fromkeys(f"“{term.written}”" for term in (*one.terms, *other.terms) if term.meaning in alone)
            return "only one says " + ", ".join(list(said)[:SHOWN_TERMS])
        if not _like_force(one, other):
            return f"not the same force: {one.force or 'is'}, {other.force or 'is'}"
        if one.time != other.time or _over(one, other) or _over(other, one):
            return f"not the same time: {one.time or 'now'}, {other.time or 'now'}"
        if not _like_denials(one, other):
            return "not the same is denied"
        if not _like_order(one, other):
            return "not in the same roles"
        return _cased(a, b)

    def read(self, longer: str, shorter: str) -> Alike | None:
        """How it is known that the longer says all of the shorter, read beside it; None where that is not sure."""
        if self._reader is None or left_out(shorter, longer) or not compare(longer, shorter).holds:
            return None
        if _cased(longer, shorter):
            return None
        return Alike.CONTAINED if self._reader.pair(longer, shorter).contains >= CONTAINS_FROM else None


def _cased(a: str, b: str) -> str:
    """Which word the two write differently in capitals, other than where a sentence begins; empty for none."""
    one, other = _spelt(a), _spelt(b)
    for word in sorted(one.keys() & other.keys()):
        if one[word].isdisjoint(other[word]):
            return f"not the same capitals: {min(one[word])}, {min(other[word])}"
    return ""


def _spelt(text: str) -> dict[str, frozenset[str]]:
    """The words of a text as they are written, by their small letters; not those that a sentence begins with."""
    return gathered((word.casefold(), word) for word in _INSIDE.findall(text))


def _like_force(a: TermReading, b: TermReading) -> bool:
    if a.force == b.force:
        return True
    forces = {a.force, b.force}
    plain = a if not a.force else b
    # "Never commit secrets" is said of what "must not be committed"; that something passes is not that it must.
    return "" in forces and forces <= {"", "must", "should"} and plain.commands


def _over(a: TermReading, b: TermReading) -> bool:
    """Whether `a` tells as past what `b` does not: "we used Jenkins", "we use Jenkins"."""
    return bool(a.ended and (a.ended & b.acted if b.ended is None else a.ended - b.ended))


def _like_denials(a: TermReading, b: TermReading) -> bool:
    mine = Counter(term.meaning for term in a.terms if term.denied)
    theirs = Counter(term.meaning for term in b.terms if term.denied)
    if not a.loose_denials and not b.loose_denials:
        return mine == theirs
    # A "forbidden" at the end denies all that stands before it, a "never" at the start what follows.
    return mine.total() + a.loose_denials == theirs.total() + b.loose_denials


def _like_order(a: TermReading, b: TermReading) -> bool:
    """Whether the same terms stand in the same roles."""
    order_a, order_b = [t.meaning for t in a.terms], [t.meaning for t in b.terms]
    voices_differ = a.passive != b.passive
    if order_a == order_b:
        return all(x.case == y.case or not {x.case, y.case} & STRICT for x, y in zip(a.terms, b.terms, strict=True))
    if len(order_a) < MIN_TERMS or len(set(order_a)) < len(order_a):
        return False
    cases_a, cases_b = {t.meaning: t.case for t in a.terms}, {t.meaning: t.case for t in b.terms}
    changed = [word for word in order_a if cases_a[word] != cases_b[word]]
    for word in changed:
        if cases_a[word] and cases_b[word]:
            return False
        strict = {cases_a[word], cases_b[word]} & STRICT
        if strict - ({"by"} if voices_differ else set()):
            return False
    if voices_differ:
        return order_a[0] != order_b[0] and _turned(a, b)
    lost, won = (
        any(cases_a[word] and not cases_b[word] for word in changed),
        any(cases_b[word] and not cases_a[word] for word in changed),
    )
    if lost and won:  # "a depends on b", "b depends on a"
        return False
    if not changed and _fronted(a.terms, b.terms):
        return True
    moved = {word for word in order_a if cases_a[word] or cases_b[word]}
    return [w for w in order_a if w not in moved] == [w for w in order_b if w not in moved]


def _fronted(a: Sequence[Term], b: Sequence[Term]) -> bool:
    """Whether a phrase that begins with a preposition was moved from the end to the front: "before b, do a"."""
    return any(
        (a[at].case or a[0].case) and [t.meaning for t in (*a[at:], *a[:at])] == [t.meaning for t in b]
        for at in range(1, len(a))
    )


def _turned(a: TermReading, b: TermReading) -> bool:
    """Whether the passive one begins with what the active one does something to, and not with who does it."""
    passive, active = (a, b) if a.passive else (b, a)
    first = passive.terms[0].meaning
    return active.terms[0].meaning != first
