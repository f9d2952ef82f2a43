"""The names that a file defines, on a line or two: what is told of one that is named and not shown."""

from __future__ import annotations

from collections import Counter

from companion.records import ParsedFile, Symbol, SymbolKind

MAX_OUTLINE_CHARS = 170
"""About 60 tokens: names run at a little under three characters a token."""

_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_TYPES = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM, SymbolKind.TYPE, SymbolKind.MODULE})
_Owned = tuple[Symbol, Symbol | None]
"""A symbol that may be named, and the one it lies in."""


def outline(parsed: ParsedFile) -> str:
    """The names a file defines on a line or two, each once, methods in brackets behind their class."""
    owned = _owned(parsed.symbols)
    # A namespace around a whole file holds types, and says nothing of the file.
    spaces = {owner.qualname for one, owner in owned if owner and one.kind in _TYPES and _is_space(owner)}
    members: dict[str, dict[str, None]] = {}
    for one, owner in owned:
        if owner and one.public and one.name != owner.name:
            members.setdefault(owner.qualname, {})[one.name] = None
    top = {
        one.qualname: one
        for one, owner in sorted(owned, key=_worth)
        if one.qualname not in spaces
        and (owner is None or owner.qualname in spaces)
        and (one.kind is not SymbolKind.MODULE or _is_space(one))  # a package line says where, not what
    }
    share = MAX_OUTLINE_CHARS // max(1, min(len(top), 4)) - 20
    said: list[str] = []
    used = 0
    names = Counter(one.name for one in top.values())
    for qualname, one in top.items():
        own = one.name if names[one.name] == 1 else qualname  # `aws_eip.this` and `aws_route.this`
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


def _owned(symbols: tuple[Symbol, ...]) -> list[_Owned]:
    """Symbols outside of function bodies, each with the symbol whose qualified name encloses its own."""
    kinds = {symbol.qualname: symbol.kind for symbol in symbols}
    at: dict[str, Symbol] = {}
    owned: list[_Owned] = []
    for symbol in symbols:
        owner = symbol.qualname.rpartition(".")[0]
        if _inside_callable(owner, kinds):
            continue
        owned.append((symbol, at.get(owner)))
        if symbol.kind is SymbolKind.MODULE or symbol.qualname not in at:
            at[symbol.qualname] = symbol
    return owned


def _inside_callable(owner: str, kinds: dict[str, SymbolKind]) -> bool:
    while owner and kinds.get(owner) not in _CALLABLE:
        owner = owner.rpartition(".")[0]
    return bool(owner)


def _worth(owned: _Owned) -> tuple[bool, bool, bool, int]:
    """Public before private, types and callables before constants, larger before smaller."""
    symbol = owned[0]
    size = symbol.end_line - symbol.line
    return (not symbol.public, symbol.kind is SymbolKind.CONSTANT, symbol.kind not in _TYPES, -size)


def _is_space(symbol: Symbol) -> bool:
    """A namespace with a body holds definitions and is none itself."""
    return symbol.kind is SymbolKind.MODULE and symbol.end_line > symbol.line
