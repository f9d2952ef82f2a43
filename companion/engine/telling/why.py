"""Why a line is as it is: the commit that wrote it, the story of the definition around it, and what concerns that.

The story comes from git, whose answers are handed in. Sections speak of what is remembered: what a person said of the
definition, decisions in force, a pattern it departs from, known errors, what it declares. What concerns other
definitions of the file as well, or the whole of it, is told where the file is asked about, as line 0. Dates are those
of commits, never of memories. A new section is a function and a line in SECTIONS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from msgspec import Struct

from companion.engine.telling.dossier import FileDossier
from companion.escape import shortened
from companion.records import (
    ASSISTANT,
    Blamed,
    CodeLens,
    Decision,
    DecisionStatus,
    Episode,
    Failure,
    Kind,
    Memory,
    Pattern,
    Source,
    Span,
    Symbol,
    SymbolKind,
    Why,
    WhyLine,
)
from companion.records.memory import sharer

LINES = 6
"""Lines beside the story: ten with the steps of most, which is what one reads in a hover (spec W2)."""
TEXT_CHARACTERS = 200
"""Characters of a line's text: two rows of a hover."""
UNDONE = frozenset({"reverted", "removed"})
"""Labels of episodes that were taken back, or whose thing was taken away."""

Origins = Sequence[Blamed]


class _Place(Struct, frozen=True):
    """The definition and line of a file that are asked about, and the ids of what concerns them.

    `origins` says which commits wrote the lines of the file; None while git is still asked.
    """

    known: FileDossier
    symbol: Symbol | None
    line: int
    near: frozenset[str]
    origins: Origins | None

    def choose(self, wanted: Callable[[Memory], bool], most: int) -> list[Memory]:
        """The memories wanted, the most important first, then the newest."""
        chosen = [memory for memory in self.known.memories if wanted(memory) and memory.id in self.near]
        chosen.sort(key=lambda m: m.id)
        chosen.sort(key=lambda m: moment_of(m) or datetime.min, reverse=True)
        chosen.sort(key=lambda m: -m.draft.importance)
        return chosen[:most]

    def changed(self, memory: Memory) -> datetime | None:
        """When what a memory says was last changed: by the lines of this file that it points to, else by itself."""
        lines = () if _is_said(memory) else self.known.lines_of(memory)
        at = [one.at for line in lines if (one := blamed_at(self.origins, line)) is not None and one.at is not None]
        return max(at, default=None) or moment_of(memory)


def why(known: FileDossier, line: int, origins: Origins | None = ()) -> Why:
    """What is remembered that concerns a line (from 1), in `LINES` lines at most; of the file for line 0.

    A memory stands behind one of the lines at most. The story is not in it yet.
    """
    symbol = known.definition(line)
    place = _Place(known, symbol, line, _near(known, symbol, line), origins)
    lines: dict[str, WhyLine] = {}
    for section in SECTIONS:
        for told in section(place):
            lines.setdefault(told.id or told.text, told)
    first, last = (symbol.line, symbol.end_line) if symbol else (line, line)
    name = symbol.qualname if symbol else ""
    return Why(known.path, name, first, last, line, lines=tuple(lines.values())[:LINES])


def followed(known: FileDossier, line: int) -> tuple[Span, str]:
    """The lines whose history is the story of a line, and the name of what they are.

    These are its definition; inside a class, but in no method, and outside of any, they are the line alone.
    """
    symbol = known.definition(line)
    if symbol is None or (line > symbol.line and known.holds(symbol)):
        return (line, line), ""
    return (symbol.line, symbol.end_line), symbol.name


def blamed_at(origins: Origins | None, line: int) -> Blamed | None:
    """The commit that wrote a line; None where that is not known."""
    return next((one for one in origins or () if one.first <= line <= one.last), None)


def marks(known: FileDossier, origins: Origins | None = ()) -> tuple[CodeLens, ...]:
    """The file as a whole and its definitions that something is known about, by line."""
    of_symbols = [_mark_of_symbol(known, symbol, origins) for symbol in known.symbols]
    return tuple(mark for mark in (_mark_of_file(known), *of_symbols) if mark is not None)


def _mark_of_file(known: FileDossier) -> CodeLens | None:
    whole = [memory for memory in known.memories if known.points_here(memory)]
    if not (whole or known.touched):
        return None
    changed, says = (known.touched.committed_at, known.touched.subject) if known.touched else (None, "")
    return CodeLens(known.path, "", SymbolKind.MODULE.value, 1, max(1, known.lines), len(whole), plain(says), changed)


def _mark_of_symbol(known: FileDossier, symbol: Symbol, origins: Origins | None) -> CodeLens | None:
    near, newest = known.own(symbol), _newest(symbol, origins)
    if not near and newest is None:
        return None
    says, changed = (newest.subject, newest.at) if newest else ("", None)
    lines = symbol.line, symbol.end_line
    return CodeLens(known.path, symbol.qualname, symbol.kind.value, *lines, len(near), plain(says), changed)


