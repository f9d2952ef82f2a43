"""What a sentence must not lose: negations, modals, agents, numbers with units, identifiers, names; clause by clause.

A mark is kept in a form for comparing: `three seconds`, `3 s` and `3sec` are one number, `2,000` is `2000`,
`can't` and `never` are one negation, names are lower case, identifiers stand as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import Struct

from companion.language.amounts import measured, number, unit
from companion.language.word_lists import DENIALS, GLUE, meanings, word_set

_TOKEN = re.compile(
    r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b"  # the name of a commit
    r"|\#\d+\b"  # an issue or a request
    r"|(?<![\w)])--?[A-Za-z][\w-]*"  # a flag
    r"|[@$]?[^\W\d]\w*(?:(?:\.|::|->|/|-|\\|'(?!s\b))\w+)*(?:\(\))?"  # a word, dotted name or path
    r"|v?\d+(?:[.,:]\d+)*[A-Za-z%]*(?:[-.]\w+)*"  # a number, a version, an amount with its unit
)
_CLAUSE = re.compile(r"[;!?\n\[\]{}|…—–→]+|\((?!\))|(?<!\()\)|[.,](?=\s|$)|\s-+\s")
_IDENTIFIER = re.compile(r"^[-@$]|_|[./\\\d]|::|->|\(\)$|[a-z][A-Z]")
_HASH = re.compile(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")

NEAR = 2
"""Telling words on either side of a negation that it is taken to deny: subject and verb, verb and object."""
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
    MODAL: Final = "modal"
    AGENT: Final = "agent"


_NO_WORD = (MarkKind.NUMBER, MarkKind.NEGATION, MarkKind.MODAL, MarkKind.AGENT)


class Mark(NamedTuple):
    """One thing that must survive: its sort, its form for comparing."""

    kind: str
    text: str


class MarkedClause(Struct, frozen=True):
    """The words (lower case, glue left out) and the marks of one clause; `order` has the marks as they come.

    `denied` has each negation with the words around it, NEAR on either side: what it most likely denies.
    """

    words: frozenset[str]
    marks: frozenset[Mark]
    order: tuple[Mark, ...] = ()
    denied: tuple[tuple[Mark, frozenset[str]], ...] = ()


def pieces(text: str) -> list[str]:
    """The texts of the clauses, in order."""
    return [stripped for piece in _CLAUSE.split(text) if (stripped := piece.strip())]


@lru_cache(maxsize=_CACHE_TEXTS)
def marked_clauses(text: str) -> tuple[MarkedClause, ...]:
    """The clauses of a text, in order, those without words or marks left out."""
    found = map(read_clause, pieces(text))
    return tuple(clause for clause in found if clause.words or clause.marks)


def marks_of(text: str) -> frozenset[Mark]:
    """All marks of a text."""
    return frozenset(mark for clause in marked_clauses(text) for mark in clause.marks)


def read_clause(piece: str) -> MarkedClause:
    """One clause from its text."""
    words: list[str] = []
    order: dict[Mark, None] = {}
    negations: list[tuple[Mark, int]] = []
    for token, mark in _read(piece):
        if mark is not None:
            order.setdefault(mark)
            if mark.kind == MarkKind.NEGATION:
                negations.append((mark, len(words)))
        if mark is None or mark.kind not in _NO_WORD:
            plain = token.lower()
            if plain not in GLUE:
                words.append(plain)
    denied = tuple((mark, frozenset(words[max(0, at - NEAR) : at + NEAR])) for mark, at in negations)
    return MarkedClause(frozenset(words), frozenset(order), tuple(order), denied)


def _read(piece: str) -> Iterator[tuple[str, Mark | None]]:
    """The tokens of a clause, each with the mark it is; a unit belongs to its number."""
    number: tuple[str, Mark] | None = None
    for at, token in enumerate(tokens(piece)):
        if number is not None:
            before, number = number, None
            counted = unit(token)
            if counted is not None:
                yield before[0], Mark(MarkKind.NUMBER, f"{before[1].text} {counted.name}")
                continue
            yield before
        mark = mark_of(token, first=at == 0)
        if mark is not None and mark.kind == MarkKind.NUMBER:
            number = token, mark
        else:
            yield token, mark
    if number is not None:
        yield number


@lru_cache(maxsize=_CACHE_WORDS)
def mark_of(token: str, *, first: bool) -> Mark | None:
    """The mark a token is, None for an ordinary word.

    `first` says that it opens a clause, where a capital means nothing.
    """
    plain = token.lower()
    if (negation := _negation(plain)) is not None:
        return Mark(MarkKind.NEGATION, negation)
    if plain in word_set("marks", "modals"):
        return Mark(MarkKind.MODAL, plain)
    if plain in word_set("marks", "agents"):
        return Mark(MarkKind.AGENT, plain)
    if is_reference(token):
        return Mark(MarkKind.IDENTIFIER, token)
    if (number := _number(plain if token[0] != "V" else token)) is not None:
        return Mark(MarkKind.NUMBER, number)
    if is_identifier(token):
        return Mark(MarkKind.IDENTIFIER, token.removesuffix("()"))
    if token[0].isupper() and plain not in GLUE and (not first or (token.isupper() and len(token) > 1)):
        return Mark(MarkKind.NAME, plain)
    return None


def _negation(plain: str) -> str | None:
    if plain in DENIALS or plain.endswith("n't"):
        return "not"
    return meanings("marks", "refusals").get(plain)


def _number(plain: str) -> str | None:
    """A number in digits, without thousands' commas, its unit in short; None for what is none."""
    if plain != "one" and plain[0].isalpha() and (value := number(plain)) is not None:
        return str(value)  # "one" mostly stands for a thing: "one of them"
    if not (plain[0].isdigit() or (plain[0] == "v" and plain[1:2].isdigit())):
        return None
    plain = plain.lstrip("v")
    if _THOUSANDS.fullmatch(plain):
        plain = plain.replace(",", "")
    glued = measured(plain)
    return f"{glued[0]} {glued[1].name}" if glued else plain


def is_identifier(token: str) -> bool:
    """Whether a token is written as only code is: joined, dotted, camelled, a flag, a path."""
    return _IDENTIFIER.search(token) is not None and token.lower() not in word_set("marks", "abbreviations")


def is_reference(token: str) -> bool:
    """Whether a token is a commit's name or `#12`: evidence and artifacts keep those, a summary need not."""
    return token[0] == "#" or _HASH.fullmatch(token) is not None


def tokens(text: str) -> Iterator[str]:
    """The words, identifiers and numbers of a text, in order."""
    return (match.group() for match in _TOKEN.finditer(text))
