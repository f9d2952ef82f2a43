"""Stack traces of .NET; its compiler's messages are read with those of MSVC."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from companion.signals.errors.found import FoundError, RawFrame, number

_FRAME = re.compile(r"\s+at ([\w.`+<>\[\],|$]+)\(.*?\)(?: in (.+):line (\d+))?$")
_HEAD = re.compile(r"(?:.*?\s)?((?:[A-Z]\w*\.)*[A-Z]\w*(?:Exception|Error))(?: \([^)]*\))?: (.*)$")
_INNER_ENDS = "--- End of inner exception stack trace ---"
HEAD_REACH_LINES = 6
"""How far above its first frame a message may begin."""


@dataclass
class _Thrown:
    """An exception whose frames are still being read."""

    kind: str
    message: str
    first: int
    last: int
    had_inner: bool = False
    frames: list[RawFrame] = field(default_factory=list)


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """Exceptions with frames in a file; an inner one before the one it caused."""
    open_now: list[_Thrown] = []
    for at, line in enumerate(lines):
        if head := _HEAD.match(line):
            if not line.lstrip().startswith("--->"):
                yield from _finished(open_now)
                open_now = []
            open_now.append(_Thrown(head.group(1), head.group(2), at, at))
        elif not open_now:
            continue
        elif frame := _FRAME.match(line):
            if frame.group(2):
                place = RawFrame(frame.group(2), number(frame.group(3)), symbol_of(frame.group(1)))
                open_now[-1].frames.append(place)
            if not open_now[-1].had_inner:  # its lines would cover those of the inner one
                open_now[-1].last = at
        elif _INNER_ENDS in line:
            yield from _finished([open_now.pop()])
            if open_now:
                open_now[-1].had_inner = True
        elif open_now[-1].frames or at - open_now[-1].first > HEAD_REACH_LINES:
            yield from _finished(open_now)
            open_now = []
    yield from _finished(open_now)


def _finished(thrown: list[_Thrown]) -> Iterator[FoundError]:
    for one in thrown:
        if one.frames:
            yield FoundError("csharp", one.kind, one.message, tuple(one.frames), one.first, one.last)


def symbol_of(name: str) -> str:
    """`Type.Method`, without namespaces and what the compiler made of lambdas and async methods."""
    name = re.sub(r"<>c(?:__\w+)?\.", "", name)
    made = re.search(r"<(\w+)>(?:[bdg]_*\w*(?:\.MoveNext)?|\$)", name)
    text = name[: made.start()] + made.group(1) if made else name
    parts = [part for part in re.split(r"[.+]", re.sub(r"`\d+|\[.*?\]|<.*?>", "", text)) if part]
    return ".".join(parts[-2:])
