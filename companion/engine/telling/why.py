"""Why a line is as it is: the commit that wrote it, then what is known of the definition around it, ten lines at most.

Sections speak in turn: what a person said of the definition, decisions in force, its last commit and what is
remembered of its past, the pattern it follows or departs from, known errors, what it declares. What is true of the
whole file is told where the file is asked about, as line 0. Dates of changes are those of commits, never of
memories. A new section is a function and a line in SECTIONS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from companion.engine.telling.dossier import FileDossier
from companion.records import (
    ASKING,
    ASSISTANT,
    UNCOMMITTED,
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
    Symbol,
    SymbolKind,
    Why,
    WhyLine,
)

LINES = 9
"""Lines of an answer: ten with a heading, which is what one reads in a hover (spec W2)."""
TEXT_CHARACTERS = 200
"""Characters of a line's text: two rows of a hover."""
REVERTED = "reverted"
"""The label of an episode that was taken back."""


Origins = Sequence[Blamed]


@dataclass(frozen=True, slots=True)
class _Place:
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

    def written(self) -> Blamed | None:
        """The commit that wrote the line; None where that is not known."""
        return next((one for one in self.origins or () if one.first <= self.line <= one.last), None)

    def told_of(self, sha: str) -> Memory | None:
        """What is remembered of a commit."""
        return next((memory for memory in self.happenings() if sha in commits_of(memory)), None)

    def happenings(self) -> list[Memory]:
        """What happened to the file and was not taken back, newest first."""
        found = [m for m in self.known.memories if isinstance(m.draft.body, Episode) and m.draft.label != REVERTED]
        return sorted(found, key=lambda m: (moment_of(m) or datetime.min, m.id), reverse=True)


def why(known: FileDossier, line: int, origins: Origins | None = ()) -> Why:
    """Why a line (from 1) is as it is, in `LINES` lines at most; what is known of the file for line 0.

    A memory stands behind one of the lines at most. `origins` says which commits wrote the lines of the file; None
    while git is still asked.
    """
    symbol = known.definition(line)
    place = _Place(known, symbol, line, _near(known, symbol, line), origins)
    lines: dict[str, WhyLine] = {}
    for section in SECTIONS:
        for told in section(place):
            lines.setdefault(told.id or told.text, told)
    first, last = (symbol.line, symbol.end_line) if symbol else (line, line)
    return Why(known.path, symbol.qualname if symbol else "", first, last, tuple(lines.values())[:LINES])


def marks(known: FileDossier, origins: Origins | None = ()) -> tuple[CodeLens, ...]:
    """The file as a whole and its definitions that something is remembered about, by line."""
    of_symbols = [_mark_of_symbol(known, symbol, origins) for symbol in known.symbols]
    return tuple(mark for mark in (_mark_of_file(known), *of_symbols) if mark is not None)


def _mark_of_file(known: FileDossier) -> CodeLens | None:
    whole = [memory for memory in known.memories if known.points_here(memory)]
    if not (whole or known.touched):
        return None
    told = why(known, 0).lines
    changed = known.touched.committed_at if known.touched else None
    says = told[0].text if told else ""
    return CodeLens(known.path, "", SymbolKind.MODULE.value, 1, max(1, known.lines), len(whole), says, changed)


def _mark_of_symbol(known: FileDossier, symbol: Symbol, origins: Origins | None) -> CodeLens | None:
    near = known.about(symbol)
    if not near:
        return None
    told = [memory for memory in known.memories if memory.id in near]
    place = _Place(replace(known, memories=tuple(told)), symbol, 0, near, origins)
    first = next((line for section in SECTIONS[1:] for line in section(place) if line.id in near), None)
    newest = _newest(place)
    says = first.text if first else plain(told[0].draft.levels.compressed)
    changed = newest.at if newest else None
    return CodeLens(
        known.path, symbol.qualname, symbol.kind.value, symbol.line, symbol.end_line, len(near), says, changed
    )


def commits_of(memory: Memory) -> Sequence[str]:
    """The commits that a memory tells of."""
    return memory.draft.body.commits if isinstance(memory.draft.body, Episode) else ()


