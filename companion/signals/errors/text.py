"""A pasted or piped text made into lines: no colours, no log prefixes, and no more than we read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

TEXT_MAX_CHARS = 400_000
"""About 5,000 lines of a build log. Of more, the beginning and the end are kept."""
HEAD_CHARS = 100_000
"""Kept from the beginning of a longer text: compilers name the first error first; runs fail at the end."""
LINES_MAX = 20_000
"""Lines looked at, of which every tool's module looks at each; of more, the first and the last."""
HEAD_LINES = 5_000
"""Kept from the beginning of more lines, as of more characters."""
LINE_MAX_CHARS = 1_000
"""A path and a message fit; it keeps every pattern's work small whatever the text."""
PREFIX_SHARE = 0.8
"""A prefix is taken off if this share of the lines bears it."""

_COLOUR = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_LINE_END = re.compile(r"\r\n?|\n|\x0b|\x0c|\u2028|\u2029")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")

_TIMESTAMP = re.compile(r"\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?(?: |$)")
_CONTAINER = re.compile(r"[\w.-]+\s*\|(?: |$)")


def prepared(text: str) -> list[str]:
    """The lines to look at, at most `TEXT_MAX_CHARS` of them together."""
    if len(text) > TEXT_MAX_CHARS:
        text = text[:HEAD_CHARS] + "\n" + text[HEAD_CHARS - TEXT_MAX_CHARS :]
    plain = _COLOUR.sub("", text)
    lines = _LINE_END.split(plain)
    if len(lines) > LINES_MAX:
        lines = lines[:HEAD_LINES] + lines[HEAD_LINES - LINES_MAX :]
    lines = [_CONTROL.sub("", line)[:LINE_MAX_CHARS].rstrip() for line in lines]
    for prefix in (_TIMESTAMP, _CONTAINER, _TIMESTAMP):
        lines = _without(prefix.match, lines)
    return lines


def _without(match: Callable[[str], re.Match[str] | None], lines: Sequence[str]) -> list[str]:
    """The lines without a prefix, if most of them (and at least two) bear one."""
    ends = [found.end() if (found := match(line)) else 0 for line in lines]
    filled = sum(1 for line in lines if line)
    if sum(1 for end in ends if end) < max(2, PREFIX_SHARE * filled):
        return list(lines)
    return [line[end:] for line, end in zip(lines, ends, strict=True)]
