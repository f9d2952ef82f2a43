"""Stacks of JavaScript engines: V8 (Node, Chrome, Deno, Bun), Firefox and Safari."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.signals.errors.found import FoundError, RawFrame, number

HEAD_REACH_LINES = 30
"""How far above its first frame a message may begin; assertion messages show both values."""

_AT = re.compile(r"\s*at (\S.*)$")
_PLACE = re.compile(r"(.+?):(\d+):(\d+)$")
_NO_PLACE = re.compile(r"(?:<anonymous>|native|native code|index \d+|wasm://.*)$")
_FIREFOX = re.compile(r"\s*([^@\s]*)@((?:https?:|file:|webpack|moz-extension:|resource:|/)\S*?):(\d+):(\d+)$")
_VITEST = re.compile(r"\s*❯ (?:(\S+) )?(\S+?):(\d+):(\d+)$")
_HEAD = re.compile(
    r"\s*(?:\[(?:cause|errors)\]: |[Cc]ause(?:d by)?: |Uncaught |\(in promise\) |Unhandled Rejection: |⨯ |✖ |throw )*"
    r"([A-Za-z_$][\w$.]{0,100}?(?:Error|Exception|Rejection|Failure)[\w$]{0,40}|[A-Z][\w$]{0,60}(?=: ))"
    r"(?: \[\w+\])?(?::(?: (.*))?)?$"
)
_ALIAS = re.compile(r" \[as ([^\]]+)\]$")
_PREFIXES = ("async ", "new ", "get ", "set ", "static ")
_HOLDERS = ("Object.", "Module.", "exports.", "module.exports.", "global.", "globalThis.", "process.")


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """Each run of frames with the message above it."""
    at, above = 0, -1
    while at < len(lines):
        if _frame(lines[at]) is None:
            at += 1
            continue
        last = _last_frame(lines, at)
        head, kind, message = _head(lines, at, above)
        frames = frames_of(lines[at : last + 1])
        if frames:
            yield FoundError("javascript", kind, message, frames, head, last)
        above, at = last, last + 1


def frames_of(lines: Sequence[str]) -> tuple[RawFrame, ...]:
    """The frames among some lines, in their order."""
    return tuple(frame for line in lines if (frame := _frame(line)) and frame.path)


def typed_head(line: str) -> tuple[str, str] | None:
    """Error type and message of a line that begins with them."""
    found = _HEAD.match(line)
    return (found.group(1), found.group(2) or "") if found else None


def symbol_of(name: str) -> str:
    """A function's name without what V8 adds: `async`, `new`, aliases, the object it hangs on."""
    text = name.strip()
    text = _ALIAS.sub("", text)
    for prefix in _PREFIXES:
        text = text.removeprefix(prefix)
    for holder in _HOLDERS:
        text = text.removeprefix(holder)
    parts = [part for part in re.split(r"[./]", text) if part and "<" not in part and part != "anonymous"]
    return ".".join(parts)


def _frame(line: str) -> RawFrame | None:
    """The frame of a line, with an empty path for engine code; None if the line is no frame."""
    if found := _VITEST.match(line):
        return RawFrame(found.group(2), number(found.group(3)), symbol_of(found.group(1) or ""))
    if "@" in line and (found := _FIREFOX.match(line)):
        return RawFrame(found.group(2), number(found.group(3)), symbol_of(found.group(1)))
    if not (found := _AT.match(line)):
        return None
    text, symbol = found.group(1), ""
    opened = text.find(" (")
    if text.endswith(")") and opened > 0:
        symbol, text = text[:opened], text[opened + 2 : -1]
    else:
        text = text.removeprefix("async ")
    if text.startswith("eval at "):
        text = text.rpartition("(")[2].split(")")[0]
    if _NO_PLACE.match(text):
        return RawFrame("", None, symbol)
    place = _PLACE.match(text)
    if not place:
        return None
    if place.group(1).startswith(("node:", "<", "internal/", "ext:", "bun:")):
        return RawFrame("", None, symbol)
    return RawFrame(place.group(1), number(place.group(2)), symbol_of(symbol))


def _last_frame(lines: Sequence[str], first: int) -> int:
    last = first
    for at in range(first + 1, len(lines)):
        if _frame(lines[at]) is not None:
            last = at
        elif (lines[at].strip() and not re.match(r"\s*(?:\.\.\. \d+ |\d+\|)", lines[at])) or at - last > 1:
            break
    return last


def _head(lines: Sequence[str], first: int, above: int) -> tuple[int, str, str]:
    """Where the message begins, its type and its words: the nearest line above that names a type."""
    for at in range(first - 1, max(above, first - 1 - HEAD_REACH_LINES), -1):
        if found := typed_head(lines[at]):
            kind, message = found
            if not message or message.endswith(":"):
                below = next((line.strip() for line in lines[at + 1 : first] if line.strip()), "")
                message = f"{message} {below}".strip()
            return at, kind, message
    if first - 1 > above and lines[first - 1].strip():
        return first - 1, "", lines[first - 1].strip()
    return first, "", ""
