"""What a kind of memory adds to its text, as JSON and back: decisions, episodes, failures, patterns, workflows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from companion.records import (
    Body,
    Decision,
    DecisionStatus,
    Episode,
    Evidence,
    EvidenceKind,
    Failure,
    Pattern,
    Workflow,
)


def encode_body(body: Body) -> str | None:
    """A body as JSON, tagged with its record's name; None for a plain fact."""
    if body is None:
        return None
    tagged = {"record": type(body).__name__, **_plain(body)}
    return json.dumps(tagged, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def decode_body(text: str | None) -> Body:
    """The record a body's JSON stands for; fields it does not know are passed over.

    Raises ValueError for JSON that is none of ours.
    """
    if text is None:
        return None
    given = json.loads(text)
    if not isinstance(given, dict) or given.get("record") not in _BODIES:
        raise ValueError("the body is none of ours")
    try:
        return _BODIES[given["record"]](given)
    except (KeyError, TypeError, AttributeError) as wrong:
        raise ValueError(f"the body of a {given['record']} lacks or misuses {wrong}") from wrong


def _plain(record: object) -> Any:
    if isinstance(record, Enum):
        return record.value
    if isinstance(record, datetime):
        return record.isoformat()
    if isinstance(record, Mapping):
        return {str(name): _plain(value) for name, value in record.items()}
    if isinstance(record, tuple | list):
        return [_plain(value) for value in record]
    if is_dataclass(record):
        return {field.name: _plain(getattr(record, field.name)) for field in fields(record)}
    return record


def _decision(given: Mapping[str, Any]) -> Decision:
    return Decision(given["question"], given["choice"], given.get("reason", ""), DecisionStatus(given["status"]))


def _episode(given: Mapping[str, Any]) -> Episode:
    return Episode(
        given["title"],
        datetime.fromisoformat(given["occurred_at"]),
        tuple(given.get("people", ())),
        tuple(given.get("commits", ())),
        given.get("change", ""),
    )


def _failure(given: Mapping[str, Any]) -> Failure:
    return Failure(
        given["fingerprint"],
        given["error_type"],
        given["message"],
        given.get("fix", ""),
        given.get("fix_commit", ""),
        bool(given.get("verified", False)),
    )


def _pattern(given: Mapping[str, Any]) -> Pattern:
    return Pattern(
        given["trigger"],
        dict(given.get("template", {})),
        given.get("hint", ""),
        int(given["support"]),
        int(given.get("exception_count", 0)),
        tuple(_evidence(item) for item in given.get("examples", ())),
        tuple(_evidence(item) for item in given.get("exceptions", ())),
    )


def _workflow(given: Mapping[str, Any]) -> Workflow:
    return Workflow(
        given["trigger"],
        tuple(given["steps"]),
        dict(given.get("details", {})),
        int(given.get("runs", 0)),
        int(given.get("successes", 0)),
        given.get("usual_seconds"),
    )


def _evidence(given: Mapping[str, Any]) -> Evidence:
    return Evidence(EvidenceKind(given["kind"]), given["ref"], given.get("line"), given.get("quote", ""))


_BODIES: dict[str, Callable[[Mapping[str, Any]], Body]] = {
    "Decision": _decision,
    "Episode": _episode,
    "Failure": _failure,
    "Pattern": _pattern,
    "Workflow": _workflow,
}
