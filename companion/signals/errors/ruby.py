"""Ruby: backtraces, syntax errors, failures of RSpec and Minitest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.signals.errors.found import FoundError, RawFrame, number

_PLACE = r"((?:[A-Za-z]:)?[^\s:`'][^:`']*?):(\d+):in [`'](.+?)'"
_HEAD = re.compile(rf"{_PLACE}: (.+?) \((?:[a-z]\w* )?([A-Z][\w:]*)\)$")
_FROM = re.compile(rf"\s+(?:\d+: )?from {_PLACE}")
_BARE = re.compile(rf"\s*(?:# )?{_PLACE}$")
_SYNTAX = re.compile(r"(\S[^:]*\.rb):(\d+): (syntax error.*)$")
_LOGGED = re.compile(
    r"(?:.*\s)?((?:[A-Z]\w*::)*[A-Z]\w*(?:Error|Exception|NotFound|Invalid|Missing))(?: \((.*)\):?|: (.+))$"
)
_SPEC = re.compile(r"\s+\d+\) (\S.*)$")
_SPEC_PLACE = re.compile(r"\s+# (\S+?\.rb):(\d+)(?::in [`'](.+?)')?")
_SPEC_SAID = re.compile(r"\s+(?:Failure/Error: .*|([A-Z][\w:]*(?:Error|Exception)):?|(expected.*))$")
_MINITEST = re.compile(r"([\w:]+)#(test_\w+) \[(\S+?):(\d+)\]:?$")
REACH_LINES = 40
"""Lines that one failure of RSpec takes at most."""


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """Errors in order."""
    at = 0
    while at < len(lines):
        found = _trace(lines, at) or _logged(lines, at) or _spec(lines, at) or _minitest(lines, at)
        if found is None and (syntax := _SYNTAX.match(lines[at])):
            path, row, message = syntax.groups()
            found = FoundError("ruby", "SyntaxError", message, (RawFrame(path, number(row)),), at, at)
        if found:
            yield found
        at = found.last_line + 1 if found else at + 1


def symbol_of(name: str) -> str:
    """A method's name; blocks and rescues by what they stand in, the top of a file by ''."""
    text = re.sub(r"^(?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )+", "", name)
    return "" if text.startswith("<") else text.replace("#", ".")


def _trace(lines: Sequence[str], at: int) -> FoundError | None:
    found = _HEAD.match(lines[at])
    if not found:
        return None
    path, row, name, message, kind = found.groups()
    frames = [RawFrame(path, number(row), symbol_of(name))]
    last = at
    while last + 1 < len(lines) and (outer := _FROM.match(lines[last + 1])):
        frames.append(RawFrame(outer.group(1), number(outer.group(2)), symbol_of(outer.group(3))))
        last += 1
    return FoundError("ruby", kind, message, tuple(frames), at, last)


def _logged(lines: Sequence[str], at: int) -> FoundError | None:
    """A log's `SomeError (message):` with a bare backtrace below it."""
    found = _LOGGED.match(lines[at])
    if not found:
        return None
    frames: list[RawFrame] = []
    last = at
    for below in range(at + 1, len(lines)):
        if place := _BARE.match(lines[below]):
            frames.append(RawFrame(place.group(1), number(place.group(2)), symbol_of(place.group(3))))
            last = below
        elif lines[below].strip() or frames:
            break
    message = found.group(2) or found.group(3) or ""
    return FoundError("ruby", found.group(1), message, tuple(frames), at, last) if frames else None


def _spec(lines: Sequence[str], at: int) -> FoundError | None:
    title = _SPEC.match(lines[at])
    if not title:
        return None
    frames: list[RawFrame] = []
    kind, message, last = "ExpectationNotMet", "", at
    for below in range(at + 1, min(len(lines), at + REACH_LINES)):
        if _SPEC.match(lines[below]):
            break
        if place := _SPEC_PLACE.match(lines[below]):
            frames.append(RawFrame(place.group(1), number(place.group(2)), symbol_of(place.group(3) or "")))
            last = below
        elif frames:
            break
        elif said := _SPEC_SAID.match(lines[below]):
            kind = said.group(1) or kind
            if said.group(1) and below + 1 < len(lines):
                message = lines[below + 1].strip()
            message = message or said.group(2) or ""
    if not frames:
        return None
    return FoundError("ruby", kind, f"{title.group(1)}: {message}", tuple(frames), at, last)


def _minitest(lines: Sequence[str], at: int) -> FoundError | None:
    found = _MINITEST.match(lines[at])
    if not found:
        return None
    suite, test, path, row = found.groups()
    said = lines[at + 1].strip() if at + 1 < len(lines) else ""
    frame = RawFrame(path, number(row), f"{suite}.{test}")
    return FoundError("ruby", "AssertionFailed", said, (frame,), at, min(at + 1, len(lines) - 1))
