"""PHP: uncaught exceptions, fatal and parse errors, failures of PHPUnit and Pest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.signals.errors.found import FoundError, RawFrame, number

_UNCAUGHT = re.compile(r"(?:PHP )?Fatal error:\s+Uncaught (?:Exception )?([\w\\]+)(?:: (.*))? in (\S+):(\d+)$")
_ERROR = re.compile(
    r"(?:PHP )?((?:Fatal|Parse|Recoverable fatal) error|Warning):\s+(.+) in (\S.*?\.\w+) on line (\d+)$"
)
_FRAME = re.compile(r"#\d+ (\S.*?\.\w+)(?:\((\d+)\)|:(\d+))(?:: (.+))?$")
_LARAVEL = re.compile(r".*?\b(?:ERROR|CRITICAL): (.*?) \{.*\(([\w\\]+)\(code: .*?\): .* at (\S+?\.php):(\d+)\)$")
_CASE = re.compile(r"\d+\) ((?:[\w\\]+)::(\S+)).*$")
_TYPED = re.compile(r"([A-Z][\w\\]*(?:Exception|Error)): (.*)$")
_PLACE = re.compile(r"(\S.*?\.php):(\d+)$")
CASE_MAX_LINES = 60
"""One failed case with a difference of two values."""


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """Errors in order; of PHPUnit's cases those that name a file."""
    for at, line in enumerate(lines):
        if found := _UNCAUGHT.match(line):
            kind, message, path, row = found.groups()
            frames, last = _stack(lines, at + 1)
            first = _raised(path, row, lines, at + 1)
            yield FoundError("php", kind, message or "", (first, *frames), at, last)
        elif found := _ERROR.match(line):
            kind, message, path, row = found.groups()
            yield FoundError("php", kind.lower(), message, (RawFrame(path, number(row)),), at, at)
        elif found := _LARAVEL.match(line):
            message, kind, path, row = found.groups()
            frames, last = _stack(lines, at + 1)
            yield FoundError("php", kind, message, (_raised(path, row, lines, at + 1), *frames), at, last)
        elif (found := _CASE.match(line)) and (case := _case(lines, at, found.group(2))):
            yield case


def symbol_of(call: str | None) -> str:
    """`Class::method` or the function's name of a call as a trace writes it."""
    name = (call or "").partition("(")[0].replace("->", "::")
    return "" if "{" in name else name.rpartition("\\")[2]


def _stack(lines: Sequence[str], start: int) -> tuple[tuple[RawFrame, ...], int]:
    """Frames below an error. PHP names the function called at a place; ours is the one around it."""
    calls: list[tuple[str, str, str]] = []
    last = start - 1
    for at in range(start, len(lines)):
        if found := _FRAME.match(lines[at]):
            calls.append((found.group(1), found.group(2) or found.group(3), found.group(4) or ""))
        elif not lines[at].startswith(("Stack trace:", "[stacktrace]", "#", "  thrown in")):
            break
        last = at
    around = [*(call for _, _, call in calls), ""][1:]
    frames = [RawFrame(path, number(row), symbol_of(call)) for (path, row, _), call in zip(calls, around, strict=True)]
    return tuple(frames), last


def _raised(path: str, row: str, lines: Sequence[str], start: int) -> RawFrame:
    """The place itself, inside the function that the first frame called."""
    for line in lines[start : start + 3]:
        if found := _FRAME.match(line):
            return RawFrame(path, number(row), symbol_of(found.group(4)))
    return RawFrame(path, number(row))


def _case(lines: Sequence[str], first: int, test: str) -> FoundError | None:
    message, kind = "", "AssertionFailed"
    frames: list[RawFrame] = []
    last = first
    for at in range(first + 1, min(len(lines), first + CASE_MAX_LINES)):
        line = lines[at]
        if _CASE.match(line) or line.startswith(("FAILURES!", "ERRORS!", "--")):
            break
        if place := _PLACE.match(line):
            frames.append(RawFrame(place.group(1), number(place.group(2)), "" if frames else test))
            last = at
        elif frames and line.strip():
            break
        elif line.strip() and not message:
            typed = _TYPED.match(line)
            kind, message = typed.groups() if typed else (kind, line.strip())
    return FoundError("php", kind, f"{test}: {message}", tuple(frames), first, last) if frames else None
