"""Cursor: its database `globalStorage/state.vscdb`, a JSON value a key; undocumented, as versions 0.40 to 3 keep it.

`composerData:ID` is a chat with the order of its bubbles, or in older ones the bubbles themselves; `bubbleId:ID:BUBBLE`
is one of them: type 1 what the user wrote, type 2 what was answered. The folder stands in the chat where newer
versions keep it; of a chat that names none nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.records.talk import Role
from companion.signals.transcripts.fields import folder_of_uri, moment_of, objects, record_or_empty, text_of
from companion.signals.transcripts.said import AssistantLogs, Facts, HeardMessage, LogForm, Rows, said_by

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
        chat = record_or_empty(value)
        id_ = str(key).partition(":")[2]
        facts.begin(id_, _folder(chat), text_of(chat.get("name")))
        begun = moment_of(chat.get("createdAt"))
        for bubble in _bubbles(rows, chat, id_):
            sort = bubble.get("type")
            role = _ROLES.get(sort) if isinstance(sort, int) else None
            at = moment_of(bubble.get("createdAt")) or begun
            yield from said_by(role, [text_of(bubble.get("text"))], at, text_of(bubble.get("bubbleId")))


def _bubbles(rows: Rows, chat: Mapping[str, object], id_: str) -> Iterator[Mapping[str, object]]:
    if isinstance(chat.get("conversation"), list) and chat["conversation"]:
        yield from objects(chat["conversation"])
        return
    for head in objects(chat.get("fullConversationHeadersOnly")):
        bubble = text_of(head.get("bubbleId"))
        for (value,) in rows(_BUBBLE, {"key": f"bubbleId:{id_}:{bubble}"}):
            yield {"bubbleId": bubble, **record_or_empty(value)}


def _folder(chat: Mapping[str, object]) -> str:
    uri = ("workspaceIdentifier", "uri")
    return text_of(chat, *uri, "fsPath") or folder_of_uri(text_of(chat, *uri, "external"))


ASSISTANT = AssistantLogs(
    "cursor", "Cursor", LogForm.TABLES, ("@Cursor/globalStorage",), ("state.vscdb",), read, name_of=str
)
