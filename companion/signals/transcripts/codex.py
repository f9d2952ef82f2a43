"""Codex CLI: `~/.codex/sessions/YEAR/MONTH/DAY/rollout-….jsonl`, as `codex-rs/protocol` describes it.

A line is `{timestamp, type, payload}`; before autumn 2025 it was the bare item. The user's words stand in a message of
the model's history, among contexts that look alike, and mostly in an event as well: the same words twice in a turn
are one. Reasoning, calls and their outputs, and sessions of helpers are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.records.talk import Role
from companion.signals.transcripts.fields import moment_of, record_of, text_of, texts_of
from companion.signals.transcripts.said import AssistantLogs, Facts, HeardMessage, LogForm, NotOfThisForm, said_by

_EVENTS = {"user_message": Role.USER, "agent_message": Role.ASSISTANT}
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_ITEMS = ("message", "reasoning", "function_call", "function_call_output", "local_shell_call", "custom_tool_call")
"""Items that stood in lines of their own before lines had a type and a payload."""


def read(line: bytes, facts: Facts) -> Iterator[HeardMessage]:
    """What a line says."""
    record = record_of(line)
    kind, payload = text_of(record.get("type")), record.get("payload")
    if not isinstance(payload, dict):
        payload, kind = record, _older(record)
    at, what = moment_of(record.get("timestamp")), text_of(payload.get("type"))
    if kind == "session_meta":
        facts.learn(session=text_of(payload.get("id")), folder=text_of(payload.get("cwd")))
        facts.began = moment_of(payload.get("timestamp")) or facts.began
        facts.apart = "subagent" in _source(payload)
    elif kind == "turn_context":
        facts.learn(folder=text_of(payload.get("cwd")))
    elif kind == "response_item" and what == "message" and not facts.apart:
        yield from said_by(_ROLES.get(text_of(payload.get("role"))), texts_of(payload.get("content")), at)
    elif kind == "event_msg" and not facts.apart:
        yield from said_by(_EVENTS.get(what), [text_of(payload.get("message"))], at)


def _older(record: Mapping[str, object]) -> str:
    """What a line without payload is. Raises NotOfThisForm."""
    if record.get("type") in _ITEMS or "record_type" in record:
        return "response_item"
    if "id" in record and "timestamp" in record:
        return "session_meta"
    raise NotOfThisForm("it is not a line of a rollout")


def _source(meta: Mapping[str, object]) -> str:
    """Who began a session: a word, or an object whose name says it."""
    source = meta.get("source")
    names = source if isinstance(source, dict) else (source,)
    return " ".join(str(name) for name in names).lower()


_HOMES = ("$CODEX_HOME/sessions | ~/.codex/sessions", "$CODEX_HOME/archived_sessions | ~/.codex/archived_sessions")
ASSISTANT = AssistantLogs("codex", "Codex CLI", LogForm.LINES, _HOMES, ("**/rollout-*.jsonl",), read)
