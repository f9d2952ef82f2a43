"""Whether a shorter text still says what the longer one says: what it lost, what it invented, what it turned.

A shorter level may leave out whole clauses. What it does say must be vouched for by a clause above whose
marks (negations, modals, agents, numbers, identifiers, names; see `marks`) it keeps too; it may show no mark
that is not above, nor put numbers and identifiers in another order, nor say the opposite word. Ordinary words are free:
they may be dropped, and others may be put for them. What a clause that was left out told is not lost in this
sense; `left_out` counts it.

`faithful` is the stricter rule for words that come from outside: a model's reply must keep every mark of the
statement itself, use the text's own words, and be one line of plain text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from companion.language.marks import Mark, MarkedClause, MarkKind, marked_clauses, marks_of, pieces, read_clause, tokens
from companion.language.phrases import parted
from companion.language.word_lists import GLUE, at

OWN_WORDS = 0.6
"""Share of a reply's telling words that must stand in the text. A summary in other words of the same language
shares about three in four; one in another language, or an answer to something else, hardly one in five."""
STEM_CHARS = 4
"""Letters at a word's beginning by which its forms are known again: `caching` and `cached`."""

_ORDERED = (MarkKind.NUMBER, MarkKind.IDENTIFIER)
_PAIRS = tuple(
    pair for one, *others in at("opposites.pairs") for other in others for pair in ((one, other), (other, one))
)
"""Beginnings of words that say the opposite of each other, both ways round."""
_MARKUP = re.compile(r"[\n\r\x00-\x08<>{}]|```|~~~|^\s*#|\]\(|\b\w+://|<\||\[/?INST\]")


class _Kept(Struct, frozen=True):
    """What a level did to the one above it; nothing if it may stand."""

    lost: tuple[Mark, ...] = ()
    invented: tuple[Mark, ...] = ()
    turned: tuple[str, ...] = ()
    """What now stands the other way round: an order, or an opposite word."""

    @property
    def holds(self) -> bool:
        """Whether the level may be used."""
        return not (self.lost or self.invented or self.turned)

    def told(self) -> tuple[str, ...]:
        """Each in words, as `lost KIND: TEXT`, `new KIND: TEXT` or `turned: WORDS`."""
        return (
            *(f"lost {mark.kind}: {mark.text}" for mark in self.lost),
            *(f"new {mark.kind}: {mark.text}" for mark in self.invented),
            *(f"turned: {words}" for words in self.turned),
        )


_ALL = _Kept()


def compare(above: str, below: str) -> _Kept:
    """What `below` lost, invented or turned of what it says of `above`; a clause that it leaves out is not lost.

    For each clause of `below`, each of its words that stands above must stand there in a clause whose
    marks this clause of `below` keeps; the marks missing from the nearest such clause are lost. A negation
    of `below` must come from a clause that has most of the words around it.
    """
    whole = set(pieces(above))
    changed = [read_clause(piece) for piece in pieces(below) if piece not in whole]
    if not changed:
        return _ALL
    upper = marked_clauses(above)
    known = frozenset(mark for clause in upper for mark in clause.marks)
    spoken = frozenset(word for clause in upper for word in clause.words)
    lost: dict[Mark, None] = {}
    invented: dict[Mark, None] = {}
    turned: list[str] = []
    for clause in changed:
        new_here = (mark for mark in sorted(clause.marks) if mark not in known)
        invented |= dict.fromkeys(mark for mark in new_here if not (mark.kind == MarkKind.NAME and mark.text in spoken))
        gone, new = _unvouched(clause, upper)
        lost.update(dict.fromkeys(gone))
        invented.update(dict.fromkeys(new))
        turned += _reordered(clause, upper)
    return _Kept(tuple(lost), tuple(invented), (*turned, *_opposed(above, below)))


def left_out(above: str, below: str) -> tuple[Mark, ...]:
    """Every mark of `above` that stands nowhere in `below`: what a reader of the shorter text no longer sees."""
    kept = marks_of(below)
    spoken = {word for clause in marked_clauses(below) for word in clause.words} | {mark.text for mark in kept}
    return tuple(mark for mark in sorted(marks_of(above)) if not _keeps(mark, kept, spoken))