def _newest(symbol: Symbol, origins: Origins | None) -> Blamed | None:
    """The newest of the commits that wrote a definition; None where that is not known, or not committed yet."""
    wrote = [one for one in origins or () if symbol.line <= one.last and one.first <= symbol.end_line]
    if not all(one.sha for one in wrote):
        return None
    return max(wrote, key=lambda one: (one.at or datetime.min, one.sha), default=None)


def moment_of(memory: Memory) -> datetime | None:
    """When what a memory tells happened, became true or was said; None where only the day it was learned is known."""
    body = memory.draft.body
    if isinstance(body, Episode):
        return body.occurred_at
    return memory.draft.valid_from or (memory.created_at if memory.draft.source is Source.BY_HAND else None)


def source_of(memory: Memory) -> str:
    """Where a memory can be checked, in the words shown to people."""
    if memory.draft.source is Source.BY_HAND:
        return "said by an assistant" if memory.draft.origin.startswith(ASSISTANT) else "noted by hand"
    return memory.draft.evidence[0].label() if memory.draft.evidence else memory.draft.origin


def plain(text: str) -> str:
    """A text as one line of bounded length."""
    return shortened(" ".join(text.split()), TEXT_CHARACTERS)


def _near(known: FileDossier, symbol: Symbol | None, line: int) -> frozenset[str]:
    """Ids of what concerns the definition; outside of any, what points to the very line; for line 0 the file."""
    if symbol is not None:
        return known.own(symbol)
    if not line:
        return frozenset(m.id for m in known.memories if known.points_here(m) and not known.lines_of(m))
    return frozenset(memory.id for memory in known.memories if line in known.lines_of(memory))


def _told(place: _Place, memory: Memory, says: str, text: str) -> WhyLine:
    return WhyLine(plain(f"{says}: {text}"), source_of(memory), place.changed(memory), memory.id)


def _is_said(memory: Memory) -> bool:
    """Whether a person or an assistant said it, here or in what a colleague shared."""
    return memory.draft.source is Source.BY_HAND or bool(sharer(memory.draft.origin))


def _said(place: _Place) -> Iterator[WhyLine]:
    for memory in place.choose(_is_said, 2):
        yield _told(place, memory, "Said", memory.draft.levels.summary)


def _decided(place: _Place) -> Iterator[WhyLine]:
    def in_force(memory: Memory) -> bool:
        body = memory.draft.body
        return isinstance(body, Decision) and body.status is DecisionStatus.IN_FORCE

    for memory in place.choose(in_force, 3):
        body = memory.draft.body
        assert isinstance(body, Decision)
        because = f" ({body.reason})" if body.reason and body.reason not in memory.draft.levels.summary else ""
        yield _told(place, memory, "Decided", f"{memory.draft.levels.summary}{because}")


def _happened(place: _Place) -> Iterator[WhyLine]:
    """What happened to the file last and was not taken back; a definition has its story for that."""

    def counts(memory: Memory) -> bool:
        return isinstance(memory.draft.body, Episode) and memory.draft.label not in UNDONE

    for memory in place.choose(counts, 1) if not place.line else ():
        yield _told(place, memory, "In its past", memory.draft.subject)


def _departed(place: _Place) -> Iterator[WhyLine]:
    """The patterns that the definition departs from. Those that it follows hold for all others too."""
    first, last = (place.symbol.line, place.symbol.end_line) if place.symbol else (place.line, place.line)

    def departs(memory: Memory) -> bool:
        return any(first <= line <= last for line in place.known.departures(memory))

    for memory in place.choose(departs, 2):
        body = memory.draft.body
        assert isinstance(body, Pattern)
        yield _told(place, memory, "Departs from", f"{body.hint} ({body.support} places)")


def _known_errors(place: _Place) -> Iterator[WhyLine]:
    for memory in place.choose(lambda m: isinstance(m.draft.body, Failure), 2):
        body = memory.draft.body
        assert isinstance(body, Failure)
        fix = f"; fixed by: {body.fix}" if body.fix else "; no fix is known"
        doubt = "" if body.verified or not body.fix else " (not verified)"
        yield _told(place, memory, "Known error", f"{body.error_type}: {body.message}{fix}{doubt}")


def _declared(place: _Place) -> Iterator[WhyLine]:
    """Facts that the definition or line itself states, or that are known to trouble it."""

    def is_fact(memory: Memory) -> bool:
        draft = memory.draft
        return draft.kind is Kind.FACT and not _is_said(memory) and not isinstance(draft.body, Decision)

    for memory in place.choose(is_fact, 2):
        yield _told(place, memory, "Declared", memory.draft.levels.summary)


SECTIONS: tuple[Callable[[_Place], Iterator[WhyLine]], ...] = (
    _said,
    _decided,
    _happened,
    _departed,
    _known_errors,
    _declared,
)
