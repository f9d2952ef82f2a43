"""Codex CLI: `~/.codex/sessions/YEAR/MONTH/DAY/rollout-….jsonl`, as `codex-rs/protocol` describes it.

A line is `{timestamp, type, payload}`; before autumn 2025 it was the bare item. The user's words stand in a message of
the model's history, among contexts that look alike, and mostly in an event as well: the same words twice in a turn
are one. Reasoning, calls and their outputs, and sessions of helpers are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.records.talk import Role
from companion.signals.transcripts.injected import typed
from companion.signals.transcripts.said import (
    AssistantLogs,
    Facts,
    HeardMessage,
    LogForm,
    NotOfThisForm,
    Surroundings,
    moment_of,
    objects,
    record_of,
    text_of,
    within,
)

_EVENTS = {"user_message": Role.USER, "agent_message": Role.ASSISTANT}
_ITEMS = ("message", "reasoning", "function_call", "function_call_output", "local_shell_call", "custom_tool_call")
"""Items that stood in lines of their own before lines had a type and a payload."""


def read(line: bytes, facts: Facts) -> Iterator[HeardMessage]:
    """What a line says."""
    record = record_of(line)
    kind, payload = text_of(record.get("type")), record.get("payload")
    if not isinstance(payload, dict):
        payload, kind = record, _older(record)
    at = moment_of(record.get("timestamp"))
    if kind == "session_meta":
        facts.session = text_of(payload.get("id")) or facts.session
        facts.folder = text_of(payload.get("cwd")) or facts.folder
        facts.began = moment_of(payload.get("timestamp")) or facts.began
        facts.apart = "subagent" in _source(payload)
    elif kind == "turn_context":
        facts.folder = text_of(payload.get("cwd")) or facts.folder
    elif not facts.apart:
        said = _message(payload) if kind == "response_item" else _event(payload) if kind == "event_msg" else None
        if said is not None and said[1]:
            yield HeardMessage(*said, at)


def _older(record: Mapping[str, Any]) -> str:
    """What a line without payload is. Raises NotOfThisForm."""
    if record.get("type") in _ITEMS or "record_type" in record:
        return "response_item"
    if "id" in record and "timestamp" in record:
        return "session_meta"
    raise NotOfThisForm("it is no line of a rollout")


def _source(meta: Mapping[str, Any]) -> str:
    """Who began a session: a word, or an object whose name says it."""
    source = meta.get("source")
    names = source if isinstance(source, dict) else (source,)
    return " ".join(str(name) for name in names).lower()


def _message(item: Mapping[str, Any]) -> tuple[Role, str] | None:
    if item.get("type") != "message" or item.get("role") not in ("user", "assistant"):
        return None
    role = Role(item["role"])
    texts = [text_of(part.get("text")) for part in objects(item.get("content"))]
    texts = [typed(text) for text in texts] if role is Role.USER else texts
    return role, "\n".join(filter(None, texts))


def _event(event: Mapping[str, Any]) -> tuple[Role, str] | None:
    role = _EVENTS.get(text_of(event.get("type")))
    if role is None:
        return None
    text = text_of(within(event, "message"))
    return role, typed(text) if role is Role.USER else text


def _places(around: Surroundings) -> Sequence[Path]:
    home = Path(around.environ.get("CODEX_HOME") or around.home / ".codex")
    return (home / "sessions", home / "archived_sessions")


ASSISTANT = AssistantLogs("codex", "Codex CLI", LogForm.LINES, _places, ("**/rollout-*.jsonl",), read)
