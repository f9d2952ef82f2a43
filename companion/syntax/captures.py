"""Bytes and a grammar to captures: the one place that touches a syntax tree.

A query names what it finds (see the package's docstring); here the matches become plain values with
byte positions, so that everything after it knows no tree and no language. Hostile files are cut off:
parsing has a limit of processor time, and parts of a tree that are too deep or too many are not
searched, since the cost of a search grows with the square of the depth.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace
from tree_sitter import Node, Parser, Query, QueryCursor, Tree

from companion.records import SymbolKind
from companion.syntax.hostile import searchable, too_ambiguous
from companion.syntax.languages import Preprocessed, grammar_of, row_of
from companion.syntax.macros import without_directives, without_macros

HERE_BASE_S = 0.01
HERE_S_PER_BYTE = 1e-6
"""Processor seconds after which a text is called hard: ordinary code needs 0.14 µs a byte."""

PARSE_BASE_S = 0.25
PARSE_S_PER_BYTE = 2e-6
"""Processor seconds that a hard text may take: ambiguous soup eats 1 GB a second."""

MAX_PART_CHARS = 160
"""Length at which a captured part (an argument, a body's first statement) is cut."""

MAX_QUALIFIER_BYTES = 60
"""A qualifier longer than this is an expression, not a name."""

_PLAIN = re.compile(r"[$@\\]?\w+(?:(?:\.|::|->|\\|\?\.|:)\w+)*")
_WORD = re.compile(r"\w")
_SAYS_OWNER = "owner."
_READ_BYTES = 1 << 16
_KINDS = {kind.value: kind for kind in SymbolKind}
_USES = ("call", "inherit", "decorate")
_TAKEN_AWAY: Mapping[Preprocessed, Callable[[bytes], bytes]] = {
    Preprocessed.NOTHING: bytes,
    Preprocessed.MACROS: without_macros,
    Preprocessed.DIRECTIVES: without_directives,
}
_EVENTS = frozenset({"route", "block"})


class HardText(Exception):
    """The parser is slow with this text; it may also be about to exhaust the memory."""


class Definition(Struct, frozen=True):
    """A definition as found. `kind` is None for what encloses names without being a symbol (`impl`).

    `head` is where its one-line signature begins and ends, in bytes; `owner` a type named by the
    definition itself (a Go receiver).
    """

    kind: SymbolKind | None
    name: str
    owner: str
    start: int
    end: int
    name_start: int
    head: tuple[int, int]


class NameUse(Struct, frozen=True):
    """A use of a name: `how` is call, inherit or decorate; `via` what it is reached through."""

    how: str
    name: str
    via: str
    start: int
    arguments: str = ""


class ShapePart(Struct, frozen=True):
    """A place that a shape may be made of; `parts` are the other captures of its match."""

    label: str
    start: int
    parts: dict[str, str]


class SyntaxReading(Struct):
    """Everything the query found in one file, in the order of the text."""

    data: bytes
    line_starts: list[int]
    definitions: list[Definition] = field(default_factory=list)
    uses: list[NameUse] = field(default_factory=list)
    events: list[ShapePart] = field(default_factory=list)
    imports: list[tuple[int, str, str]] = field(default_factory=list)
    """Start, module and one name brought in (or none)."""
    aliases: dict[str, str] = field(default_factory=dict)
    comments: list[tuple[int, int]] = field(default_factory=list)
    exported: list[tuple[int, int]] = field(default_factory=list)
    exports: set[str] = field(default_factory=set)
    private_from: list[int] = field(default_factory=list)

    def line(self, byte: int) -> int:
        """The 1-based line a byte lies on."""
        return bisect_right(self.line_starts, byte)

    def text(self, start: int, end: int) -> str:
        """The text of a range of bytes."""
        return self.data[start:end].decode("utf-8", "replace")

    def prefix(self, byte: int) -> bytes:
        """What stands before a byte on its line."""
        return self.data[self.line_starts[self.line(byte) - 1] : byte]


def line_starts(data: bytes) -> list[int]:
    """Where each line begins."""
    starts = [0]
    at = data.find(b"\n")
    while at != -1:
        starts.append(at + 1)
        at = data.find(b"\n", at + 1)
    return starts


def read(language: str, data: bytes, alone: bool = False) -> SyntaxReading:
    """Search the file with the language's query; nothing is found in what is too ambiguous, or takes too long.

    Raises HardText, whatever the bytes nothing else; never where the process is `alone` with this text.
    """
    reading = SyntaxReading(data, line_starts(data))
    grammar, query = grammar_of(language)
    if too_ambiguous(data):
        return reading
    row = row_of(language)
    tree = _parse(Parser(grammar), _TAKEN_AWAY[row.preprocessed](data) if row else data, alone)
    if tree is None and not alone:
        raise HardText
    if tree is None:
        return reading
    for start, end in searchable(tree.root_node, len(data)):
        _search(query, tree.root_node, start, end, reading)
    _in_order(reading)
    if row and row.equations:
        reading.definitions = _with_equations(reading.definitions)
    return reading


def _parse(parser: Parser, data: bytes, alone: bool) -> Tree | None:
    base_s, s_per_byte = (PARSE_BASE_S, PARSE_S_PER_BYTE) if alone else (HERE_BASE_S, HERE_S_PER_BYTE)
    deadline = time.thread_time() + base_s + s_per_byte * len(data)

    def chunk(byte: int, _point: object) -> bytes:
        return data[byte : byte + _READ_BYTES]

    def late(_byte: int, _error: bool) -> bool:
        return time.thread_time() > deadline

    try:
        watched = parser.parse(chunk, progress_callback=late)
    except ValueError:
        return None
    # Only a parse that reads by calls can be stopped, but a query's predicates are five times as slow on
    # its tree: parsing the bytes again costs next to nothing, as every node of the old tree is reused.
    return parser.parse(data, watched)


def _search(query: Query, root: Node, start: int, end: int, reading: SyntaxReading) -> None:
    cursor = QueryCursor(query)
    cursor.set_byte_range(start, end)
    for _pattern, captures in cursor.matches(root):
        _take(captures, reading)


def _take(captures: dict[str, list[Node]], reading: SyntaxReading) -> None:
    """Sort one match into the reading by the names of its captures."""
    for how in _USES:
        if how in captures:
            _take_use(how, captures, reading)
            return
    if "comment" in captures:
        node = captures["comment"][0]
        reading.comments.append((node.start_byte, node.end_byte))
        return
    if "name" in captures:
        _take_definition(captures, reading)
        return
    if "import" in captures:
        _take_import(captures, reading)
        return
    for label, nodes in captures.items():
        if label in _EVENTS:
            _take_event(label, nodes[0], captures, reading)
            return
    _take_mark(captures, reading)


def _take_use(how: str, captures: dict[str, list[Node]], reading: SyntaxReading) -> None:
    node = captures[how][0]
    start = node.start_byte
    name = reading.text(start, min(node.end_byte, start + MAX_PART_CHARS))
    via = _qualifier(captures.get("via"), reading)
    if not via and _WORD.search(name):
        via, _, name = name.rpartition(".")  # a string that names a class by its path
    reading.uses.append(NameUse(how, name, via, start, _part(captures.get("with"), reading)))


def _qualifier(nodes: list[Node] | None, reading: SyntaxReading) -> str:
    """A dotted name as it is; anything longer or more complex is an ellipsis."""
    if not nodes:
        return ""
    start, end = nodes[0].start_byte, nodes[-1].end_byte
    if end - start > MAX_QUALIFIER_BYTES:
        return "…"
    text = reading.text(start, end).rstrip(".")
    return text if text.isidentifier() or _PLAIN.fullmatch(text) else "…"


def _take_definition(captures: dict[str, list[Node]], reading: SyntaxReading) -> None:
    name, name_ends = captures["name"][0], captures["name"][-1].end_byte
    label = next((key for key in captures if key in _KINDS), "within")
    if label not in captures:
        return
    start, end = captures[label][0].start_byte, captures[label][-1].end_byte
    body = captures.get("body")
    head_end = captures["to"][-1].end_byte if "to" in captures else body[0].start_byte if body else end
    reading.definitions.append(
        Definition(
            kind=_KINDS.get(label),
            name=reading.text(name.start_byte, min(name_ends, name.start_byte + MAX_PART_CHARS)),
            owner=".".join(filter(None, (_said_owner(captures), _part(captures.get("owner"), reading)))),
            start=start,
            end=end,
            name_start=name.start_byte,
            head=(start, head_end),
        )
    )


def _take_import(captures: dict[str, list[Node]], reading: SyntaxReading) -> None:
    start = captures["import"][0].start_byte
    module = _part(captures.get("module"), reading).removeprefix("import ").strip("\"'`")
    if "relative" in captures and not module.startswith("."):
        module = f"./{module}"
    names = [_part([node], reading) for node in captures.get("imported", ())] or [""]
    reading.imports.extend((start, module, name) for name in names)
    if "alias" in captures:
        reading.aliases[_part(captures["alias"], reading)] = names[0] or module


def _take_event(label: str, node: Node, captures: dict[str, list[Node]], reading: SyntaxReading) -> None:
    parts = {key: _part(nodes, reading) for key, nodes in captures.items() if key != label}
    reading.events.append(ShapePart(label, node.start_byte, parts))


def _take_mark(captures: dict[str, list[Node]], reading: SyntaxReading) -> None:
    for label, nodes in captures.items():
        start, end = nodes[0].start_byte, nodes[0].end_byte
        if label == "exported":
            reading.exported.append((start, end))
        elif label == "exports":
            reading.exports.add(_part(nodes, reading))
        elif label == "private":
            reading.private_from.append(start)


def _part(nodes: list[Node] | None, reading: SyntaxReading) -> str:
    if not nodes:
        return ""
    start = nodes[0].start_byte
    text = reading.text(start, min(nodes[0].end_byte, start + MAX_PART_CHARS))
    return " ".join(text.split()) if "\n" in text or "  " in text else text


def _said_owner(captures: Iterable[str]) -> str:
    """The owner that a query itself names, as `var` in `@owner.var`; the binding frees what `#set!` says twice."""
    return next((name.removeprefix(_SAYS_OWNER) for name in captures if name.startswith(_SAYS_OWNER)), "")


def _with_equations(definitions: list[Definition]) -> list[Definition]:
    """A signature and the equations below it as one definition; each says the name again."""
    found: list[Definition] = []
    for one in definitions:
        above = found[-1] if found else None
        if above and one.kind is above.kind is SymbolKind.FUNCTION and one.name == above.name:
            found[-1] = replace(above, end=max(above.end, one.end))
        else:
            found.append(one)
    return found


def _in_order(reading: SyntaxReading) -> None:
    """Order by position; of two patterns that define a name the better stays; neither it nor a decorator is a call."""
    first: dict[int, Definition] = {}
    for definition in reading.definitions:
        known = first.get(definition.name_start)
        if known is None or _says_more(definition, known):
            first[definition.name_start] = definition
    reading.definitions = sorted(first.values(), key=lambda found: (found.start, -found.end, found.name_start))
    no_calls = first.keys() | {use.start for use in reading.uses if use.how == "decorate"}
    calls_apart = (use for use in reading.uses if use.how != "call" or use.start not in no_calls)
    reading.uses = sorted(calls_apart, key=lambda use: use.start)
    reading.events.sort(key=lambda event: (event.start, event.label))
    reading.imports.sort(key=lambda found: found[0])
    reading.comments.sort()


def _says_more(one: Definition, other: Definition) -> bool:
    """Anything rather than a constant; and the pattern that knew where the body begins."""
    if (one.kind is SymbolKind.CONSTANT) != (other.kind is SymbolKind.CONSTANT):
        return other.kind is SymbolKind.CONSTANT
    return one.head[1] < other.head[1]
