"""Between the protocol's types and ours: positions, places, severities. No other module translates them.

The protocol counts lines from 0 and columns in code units of the encoding agreed on, UTF-16 unless
the client offers another; records count both from 1 and columns in characters.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types

if TYPE_CHECKING:  # an editor waits for the first answer, and records take a tenth of a second to load
    from companion.records import Diagnostic, Hint

SOURCE = "companion"
"""Who our diagnostics come from, as an editor shows it."""

_DRIVE = re.compile(r"^/[A-Za-z]:(?=/|$)")
_UNIT_BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
_CODECS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


def units(text: str, characters: int, encoding: str = "utf-16") -> int:
    """Code units of the first so many characters; of the whole text if it is shorter."""
    taken = text[: max(0, characters)]
    return len(taken.encode(_CODECS[encoding], "surrogatepass")) // _UNIT_BYTES[encoding]


def characters(text: str, code_units: int, encoding: str = "utf-16") -> int:
    """Characters within the first so many code units; a character cut in half does not count."""
    if encoding == "utf-32" or text.isascii():
        return max(0, min(code_units, len(text)))
    width = _UNIT_BYTES[encoding]
    found = used = 0
    for character in text:
        used += len(character.encode(_CODECS[encoding], "surrogatepass")) // width
        if used > code_units:
            break
        found += 1
    return found


def to_position(lines: Sequence[str], line: int, column: int, encoding: str = "utf-16") -> types.Position:
    """The protocol's position of a line and column, both from 1; kept inside the text."""
    row = min(max(line, 1), max(1, len(lines))) - 1
    text = lines[row] if lines else ""
    return types.Position(row, units(text, column - 1, encoding))


def from_position(lines: Sequence[str], position: types.Position, encoding: str = "utf-16") -> tuple[int, int]:
    """Line and column, both from 1; a position outside the text becomes the nearest one inside."""
    row = min(position.line, max(0, len(lines) - 1))
    text = lines[row] if lines else ""
    if position.line > row:
        return row + 1, len(text) + 1
    return row + 1, characters(text, position.character, encoding) + 1


def selected(lines: Sequence[str], chosen: types.Range, encoding: str = "utf-16") -> str:
    """The text of a range, joined by line feeds; of a range the wrong way round too."""
    start, end = sorted((from_position(lines, chosen.start, encoding), from_position(lines, chosen.end, encoding)))
    rows = list(lines[start[0] - 1 : end[0]])
    if not rows:
        return ""
    rows[-1] = rows[-1][: end[1] - 1]
    rows[0] = rows[0][start[1] - 1 :]
    return "\n".join(rows)


def word_range(lines: Sequence[str], line: int, column: int, encoding: str = "utf-16") -> types.Range | None:
    """The range of the word at a place, both from 1; None between words."""
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    for word in re.finditer(r"\w+", text):
        if word.start() <= column - 1 <= word.end():
            return types.Range(
                to_position(lines, line, word.start() + 1, encoding), to_position(lines, line, word.end() + 1, encoding)
            )
    return None


def path_of(uri: str) -> Path | None:
    """The file that a URI names; None for anything that is no local file."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or not parts.path:
        return None
    path = unquote(parts.path, errors="surrogateescape")
    host = unquote(parts.netloc)
    if "\0" in path:
        return None
    if _DRIVE.match(path):
        path = path[1].upper() + path[2:]
    elif host and host != "localhost":
        if os.name != "nt":
            return None
        path = f"//{host}{path}"
    return Path(path)


def uri_of(path: Path) -> str:
    """The URI of a file, as editors write it."""
    plain = path.as_posix()
    if re.match(r"^[A-Za-z]:", plain):
        return f"file:///{plain[0].lower()}%3A{quote(plain[2:])}"
    if plain.startswith("//"):
        return f"file:{quote(plain)}"
    return f"file://{quote(os.fsencode(plain))}"


def to_diagnostic(hint: Hint, line: int, lines: Sequence[str], encoding: str = "utf-16") -> types.Diagnostic:
    """A hint at the line (from 1) where it stands now."""
    return types.Diagnostic(
        range=types.Range(
            to_position(lines, line, hint.first_column, encoding),
            to_position(lines, line + hint.last_line - hint.first_line, hint.last_column, encoding),
        ),
        message=hint.message,
        severity=types.DiagnosticSeverity.Hint,
        code=hint.code,
        source=SOURCE,
        data={"id": hint.id, "code": hint.code},
    )


def from_diagnostics(given: Sequence[types.Diagnostic]) -> tuple[Diagnostic, ...]:
    """Other tools' messages as records; our own are left out."""
    from companion.records import Diagnostic, Severity

    return tuple(
        Diagnostic(
            line=one.range.start.line + 1,
            message=one.message,
            severity=Severity((one.severity or types.DiagnosticSeverity.Error).name.lower()),
            tool=one.source or "",
            code="" if one.code is None else str(one.code),
        )
        for one in given
        if one.source != SOURCE
    )


def to_lens(line: int, data: Mapping[str, object]) -> types.CodeLens:
    """A lens above the line (from 1) where a definition stands now, its title still open."""
    at = types.Position(line - 1, 0)
    return types.CodeLens(range=types.Range(at, at), data=dict(data))


def overlap(one: types.Range, other: types.Range) -> bool:
    """Whether two ranges share a line, the one that either ends on included."""
    return one.start.line <= other.end.line and other.start.line <= one.end.line