def faithful(above: str, reply: str, statement: str = "") -> tuple[str, ...]:
    """Why a reply may not stand for `above`; empty if it may.

    `statement` is the part of `above` that matters most, such as a title: the reply keeps all its marks.
    """
    if not reply.strip():
        return ("empty",)
    if (markup := _MARKUP.search(reply)) is not None:
        return (f"not one line of plain text: {markup.group()!r}",)
    if (found := parted(reply, "orders.replies")[1]) and found.lower() not in above.lower():
        return (f"speaks to a reader: {found!r}",)
    if (share := own_words(above, reply)) < OWN_WORDS:
        return (f"in other words or another language: {share:.0%} of its words are in the text",)
    missing = (f"lost {mark.kind}: {mark.text}" for mark in left_out(statement, reply))
    return tuple(dict.fromkeys((*compare(above, reply).told(), *missing)))


def own_words(above: str, reply: str) -> float:
    """Share of a reply's telling words that stand in the text, in any form; 1 for a reply without any."""
    known = {word[:STEM_CHARS] for word in _telling(above)}
    said = [word[:STEM_CHARS] for word in _telling(reply)]
    return sum(stem in known for stem in said) / len(said) if said else 1.0


def _telling(text: str) -> list[str]:
    return [plain for token in tokens(text) if (plain := token.lower()) not in GLUE]


def _unvouched(clause: MarkedClause, upper: Sequence[MarkedClause]) -> tuple[list[Mark], list[Mark]]:
    """Marks lost from the clauses above which this clause speaks of, and negations that none of them grants.

    A negation is granted by a clause that has it and more than half of the words near it: put together from two
    clauses, `tokens are not kept` may be the opposite of both.
    """
    kept = clause.marks
    kept_text = clause.words | {mark.text for mark in kept}
    lost: list[Mark] = []
    known: set[str] = set()
    for word in sorted(clause.words):
        holders = [c for c in upper if word in c.words]
        if not holders:
            continue
        known.add(word)
        gaps = [[mark for mark in c.marks if not _keeps(mark, kept, kept_text)] for c in holders]
        lost += sorted(gaps[min(range(len(gaps)), key=lambda at: len(gaps[at]))])
    if lost or not known:
        return lost, []
    return lost, sorted({mark for mark, near in clause.denied if not _granted(mark, near & known or known, upper)})


def _granted(negation: Mark, words: set[str] | frozenset[str], upper: Sequence[MarkedClause]) -> bool:
    """Whether a clause above has a negation and more than half of the words that it is said to deny."""
    return any(negation in c.marks and 2 * len(words & c.words) > len(words) for c in upper)


def _keeps(mark: Mark, kept: frozenset[Mark], kept_text: frozenset[str] | set[str]) -> bool:
    """Names may be written small, identifiers may not."""
    return mark in kept or (mark.kind == MarkKind.NAME and mark.text in kept_text)


def _reordered(clause: MarkedClause, upper: Sequence[MarkedClause]) -> list[str]:
    """The numbers and identifiers of a clause that stand in another order in every clause that has them all."""
    shown = [mark for mark in clause.order if mark.kind in _ORDERED]
    if len(shown) < 2:
        return []
    holders = [c for c in upper if c.marks.issuperset(shown)]
    if not holders or any([mark for mark in c.order if mark in shown] == shown for c in holders):
        return []
    return [" before ".join(mark.text for mark in shown)]


def _opposed(above: str, below: str) -> list[str]:
    """Words of `below` that are not above, whose opposites are."""
    upper = {token.lower() for token in tokens(above)}
    new = {token.lower() for token in tokens(below)} - upper
    return [
        f"{word} for {one}"
        for word in sorted(new)
        for other, opposite in _PAIRS
        if word.startswith(other) and not any(known.startswith(other) for known in upper)
        for one in sorted(known for known in upper if known.startswith(opposite))[:1]
    ]