def moment_of(memory: Memory) -> datetime | None:
    """When what a memory tells happened or became true, as far as that is known."""
    body = memory.draft.body
    return body.occurred_at if isinstance(body, Episode) else memory.draft.valid_from or memory.created_at


def source_of(memory: Memory) -> str:
    """Where a memory can be checked, in the words shown to people."""
    if memory.draft.source is Source.BY_HAND:
        return "said by an assistant" if memory.draft.origin.startswith(ASSISTANT) else "said by hand"
    return memory.draft.evidence[0].label() if memory.draft.evidence else memory.draft.origin


def plain(text: str) -> str:
    """A text as one line of bounded length."""
    one = " ".join(text.split())
    return one if len(one) <= TEXT_CHARACTERS else one[: TEXT_CHARACTERS - 1].rstrip() + "…"


def _near(known: FileDossier, symbol: Symbol | None, line: int) -> frozenset[str]:
    """Ids of what concerns the definition; outside of any, what points to the very line; for line 0 the file."""
    if symbol is not None:
        return known.about(symbol)
    if not line:
        return frozenset(m.id for m in known.memories if known.points_here(m) and not known.lines_of(m))
    return frozenset(memory.id for memory in known.memories if line in known.lines_of(memory))


def _told(memory: Memory, says: str, text: str) -> WhyLine:
    return WhyLine(plain(f"{says}: {text}"), source_of(memory), moment_of(memory), memory.id)


def _written(place: _Place) -> Iterator[WhyLine]:
    """The commit that wrote the line; of a file the last one that touched it."""
    touched = place.known.touched
    if place.line:
        written = place.written()
        if place.origins is None:
            yield ASKING
        elif written is not None:
            yield _committed(place, "This line", written, "line") if written.sha else UNCOMMITTED
    elif touched is not None:
        blamed = Blamed(1, place.known.lines, touched.sha, touched.subject, touched.committed_at)
        yield _committed(place, "The file changed last", blamed, "file")


def _committed(place: _Place, says: str, commit: Blamed, about: str) -> WhyLine:
    """A commit in its own words, with the id of what is remembered of it."""
    told = place.told_of(commit.sha)
    text, source = plain(f"{says}: {commit.subject}"), f"commit {commit.sha[:10]}"
    return WhyLine(text, source, commit.at, told.id if told else "", about)


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


def _newest(place: _Place) -> Blamed | None:
    """The newest of the commits that wrote the definition; None where that is not known, or not committed yet."""
    symbol = place.symbol
    if symbol is None or place.origins is None:
        return None
    wrote = [one for one in place.origins if symbol.line <= one.last and one.first <= symbol.end_line]
    if not all(one.sha for one in wrote):
        return None
    return max(wrote, key=lambda one: (one.at or datetime.min, one.sha), default=None)


def _changed_last(place: _Place) -> Iterator[WhyLine]:
    """The last commit of the definition, if it is not that of the line, and what else happened to it."""
    newest, written = _newest(place), place.written()
    known = {one.sha: place.told_of(one.sha) for one in (written, newest) if one is not None}
    if newest is not None and (written is None or newest.sha != written.sha):
        told = _committed(place, "Changed last", newest, "symbol")
        yield replace(told, id="") if written is not None and known[written.sha] is known[newest.sha] else told
    others = [m for m in place.happenings() if m.id in place.near and m not in known.values()]
    for memory in others[:1]:
        yield _told(memory, "In its past", memory.draft.subject)


def _patterned(place: _Place) -> Iterator[WhyLine]:
    def inside(lines: Sequence[int]) -> bool:
        first, last = (place.symbol.line, place.symbol.end_line) if place.symbol else (place.line, place.line)
        return any(first <= line <= last for line in lines)

    patterns = place.choose(lambda m: isinstance(m.draft.body, Pattern), LINES)
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

    for memory in place.choose(is_fact, 2):
        yield _told(memory, "Declared", memory.draft.levels.summary)


SECTIONS: tuple[Callable[[_Place], Iterator[WhyLine]], ...] = (
    _written,
    _said,
    _decided,
    _changed_last,
    _patterned,
    _known_errors,
    _declared,
)
