"""Labelled pairs of statements, read from a file: what each says, where it holds, and whether they contradict."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.errors import UsageError
from companion.records import Scope, Statement

MAX_ROWS = 20_000
"""Pairs of one file; a store of twice as many statements is made within some minutes."""
_FIELDS = {
    "lang": "language", "language": "language", "path": "path", "file": "path", "folder": "path", "dir": "path",
    "env": "environment", "environment": "environment", "branch": "branch", "version": "version",
}  # fmt: skip
_EVERYWHERE = frozenset(("", "project", "org", "everywhere", "global"))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements with the places they hold in, and whether they contradict one another."""

    id: str
    a: Statement
    b: Statement
    contradict: bool
    kind: str


def read_pairs(path: Path, *, scoped: bool = True) -> list[Pair]:
    """The labelled pairs of a file (JSON Lines, also gzipped); without scopes if asked."""
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
        return [_pair(row, scoped) for row in rows[:MAX_ROWS]]
    except (OSError, ValueError, KeyError, AttributeError) as wrong:
        raise UsageError(
            f"{path} is not a file of labelled pairs: {wrong}.",
            "Each line is a JSON object with id, a, b, scope_a, scope_b, label and kind.",
        ) from wrong


def read_scope(text: str) -> tuple[Scope, str]:
    """A scope as written: known prefixes fill the scope's fields, anything else is what the statement is about."""
    kind, _, name = text.strip().partition(":")
    if kind.lower() in _FIELDS and name:
        return Scope(**{_FIELDS[kind.lower()]: name.strip()}), ""
    return Scope(), "" if text.strip().lower() in _EVERYWHERE else text.strip()


def _pair(row: Mapping[str, object], scoped: bool) -> Pair:
    one, two = (_statement(str(row[side]), str(row.get(f"scope_{side}", "")) if scoped else "") for side in "ab")
    return Pair(str(row["id"]), one, two, str(row["label"]) == "contradiction", str(row.get("kind", "")))


def _statement(text: str, scope: str) -> Statement:
    place, subject = read_scope(scope)
    return Statement(text=text, scope=place, subject=subject)
