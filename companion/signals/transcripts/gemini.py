"""Gemini CLI: `~/.gemini/tmp/PROJECT/chats/session-….jsonl`, and `….json` before 2026; see `chatRecordingService.ts`.

A message is written again, whole, whenever something is added to it: the last one of an id holds. The folder stands in
`.project_root` beside the chats, or only as its SHA-256. Thoughts, tool calls, notices and helpers are left out; what
was said before the user rewound was said all the same.
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
    as_object,
    json_of,
    moment_of,
    objects,
    record_of,
    text_of,
)

_ROLES = {"user": Role.USER, "gemini": Role.ASSISTANT}
_PATH_MAX = 4_096
"""Bytes of the file that names a folder: no path is longer."""


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
        raise NotOfThisForm("it is no record of a chat")


def read_document(content: bytes, facts: Facts) -> Iterator[HeardMessage]:
    """What a session says that is kept as one object."""
    session = as_object(json_of(content))
    if not isinstance(session.get("messages"), list):
        raise NotOfThisForm("it has no messages")
    _about(session, facts)
    for message in objects(session["messages"]):
        yield from _message(message, facts)


def _about(said: Mapping[str, Any], facts: Facts) -> None:
    facts.session = text_of(said.get("sessionId")) or facts.session
    facts.title = text_of(said.get("summary")) or facts.title
    facts.began = facts.began or moment_of(said.get("startTime"))
    facts.apart = facts.apart or said.get("kind") == "subagent"
    digest = text_of(said.get("projectHash"))
    if digest and not facts.folder:
        facts.folder = f"sha256:{digest}"


def _message(message: Mapping[str, Any], facts: Facts) -> Iterator[HeardMessage]:
    role = _ROLES.get(text_of(message.get("type")))
    if role is None or facts.apart:
        return
    shown = message.get("displayContent") or message.get("content")
    text = _text(shown)
    if role is Role.USER:
        text = typed(text)
    if text.strip():
        yield HeardMessage(role, text, moment_of(message.get("timestamp")), text_of(message.get("id")))


def _text(content: object) -> str:
    """The words of a text, a part or a list of parts; thoughts and calls have none."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    words = [
        one if isinstance(one, str) else text_of(one.get("text"))
        for one in parts
        if isinstance(one, str) or (isinstance(one, dict) and not one.get("thought"))
    ]
    return "\n".join(filter(None, words))


def _beside(log: Path) -> Facts:
    try:
        with (log.parent.parent / ".project_root").open("rb") as file:
            return Facts(folder=file.read(_PATH_MAX).decode("utf-8", "replace").strip())
    except OSError:
        return Facts()


def _places(around: Surroundings) -> Sequence[Path]:
    return (around.home / ".gemini" / "tmp", around.home / ".cache" / ".gemini" / "tmp")


ASSISTANT = AssistantLogs("gemini", "Gemini CLI", LogForm.LINES, _places, ("*/chats/*.jsonl",), read, _beside)
OLDER = AssistantLogs("gemini", "Gemini CLI", LogForm.DOCUMENT, _places, ("*/chats/*.json",), read_document, _beside)
