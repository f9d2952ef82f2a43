"""What a shorter text must not lose: negations, numbers, identifiers and names, clause by clause.

A shorter level may leave out whole clauses. What it does say must be vouched for by a clause above
whose marks - negations, numbers, identifiers, names - it keeps too, and it may show no mark that is
not above. Ordinary words are free: they may be dropped, and other words may be put for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

_TOKEN = re.compile(
    r"--?[A-Za-z][\w-]*"  # a flag
    r"|[@$]?[^\W\d]\w*(?:(?:\.|::|->|/|-|\\|')\w+)*(?:\(\))?"  # a word, dotted name or path
    r"|v?\d+(?:[.,:]\d+)*[A-Za-z%]*(?:[-.]\w+)*"  # a number, a version, an amount with its unit
)
_CLAUSE = re.compile(r"[;!?\n\[\]{}|…—–→]+|\((?!\))|(?<!\()\)|[.,](?=\s|$)|\s-+\s")
_IDENTIFIER = re.compile(r"^[-@$]|_|[./\\\d]|::|->|\(\)$|[a-z][A-Z]")

_DENIALS = "not no never none neither nor without cannot nothing nobody nowhere non dont doesnt didnt cant wont isnt"
_NOT = frozenset(_DENIALS.split())
_INSTEAD = frozenset({"instead", "rather"})
_EXCEPT = frozenset({"unless", "except", "excluding"})

_GLUE = """
    a an the of to in on at by for from with as and or but so that this these those it its is are was were be been
    being has have had do does did will would can could should may might must shall we i you he she they them our
    your their his her us me my which who whom what when where while if then than there here also just very into
    onto over under about after before between during through via per up down out off all any some each every both
    such own same other more most much many only now
"""
GLUE = frozenset(_GLUE.split())
"""Words that join others and vouch for nothing themselves."""

_CACHE_TEXTS = 4_096
"""Texts whose clauses are kept: one level is the text above of the next. About 4 MB."""
_CACHE_WORDS = 32_768
"""Words whose mark is kept; messages use few different ones. About 6 MB."""


class MarkKind:
    """What sort of thing must survive; plain words, since marks are hashed by the hundred thousand."""

    NEGATION: Final = "negation"
    NUMBER: Final = "number"
    IDENTIFIER: Final = "identifier"
    NAME: Final = "name"


class Mark(NamedTuple):
    """One thing that must survive: its sort, its form for comparing."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Clause:
    """The words (lower case, glue left out) and the marks of one clause."""

    words: frozenset[str]
    marks: frozenset[Mark]


def survives(above: str, below: str) -> tuple[str, ...]:
    """What `below` lost or changed of `above`, each as `lost KIND: TEXT` or `new KIND: TEXT`; empty if nothing.

    A negation, number, identifier or name of `below` that stands nowhere in `above` is new. For each
    clause of `below`, each of its words that stands above must stand there in a clause whose marks
    this clause of `below` keeps; the marks missing from the nearest such clause are lost. A negation
    of `below` must come from a clause that vouches for one of its words.
    """
    if not below or below == above:
        return ()
    whole = set(_pieces(above))
    changed = [read_clause(piece) for piece in _pieces(below) if piece not in whole]
    if not changed:
        return ()
    upper = clauses(above)
    known = frozenset(mark for clause in upper for mark in clause.marks)
    spoken = frozenset(word for clause in upper for word in clause.words)
    lost: dict[str, None] = {}
    for clause in changed:
        for mark in sorted(clause.marks, key=_order):
            if mark not in known and not (mark.kind is MarkKind.NAME and mark.text in spoken):
                lost[f"new {mark.kind}: {mark.text}"] = None
        for missing in _unvouched(clause, upper):
            lost[missing] = None
    return tuple(lost)


def _pieces(text: str) -> list[str]:
    """The texts of the clauses; one that stands in both levels needs no closer look."""
    return [stripped for piece in _CLAUSE.split(text) if (stripped := piece.strip())]


def _unvouched(clause: Clause, upper: tuple[Clause, ...]) -> list[str]:
    """Marks that were lost from the clauses above which this clause speaks of."""
    kept = clause.marks
    kept_text = clause.words | {mark.text for mark in kept}
    granted: set[str] = set()
    missing: list[str] = []
    negated_above = False
    for word in sorted(clause.words):
        holders = [c for c in upper if word in c.words]
        if not holders:
            continue
        gaps = [[m for m in c.marks if not _keeps(m, kept, kept_text)] for c in holders]
        best = min(range(len(holders)), key=lambda i: (len(gaps[i]), i))
        if gaps[best]:
            missing += [f"lost {m.kind}: {m.text}" for m in sorted(gaps[best], key=_order)]
        for holder, gap in zip(holders, gaps, strict=True):
            if not gap:
                negations = {m.text for m in holder.marks if m.kind is MarkKind.NEGATION}
                granted |= negations
                negated_above = negated_above or bool(negations)
    for mark in sorted(kept, key=_order):
        if mark.kind is MarkKind.NEGATION and clause.words and mark.text not in granted and not missing:
            missing.append(f"new negation: {mark.text}")
    return missing


def _keeps(mark: Mark, kept: frozenset[Mark], kept_text: frozenset[str]) -> bool:
    """Names may be written small, identifiers may not."""
    return mark in kept or (mark.kind is MarkKind.NAME and mark.text in kept_text)


def _order(mark: Mark) -> tuple[str, str]:
    return (mark.kind, mark.text)


@lru_cache(maxsize=_CACHE_TEXTS)
def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a text, in order, those without words or marks left out."""
    found = map(read_clause, _pieces(text))
    return tuple(clause for clause in found if clause.words or clause.marks)


def read_clause(piece: str) -> Clause:
    """One clause from its text."""
    words: set[str] = set()
    marks: set[Mark] = set()
    first = True
    for match in _TOKEN.finditer(piece):
        token = match.group()
        mark = mark_of(token, first=first)
        first = False
        if mark is not None:
            marks.add(mark)
            if mark.kind is MarkKind.NUMBER:
                continue
        if mark is None or mark.kind is not MarkKind.NEGATION:
            plain = token.lower()
            if plain not in GLUE:
                words.add(plain)
    return Clause(frozenset(words), frozenset(marks))


@lru_cache(maxsize=_CACHE_WORDS)
def mark_of(token: str, *, first: bool) -> Mark | None:
    """The mark a token is, None for an ordinary word.

    `first` says that it opens a clause, where a capital means nothing.
    """
    plain = token.lower()
    if (negation := _negation(plain)) is not None:
        return Mark(MarkKind.NEGATION, negation)
    if token[0].isdigit() or (token[0] in "vV" and len(token) > 1 and token[1].isdigit()):
        return Mark(MarkKind.NUMBER, plain.lstrip("v"))
    if is_identifier(token):
        return Mark(MarkKind.IDENTIFIER, token.removesuffix("()"))
    if token[0].isupper() and plain not in GLUE and (not first or (token.isupper() and len(token) > 1)):
        return Mark(MarkKind.NAME, plain)
    return None


def _negation(plain: str) -> str | None:
    if plain in _NOT or plain.endswith("n't"):
        return "not"
    if plain in _INSTEAD:
        return "instead"
    return "except" if plain in _EXCEPT else None


def is_identifier(token: str) -> bool:
    """Whether a token is written as only code is: joined, dotted, camelled, a flag, a path."""
    return _IDENTIFIER.search(token) is not None


def tokens(text: str) -> Iterable[str]:
    """The words, identifiers and numbers of a text, in order."""
    return (match.group() for match in _TOKEN.finditer(text))
