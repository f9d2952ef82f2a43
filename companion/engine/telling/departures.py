"""What to look at in a file: open contradictions, and places that depart from a convention."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from msgspec import Struct

from companion.engine.telling.dossier import FileDossier
from companion.engine.telling.why import plain
from companion.records import Hint, Memory, Pattern, Symbol

HINTS = 50
"""Hints of one file: more is not read, and a manifest that disagrees with everything has no more."""
CONTRADICTION = "contradiction"
CONVENTION = "convention"
"""The codes of hints, by which an editor knows what may be done about them."""


class Disputed(Struct, frozen=True):
    """A line of a file that one side of an open contradiction was read from."""

    id: str
    line: int
    reason: str


def hints(
    known: FileDossier, disputed: Sequence[Disputed], lines: Sequence[str], dismissed: Collection[str]
) -> tuple[Hint, ...]:
    """The hints of a file by line, at most `HINTS`.

    `lines` are its lines as indexed: a place that they do not have is passed over. `dismissed` are ids
    of memories that a person found of no use here.
    """
    found = [
        _hint(known, lines, one.line, f"Contradiction: {one.reason}", CONTRADICTION, one.id)
        for one in disputed
        if one.line <= len(lines)
    ]
    for memory in known.memories:
        if memory.id in dismissed or not isinstance(memory.draft.body, Pattern):
            continue
        found += [
            _hint(known, lines, line, _departs(memory, memory.draft.body), CONVENTION, memory.id)
            for line in known.departures(memory)
            if line <= len(lines)
        ]
    found.sort(key=lambda hint: (hint.first_line, hint.first_column, hint.code, hint.id))
    return tuple(dict.fromkeys(found))[:HINTS]


def _departs(memory: Memory, body: Pattern) -> str:
    others = f"{body.support} places do so, {body.exception_count} otherwise"
    return f"Departs from a convention: {body.hint.rstrip('.')} ({others})."


def _hint(known: FileDossier, lines: Sequence[str], line: int, message: str, code: str, id_: str) -> Hint:
    first, last = columns(lines[line - 1], _defined_at(known, line))
    return Hint(known.path, line, first, line, last, plain(message), code, id_)


def _defined_at(known: FileDossier, line: int) -> Symbol | None:
    return next((symbol for symbol in known.symbols if symbol.line == line), None)


def columns(text: str, symbol: Symbol | None) -> tuple[int, int]:
    """First column and the one after the last, from 1, in characters.

    The name, where a definition begins on the line; else the line without its margins.
    """
    if symbol is not None:
        named = re.search(rf"(?<!\w){re.escape(symbol.name)}(?!\w)", text)
        if named is not None:
            return named.start() + 1, named.end() + 1
    inner = text.strip()
    start = len(text) - len(text.lstrip()) if inner else 0
    return start + 1, start + 1 + len(inner)
