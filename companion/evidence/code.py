"""Code to chunks: a symbol each, long ones in parts, and what stands between them.

A type or module is given as its head and its members; a function that is longer than a part and holds others is cut
in the same way, and so is one that holds blocks with titles (`test "adds" do`), and a block without a name that is a
list of others (`describe`, `namespace`). Every line that
says anything is in exactly one chunk. Neighbours of a few lines (constants, one-line functions) are joined, since alone
they say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum

from msgspec import Struct, field
from msgspec.structs import replace

from companion.evidence.comments import CommentMarks
from companion.evidence.lines import (
    PART_LINES,
    LineRun,
    enclosing,
    indentation,
    line_runs,
    parts_at_borders,
    says,
    span_text,
    without_outer_blanks,
)
from companion.records import Import, Passage, PassageKind, Span, Symbol, SymbolKind

TINY_LINES = 5
"""A chunk of at most so many lines is joined with a neighbour as small."""

JOINED_LINES = 24
"""What joined neighbours are at most; a type or file up to this stays whole."""

HEAD_LINES = 3
"""A head, comment or beginning of at most so many lines goes with what follows it."""

GAP_LINES = 40
"""Of code between symbols, in one chunk."""

MAX_DEPTH = 12
"""Levels of symbols within symbols that are followed."""

MAX_TITLE_CHARS = 200

_HOLDING = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM, SymbolKind.TYPE, SymbolKind.MODULE})
_ATTRIBUTE = re.compile(r"\s*(?:@|#!?\[|\[|template\s*<|/\*|\*)")
_CLOSES = re.compile(r"\s*[)\]}>]")
_MARKS = " \t#/*!;<>-\"'"
_TITLED = re.compile(r"\s*([\w.]+)[ (]+(['\"`])(.+?)\2.*")
"""The beginning of a block that has a title: `it('adds', function () {`, `describe "sums" do`."""
_ONLY_CLOSES = re.compile(r"[\s)\]}>;,]*(?:end\b)?[\s)\]}>;,]*$|\s*(?:#\s*endif\b|[)\]}]+[;,\s]*/[/*])")
_CONDITION = re.compile(r"\s*#\s*(?:if|el)")
"""A line of a preprocessor that leads into what it is the condition of; in Python the same is a comment."""


class CodeNode(Struct):
    """A symbol with its lines, what stands above it and belongs to it included, and the symbols in it."""

    symbol: Symbol | None
    first: int
    last: int
    inner: list[CodeNode] = field(default_factory=list)


class _Sort(Enum):
    """What a stretch of code is: loose are constants and other statements, a head stands before its members.

    A block is no definition and holds lines as one does: a test with a title, a route, a task.
    """

    DEFINED = "defined"
    BLOCK = "block"
    HEAD = "head"
    CLOSING = "closing"
    IMPORTS = "imports"
    LOOSE = "loose"


class _Piece(Struct, frozen=True):
    """A stretch on its way to a chunk.

    `about` are the signatures that stand in it, `inside` the names of what encloses it, the outermost first; `leads`
    tells that it says nothing without what follows it.
    """

    first: int
    last: int
    about: tuple[str, ...]
    symbol: str
    inside: tuple[str, ...]
    sort: _Sort
    leads: bool = False
    joined: bool = False


def cut_code(
    path: str, lines: Sequence[str], tree: CodeNode, imported: Sequence[Import], marks: CommentMarks
) -> Iterator[Passage]:
    """The chunks of a file, in the order of its lines; `tree` is that of its symbols."""
    cutter = _Cutter(lines, frozenset(one.line for one in imported), marks)
    first, last = without_outer_blanks(lines, 1, len(lines)) or (1, 0)
    small = last - first < JOINED_LINES
    for piece in [_small(lines, tree)] if small else _joined(cutter.pieces(tree)):
        title = "; ".join(piece.about)[:MAX_TITLE_CHARS]
        for span in parts_at_borders(lines, piece.first, piece.last):
            text = span_text(lines, span)
            yield Passage(PassageKind.CHUNK, text, title, piece.inside, path, span, piece.symbol)


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


class _Cutter:
    """Walks the symbols of one file, and yields what stands in them and between them."""

    def __init__(self, lines: Sequence[str], imports: frozenset[int], marks: CommentMarks) -> None:
        self.lines = lines
        self.imports = imports
        self.marks = marks
        self.above = enclosing(lines, marks.line)

    def pieces(self, node: CodeNode) -> Iterator[_Piece]:
        """What a node is made of: itself, or its head, its members and what stands between them."""
        symbol = node.symbol
        titled = _is_long(node) and self._is_titled(node)
        if symbol and not (titled or (_is_long(node) and node.inner)):
            sort = _Sort.LOOSE if symbol.kind is SymbolKind.CONSTANT else _Sort.DEFINED
            yield _of_symbol((node.first, node.last), symbol, sort)
            return
        at = node.first
        if symbol and titled:
            yield _of_symbol((at, symbol.line), symbol, _Sort.HEAD)
            at = symbol.line + 1
        for inner in node.inner:
            before = (at, inner.first - 1)
            if symbol is None or at > node.first:
                yield from self._between(*before, symbol, above=True)
            elif span := without_outer_blanks(self.lines, *before):
                yield _of_symbol(span, symbol, _Sort.HEAD)
            yield from self.pieces(inner)
            at = inner.last + 1
        yield from self._between(at, node.last, symbol, above=False)

    def _between(self, first: int, last: int, symbol: Symbol | None, *, above: bool) -> Iterator[_Piece]:
        """The blocks and paragraphs of the code between two symbols of one, or in a long block; `above`: one follows.

        Lines right above it lead into it, and so does a short comment, or a condition, that stands alone.
        """
        for run in line_runs(self.lines, first, last, self.marks.line):
            start, end = run.first, run.last
            closed = start
            while closed <= end and _ONLY_CLOSES.match(self.lines[closed - 1]):
                closed += 1
            if closed > start:
                yield _Piece(start, closed - 1, (), "", (), _Sort.CLOSING)
            if closed > end:
                continue
            inside = self._inside(closed, symbol)
            imports = any(one in self.imports for one in range(closed, end + 1))
            if imports and not (run.is_block and self._is_list(closed, end)):
                yield _Piece(closed, end, (), "", inside, _Sort.IMPORTS)
            elif run.is_block:
                yield from self._block(closed, end, symbol)
            else:
                short = end - closed < HEAD_LINES
                condition = bool(_CONDITION.match(self.lines[end - 1])) and not self._is_comment(end, end)
                comment = self._is_comment(closed, end)
                leads = short and (closed == 1 or (above and end == last) or condition or comment)
                unsaid = condition or (comment and leads and closed == 1)  # a licence, a charset
                about = () if unsaid else _first_saying(self.lines, closed, end)
                yield _Piece(closed, end, about, "", inside, _Sort.LOOSE, leads)

    def _block(self, first: int, last: int, symbol: Symbol | None) -> Iterator[_Piece]:
        """A block with the comment above it, or what it is made of where it is a list of blocks."""
        head = first
        while head < last and self._is_comment(head, head):
            head += 1
        inside = self._inside(head, symbol)
        if len(inside) < MAX_DEPTH and self._is_list(head, last):
            yield _Piece(first, head, (), "", inside, _Sort.HEAD, leads=True)
            yield from self._between(head + 1, last, symbol, above=False)
        else:
            sort = _Sort.LOOSE if last - head < TINY_LINES else _Sort.BLOCK
            yield _Piece(first, last, tuple(map(_begins, _first_saying(self.lines, head, last))), "", inside, sort)

    def _inside(self, line: int, symbol: Symbol | None) -> tuple[str, ...]:
        """The names of what a line stands in: those of its symbol, and the beginnings of the blocks around it."""
        begins = []
        while (line := self.above[line]) > (symbol.line if symbol else 0):
            begins.append(_begins(self.lines[line - 1]))
        return (*_names_in(symbol), *begins[: -MAX_DEPTH - 1 : -1])

    def _is_list(self, first: int, last: int) -> bool:
        """Whether the blocks in a block tell more by themselves: it is longer than a part, or two have a title."""
        if last - first < JOINED_LINES:
            return False
        if self._titles(first, last) > 1:
            return True
        inner = self._blocks(first, last)
        return bool(inner and last - first >= PART_LINES) or (
            len(inner) == 1 and self._is_list(inner[0].first, inner[0].last)
        )

    def _is_titled(self, node: CodeNode) -> bool:
        """Whether a block with a title stands in a symbol before what it defines, and so much that it is no head."""
        if node.symbol is None:
            return False
        first, last = node.symbol.line, node.inner[0].first - 1 if node.inner else node.last
        return last - first >= JOINED_LINES and self._titles(first, last) > 0

    def _titles(self, first: int, last: int) -> int:
        """How many of the blocks below a line have a title."""
        return sum(_TITLED.match(self.lines[one.first - 1]) is not None for one in self._blocks(first, last))

    def _blocks(self, first: int, last: int) -> list[LineRun]:
        """The blocks below a line."""
        return [one for one in line_runs(self.lines, first + 1, last, self.marks.line) if one.is_block]

    def _is_comment(self, first: int, last: int) -> bool:
        return all(line.lstrip().startswith(self.marks.line) for line in self.lines[first - 1 : last])


def _is_long(node: CodeNode) -> bool:
    """Whether a symbol has more lines than one chunk is to have."""
    holds = node.symbol is not None and node.symbol.kind in _HOLDING
    return node.last - node.first >= (JOINED_LINES if holds else PART_LINES)


def _names_in(symbol: Symbol | None) -> tuple[str, ...]:
    """What stands in a symbol stands under these names."""
    return tuple(part for part in symbol.qualname.split(".") if part) if symbol else ()


def _of_symbol(span: Span, symbol: Symbol, sort: _Sort) -> _Piece:
    inside, size = _names_in(symbol)[:-1], span[1] - span[0] + 1
    if symbol.kind is SymbolKind.MODULE and size == 1:  # `package store` says it of the whole file
        return _Piece(*span, (symbol.signature,), "", inside, _Sort.LOOSE, leads=True)
    told = inside and symbol.kind in {SymbolKind.TYPE, SymbolKind.CONSTANT}  # `type Item = u8;` before the methods
    leads = size <= HEAD_LINES and bool(told or sort is _Sort.HEAD)
    return _Piece(*span, (symbol.signature,), symbol.qualname, inside, sort, leads)


def _small(lines: Sequence[str], tree: CodeNode) -> _Piece:
    """A file of few lines as one piece."""
    symbols = [node.symbol for node in tree.inner if node.symbol]
    about = tuple(symbol.signature for symbol in symbols) or _first_saying(lines, 1, len(lines))
    return _Piece(1, len(lines), about, symbols[0].qualname if symbols else "", (), _Sort.LOOSE)


def _first_saying(lines: Sequence[str], first: int, last: int) -> tuple[str, ...]:
    """The first line that is more than signs: what a piece of loose code is called."""
    for number in range(first, min(last, first + TINY_LINES) + 1):
        line = _bare(lines[number - 1])
        if any(map(str.isalnum, line)):
            return (line,)
    return ()


def _bare(line: str) -> str:
    return line[:MAX_TITLE_CHARS].strip(_MARKS)


def _begins(line: str) -> str:
    """How the first line of a block tells it: by its title, if it has one; a comment that quotes a word has none."""
    titled = _TITLED.match(line)
    return titled.expand(r"\1 \2\3\2") if titled else _bare(line)


def _joined(pieces: Iterator[_Piece]) -> Iterator[_Piece]:
    """Pieces with what leads into them and what closes them; neighbours of one sort that are tiny, or loose, as one."""
    held: _Piece | None = None
    for piece in pieces:
        both = piece.last - held.first + 1 if held else 0
        if held is None:
            held = piece
        elif piece.sort is _Sort.CLOSING:
            held = replace(held, last=piece.last)
        elif held.leads and (both <= JOINED_LINES or not piece.leads):
            symbol = piece.symbol or held.symbol
            about = held.about + piece.about if symbol else held.about or piece.about
            held = replace(piece, first=held.first, about=about, symbol=symbol)
        elif held.sort is piece.sort and held.inside == piece.inside and both <= _room(held, piece):
            symbol = held.symbol or piece.symbol
            about = held.about + piece.about if symbol else held.about or piece.about
            held = replace(held, last=piece.last, about=about, symbol=symbol, joined=True)
        else:
            yield held
            held = piece
    if held:
        yield held


def _room(held: _Piece, piece: _Piece) -> int:
    """Lines that two neighbours of one sort may have as one; 0 where they are to stay two."""
    if not (held.symbol or piece.symbol) and held.sort is _Sort.LOOSE:
        return GAP_LINES
    tiny = all(one.joined or one.last - one.first < TINY_LINES for one in (held, piece))
    return JOINED_LINES if tiny and held.sort is not _Sort.HEAD else 0
