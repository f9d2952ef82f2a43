"""What is known of one file, and which of it concerns which of its definitions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from companion.records import Commit, Evidence, EvidenceKind, Memory, Pattern, Symbol

SYMBOL = "symbol:"
"""How the entity of a definition begins."""
SHARED_MOST = 2
"""Other definitions of a file that a memory may concern, and still tell of one: more is true of the file."""


class FileDossier(Struct, frozen=True, dict=True):
    """One file and everything remembered that names it, its definitions, or a line of it.

    `touched` is the last commit that touched it, whatever it was called then; `lines` counts its lines as indexed;
    `called` is the path by which memories name it, where that is another.
    """

    path: str
    lines: int = 0
    symbols: tuple[Symbol, ...] = ()
    memories: tuple[Memory, ...] = ()
    touched: Commit | None = None
    called: str = ""

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset({self.path, self.called or self.path})

    def definition(self, line: int) -> Symbol | None:
        """The innermost definition around a line (from 1)."""
        around = [symbol for symbol in self.symbols if symbol.line <= line <= symbol.end_line]
        return min(around, key=lambda symbol: (symbol.end_line - symbol.line, -symbol.line), default=None)

    def about(self, symbol: Symbol) -> frozenset[str]:
        """Ids of the memories that name a definition or point into it, or into what it holds."""
        return frozenset(self._concerned.get(id(symbol), ()))

    def own(self, symbol: Symbol) -> frozenset[str]:
        """Ids of the memories about a definition and hardly about others, outside and inside of it apart."""

        def others(id_: str) -> int:
            inner = self._innermost.get(id_, ())
            return sum(not (_within(other, symbol) or _within(symbol, other)) for other in inner)

        return frozenset(id_ for id_ in self.about(symbol) if others(id_) <= SHARED_MOST)

    @cached_property
    def _innermost(self) -> dict[str, list[Symbol]]:
        """By memory, the definitions that it concerns and that hold no others."""
        found: defaultdict[str, list[Symbol]] = defaultdict(list)
        for symbol in self.symbols:
            for id_ in () if self.holds(symbol) else self.about(symbol):
                found[id_].append(symbol)
        return found

    def holds(self, symbol: Symbol) -> bool:
        """Whether other definitions stand inside of one."""
        return symbol.qualname in self._holders

    @cached_property
    def _holders(self) -> frozenset[str]:
        return frozenset(symbol.qualname.rpartition(".")[0] for symbol in self.symbols)

    @cached_property
    def _concerned(self) -> dict[int, set[str]]:
        by_name: defaultdict[str, list[Symbol]] = defaultdict(list)
        for symbol in self.symbols:
            for name in {symbol.name, symbol.qualname}:
                by_name[name].append(symbol)
        found: defaultdict[int, set[str]] = defaultdict(set)
        for memory in self.memories:
            for symbol in self._meant(memory, by_name):
                found[id(symbol)].add(memory.id)
        return found

    def _meant(self, memory: Memory, by_name: dict[str, list[Symbol]]) -> Iterator[Symbol]:
        """The definitions a memory concerns. A name without a dot recurs in other files: it counts beside the path."""
        names_file = self._named_by(memory)
        for key in memory.draft.entities:
            name = key.removeprefix(SYMBOL)
            if name != key and (names_file or "." in name):
                for symbol in by_name.get(name, ()):
                    yield symbol
                    yield from (outer for outer in self.symbols if symbol.qualname.startswith(f"{outer.qualname}."))
        for line in self.lines_of(memory):
            yield from (symbol for symbol in self.symbols if symbol.line <= line <= symbol.end_line)

    def lines_of(self, memory: Memory) -> tuple[int, ...]:
        """Lines of this file that a memory points to; a pattern points to its exceptions too."""
        return tuple(place.line for place in places_of(memory) if self._is_here(place) and place.line is not None)

    def points_here(self, memory: Memory) -> bool:
        """Whether a memory can be checked in this file, or speaks of it by name or scope."""
        draft = memory.draft
        return (
            self._named_by(memory)
            or draft.scope.path in self._names
            or any(self._is_here(place) for place in places_of(memory))
        )

    def _named_by(self, memory: Memory) -> bool:
        return any(f"file:{name}" in memory.draft.entities for name in self._names)

    def departures(self, memory: Memory) -> tuple[int, ...]:
        """Lines of this file that depart from a pattern."""
        body = memory.draft.body
        if not isinstance(body, Pattern):
            return ()
        return tuple(place.line for place in body.exceptions if self._is_here(place) and place.line is not None)

    def _is_here(self, place: Evidence) -> bool:
        return place.kind is EvidenceKind.FILE and place.ref in self._names


def _within(inner: Symbol, outer: Symbol) -> bool:
    return outer.line <= inner.line and inner.end_line <= outer.end_line


def places_of(memory: Memory) -> tuple[Evidence, ...]:
    """Where a memory can be checked; of a pattern its examples and exceptions as well."""
    body = memory.draft.body
    if isinstance(body, Pattern):
        return tuple(dict.fromkeys((*memory.draft.evidence, *body.examples, *body.exceptions)))
    return memory.draft.evidence
