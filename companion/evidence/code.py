"""Code to chunks: a symbol each, long ones in parts, and what stands between them.

A type or module is given as its head and its members; a function that is longer than a part and holds others is cut
in the same way. Every line that says anything is in exactly one chunk. Neighbours of a few lines (constants, one-line
functions) are joined, since alone they say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from companion.evidence.comments import CommentMarks
from companion.evidence.lines import (
    PART_LINES,
    indentation,
    paragraphs,
    parts_at_borders,
    says,
    span_text,
    without_outer_blanks,
)
from companion.records import Import, Passage, PassageKind, Symbol, SymbolKind

TINY_LINES = 5
"""A chunk of at most so many lines is joined with a neighbour as small."""

JOINED_LINES = 24
"""What joined neighbours are at most; a type up to this stays whole."""

GAP_LINES = 40
"""Of code between symbols, in one chunk."""

MAX_DEPTH = 12
"""Levels of symbols within symbols that are followed."""

MAX_TITLE_CHARS = 200

_HOLDING = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM, SymbolKind.TYPE, SymbolKind.MODULE})
_ATTRIBUTE = re.compile(r"\s*(?:@|#!?\[|\[|template\s*<|/\*|\*)")
_CLOSES = re.compile(r"\s*[)\]}>]")
_ONLY_SIGNS = re.compile(r"[\s\W]*(?:end\b)?[\s\W]*$")


@dataclass(slots=True)
class CodeNode:
    """A symbol with its lines, what stands above it and belongs to it included, and the symbols in it."""

    symbol: Symbol | None
    first: int
    last: int
    inner: list[CodeNode] = field(default_factory=list)


class _Sort(Enum):
    """What a stretch of code is: a definition, imports, or loose (constants and other statements)."""

    DEFINED = "defined"
    IMPORTS = "imports"
    LOOSE = "loose"


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch on its way to a chunk.

    `about` are the signatures that stand in it, `inside` the qualified name of what encloses it.
    """

    first: int
    last: int
    about: tuple[str, ...]
    symbol: str
    inside: str
    sort: _Sort
    joined: bool = False


def cut_code(path: str, lines: Sequence[str], tree: CodeNode, imported: Sequence[Import]) -> Iterator[Passage]:
    """The chunks of a file, in the order of its lines; `tree` is that of its symbols."""
    imports = frozenset(one.line for one in imported)
    for piece in _joined(lines, _pieces(lines, tree, imports)):
        title = "; ".join(piece.about)[:MAX_TITLE_CHARS]
        headings = tuple(part for part in piece.inside.split(".") if part)
        for span in parts_at_borders(lines, piece.first, piece.last):
            text = span_text(lines, span)
            yield Passage(PassageKind.CHUNK, text, title, headings, path, span, piece.symbol)


def code_tree(lines: Sequence[str], symbols: Sequence[Symbol], marks: CommentMarks) -> CodeNode:
    """The symbols of a file, one in the other; what crosses the end of another is cut there."""
    root = CodeNode(None, 1, len(lines))
    stack = [root]
    for symbol in sorted(symbols, key=lambda one: (one.line, -one.end_line)):
        while len(stack) > 1 and stack[-1].last < symbol.line:
            stack.pop()
        above = stack[-1]
        floor = above.inner[-1].last if above.inner else (above.symbol.line if above.symbol else 0)
        last = min(symbol.end_line, above.last)
        if symbol.line <= floor or last < symbol.line:
            continue  # a second definition on a line: it stands in the chunk of the first
        node = CodeNode(symbol, _start(lines, symbol.line, floor + 1, marks), last)
        above.inner.append(node)
        if len(stack) <= MAX_DEPTH:
            stack.append(node)
    return root


def _start(lines: Sequence[str], line: int, floor: int, marks: CommentMarks) -> int:
    """The line that a definition begins on, with its comments and attributes; not above `floor`."""
    start, depth = line, indentation(lines[line - 1])
    for number in range(line - 1, floor - 1, -1):
        above = lines[number - 1]
        if not says(above):
            break
        if _ATTRIBUTE.match(above) or above.lstrip().startswith(marks.line) or above.rstrip().endswith("*/"):
            start = number
        elif not (indentation(above) > depth or _CLOSES.match(above)):
            break
    return start


