"""The names that a file defines, on a line or two: what is told of one that is named and not shown."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from companion.records import ParsedFile, Symbol, SymbolKind

MAX_OUTLINE_CHARS = 170
"""About 60 tokens: names run at a little under three characters a token."""

_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_TYPES = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM, SymbolKind.TYPE, SymbolKind.MODULE})


class _Entry(Struct, frozen=True):
    """A symbol that may be named, and the index of the one it lies in (-1: none)."""

    symbol: Symbol
    parent: int


def outline(parsed: ParsedFile) -> str:
    """The names a file defines on a line or two, each once, methods in brackets behind their class."""
    entries = _entries(parsed.symbols)
    spaces = _spaces(entries)
    members: dict[str, dict[str, None]] = {}
    for entry in entries:
        owner = entries[entry.parent].symbol if entry.parent >= 0 else None
        if owner and entry.symbol.public and entry.symbol.name != owner.name:
            members.setdefault(owner.qualname, {})[entry.symbol.name] = None
    top = {symbol.qualname: symbol.name for symbol in _outermost(entries, spaces) if _says_something(symbol)}
    share = MAX_OUTLINE_CHARS // max(1, min(len(top), 4)) - 20
    said: list[str] = []
    used = 0
    for qualname, own in top.items():
        name = _with_members(own, list(members.get(qualname, ())), share)
        if used + len(name) + 2 > MAX_OUTLINE_CHARS - 12:
            break
        said.append(name)
        used += len(name) + 2
    left = len(top) - len(said)
    return ", ".join(said) + (f", … {left} more" if left and said else "")


def _with_members(name: str, members: list[str], limit_chars: int) -> str:
    shown: list[str] = []
    used = len(name) + 4
    for member in members:
        used += len(member) + 2
        if used > limit_chars:
            shown.append("…")
            break
        shown.append(member)
    return f"{name} ({', '.join(shown)})" if shown and shown != ["…"] else name


def _outermost(entries: list[_Entry], spaces: set[str]) -> Iterator[Symbol]:
    """What no other definition holds, apart from namespaces, by worth."""
    for at in _by_worth(entries):
        symbol, parent = entries[at].symbol, entries[at].parent
        if symbol.qualname not in spaces and (parent < 0 or entries[parent].symbol.qualname in spaces):
            yield symbol


def _spaces(entries: list[_Entry]) -> set[str]:
    """Qualified names of what only holds types: a namespace around a whole file says nothing of the file."""
    return {
        owner.qualname
        for entry in entries
        if entry.parent >= 0 and entry.symbol.kind in _TYPES and _only_encloses(owner := entries[entry.parent].symbol)
    }


def _says_something(symbol: Symbol) -> bool:
    """A package line says where, not what."""
    return symbol.kind is not SymbolKind.MODULE or symbol.end_line > symbol.line


def _entries(symbols: tuple[Symbol, ...]) -> list[_Entry]:
    """Symbols outside of function bodies, each under the symbol whose qualified name encloses its own."""
    at: dict[str, int] = {}
    kinds = {symbol.qualname: symbol.kind for symbol in symbols}
    entries: list[_Entry] = []
    for symbol in symbols:
        owner = symbol.qualname.rpartition(".")[0]
        if kinds.get(owner) in _CALLABLE or _inside_callable(owner, kinds):
            continue
        entries.append(_Entry(symbol, at.get(owner, -1)))
        if symbol.kind is SymbolKind.MODULE or symbol.qualname not in at:
            at[symbol.qualname] = len(entries) - 1
    return entries


def _inside_callable(owner: str, kinds: dict[str, SymbolKind]) -> bool:
    while owner := owner.rpartition(".")[0]:
        if kinds.get(owner) in _CALLABLE:
            return True
    return False


def _by_worth(entries: list[_Entry]) -> list[int]:
    """Public before private, types and callables before constants, larger before smaller."""

    def worth(at: int) -> tuple[bool, bool, bool, int, int]:
        symbol = entries[at].symbol
        size = symbol.end_line - symbol.line
        return (not symbol.public, symbol.kind is SymbolKind.CONSTANT, symbol.kind not in _TYPES, -size, at)

    return sorted(range(len(entries)), key=worth)


def _only_encloses(symbol: Symbol) -> bool:
    """A namespace with a body holds definitions and is none itself."""
    return symbol.kind is SymbolKind.MODULE and symbol.end_line > symbol.line
