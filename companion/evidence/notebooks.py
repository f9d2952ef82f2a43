"""Notebooks by their cells: what was written into them, not what they printed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from companion.evidence.blocks import Markup
from companion.evidence.documents import cut_document
from companion.evidence.lines import parts_at_borders, span_text
from companion.records import Passage, PassageKind

_CELL = re.compile(r'\s*"cell_type"\s*:\s*"(?P<kind>\w+)"')
_SOURCE = re.compile(r'\s*"source"\s*:\s*\[\s*$')
_END = re.compile(r"\s*\]")


def cut_notebook(path: str, lines: Sequence[str]) -> Iterator[Passage]:
    """The cells of a notebook as it is saved, one line of source on a line; nothing where it is saved otherwise.

    A passage's text is what its lines say, without the quotes that the format puts around them.
    """
    prose, code, cells = [""] * len(lines), [""] * len(lines), list(_cells(lines))
    for kind, first, last in cells:
        into = prose if kind == "markdown" else code
        into[first - 1 : last] = [_unquoted(line) for line in lines[first - 1 : last]]
    yield from cut_document(path, prose, Markup.MARKDOWN)
    for kind, first, last in cells:
        if kind != "markdown":
            for span in parts_at_borders(code, first, last):
                yield Passage(PassageKind.CHUNK, span_text(code, span), path=path, span=span)


def _cells(lines: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Sort and lines of the source of each cell that has one."""
    kind, first = "code", 0
    for number, line in enumerate(lines, 1):
        if first:
            if _END.match(line[:100]):
                if number > first:
                    yield kind, first, number - 1
                first = 0
        elif found := _CELL.match(line[:200]):
            kind = found["kind"]
        elif _SOURCE.match(line[:200]):
            first = number + 1


def _unquoted(line: str) -> str:
    try:
        said = json.loads(line.strip().rstrip(","))
    except ValueError:
        return line
    return said.rstrip("\n").replace("\n", " ") if isinstance(said, str) else line
