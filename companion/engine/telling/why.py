"""Why a place in the code is as it is: at most ten lines chosen out of what is known of its file.

Sections speak in turn, the most binding first: what a person said, decisions in force, the last
change that mattered, the pattern it follows or departs from, known errors, what the line declares.
Within a section what concerns the definition itself comes before what concerns the file. Who wrote
the file is told only where nothing else is known. A new section is a function and a line in SECTIONS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from companion.engine.telling.dossier import Dossier
from companion.records import (
    Commit,
    Decision,
    DecisionStatus,
    Episode,
    EvidenceKind,
    Failure,
    Kind,
    Mark,
    Memory,
    Pattern,
    Source,
    Symbol,
    SymbolKind,
    Why,
    WhyLine,
)

LINES = 9
"""Lines of an answer: ten with a heading, which is what one reads in a hover (spec W2)."""
TEXT_CHARACTERS = 200
"""Characters of a line's text: two rows of a hover."""
COMMITS_SWEEPING = 30
"""A commit of more files is a sweep and says nothing of one place; as for co-change."""
REVERTED = "reverted"
"""The label of an episode that was taken back."""


@dataclass(frozen=True, slots=True)
class _Place:
    """The dossier of a file, and the definition and line in it that are asked about."""

    known: Dossier
    symbol: Symbol | None
    line: int
    near: frozenset[str]

    def choose(self, wanted: Callable[[Memory], bool], most: int, *, nearby: bool = True) -> list[Memory]:
        """The memories wanted: those of the definition first, then (with `nearby`) those of the file."""
        chosen = [m for m in self.known.memories if wanted(m) and (m.id in self.near or (nearby and self._of_file(m)))]
        chosen.sort(key=lambda m: m.id)
        chosen.sort(key=lambda m: moment_of(m) or datetime.min, reverse=True)
        chosen.sort(key=lambda m: (m.id not in self.near, -m.draft.importance))
        return chosen[:most]

    def _of_file(self, memory: Memory) -> bool:
        """Whether a memory speaks of the file; what points to another line of it speaks of that line."""
        return self.known.points_here(memory) and not self.known.lines_of(memory)


def why(known: Dossier, line: int) -> Why:
    """Why the definition around a line (from 1) is as it is, in `LINES` lines at most."""
    symbol = known.definition(line)
    place = _Place(known, symbol, line, _near(known, symbol, line))
    lines: dict[str, WhyLine] = {}
    for section in SECTIONS:
        for told in section(place):
            lines.setdefault(told.id or told.text, told)
    if not lines:
        lines = {told.text: told for told in _owners(place)}
    first, last = (symbol.line, symbol.end_line) if symbol else (line, line)
    return Why(known.path, symbol.qualname if symbol else "", first, last, tuple(lines.values())[:LINES])


def marks(known: Dossier) -> tuple[Mark, ...]:
    """The file as a whole and its definitions that something is remembered about, by line."""
    of_symbols = [_mark_of_symbol(known, symbol) for symbol in known.symbols]
    return tuple(mark for mark in (_mark_of_file(known), *of_symbols) if mark is not None)


def _mark_of_file(known: Dossier) -> Mark | None:
    whole = [memory for memory in known.memories if known.points_here(memory)]
    if not (whole or known.touched):
        return None
    best = why(known, 0).lines
    changed = max((at for m in whole if (at := _changed(m))), default=None) or _last_touched(known)
    says = best[0].text if best else ""
    return Mark(known.path, "", SymbolKind.MODULE.value, 1, max(1, known.lines), len(whole), says, changed)


def _mark_of_symbol(known: Dossier, symbol: Symbol) -> Mark | None:
    near = known.about(symbol)
    if not near:
        return None
    told = [memory for memory in known.memories if memory.id in near]
    place = _Place(replace(known, memories=tuple(told)), symbol, symbol.line, near)
    first = next((line for section in SECTIONS for line in section(place) if line.id in near), None)
    made = known.made(symbol)[:1]
    changed = max((*(c.committed_at for c in made), *(at for m in told if (at := _changed(m)))), default=None)
    says = first.text if first else plain(told[0].draft.levels.compressed)
    return Mark(known.path, symbol.qualname, symbol.kind.value, symbol.line, symbol.end_line, len(near), says, changed)


def moment_of(memory: Memory) -> datetime | None:
    """When what a memory tells happened or became true, as far as that is known."""
    body = memory.draft.body
    return body.occurred_at if isinstance(body, Episode) else memory.draft.valid_from or memory.created_at


def source_of(memory: Memory) -> str:
    """Where a memory can be checked, in the words shown to people."""
    if memory.draft.source is Source.BY_HAND:
        return "said by hand"
    return memory.draft.evidence[0].label() if memory.draft.evidence else memory.draft.origin


def plain(text: str) -> str:
    """A text as one line of bounded length."""
    one = " ".join(text.split())
    return one if len(one) <= TEXT_CHARACTERS else one[: TEXT_CHARACTERS - 1].rstrip() + "…"


