"""Failures as pytest prints them: long, short and line style, collection errors, the last summary.

They are reported as Python's, so that an error has one fingerprint whether a test or a run met it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from companion.signals.errors.found import FoundError, RawFrame, number
from companion.signals.errors.python import symbol_of

_TITLE = re.compile(r"_{2,} (.+?) _{2,}$")
_RULE = re.compile(r"={3,} .+ ={3,}$|(?:_ ){5,}|-{5,} Captured .+ -{5,}$")
_RULE_BETWEEN = re.compile(r"(?:_ ){5,}")
_ERROR_LINE = re.compile(r"E(?:\s{2,}(.*)|\s*)$")
_PLACE = re.compile(r"(\S[^:]*(?::[\\/][^:]*)?\.py):(\d+):(?: (?:in (.+)|([\w.]+)))?\s*$")
_DEFINITION = re.compile(r">?\s+(?:async )?def (\w+)\(")
_TYPED = re.compile(
    r"([A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt|Failed|Group|Timeout|Empty|Full|Iteration)|Failed)"
    r"(?:: (.*))?$"
)
_FILE_LINE = re.compile(r'\s*File "([^"]+)", line (\d+)')
_SUMMARY = re.compile(r"(?:FAILED|ERROR) (\S+?\.py)(?:::(\S+))?(?: - (.*))?$")
_PARAMETERS = re.compile(r"\[.*$")


@dataclass
class _Failure:
    """What was read of one failure so far."""

    first: int
    test: str = ""
    function: str = ""
    frames: list[RawFrame] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    last_said: int = -1


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """Failures told at length; if there are none, those of the summary."""
    told = list(_sections(lines)) if any(_ERROR_LINE.match(line) for line in lines) else []
    yield from told if told else _summary(lines)


def _sections(lines: Sequence[str]) -> Iterator[FoundError]:
    now = _Failure(0)
    for at, line in enumerate(lines):
        if title := _TITLE.match(line):
            if found := _finished(now):
                yield found
            test = _test_name(title.group(1))
            now = _Failure(at, test, test)
        elif said := _ERROR_LINE.match(line):
            if not now.said and not now.frames and not now.test:
                now.first = at
            now.said.append(said.group(1) or "")
            now.last_said = at
        elif place := _PLACE.match(line):
            if now.said and place.group(3):  # short style: a chained error begins
                if found := _finished(now):
                    yield found
                now = _Failure(at, now.test, now.test)
            symbol = symbol_of(place.group(3)) if place.group(3) else now.function
            now.frames.append(RawFrame(place.group(1), number(place.group(2)), symbol))
            if now.said:
                now.last_said = at
                if found := _finished(now):
                    yield found
                now = _Failure(at + 1, now.test, now.test)
        elif definition := _DEFINITION.match(line):
            now.function = definition.group(1)
        elif _RULE.match(line) and not _RULE_BETWEEN.match(line):
            if found := _finished(now):
                yield found
            now = _Failure(at + 1)
    if found := _finished(now):
        yield found


def _finished(now: _Failure) -> FoundError | None:
    if not now.said or not now.frames:
        return None
    typed = next((found for line in now.said if (found := _TYPED.match(line.strip()))), None)
    frames = list(now.frames)
    shown = [found for line in now.said if (found := _FILE_LINE.match(line))]
    frames += [RawFrame(found.group(1), number(found.group(2))) for found in shown]
    if typed:
        kind, message = typed.group(1), typed.group(2) or ""
    else:
        kind, message = "AssertionError", now.said[0].strip()
    return FoundError("python", kind, message, tuple(frames[::-1]), now.first, now.last_said)


def _summary(lines: Sequence[str]) -> Iterator[FoundError]:
    for at, line in enumerate(lines):
        if found := _SUMMARY.match(line):
            path, test, said = found.groups()
            typed = _TYPED.match(said or "")
            kind = typed.group(1) if typed else "AssertionError"
            message = (typed.group(2) or "") if typed else (said or "")
            frames = (RawFrame(path, None, _test_name((test or "").replace("::", "."))),)
            yield FoundError("python", kind, message, frames, at, at)


def _test_name(title: str) -> str:
    """The function's name out of a section's title; '' for a title that names no test."""
    bare = _PARAMETERS.sub("", title.strip())
    return bare.rpartition(".")[2] if re.fullmatch(r"[\w.]+", bare) else ""
