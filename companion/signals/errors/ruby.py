"""Ruby: backtraces, syntax errors, failures of RSpec and Minitest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.signals.errors.found import FoundError, LineForm, RawFrame, Stack, number, walk


def symbol_of(name: str) -> str:
    """A method's name; blocks and rescues by what they stand in, the top of a file by ''."""
    text = re.sub(r"^(?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )+", "", name)
    return "" if text.startswith("<") else text.replace("#", ".")


REACH_LINES = 40
"""Lines that one failure of RSpec takes at most, and blank lines above a backtrace."""
_PLACE = r"(?P<path>(?:[A-Za-z]:)?[^\s:`'][^:`']*?):(?P<line>\d+):in [`'](?P<name>.+?)'"
_LOGGED = r"(?:.*\s)?(?P<kind>(?:[A-Z]\w*::)*[A-Z]\w*(?:Error|Exception|NotFound|Invalid|Missing))"
_BARE = Stack(re.compile(rf"\s*(?:# )?{_PLACE}$"), symbol_of, REACH_LINES, re.compile(r"\s*$"))
_SPEC = re.compile(r"\s+\d+\) (\S.*)$")
_SPEC_PLACE = re.compile(r"\s+# (\S+?\.rb):(\d+)(?::in [`'](.+?)')?")
_SPEC_SAID = re.compile(r"\s+(?:Failure/Error: .*|([A-Z][\w:]*(?:Error|Exception)):?|(expected.*))$")
FORMS = (
    LineForm(
        "ruby",
        re.compile(rf"{_PLACE}: (?P<said>.+?) \((?:[a-z]\w* )?(?P<kind>[A-Z][\w:]*)\)$"),
        symbol_of=symbol_of,
        stack=Stack(re.compile(rf"\s+(?:\d+: )?from {_PLACE}"), symbol_of),
    ),
    LineForm("ruby", re.compile(rf"{_LOGGED}(?: \((?P<said>.*)\):?)$"), stack=_BARE, bare=False),
    LineForm("ruby", re.compile(rf"{_LOGGED}: (?P<said>.+)$"), stack=_BARE, bare=False),
    LineForm(
        "ruby",
        re.compile(r"(?P<name>[\w:]+#test_\w+) \[(?P<path>\S+?):(?P<line>\d+)\]:?$"),
        "AssertionFailed",
        said_below=1,
        symbol_of=symbol_of,
    ),
    LineForm("ruby", re.compile(r"(?P<path>\S[^:]*\.rb):(?P<line>\d+): (?P<said>syntax error.*)$"), "SyntaxError"),
)


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """Errors in order."""
    return walk(lines, *FORMS, _spec)


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