def _pieces(lines: Sequence[str], node: CodeNode, imports: frozenset[int]) -> Iterator[_Piece]:
    """What a node is made of: itself, or its head, its members and what stands between them."""
    symbol = node.symbol
    if symbol and not _is_divided(node):
        yield _whole(node.first, node.last, symbol)
        return
    at = node.first
    for inner in node.inner:
        yield from _between(lines, at, inner.first - 1, symbol, imports, head=at == node.first)
        yield from _pieces(lines, inner, imports)
        at = inner.last + 1
    yield from _between(lines, at, node.last, symbol, imports, head=at == node.first)


def _is_divided(node: CodeNode) -> bool:
    size = node.last - node.first + 1
    if not node.inner or node.symbol is None:
        return False
    return size > (JOINED_LINES if node.symbol.kind in _HOLDING else PART_LINES)


def _whole(first: int, last: int, symbol: Symbol) -> _Piece:
    sort = _Sort.LOOSE if symbol.kind is SymbolKind.CONSTANT else _Sort.DEFINED
    return _Piece(first, last, (symbol.signature,), symbol.qualname, symbol.qualname.rpartition(".")[0], sort)


def _between(
    lines: Sequence[str], first: int, last: int, inside: Symbol | None, imports: frozenset[int], *, head: bool
) -> Iterator[_Piece]:
    """The code between two symbols by its paragraphs, imports apart from the rest; the head of a type is one piece."""
    if inside and head:
        if span := without_outer_blanks(lines, first, last):
            yield _whole(*span, inside)
        return
    held: _Piece | None = None
    for start, end in paragraphs(lines, first, last):
        brings = any(number in imports for number in range(start, end + 1))
        sort = _Sort.IMPORTS if brings else _Sort.LOOSE
        if held and held.sort is sort and end - held.first < GAP_LINES:
            held = replace(held, last=end)
            continue
        if held:
            yield held
        about = () if brings else _first_saying(lines, start, end)
        held = _Piece(start, end, about, "", inside.qualname if inside else "", sort)
    if held:
        yield held


def _first_saying(lines: Sequence[str], first: int, last: int) -> tuple[str, ...]:
    """The first line that is more than signs: what a piece of loose code is called."""
    for number in range(first, min(last, first + TINY_LINES) + 1):
        line = lines[number - 1][:MAX_TITLE_CHARS].strip()
        if not _ONLY_SIGNS.match(line):
            return (line,)
    return ()


def _joined(lines: Sequence[str], pieces: Iterator[_Piece]) -> Iterator[_Piece]:
    """Tiny neighbours of one sort as one piece; a head of a line or two goes with what follows it."""
    held: _Piece | None = None
    for piece in pieces:
        if held is None:
            held = piece
        elif _only_closes(lines, piece):
            held = replace(held, last=piece.last)
        elif _leads_into(held, piece):
            name = piece.symbol or held.symbol
            held = replace(piece, first=held.first, about=held.about + piece.about, symbol=name, joined=False)
        elif _are_tiny(held, piece):
            name = held.symbol or piece.symbol
            held = replace(held, last=piece.last, about=held.about + piece.about, symbol=name, joined=True)
        else:
            yield held
            held = piece
    if held:
        yield held


def _only_closes(lines: Sequence[str], piece: _Piece) -> bool:
    """Whether a piece is nothing but the end of what stands above it."""
    return _size(piece) <= 2 and all(_ONLY_SIGNS.match(line) for line in lines[piece.first - 1 : piece.last])


def _leads_into(held: _Piece, piece: _Piece) -> bool:
    """Whether a line or two are the head of what follows: of its type, or right above it (`impl Sink for File {`)."""
    if _size(held) > 2 or held.joined:
        return False
    if held.sort is _Sort.DEFINED:
        return bool(held.symbol) and piece.inside == held.symbol
    return held.sort is _Sort.LOOSE and not held.symbol and piece.first == held.last + 1


def _are_tiny(held: _Piece, piece: _Piece) -> bool:
    alike = held.sort is piece.sort and held.inside == piece.inside
    small = _size(piece) <= TINY_LINES and (held.joined or _size(held) <= TINY_LINES)
    return alike and small and piece.last - held.first < JOINED_LINES


def _size(piece: _Piece) -> int:
    return piece.last - piece.first + 1
