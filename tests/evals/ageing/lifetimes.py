"""The form of a long run: a stream of what happens day by day, and the truth about what is needed, kept apart.

Only the stream reaches the product. The truth is read to compute figures: which statements say what a question
needs, which are over by then, and which were only ever talk of the moment.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from companion.errors import UsageError
from companion.records import Scope

START = datetime(2026, 1, 5)
"""The day on which a stream begins."""

JUNK = "ephemeral"
"""The truth's word for talk of the moment."""
RARE = "rare"
"""The truth's word for what is needed seldom."""


@dataclass(frozen=True, slots=True)
class Added:
    """Something is told. `source` is a file or a conversation, `about` the thing that its scope names."""

    at: datetime
    id: str
    text: str
    type: str
    about: str
    scope: Scope
    source: str
    pinned: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, with a file at hand."""

    at: datetime
    id: str
    text: str
    file: str


@dataclass(frozen=True, slots=True)
class Filed:
    """A file is deleted, or renamed where `to` is not empty."""

    at: datetime
    path: str
    to: str


@dataclass(frozen=True, slots=True)
class DayOver:
    """A day ends; the run follows."""

    at: datetime


Event = Added | Asked | Filed | DayOver


@dataclass(frozen=True, slots=True)
class Truth:
    """What a statement is: what it says (`group`), which place it fills (`slot`), where, and how it is needed."""

    group: str
    slot: str
    kind: str
    environment: str
    over_at: datetime | None


@dataclass(frozen=True, slots=True)
class Need:
    """What a question needs: statements that answer it, and such as answered it once."""

    group: str
    accept: tuple[str, ...]
    stale: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LongRun:
    """A stream and its truth, by id of the statement and of the question."""

    events: tuple[Event, ...]
    truths: Mapping[str, Truth]
    needs: Mapping[str, Need]


def read_long_run(stream: Path, truth: Path) -> LongRun:
    """Both files. Raises UsageError for a line that is none of this form."""
    try:
        events = tuple(_event(line) for line in _lines(stream))
        told = list(_lines(truth))
        truths = {line["id"]: _truth(line) for line in told if line["kind"] == "mem"}
        needs = {
            line["qid"]: Need(line["group"], tuple(line["accept"]), tuple(line["stale"]))
            for line in told
            if line["kind"] == "need"
        }
    except (KeyError, TypeError, ValueError, OSError) as wrong:
        raise UsageError(
            f"The stream or its truth cannot be read: {type(wrong).__name__} {wrong}.",
            "Give both files as `shared/eval.md` describes them: JSON Lines, plain or .gz.",
        ) from wrong
    return LongRun(events, truths, needs)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def _event(line: dict[str, Any]) -> Event:
    at = moment(line["t"])
    match line["ev"]:
        case "add":
            about, scope = _scope(line["scope"])
            return Added(at, line["id"], line["text"], line["type"], about, scope, line["source"], bool(line["pinned"]))
        case "access":
            return Asked(at, line["qid"], line["query"], line["file"])
        case "file":
            return Filed(at, line["path"], line.get("to", ""))
        case "tick":
            return DayOver(at)
        case other:
            raise ValueError(f"unknown event {other!r}")


def _scope(text: str) -> tuple[str, Scope]:
    """`service:cart,env:prod`: places that companion knows become the scope, the first other name what it is about."""
    about, places = "", {}
    for part in filter(None, text.split(",")):
        name, _, value = part.strip().partition(":")
        if name in ("env", "environment"):
            places["environment"] = value
        elif name in ("path", "language", "version", "branch"):
            places[name] = value
        elif not about:
            about = value or name
    return about, Scope(**places)


def _truth(line: dict[str, Any]) -> Truth:
    over = line["valid_to"]
    return Truth(line["group"], line["slot"], line["cls"], line["env"] or "", None if over is None else moment(over))


def moment(days: float) -> datetime:
    """So many days after the start."""
    return START + timedelta(days=days)
