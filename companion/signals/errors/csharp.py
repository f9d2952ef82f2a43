"""Stack traces of .NET; its compiler's messages are read with those of MSVC."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.signals.errors.found import Found, RawFrame, number

_FRAME = re.compile(r"\s+at ([\w.`+<>\[\],|$]+)\(.*?\)(?: in (.+):line (\d+))?$")
_HEAD = re.compile(r"(?:.*?\s)?(?:---> )?((?:[A-Z]\w*\.)*[A-Z]\w*(?:Exception|Error))(?: \([^)]*\))?: (.*)$")
HEAD_REACH_LINES = 6
"""How far above its first frame a message may begin."""


def find(lines: Sequence[str]) -> Iterator[Found]:
    """Each trace that names at least one file."""
    at, above = 0, -1
    while at < len(lines):
        if not _FRAME.match(lines[at]):
            at += 1
            continue
        last, frames = at, []
        while last < len(lines) and (found := _FRAME.match(lines[last])):
            if found.group(2):
                frames.append(RawFrame(found.group(2), number(found.group(3)), symbol_of(found.group(1))))
            last += 1
        if frames and (head := _head(lines, at, above)):
            yield Found("csharp", head[1], head[2], tuple(frames), head[0], last - 1)
        above = last - 1
        at = last


def symbol_of(name: str) -> str:
    """`Type.Method`, without namespaces and what the compiler made of lambdas and async methods."""
    made = re.search(r"<(\w+)>[bdg]_*\w*(?:\.MoveNext)?", name)
    text = name[: made.start()] + made.group(1) if made else name
    parts = [part for part in re.split(r"[.+]", re.sub(r"`\d+|\[.*?\]|<.*?>", "", text)) if part]
    return ".".join(parts[-2:])


def _head(lines: Sequence[str], first: int, above: int) -> tuple[int, str, str] | None:
    for at in range(first - 1, max(above, first - 1 - HEAD_REACH_LINES), -1):
        if found := _HEAD.match(lines[at]):
            return at, found.group(1), found.group(2)
    return None
