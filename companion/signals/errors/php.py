"""PHP: uncaught exceptions, fatal and parse errors, failures of PHPUnit and Pest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from companion.signals.errors.found import FoundError, LineForm, RawFrame, Stack, number, walk


def symbol_of(call: str) -> str:
    """`Class::method` or the function's name of a call as a trace writes it."""
    name = call.partition("(")[0].replace("->", "::")
    return "" if "{" in name else name.rpartition("\\")[2]


_STACK = Stack(
    re.compile(r"#\d+ (?P<path>\S.*?\.\w+)[(:](?P<line>\d+)\)?(?:: (?P<name>.+))?$"),
    symbol_of,
    over=re.compile(r"Stack trace:|\[stacktrace\]|#|  thrown in"),
)
_FATAL = r"(?:PHP )?Fatal error:\s+Uncaught (?:Exception )?(?P<kind>[\w\\]+)(?:: (?P<said>.*))?"
_LARAVEL = r".*?\b(?:ERROR|CRITICAL): (?P<said>.*?) \{.*\((?P<kind>[\w\\]+)\(code: .*?\): .*"
_PLAIN = ("Fatal error", "Parse error", "Recoverable fatal error", "Warning")
_CASE = re.compile(r"\d+\) ((?:[\w\\]+)::(\S+)).*$")
_TYPED = re.compile(r"([A-Z][\w\\]*(?:Exception|Error)): (.*)$")
_PLACE = re.compile(r"(\S.*?\.php):(\d+)$")
CASE_MAX_LINES = 60
"""One failed case with a difference of two values."""
FORMS = (
    LineForm("php", re.compile(rf"{_FATAL} in (?P<path>\S+):(?P<line>\d+)$"), mark="error", stack=_STACK),
    *(
        LineForm(
            "php",
            re.compile(rf"(?:PHP )?{word}:\s+(?P<said>.+) in (?P<path>\S.*?\.\w+) on line (?P<line>\d+)$"),
            word.lower(),
        )
        for word in _PLAIN
    ),
    LineForm("php", re.compile(rf"{_LARAVEL} at (?P<path>\S+?\.php):(?P<line>\d+)\)$"), mark="(code: ", stack=_STACK),
)


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """Errors in order; of PHPUnit's cases those that name a file."""
    return walk(lines, _traced, _case)


def _traced(lines: Sequence[str], at: int) -> FoundError | None:
    """An error with its trace. PHP names the function called at a place; ours is the one around it."""
    found = next((found for form in FORMS if (found := form(lines, at))), None)
    if found is None:
        return None
    names = [*(frame.symbol for frame in found.frames[1:]), ""]
    return replace(found, frames=tuple(replace(f, symbol=name) for f, name in zip(found.frames, names, strict=True)))


def _case(lines: Sequence[str], first: int) -> FoundError | None:
    named = _CASE.match(lines[first])
    if named is None:
        return None
    test, message, kind = named.group(2), "", "AssertionFailed"
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
