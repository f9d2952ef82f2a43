"""A file at the lengths it may be shown at: a skeleton of signatures, an outline of names."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from companion.records import ParsedFile, Symbol, SymbolKind
from companion.syntax.docs import shorten
from companion.syntax.languages import row_of
from companion.syntax.symbols import MAX_SIGNATURE_CHARS

MAX_OUTLINE_CHARS = 170
"""About 60 tokens: names run at a little under three characters a token."""

CHARS_PER_TOKEN = 3.6
"""Signatures are denser than prose: measured 3.4 to 4.2 over several languages."""

SHORT_SIGNATURE_CHARS = 96
"""Signatures are cut here when not all fit whole: three names help more than one full list of types."""

MAX_TRIES = 6
"""Times a skeleton is cut anew when the estimate was off; the last resort halves what is shown."""

_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_TYPES = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM, SymbolKind.TYPE, SymbolKind.MODULE})


class _Entry(Struct, frozen=True):
    """A symbol that may be shown, the index of the one it lies in (-1: none), and its costs."""

    symbol: Symbol
    parent: int
    depth: int
    tokens: float
    doc_tokens: float


def skeleton(parsed: ParsedFile, count: Callable[[str], int], limit_tokens: int = 400) -> str:
    """Every signature, indented under its class, with its first sentence where there is room.

    At most `limit_tokens` as `count` counts them. When not all fit, public and larger symbols come
    first and the last line says how many are left out. Empty if there is nothing to show.
    """
    entries = _entries(parsed.symbols)
    row = row_of(parsed.language)
    page = _Page(row.comment if row else "#", parsed.doc, entries)
    if not entries:
        return page.head if page.head and count(page.head) <= limit_tokens else ""
    holders = {entry.parent for entry in entries}
    every = {at for at, entry in enumerate(entries) if at in holders or not _only_encloses(entry.symbol)}
    full = page.render(every, every, MAX_SIGNATURE_CHARS)
    if len(full) <= 6 * CHARS_PER_TOKEN * limit_tokens and count(full) <= limit_tokens:
        return full
    order = _by_worth(entries)
    budget = float(limit_tokens)
    best = ""
    for _ in range(MAX_TRIES):
        text = page.fill(order, budget)
        tokens = count(text)
        if tokens <= limit_tokens:
            best = max(best, text, key=len)
            if tokens >= 0.93 * limit_tokens:
                break
        budget *= max(0.5, min(1.5, 0.97 * limit_tokens / max(tokens, 1)))
    return best


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
        parent = at.get(owner, -1)
        depth = entries[parent].depth + 1 if parent >= 0 else 0
        tokens = (min(len(symbol.signature), SHORT_SIGNATURE_CHARS) + 2 * depth) / CHARS_PER_TOKEN + 1
        entries.append(_Entry(symbol, parent, depth, tokens, len(symbol.doc) / CHARS_PER_TOKEN + 2))
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


class _Page(Struct, frozen=True):
    """A skeleton to be written: what begins a comment, the file's own first sentence, what may be shown."""

    comment: str
    doc: str
    entries: list[_Entry]

    @property
    def head(self) -> str:
        """The file's first sentence as a comment."""
        return f"{self.comment} {self.doc}" if self.doc else ""

    def fill(self, order: list[int], budget_tokens: float) -> str:
        """Choose signatures, then first sentences, up to an estimated number of tokens."""
        left = budget_tokens - (len(self.head) / CHARS_PER_TOKEN + 1 if self.head else 0) - 5
        shown: set[int] = set()
        for at in order:
            if _only_encloses(self.entries[at].symbol):
                continue
            chain = _chain(self.entries, at, shown)
            cost = sum(self.entries[one].tokens for one in chain)
            if cost <= left:
                shown.update(chain)
                left -= cost
        with_doc: set[int] = set()
        for at in order:
            if at in shown and self.entries[at].symbol.doc and self.entries[at].doc_tokens <= left:
                with_doc.add(at)
                left -= self.entries[at].doc_tokens
        return self.render(shown, with_doc)

    def render(self, shown: set[int], with_doc: set[int], limit_chars: int = SHORT_SIGNATURE_CHARS) -> str:
        """The lines; what says the same again in the same place is left out."""
        lines = dict.fromkeys([(-1, self.head)] if self.head else [])
        for at in sorted(shown):
            entry = self.entries[at]
            doc = f"  {self.comment} {entry.symbol.doc}" if at in with_doc and entry.symbol.doc else ""
            lines[entry.parent, f"{'  ' * entry.depth}{shorten(_line(entry), limit_chars)}{doc}"] = None
        said = [line for _, line in lines]
        if left := sum(at not in shown and not _only_encloses(e.symbol) for at, e in enumerate(self.entries)):
            said.append(f"… {left} more")
        return "\n".join(said)


def _only_encloses(symbol: Symbol) -> bool:
    """A namespace with a body is shown around what it holds, and not for itself."""
    return symbol.kind is SymbolKind.MODULE and symbol.end_line > symbol.line


def _chain(entries: list[_Entry], at: int, shown: set[int]) -> list[int]:
    """An entry and those around it that are not shown yet."""
    chain = []
    while at >= 0 and at not in shown:
        chain.append(at)
        at = entries[at].parent
    return chain


def _line(entry: _Entry) -> str:
    """The signature, with the owner before it where the owner is not shown around it."""
    symbol = entry.symbol
    owner = symbol.qualname.rpartition(".")[0]
    if entry.parent < 0 and owner and owner not in symbol.signature and symbol.kind in _CALLABLE:
        return f"{owner}: {symbol.signature}"
    return symbol.signature
