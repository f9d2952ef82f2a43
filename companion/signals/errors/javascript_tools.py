"""Messages of tools that check or bundle: tsc, ESLint, esbuild, Vite, Babel, webpack."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.signals.errors.found import FoundError, RawFrame, number

_TSC = re.compile(r"(\S.*?)\((\d+),\d+\): error (TS\d+): (.+)$")
_TSC_PRETTY = re.compile(r"(\S.*?):(\d+):\d+ - error (TS\d+): (.+)$")
_TSC_GLOBAL = re.compile(r"error (TS\d+): (.+)$")
_SCRIPT = re.compile(r"(\S.*\.(?:[cm]?[jt]sx?|vue|svelte|astro))$")
_ESLINT = re.compile(r"\s+(\d+):\d+\s+error\s+(.+)$")
_ESLINT_UNIX = re.compile(r"(\S.*?):(\d+):\d+: (.+) \[Error/([\w@/-]+)\]$")
_ESBUILD = re.compile(r"\s*✘ \[ERROR\] (.+)$")
_ESBUILD_PLACE = re.compile(r"\s+(\S+?):(\d+):\d+:$")
_BABEL = re.compile(r".*?\b(SyntaxError|TypeError): (\S+\.[cm]?[jt]sx?): (.+?) ?\((\d+):\d+\)$")
_WEBPACK = re.compile(r"(?:ERROR in|Error in|Failed to compile:?) (\S+?\.\w+)(?: (\d+):\d+.*)?$")
_MISSING = re.compile(r"(?:\[!\] )?(?:Module not found|Could not resolve)[:\s].*$")
REACH_LINES = 6
"""Between a bundler's message and the place it speaks of, or the other way round."""


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """Each error of each tool; warnings are left out."""
    script = ""
    for at, line in enumerate(lines):
        if heading := _SCRIPT.match(line):
            script = heading.group(1)
        elif not line.strip():
            script = ""
        if found := _typescript(at, line) or _eslint(at, line, script) or _bundler(lines, at):
            yield found


def _typescript(at: int, line: str) -> FoundError | None:
    if " error TS" not in line and not line.startswith("error TS"):
        return None
    if place := _TSC.match(line) or _TSC_PRETTY.match(line):
        path, row, code, message = place.groups()
        return FoundError("typescript", code, message, (RawFrame(path, number(row)),), at, at)
    if whole := _TSC_GLOBAL.match(line):
        return FoundError("typescript", whole.group(1), whole.group(2), (), at, at)
    return None


def _eslint(at: int, line: str, script: str) -> FoundError | None:
    if script and (found := _ESLINT.match(line)):
        message, _, rule = found.group(2).rpartition("  ")
        message, rule = (message, rule) if message else (rule, "")
        return FoundError("eslint", rule.strip(), message.strip(), (RawFrame(script, number(found.group(1))),), at, at)
    if found := _ESLINT_UNIX.match(line) if line.endswith("]") else None:
        path, row, message, rule = found.groups()
        return FoundError("eslint", rule, message, (RawFrame(path, number(row)),), at, at)
    return None


def _bundler(lines: Sequence[str], at: int) -> FoundError | None:
    line = lines[at]
    if found := _BABEL.match(line) if line.endswith(")") else None:
        kind, path, message, row = found.groups()
        return FoundError("javascript", kind, message, (RawFrame(path, number(row)),), at, at)
    if found := _ESBUILD.match(line):
        for below in range(at + 1, min(len(lines), at + REACH_LINES)):
            if place := _ESBUILD_PLACE.match(lines[below]):
                frame = RawFrame(place.group(1), number(place.group(2)))
                return FoundError("javascript", "build error", found.group(1), (frame,), at, below)
        return FoundError("javascript", "build error", found.group(1), (), at, at)
    if found := _WEBPACK.match(line):
        frame = RawFrame(found.group(1), number(found.group(2)))
        for below in range(at + 1, min(len(lines), at + REACH_LINES)):
            if lines[below].strip():
                return FoundError("javascript", "build error", lines[below].strip(), (frame,), at, below)
    if _MISSING.match(line):
        return FoundError("javascript", "build error", line.strip(), (), at, at)
    return None
