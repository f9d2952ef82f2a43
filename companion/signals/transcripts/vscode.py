"""Chats of VS Code, as with Copilot: `workspaceStorage/ID/chatSessions/SESSION.jsonl` or `.json`, the folder beside.

A `.jsonl` is a log of changes to one object (`objectMutationLog.ts`): the object, then values set, pushed or deleted by
their paths. Of an answer only its text is kept; thinking, tools and edits are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.records.talk import Role
from companion.signals.transcripts.fields import (
    folder_of_uri,
    json_beside,
    json_of,
    moment_of,
    objects,
    record_of,
    text_of,
)
from companion.signals.transcripts.said import AssistantLogs, Facts, HeardMessage, LogForm, NotOfThisForm

_WHOLE, _SET, _PUSH, _DELETE = range(4)
"""The sorts of entries in a log of changes."""


def read(content: bytes, facts: Facts) -> Iterator[HeardMessage]:
    """What a session says, whichever way it is kept."""
    session = _session(content)
    if not isinstance(session, dict):
        raise NotOfThisForm("it is not an object")
    if not isinstance(session.get("requests"), list):
        raise NotOfThisForm("it has no requests")
    facts.session = text_of(session.get("sessionId"))
    facts.title = text_of(session.get("customTitle"))
    facts.began = moment_of(session.get("creationDate"))
    for request in objects(session["requests"]):
        at, id_ = moment_of(request.get("timestamp")), text_of(request.get("requestId"))
        text = text_of(request, "message") or text_of(request, "message", "text")
        if text.strip():
            yield HeardMessage(Role.USER, text, at, id_)
        answer = "".join(_part(part) for part in objects(request.get("response")))
        if answer.strip():
            yield HeardMessage(Role.ASSISTANT, answer, at, text_of(request.get("responseId")) or f"{id_}/answer")


def _session(content: bytes) -> object:
    """The object that a document is, or that the entries of a log make."""
    first, _, rest = content.partition(b"\n")
    try:
        begun = json_of(first)
    except NotOfThisForm:
        return json_of(content)
    if not isinstance(begun, dict) or begun.get("kind") != _WHOLE or "v" not in begun:
        return json_of(content)
    state: object = begun["v"]
    for line in rest.split(b"\n"):
        if line.strip():
            try:
                entry = record_of(line)
            except NotOfThisForm:
                break  # the last line, half written; or a hole, after which no path can be trusted
            state = _changed(state, entry)
    return state


def _changed(state: object, entry: Mapping[str, object]) -> object:
    """The object after one entry; one that fits nowhere changes nothing."""
    kind, path = entry.get("kind"), entry.get("k")
    if kind == _WHOLE:
        return entry.get("v")
    if not isinstance(path, list) or not path:
        return state
    holder: Any = state
    try:
        for step in path[:-1]:
            holder = holder[step]
        if kind == _PUSH:
            listed = holder[path[-1]] if not isinstance(holder, dict) else holder.setdefault(path[-1], [])
            if isinstance(entry.get("i"), int):
                del listed[entry["i"] :]
            listed.extend(entry.get("v") or ())
        elif kind == _DELETE:
            holder.pop(path[-1], None) if isinstance(holder, dict) else holder.__setitem__(path[-1], None)
        elif kind == _SET:
            holder[path[-1]] = entry.get("v")
    except (KeyError, IndexError, TypeError, AttributeError):
        pass
    return state


def _part(part: Mapping[str, object]) -> str:
    """The words of one part of an answer; what is named in the middle of them in its place."""
    kind = part.get("kind")
    if kind is None:
        return text_of(part.get("value"))
    if kind in ("markdownContent", "markdownVuln"):
        return text_of(part, "content", "value")
    if kind == "inlineReference":
        reference = part.get("inlineReference")
        path = text_of(reference, "path") or text_of(reference, "uri", "path")
        return f"`{text_of(part.get('name')) or text_of(reference, 'name') or path.rpartition('/')[2]}`"
    return ""


def _beside(log: Path) -> Facts:
    """The folder that a workspace's own folder stands for; nothing where it is none or several."""
    return Facts(folder=folder_of_uri(text_of(json_beside(log.parent.parent / "workspace.json"), "folder")))


_CHATS = ("*/chatSessions/*.json", "*/chatSessions/*.jsonl")
ASSISTANT = AssistantLogs(
    "vscode-chat", "VS Code chat", LogForm.DOCUMENT, ("@/workspaceStorage",), _CHATS, read, _beside
)
