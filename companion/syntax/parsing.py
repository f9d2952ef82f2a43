"""One file's bytes to all that can be read from it."""

from __future__ import annotations

import re
from bisect import bisect_right

from msgspec.structs import replace

from companion.encoding import decoded
from companion.records import Import, ParsedFile, Reference, ReferenceKind
from companion.records.roles import role_of
from companion.syntax.captures import HardText, ShapePart, SyntaxReading, read
from companion.syntax.languages import language_of, row_of
from companion.syntax.manifests import declared_modules
from companion.syntax.shapes import Ground, shapes_of
from companion.syntax.symbols import Named, name_definitions

MAX_REFERENCES = 5_000
"""References of one file; one file in a thousand has more, and is generated."""

MAX_IMPORTS = 1_000
"""Imports of one file."""

MAX_PARSED_BYTES = 2_000_000
"""Files above this are not parsed: they are bundles or data, whatever their name."""

_KINDS = {kind.value: kind for kind in ReferenceKind}
_CPLUSPLUS = re.compile(rb"^[ \t]*(?:class\s+\w|namespace\b|template\s*<|using\s+\w|public:|private:)", re.MULTILINE)


def parse_here(path: str, data: bytes, content_hash: str, alone: bool = False) -> ParsedFile:
    """What `parse` gives; raises HardText unless the process is `alone` with this text and may be lost."""
    plain = parse_plainly(path, data, content_hash)
    if row_of(plain.language) is None:
        text = decoded(data[:200_000])
        return replace(plain, symbols=declared_modules(path, text))
    if len(data) > MAX_PARSED_BYTES:
        return plain
    try:
        return _parse(plain, data, alone)
    except HardText:
        raise
    except Exception:  # a grammar's defect must cost one file, not the scan
        return plain


def parse_plainly(path: str, data: bytes, content_hash: str) -> ParsedFile:
    """What can be said of a file without reading what is in it."""
    language = _language(path, data)
    return ParsedFile(
        path=path,
        language=language,
        role=role_of(path, language),
        content_hash=content_hash,
        size_bytes=len(data),
        lines=_line_count(data),
    )


def _language(path: str, data: bytes) -> str:
    first_line = data[:200].split(b"\n", 1)[0].decode("utf-8", "replace")
    language = language_of(path, first_line)
    if language == "c" and path.endswith(".h") and _CPLUSPLUS.search(data[:100_000]):
        return "cpp"
    return language


def _line_count(data: bytes) -> int:
    return data.count(b"\n") + (1 if data and not data.endswith(b"\n") else 0)


def _parse(plain: ParsedFile, data: bytes, alone: bool) -> ParsedFile:
    row = row_of(plain.language)
    assert row is not None
    reading = read(row.name, decoded(data).encode("utf-8", "replace"), alone)
    named = name_definitions(reading, row.public)
    references = _references(reading, named)
    symbols = tuple(one.symbol for one in named if one.symbol is not None)
    return replace(
        plain,
        lines=_line_count(reading.data),
        symbols=symbols,
        references=references,
        imports=_imports(reading),
        shapes=shapes_of(Ground(row.name, plain.role, reading, symbols, references, _placed(reading, named))),
    )


def _references(reading: SyntaxReading, named: list[Named]) -> tuple[Reference, ...]:
    """Uses with the definition they stand in; decorators belong to what they decorate."""
    inside = Enclosing(named)
    aliases = reading.aliases
    references: list[Reference] = []
    for use in reading.uses[:MAX_REFERENCES]:
        name, via = use.name, use.via
        if aliases and (name in aliases or via in aliases):
            name = name if via else _last_part(aliases.get(name, name))
            via = aliases.get(via, via)
        where = inside.following(use.start) if use.how == "decorate" else inside.at(use.start)
        references.append(Reference(name, _KINDS[use.how], reading.line(use.start), where, via))
    return tuple(references)


def _last_part(name: str) -> str:
    return name.rpartition(".")[2].rpartition("\\")[2]


class Enclosing:
    """Tells which definition a byte lies in; asked in the order of the text."""

    def __init__(self, named: list[Named]) -> None:
        self._named = named
        self._stack: list[Named] = []
        self._next = 0
        self._names = sorted((one.definition.name_start, one.qualname) for one in named)
        self._starts = [start for start, _ in self._names]

    def at(self, byte: int) -> str:
        """The qualified name of the innermost definition around a byte."""
        while self._next < len(self._named) and self._named[self._next].definition.start <= byte:
            self._stack.append(self._named[self._next])
            self._next += 1
        while self._stack and self._stack[-1].definition.end <= byte:
            self._stack.pop()
        for one in reversed(self._stack):
            if one.definition.end > byte:
                return one.qualname
        return ""

    def following(self, byte: int) -> str:
        """The qualified name of the first definition whose name comes after a byte."""
        at = bisect_right(self._starts, byte)
        return self._names[at][1] if at < len(self._names) else ""


def _placed(reading: SyntaxReading, named: list[Named]) -> tuple[tuple[ShapePart, str], ...]:
    inside = Enclosing(named)
    return tuple((event, inside.at(event.start)) for event in reading.events)


def _imports(reading: SyntaxReading) -> tuple[Import, ...]:
    """One record a statement and module, names in the order of the text."""
    names: dict[tuple[int, str], list[str]] = {}
    for start, module, name in reading.imports[:MAX_IMPORTS]:
        brought = names.setdefault((start, module), [])
        if name and name not in brought:
            brought.append(name)
    return tuple(Import(module, reading.line(start), tuple(brought)) for (start, module), brought in names.items())
