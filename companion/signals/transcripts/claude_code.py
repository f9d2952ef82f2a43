"""Claude Code: `~/.claude/projects/FOLDER/SESSION.jsonl`, a record a line, each with its session, folder and time.

Undocumented; read as versions 1.0 to 2.1 write it. Assistants that it starts itself write into `agent-….jsonl`, which
nobody spoke in; they, thinking, tool calls and their results, summaries and notes to itself are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.records.talk import Role
from companion.signals.transcripts.fields import moment_of, record_of, text_of, texts_of
from companion.signals.transcripts.said import AssistantLogs, Facts, HeardMessage, LogForm, NotOfThisForm, said_by

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
        facts.learn(title=text_of(record.get(_TITLES[kind])))
    if kind in ("user", "assistant") and not any(record.get(mark) for mark in _NOT_SAID):
        facts.learn(session=text_of(record.get("sessionId")), folder=text_of(record.get("cwd")))
        said = record.get("message")
        texts = texts_of(said.get("content")) if isinstance(said, dict) else []
        yield from said_by(Role(kind), texts, moment_of(record.get("timestamp")), text_of(record.get("uuid")))


ASSISTANT = AssistantLogs(
    "claude-code",
    "Claude Code",
    LogForm.LINES,
    ("$CLAUDE_CONFIG_DIR/projects", "~/.claude/projects"),
    ("*/*.jsonl",),
    read,
)
