"""Go: panics with their goroutines, failed tests, compiler and vet messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.signals.errors.found import FoundError, LineForm, RawFrame, Stack, number, walk

_PANIC = re.compile(r"\s*(panic|fatal error): (.+?)(?: \[recovered.*\])?$")
_GOROUTINE = re.compile(r"goroutine \d+.*\[.*\]:$")
_FUNCTION = r"(?:created by )?(?P<name>[\w./*()\[\]{}…·~-]+?)(?:\([^(]*\))?(?: in goroutine \d+)?$"
_PLACE = r"\s+(?P<path>\S.*?\.(?:go|s)):(?P<line>\d+)(?: \+0x[0-9a-f]+)?$"
_COMPILE = re.compile(r"(?:vet: )?(?P<path>\S.*?\.go):(?P<line>\d+)(?::\d+)?: (?P<said>.+)$")
_RUN = re.compile(r"=== (?:RUN|CONT|NAME)\s+(\S+)$")
_FAILED = re.compile(r"\s*--- FAIL: (\S+)(?: \(.*\))?$")
_LOGGED = re.compile(r"\s+(\S+\.go):(\d+): ?(.*)$")
_TESTIFY = re.compile(r"\s+Error:\s+(\S.*)$")
_TESTIFY_TRACE = re.compile(r"\s+Error Trace:\s+(\S+?):(\d+)$")
HEAD_REACH_LINES = 12
"""Between a panic and its first goroutine; a wrapped error has several lines."""


def symbol_of(name: str) -> str:
    """`Type.Method` or the function's name, without package, receiver marks and closures."""
    text = re.sub(r"\[[^\]]*\]", "", name.rpartition("/")[2])
    text = text.partition(".")[2] or text
    parts = [part.strip("(*)") for part in text.split(".")]
    return ".".join(part for part in parts if part and not re.fullmatch(r"func\d*|\d+|gowrap\d+|-fm", part))


COMPILER = LineForm("go", _COMPILE, "compile error", mark=".go:")
_STACK = Stack(re.compile(f"{_PLACE}|{_FUNCTION}"), symbol_of, over=re.compile(r"\s*\S"))


def panics(lines: Sequence[str]) -> Iterator[FoundError]:
    """Panics with the goroutine that they end."""
    return walk(lines, _panic)


def compiled(lines: Sequence[str]) -> Iterator[FoundError]:
    """Messages of the compiler and of vet."""
    return walk(lines, COMPILER)


def _panic(lines: Sequence[str], at: int) -> FoundError | None:
    found = _PANIC.match(lines[at])
    start = _goroutine_below(lines, at) if found else None
    if not found or (start is None and (found.group(1) != "panic" or lines[at][0].isspace())):
        return None
    kind, message = found.groups()
    if message.startswith("runtime error: "):
        kind, message = "runtime error", message.removeprefix("runtime error: ")
    frames, last = _STACK.below(lines, start + 1) if start is not None else ((), at)
    raised = next((here for here, frame in enumerate(frames) if frame.path.endswith("runtime/panic.go")), -1)
    return FoundError("go", kind, message, frames[raised + 1 :], at, last)


def _goroutine_below(lines: Sequence[str], at: int) -> int | None:
    below = range(at + 1, min(len(lines), at + HEAD_REACH_LINES))
    return next((here for here in below if _GOROUTINE.match(lines[here])), None)


def tests(lines: Sequence[str]) -> Iterator[FoundError]:
    """Failed tests with what they logged; a test whose parts failed is told by its parts."""
    started = {run.group(1): at for at, line in enumerate(lines) if (run := _RUN.match(line))}
    failed = {at: found for at, line in enumerate(lines) if (found := _FAILED.match(line))}
    names = {found.group(1) for found in failed.values()}
    for at, found in failed.items():
        name = found.group(1)
        if any(other.startswith(f"{name}/") for other in names):
            continue
        last = _last_logged(lines, at, len(lines[at]) - len(lines[at].lstrip()))
        frames, message = _logged(lines[at + 1 : last + 1], name)
        if not frames and name in started:
            start = started[name]
            frames, message = _logged(lines[start + 1 : _last_logged(lines, start, 0) + 1], name)
        yield FoundError("go", "test failed", f"{name}: {message}" if message else name, frames, at, last)


def _last_logged(lines: Sequence[str], at: int, depth: int) -> int:
    """The last line below one that is further in than `depth` and begins no other test."""
    last = at
    while last + 1 < len(lines) and _belongs(lines[last + 1], depth):
        last += 1
    return last


def _belongs(line: str, depth: int) -> bool:
    """Whether a line below a test's own was logged by it."""
    return len(line) - len(line.lstrip()) > depth and bool(line) and not line.lstrip().startswith("--- ")


def _logged(lines: Sequence[str], name: str) -> tuple[tuple[RawFrame, ...], str]:
    frames: list[RawFrame] = []
    message = ""
    for line in lines:
        if trace := _TESTIFY_TRACE.match(line):
            frames.insert(0, RawFrame(trace.group(1), number(trace.group(2)), name.split("/", maxsplit=1)[0]))
        elif said := _TESTIFY.match(line):
            message = said.group(1)
        elif place := _LOGGED.match(line):
            frames.append(RawFrame(place.group(1), number(place.group(2)), name.split("/", maxsplit=1)[0]))
            message = message or place.group(3).strip()
    return tuple(frames), message
