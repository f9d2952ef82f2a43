"""Claude Code: `~/.claude/projects/FOLDER/SESSION.jsonl`, a record a line, each with its session, folder and time.

Undocumented; read as versions 1.0 to 2.1 write it. Assistants that it starts itself write into `agent-….jsonl`, which
nobody spoke in; they, thinking, tool calls and their results, summaries and notes to itself are left out.
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

_TITLES = {"summary": "summary", "ai-title": "aiTitle", "custom-title": "customTitle"}
_NOT_SAID = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")
"""Marks of records that nobody said, or that were said to a helper of the assistant's."""


def read(line: bytes, facts: Facts) -> Iterator[HeardMessage]:
    """What a line says."""
    record = record_of(line)
    kind = text_of(record.get("type"))
    if not kind:
        raise NotOfThisForm("it has no type")
    if kind in _TITLES:
        facts.title = text_of(record.get(_TITLES[kind])) or facts.title
    if kind not in ("user", "assistant") or any(record.get(mark) for mark in _NOT_SAID):
        return
    facts.session = text_of(record.get("sessionId")) or facts.session
    facts.folder = text_of(record.get("cwd")) or facts.folder
    role = Role(kind)
    text = _text(record, role)
    if text.strip():
        yield HeardMessage(role, text, moment_of(record.get("timestamp")), text_of(record.get("uuid")))


def _text(record: Mapping[str, Any], role: Role) -> str:
    content = within(record, "message", "content")
    blocks = [content] if isinstance(content, str) else _texts(content)
    return "\n".join(blocks) if role is Role.ASSISTANT else "\n".join(filter(None, map(typed, blocks)))


def _texts(content: object) -> list[str]:
    return [text_of(block.get("text")) for block in objects(content) if block.get("type") == "text"]


def _places(around: Surroundings) -> Sequence[Path]:
    said = around.environ.get("CLAUDE_CONFIG_DIR", "")
    return (*(Path(said) / "projects" for _ in [0] if said), around.home / ".claude" / "projects")


ASSISTANT = AssistantLogs("claude-code", "Claude Code", LogForm.LINES, _places, ("*/*.jsonl",), read)
