"""Cline, and Roo Code and Kilo Code that came of it: `tasks/TASK/ui_messages.json`, what the user saw, in order.

The folder of a task stands in the list of all tasks, or in an entry of its own beside the messages. Reasoning, requests
to the model, commands and tools are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.records.talk import Role
from companion.signals.transcripts.fields import json_beside, json_of, moment_of, objects, record_or_empty, text_of
from companion.signals.transcripts.said import AssistantLogs, Facts, HeardMessage, LogForm, NotOfThisForm, said_by

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


def read(content: bytes, facts: Facts) -> Iterator[HeardMessage]:
    """What a task's messages say; the first is the task."""
    messages = json_of(content)
    if not isinstance(messages, list) or not all(isinstance(one, dict) and "ts" in one for one in messages):
        raise NotOfThisForm("it is not a list of messages")
    for number, one in enumerate(objects(messages)):
        kind = text_of(one.get("say")) or text_of(one.get("ask"))
        role = Role.USER if not number and kind == "text" else _ROLES.get(kind)
        if not one.get("partial"):
            yield from said_by(role, [_words(one, kind)], moment_of(one["ts"]), f"{facts.session}/{one['ts']}")


def _words(said: Mapping[str, object], kind: str) -> str:
    text = text_of(said.get("text"))
    if kind not in _ASKED:
        return text
    return text_of(record_or_empty(text), _ASKED[kind]) or text


def _beside(log: Path) -> Facts:
    task = log.parent.name
    own = json_beside(log.parent / "history_item.json")
    tasks = objects(json_beside(log.parent.parent.parent / "state" / "taskHistory.json"))
    listed = next((one for one in tasks if str(one.get("id")) == task), own)
    folder = text_of(own, "workspace") or text_of(listed, "cwdOnTaskInitialization")
    return Facts(session=task, folder=folder or text_of(listed, "workspace"))


ASSISTANT = AssistantLogs(
    "cline",
    "Cline, Roo Code",
    LogForm.DOCUMENT,
    (*(f"@/globalStorage/{name}/tasks" for name in EXTENSIONS), "~/.cline/data/tasks"),
    ("*/ui_messages.json",),
    read,
    _beside,
    name_of=lambda path: path.parent.name,
)
