"""Cursor: its database `globalStorage/state.vscdb`, a JSON value a key; undocumented, as versions 0.40 to 3 keep it.

`composerData:ID` is a chat with the order of its bubbles, or in older ones the bubbles themselves; `bubbleId:ID:BUBBLE`
is one of them: type 1 what the user wrote, type 2 what was answered. The folder stands in the chat where newer
versions keep it; of a chat that names none nothing is known.
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
    Rows,
    Surroundings,
    as_object,
    folder_of_uri,
    json_of,
    moment_of,
    objects,
    text_of,
    within,
)
from companion.signals.transcripts.vscode import user_folders

_CHATS = """
select key, value
from cursorDiskKV
where key >= 'composerData:' and key < 'composerData;'
order by key
"""
_BUBBLE = """
select value
from cursorDiskKV
where key = :key
"""
_ROLES = {1: Role.USER, 2: Role.ASSISTANT}


def read(rows: Rows, facts: Facts) -> Iterator[HeardMessage]:
    """What every chat says, one after the other."""
    for key, value in rows(_CHATS, {}):
        try:
            chat = as_object(json_of(value))
        except NotOfThisForm:
            continue
        id_ = str(key).partition(":")[2]
        facts.session, facts.folder, facts.title, facts.before = id_, _folder(chat), text_of(chat.get("name")), ""
        begun = moment_of(chat.get("createdAt"))
        for bubble in _bubbles(rows, chat, id_):
            role = _ROLES.get(bubble.get("type", 0)) if isinstance(bubble.get("type"), int) else None
            text = text_of(bubble.get("text"))
            if role is Role.USER:
                text = typed(text)
            if role is not None and text.strip():
                at = moment_of(bubble.get("createdAt")) or begun
                yield HeardMessage(role, text, at, text_of(bubble.get("bubbleId")))


def _bubbles(rows: Rows, chat: Mapping[str, Any], id_: str) -> Iterator[Mapping[str, Any]]:
    if isinstance(chat.get("conversation"), list) and chat["conversation"]:
        yield from objects(chat["conversation"])
        return
    for head in objects(chat.get("fullConversationHeadersOnly")):
        bubble = text_of(head.get("bubbleId"))
        for (value,) in rows(_BUBBLE, {"key": f"bubbleId:{id_}:{bubble}"}):
            try:
                yield {"bubbleId": bubble, **as_object(json_of(value))}
            except NotOfThisForm:
                continue


def _folder(chat: Mapping[str, Any]) -> str:
    uri = within(chat, "workspaceIdentifier", "uri")
    return text_of(within(uri, "fsPath")) or folder_of_uri(text_of(within(uri, "external")))


def _places(around: Surroundings) -> Sequence[Path]:
    return [folder / "globalStorage" for folder in user_folders(around, ("Cursor",))]


ASSISTANT = AssistantLogs("cursor", "Cursor", LogForm.TABLES, _places, ("state.vscdb",), read, name_of=str)