def _near(known: Dossier, symbol: Symbol | None, line: int) -> frozenset[str]:
    """Ids of what concerns the definition; outside of any, what points to the very line."""
    if symbol is not None:
        return known.about(symbol)
    return frozenset(memory.id for memory in known.memories if line in known.lines_of(memory))


def _told(memory: Memory, says: str, text: str) -> WhyLine:
    return WhyLine(plain(f"{says}: {text}"), source_of(memory), moment_of(memory), memory.id)


def _said(place: _Place) -> Iterator[WhyLine]:
    for memory in place.choose(lambda m: m.draft.source is Source.BY_HAND, 2):
        yield _told(memory, "Said", memory.draft.levels.summary)


def _decided(place: _Place) -> Iterator[WhyLine]:
    def in_force(memory: Memory) -> bool:
        body = memory.draft.body
        return isinstance(body, Decision) and body.status is DecisionStatus.IN_FORCE

    for memory in place.choose(in_force, 3):
        body = memory.draft.body
        assert isinstance(body, Decision)
        because = f" ({body.reason})" if body.reason and body.reason not in memory.draft.levels.summary else ""
        yield _told(memory, "Decided", f"{memory.draft.levels.summary}{because}")


def _changed_last(place: _Place) -> Iterator[WhyLine]:
    """The newest change of the definition, then of the file.

    A definition was changed by what names it and by what its lines came from; where no such commit was
    worth an episode, the newest commit is told, of its lines or else of the file.
    """

    def happened(memory: Memory) -> bool:
        return memory.draft.kind is Kind.EPISODE and memory.draft.label != REVERTED

    made = place.known.made(place.symbol) if place.symbol else ()
    shas = {commit.sha for commit in made}
    episodes = [(m, m.draft.body) for m in place.known.memories if happened(m)]
    told = [(m, body) for m, body in episodes if isinstance(body, Episode)]
    told.sort(key=lambda one: (moment_of(one[0]) or datetime.min, one[0].id), reverse=True)
    own = next((m for m, body in told if m.id in place.near or not shas.isdisjoint(body.commits)), None)
    newest = next((m for m, _ in told if place.known.points_here(m)), None)
    if own is not None:
        yield _told(own, "Changed", own.draft.subject)
    elif made:
        yield _committed("Changed last", made[0])
    if newest is not None and newest is not own:
        yield _told(newest, "The file changed", newest.draft.subject)
    if own is None and newest is None and not made and place.known.touched is not None:
        yield _committed("Last commit", place.known.touched)


def _committed(says: str, commit: Commit) -> WhyLine:
    return WhyLine(plain(f"{says}: {commit.subject}"), f"commit {commit.sha[:10]}", commit.committed_at)


def _patterned(place: _Place) -> Iterator[WhyLine]:
    def inside(lines: Sequence[int]) -> bool:
        first, last = (place.symbol.line, place.symbol.end_line) if place.symbol else (place.line, place.line)
        return any(first <= line <= last for line in lines)

    patterns = place.choose(lambda m: isinstance(m.draft.body, Pattern), LINES, nearby=False)
    departing = [m for m in patterns if inside(place.known.departures(m))]
    following = [m for m in patterns if m not in departing and inside(place.known.lines_of(m))]
    for memory in (*departing, *following)[:2]:
        body = memory.draft.body
        assert isinstance(body, Pattern)
        says = "Departs from" if memory in departing else "Follows"
        yield _told(memory, says, f"{body.hint} ({body.support} places)")


def _known_errors(place: _Place) -> Iterator[WhyLine]:
    for memory in place.choose(lambda m: isinstance(m.draft.body, Failure), 2):
        body = memory.draft.body
        assert isinstance(body, Failure)
        fix = f"; fixed by: {body.fix}" if body.fix else "; no fix is known"
        doubt = "" if body.verified or not body.fix else " (not verified)"
        yield _told(memory, "Known error", f"{body.error_type}: {body.message}{fix}{doubt}")


def _declared(place: _Place) -> Iterator[WhyLine]:
    """Facts that the definition or line itself states, or that are known to trouble it."""

    def is_fact(memory: Memory) -> bool:
        draft = memory.draft
        return draft.kind is Kind.FACT and draft.source is not Source.BY_HAND and not isinstance(draft.body, Decision)

    for memory in place.choose(is_fact, 2, nearby=False):
        yield _told(memory, "Declared", memory.draft.levels.summary)


def _owners(place: _Place) -> Iterator[WhyLine]:
    for owner in place.known.owners[:1]:
        yield WhyLine(plain(f"Mostly written by {owner.person} ({owner.share:.0%} of what counts)"), "history")


SECTIONS: tuple[Callable[[_Place], Iterator[WhyLine]], ...] = (
    _said,
    _decided,
    _changed_last,
    _patterned,
    _known_errors,
    _declared,
)


def _changed(memory: Memory) -> datetime | None:
    tells = memory.draft.kind is Kind.EPISODE and any(e.kind is EvidenceKind.COMMIT for e in memory.draft.evidence)
    return moment_of(memory) if tells else None


def _last_touched(known: Dossier) -> datetime | None:
    return known.touched.committed_at if known.touched else None
