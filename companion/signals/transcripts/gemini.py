"""Gemini CLI: `~/.gemini/tmp/PROJECT/chats/session-….jsonl`, and `….json` before 2026; see `chatRecordingService.ts`.

A message is written again, whole, whenever something is added to it: the last one of an id holds. The folder stands in
`.project_root` beside the chats, or only as its SHA-256. Thoughts, tool calls, notices and helpers are left out; what
was said before the user rewound was said all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.records.talk import Role
from companion.signals.transcripts.fields import bytes_beside, moment_of, objects, record_of, text_of, texts_of
from companion.signals.transcripts.said import AssistantLogs, Facts, HeardMessage, LogForm, NotOfThisForm, said_by

_ROLES = {"user": Role.USER, "gemini": Role.ASSISTANT}


def read(line: bytes, facts: Facts) -> Iterator[HeardMessage]:
    """What a line says: what the session is, a message, or a change of either."""
    record = record_of(line)
    changed = record.get("$set")
    if isinstance(changed, dict):
        _about(changed, facts)
        for message in objects(changed.get("messages")):
            yield from _message(message, facts)
    elif "sessionId" in record:
        _about(record, facts)
    elif "id" in record and "type" in record:
        yield from _message(record, facts)
    elif not any(name.startswith("$") for name in record):
        raise NotOfThisForm("it is not a record of a chat")


def read_document(content: bytes, facts: Facts) -> Iterator[HeardMessage]:
    """What a session says that is kept as one object."""
    session = record_of(content)
    if not isinstance(session.get("messages"), list):
        raise NotOfThisForm("it has no messages")
    _about(session, facts)
    for message in objects(session["messages"]):
        yield from _message(message, facts)


def _about(said: Mapping[str, object], facts: Facts) -> None:
    facts.learn(session=text_of(said.get("sessionId")), title=text_of(said.get("summary")))
    facts.began = facts.began or moment_of(said.get("startTime"))
    facts.apart = facts.apart or said.get("kind") == "subagent"
    digest = text_of(said.get("projectHash"))
    if digest and not facts.folder:
        facts.folder = f"sha256:{digest}"


def _message(message: Mapping[str, object], facts: Facts) -> Iterator[HeardMessage]:
    if facts.apart:
        return
    role = _ROLES.get(text_of(message.get("type")))
    shown = "\n".join(texts_of(message.get("displayContent") or message.get("content")))
    yield from said_by(role, [shown], moment_of(message.get("timestamp")), text_of(message.get("id")))


def _beside(log: Path) -> Facts:
    return Facts(folder=bytes_beside(log.parent.parent / ".project_root").decode("utf-8", "replace").strip())


_HOMES = ("~/.gemini/tmp", "~/.cache/.gemini/tmp")
ASSISTANT = AssistantLogs("gemini", "Gemini CLI", LogForm.LINES, _HOMES, ("*/chats/*.jsonl",), read, _beside)
OLDER = AssistantLogs("gemini", "Gemini CLI", LogForm.DOCUMENT, _HOMES, ("*/chats/*.json",), read_document, _beside)
