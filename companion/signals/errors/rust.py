"""Rust: compiler errors, panics with or without a backtrace, and tests that panic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.signals.errors.found import FoundError, RawFrame, number

_ERROR = re.compile(r"error(?:\[([A-Za-z]+\d*)\])?: (.+)$")
_ARROW = re.compile(r"\s*--> (.+?):(\d+):\d+$")
_NO_ERROR = re.compile(r"(?:could not compile|aborting due to|test failed|\d+ target failed|process didn't exit)")
_PANIC_NEW = re.compile(r"(?:thread '(.+?)'(?: \(\d+\))? )panicked at (.+?):(\d+):\d+:$")
_PANIC_OLD = re.compile(r"(?:thread '(.+?)' )panicked at '(.*)', (\S+?):(\d+):\d+$")
_NUMBERED = re.compile(r"\s*\d+: (?:0x[0-9a-f]+ - )?(\S.*)$")
_AT = re.compile(r"\s+at (\S.*?):(\d+)(?::\d+)?$")
_HASH = re.compile(r"::h[0-9a-f]{16}$")
ARROW_REACH_LINES = 8
"""Between an error's words and its arrow; a message may have several lines."""
BACKTRACE_REACH_LINES = 4
"""Between a panic's message and `stack backtrace:`."""


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """Compiler errors and panics, in order."""
    for at, line in enumerate(lines):
        if (line.startswith("error") and (found := _compiler(lines, at))) or (
            "panicked at" in line and (found := _panic(lines, at))
        ):
            yield found


def symbol_of(path: str) -> str:
    """The last name of a function's path; `Type::method` for methods, closures dropped."""
    text = _HASH.sub("", path.strip())
    if as_trait := re.match(r"<(?:dyn |impl )?(.+?) as .+>::(.+)$", text):
        text = f"{as_trait.group(1)}::{as_trait.group(2)}"
    text = re.sub(r"::<[^:]*>|<[^<>]*>|\{\{.*?\}\}|\{.*?\}", "", text)
    parts = [part for part in text.split("::") if part]
    if len(parts) > 1 and parts[-2][:1].isupper():
        return "::".join(parts[-2:])
    return parts[-1] if parts else ""


def _compiler(lines: Sequence[str], at: int) -> FoundError | None:
    found = _ERROR.match(lines[at])
    if not found or _NO_ERROR.match(found.group(2)):
        return None
    for below in range(at + 1, min(len(lines), at + ARROW_REACH_LINES)):
        if _ERROR.match(lines[below]):
            break
        if place := _ARROW.match(lines[below]):
            frame = RawFrame(place.group(1), number(place.group(2)))
            return FoundError("rust", found.group(1) or "error", found.group(2), (frame,), at, below)
    return FoundError("rust", found.group(1), found.group(2), (), at, at) if found.group(1) else None


def _panic(lines: Sequence[str], at: int) -> FoundError | None:
    last = at
    if found := _PANIC_OLD.search(lines[at]):
        thread, message, path, row = found.groups()
    elif found := _PANIC_NEW.search(lines[at]):
        thread, path, row = found.groups()
        last = min(at + 1, len(lines) - 1)
        message = lines[last].strip() if last > at else ""
    else:
        return None
    frames, last = _backtrace(lines, last)
    test = thread.rpartition("::")[2] if "::" in thread else ""
    here = (path, number(row))
    symbol = next((frame.symbol for frame in frames if (frame.path, frame.line) == here), test)
    outer = tuple(frame for frame in frames if (frame.path, frame.line) != here)
    return FoundError("rust", "panic", message, (RawFrame(*here, symbol), *outer), at, last)


def _backtrace(lines: Sequence[str], last: int) -> tuple[tuple[RawFrame, ...], int]:
    """The frames below a panic that have a place, and the last line they take."""
    below = range(last + 1, min(len(lines), last + BACKTRACE_REACH_LINES))
    start = next((here for here in below if lines[here].startswith("stack backtrace:")), None)
    if start is None:
        return (), last
    frames: list[RawFrame] = []
    symbol = ""
    for at in range(start + 1, len(lines)):
        if place := _AT.match(lines[at]):
            frames.append(RawFrame(place.group(1).removeprefix("./"), number(place.group(2)), symbol))
        elif function := _NUMBERED.match(lines[at]):
            symbol = symbol_of(function.group(1))
        else:
            break
        last = at
    return tuple(frames), last
