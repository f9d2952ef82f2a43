"""Cline, and Roo Code and Kilo Code that came of it: `tasks/TASK/ui_messages.json`, what the user saw, in order.

The folder of a task stands in the list of all tasks, or in an entry of its own beside the messages. Reasoning, requests
to the model, commands and tools are left out.
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
    json_of,
    moment_of,
    objects,
    text_of,
    within,
)
from companion.signals.transcripts.vscode import user_folders

EXTENSIONS = ("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline", "kilocode.kilo-code")
_ROLES = {
    "task": Role.USER,
    "user_feedback": Role.USER,
    "text": Role.ASSISTANT,
    "completion_result": Role.ASSISTANT,
    "followup": Role.ASSISTANT,
    "plan_mode_respond": Role.ASSISTANT,
}
_ASKED = {"followup": "question", "plan_mode_respond": "response"}
"""What the assistant asks stands in JSON, under these names."""
_LIST_BYTES = 16_000_000
"""Of the list of all tasks: some ten thousand of them."""


def read(content: bytes, facts: Facts) -> Iterator[HeardMessage]:
    """What a task's messages say; the first is the task."""
    messages = json_of(content)
    if not isinstance(messages, list) or not all(isinstance(one, dict) and "ts" in one for one in messages):
        raise NotOfThisForm("it is no list of messages")
    for number, one in enumerate(objects(messages)):
        kind = text_of(one.get("say")) or text_of(one.get("ask"))
        role = Role.USER if not number and kind == "text" else _ROLES.get(kind)
        if role is None or one.get("partial"):
            continue
        text = _words(one, kind)
        if role is Role.USER:
            text = typed(text)
        if text.strip():
            yield HeardMessage(role, text, moment_of(one["ts"]), f"{facts.session}/{one['ts']}")


def _words(message: Mapping[str, Any], kind: str) -> str:
    text = text_of(message.get("text"))
    if kind not in _ASKED:
        return text
    try:
        return text_of(within(json_of(text), _ASKED[kind])) or text
    except NotOfThisForm:
        return text


def _beside(log: Path) -> Facts:
    task = log.parent.name
    own = _json(log.parent / "history_item.json")
    listed = next((one for one in objects(_tasks(log.parent.parent.parent)) if str(one.get("id")) == task), own)
    folder = text_of(within(own, "workspace")) or text_of(within(listed, "cwdOnTaskInitialization"))
    return Facts(session=task, folder=folder or text_of(within(listed, "workspace")))


def _tasks(extension: Path) -> object:
    return _json(extension / "state" / "taskHistory.json")


def _json(path: Path) -> object:
    try:
        with path.open("rb") as file:
            return json_of(file.read(_LIST_BYTES))
    except (OSError, NotOfThisForm):
        return None


def _places(around: Surroundings) -> Sequence[Path]:
    stored = [folder / "globalStorage" / name for folder in user_folders(around) for name in EXTENSIONS]
    return [*(one / "tasks" for one in stored), around.home / ".cline" / "data" / "tasks"]


ASSISTANT = AssistantLogs(
    "cline",
    "Cline, Roo Code",
    LogForm.DOCUMENT,
    _places,
    ("*/ui_messages.json",),
    read,
    _beside,
    name_of=lambda path: path.parent.name,
)
