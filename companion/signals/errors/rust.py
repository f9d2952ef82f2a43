"""Rust: compiler errors, panics with or without a backtrace, and tests that panic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from companion.signals.errors.found import FoundError, LineForm, Stack, walk

_HASH = re.compile(r"::h[0-9a-f]{16}$")
ARROW_REACH_LINES = 6
"""Between an error's words and its arrow; a message may have several lines."""
BACKTRACE_REACH_LINES = 3
"""Between a panic's message and `stack backtrace:`."""


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


_SAID = r"(?P<said>(?!could not compile|aborting due to|test failed|\d+ target failed|process didn't exit).+)$"
_ARROW = Stack(
    re.compile(r"\s*--> (?P<path>.+?):(?P<line>\d+):\d+$"),
    reach_lines=ARROW_REACH_LINES,
    before=re.compile(r"(?!error(?:\[\w+\])?: )"),
)
_AT = r"(?P<path>\S.*?):(?P<line>\d+)"
_BACKTRACE = Stack(re.compile(rf"\s+at (?:\./)?{_AT}(?::\d+)?$|\s*\d+: (?:0x[0-9a-f]+ - )?(?P<name>\S.*)$"), symbol_of)
_PANICKED = r".*?thread '(?P<name>.+?)'(?: \(\d+\))? panicked at "
FORMS = (
    LineForm("rust", re.compile(rf"error\[(?P<kind>[A-Za-z]+\d*)\]: {_SAID}"), stack=_ARROW),
    LineForm("rust", re.compile(rf"error: {_SAID}"), "error", stack=_ARROW, bare=False),
    LineForm("rust", re.compile(rf"{_PANICKED}'(?P<said>.*)', {_AT}:\d+$"), "panic", mark="panicked at"),
    LineForm("rust", re.compile(rf"{_PANICKED}{_AT}:\d+:$"), "panic", said_below=1, mark="panicked at"),
)


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """Compiler errors and panics, in order."""
    for found in walk(lines, *FORMS):
        yield _traced(found, lines) if found.error_type == "panic" else found


def _traced(panic: FoundError, lines: Sequence[str]) -> FoundError:
    """A panic with its backtrace; where that does not name the function, the test does that the thread is called by."""
    below = range(panic.last_line + 1, min(len(lines), panic.last_line + 1 + BACKTRACE_REACH_LINES))
    start = next((at for at in below if lines[at].startswith("stack backtrace:")), None)
    frames, last = _BACKTRACE.below(lines, start + 1) if start is not None else ((), panic.last_line)
    (here,) = panic.frames
    test = here.symbol.rpartition("::")[2] if "::" in here.symbol else ""
    same = [frame for frame in frames if (frame.path, frame.line) == (here.path, here.line)]
    outer = tuple(frame for frame in frames if frame not in same)
    return replace(
        panic,
        frames=(replace(here, symbol=same[0].symbol if same else test), *outer),
        last_line=max(last, panic.last_line),
    )
