"""Python's own tracebacks: plain, chained, of exception groups, and syntax errors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.signals.errors.found import FoundError, RawFrame, number, walk

_HEADER = re.compile(r"Traceback \(most recent call last\):$")
_FRAME = re.compile(r'\s*File "([^"]+)", line (\d+)(?:, in (.+))?$')
_RAISED = re.compile(r"([A-Za-z_][\w.]*)(?::(?: (.*))?)?$")
_GUTTER = re.compile(r"\s*[|+](?: |-+ ?|$)")
_SCOPES = ("<module>", "<lambda>", "<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>", "<string>")
BLANKS_INSIDE = 1
"""Blank lines in a row that a traceback may hold; shown source lines can be blank."""


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """Each exception of each chain or group, causes first, as Python prints them."""
    return walk(lines, _traceback)


def symbol_of(name: str | None) -> str:
    """A function's name; '' for code outside any, or in a comprehension."""
    cleaned = (name or "").strip().removesuffix("()")
    parts = [part for part in cleaned.split(".") if part and part not in _SCOPES and part != "<locals>"]
    return ".".join(parts)


def _traceback(lines: Sequence[str], at: int) -> FoundError | None:
    line = _bare(lines[at])
    indent = len(line) - len(line.lstrip())
    if _HEADER.search(line):
        return _block(lines, at, at + 1, indent)
    shown = _FRAME.match(line)
    return _block(lines, at, at, max(0, indent - 2)) if shown and not shown.group(3) else None


def _block(lines: Sequence[str], first: int, start: int, indent: int) -> FoundError | None:
    """The traceback whose frames begin at `start`; None if there are no frames."""
    frames: list[RawFrame] = []
    last, blanks = first, 0
    for at in range(start, len(lines)):
        line = _dedented(_bare(lines[at]), indent)
        if shown := _FRAME.match(line):
            frames.append(RawFrame(shown.group(1), number(shown.group(2)), symbol_of(shown.group(3))))
        elif not line.strip():
            blanks += 1
            if blanks > BLANKS_INSIDE:
                break
            continue
        elif not line[0].isspace():
            raised = _RAISED.match(line)
            if raised and not _HEADER.search(line) and frames:
                message = raised.group(2) or _next_line(lines, at, indent)
                return FoundError("python", raised.group(1), message, tuple(frames[::-1]), first, at)
            break
        blanks, last = 0, at
    return FoundError("python", "", "", tuple(frames[::-1]), first, last) if frames else None


def _next_line(lines: Sequence[str], at: int, indent: int) -> str:
    """The message when it begins on a line of its own."""
    if not _bare(lines[at]).rstrip().endswith(":") or at + 1 >= len(lines):
        return ""
    return _dedented(_bare(lines[at + 1]), indent).strip()


def _bare(line: str) -> str:
    """The line without the gutter of an exception group."""
    gutter = _GUTTER.match(line)
    return line[gutter.end() :] if gutter else line


def _dedented(line: str, indent: int) -> str:
    return line[indent:] if line[:indent].isspace() else line
