"""Tracebacks and compiler messages, as reports that can be compared.

A tool is a module with a function `find(lines)` that yields what it recognises, and a line in `FAMILIES`; most of what
tools print are rows of a table, each a `Form` of `found`. Earlier families have first claim on a line. What none of
them knows is reported as one plain line. Texts should be redacted before they come here: nothing is hidden from a
report.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from companion.records import ErrorReport, Frame
from companion.signals.errors import (
    c,
    csharp,
    go,
    java,
    javascript,
    javascript_tests,
    javascript_tools,
    php,
    plain,
    pytest_output,
    python,
    ruby,
    rust,
)
from companion.signals.errors.fingerprint import fingerprint
from companion.signals.errors.found import Finder, FoundError, RawFrame
from companion.signals.errors.repository_paths import Places, cleaned
from companion.signals.errors.text import prepared

REPORTS_MAX = 50
"""Reports of one text; a broken header makes a compiler repeat itself by the hundred."""
FRAMES_MAX = 40
"""Places kept of one error, innermost first; a runaway recursion has a thousand alike."""
SYMBOLS_MAX = 20
"""Names kept of one error."""

FAMILIES: tuple[Finder, ...] = (
    pytest_output.find,
    python.find,
    rust.find,
    go.panics,
    go.tests,
    go.compiled,
    javascript_tests.find,
    javascript_tools.find,
    javascript.find,
    java.find,
    csharp.find,
    php.find,
    ruby.find,
    c.find,
)

_QUOTED_NAME = re.compile(r"[`'\"‘“]([A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*)*)(?:\(\))?[`'\"’”]")

_UNQUOTED_NAME = re.compile(
    r"(?:\bundefined|[Uu]nresolved reference|cannot find symbol: (?:class|interface|method|variable|static)): "
    r"([A-Za-z_$][\w$.]*)|^([A-Za-z_$][\w$.]*) is not (?:defined|a function|a constructor|iterable)\b"
)
_NO_NAMES = {
    *("None", "null", "nil", "undefined", "true", "false", "True", "False", "self", "this", "left", "right"),
    *("any", "int", "str", "string", "String", "number", "bool", "boolean", "Boolean", "float", "double"),
    *("char", "long", "void", "object", "Object", "bytes", "list", "dict", "tuple", "set", "array"),
}
"""Quoted in messages everywhere, and the name of nothing in particular."""


def parse_errors(text: str, paths: Collection[str]) -> tuple[ErrorReport, ...]:
    """The errors that a text tells of, in its order; at least one for any text that is not blank.

    `paths` are the files of the repository; a frame whose file is among them carries that path and
    is marked `inside`. Frames begin where the error was raised. `symbols` are the functions inside
    the repository and the names the message quotes.
    """
    lines = prepared(text)
    found = _claimed(lines)
    if not found:
        found = list(plain.find(lines))
    places = Places(paths)
    reports: dict[tuple[str, str, tuple[Frame, ...]], ErrorReport] = {}
    for one in sorted(found, key=lambda one: (one.first_line, one.last_line)):
        report = _report(one, places)
        reports.setdefault((report.fingerprint, report.message, report.frames), report)
        if len(reports) == REPORTS_MAX:
            break
    return tuple(reports.values())


def _claimed(lines: Sequence[str]) -> list[FoundError]:
    """Errors of all families; of two that share a line, the earlier family's."""
    taken: set[int] = set()
    found: list[FoundError] = []
    for family in FAMILIES:
        for one in family(lines):
            span = range(one.first_line, one.last_line + 1)
            if taken.isdisjoint(span):
                taken.update(span)
                found.append(one)
    return found


def _report(one: FoundError, places: Places) -> ErrorReport:
    frames = _frames(one.frames, places)
    message = one.message.strip()
    return ErrorReport(
        tool=one.tool,
        error_type=one.error_type,
        message=message,
        fingerprint=fingerprint(one.tool, one.error_type, message, frames),
        frames=frames,
        symbols=_symbols(frames, message),
    )


def _frames(raw: Sequence[RawFrame], places: Places) -> tuple[Frame, ...]:
    """The places, each once in a row, paths of the repository where they lie in it."""
    frames: list[Frame] = []
    for one in raw:
        inside = places.locate(one.path)
        frame = Frame(inside or cleaned(one.path) or one.path, one.line, one.symbol, bool(inside))
        if not frames or frames[-1] != frame:
            frames.append(frame)
        if len(frames) == FRAMES_MAX:
            break
    return tuple(frames)


def _symbols(frames: Sequence[Frame], message: str) -> tuple[str, ...]:
    names = [frame.symbol for frame in frames if frame.inside and frame.symbol]
    quoted = _QUOTED_NAME.findall(message)
    quoted += [name for pair in _UNQUOTED_NAME.findall(message) for name in pair if name]
    names += [name for name in quoted if name not in _NO_NAMES]
    return tuple(dict.fromkeys(names))[:SYMBOLS_MAX]
