"""What stays the same when the same error comes again, on another day, machine or line."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from companion.records import Frame

NAMES_COUNTED = 2
"""Innermost functions of the repository that tell two errors apart: the one that failed and the one
that called it. More would make one fault reached by two ways two."""
MESSAGE_MAX_CHARS = 500
"""What follows is data."""

_QUOTES = (("'", "'"), ('"', '"'), ("`", "`"), ("`", "'"), ("‘", "’"), ("“", "”"), ("«", "»"))
_QUOTED = re.compile("|".join(f"(?<!\\w){a}[^{a}{b}]*{b}(?!\\w)" for a, b in _QUOTES))
_ADDRESS = re.compile(r"\b0x[0-9a-f]+\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE)
_LONG_HEX = re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{7,}\b", re.IGNORECASE)
_PATH = re.compile(
    r"(?:[a-z][a-z0-9+.-]*://|\b[a-z]:[\\/]|[~.]{0,2}[\\/])[^\s'\"<>|,;()\[\]{}]+|[\w.@-]+(?:[\\/][\w.@-]+)+",
    re.IGNORECASE,
)
_WEEKDAY = "(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*"
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DAY = re.compile(
    rf"\b(?:{_WEEKDAY},? )?{_MONTH} \d{{1,2}}\b|\b(?:{_WEEKDAY}, )?\d{{1,2}}[ -]{_MONTH}\b", re.IGNORECASE
)
_NUMBER = re.compile(r"(?:[-+]?\d[\d.,:_]*\d|[-+]?\d)(?:t(?=\d)|z\b|e[-+]?\d+)?", re.IGNORECASE)
_NUMBERS = re.compile(r"[-+]?<n>(?:[ :.,/+tz-]*<n>)*z?", re.IGNORECASE)
"""A moment, a version or a list of numbers counts as one number."""
_SPACE = re.compile(r"\s+")


def normalised(message: str) -> str:
    """A message without what changes from time to time: quoted values, paths, ids, days, numbers."""
    text = _SPACE.sub(" ", message[: 4 * MESSAGE_MAX_CHARS]).strip()
    text = _QUOTED.sub("<quoted>", text)
    text = _ADDRESS.sub("<n>", text)
    text = _DAY.sub("<n>", text)
    text = _PATH.sub("<path>", text)
    text = _LONG_HEX.sub("<n>", text)
    text = _NUMBER.sub("<n>", text)
    text = _NUMBERS.sub("<n>", text)
    return text[:MESSAGE_MAX_CHARS].lower()


def fingerprint(tool: str, error_type: str, message: str, frames: Sequence[Frame]) -> str:
    """A short hash of tool, kind, normalised message and the innermost places inside the repository."""
    names: list[str] = []
    for frame in frames:
        name = frame.symbol or frame.path
        if frame.inside and name not in names:
            names.append(name)
    kind = re.split(r"[.:\\]", error_type)[-1].lower()
    said = "\0".join([tool, kind, normalised(message), *names[:NAMES_COUNTED]])
    return "e1-" + hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:20]
