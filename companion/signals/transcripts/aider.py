"""Aider: `.aider.chat.history.md` in the folder it was started in; as `aider/io.py` writes it.

A session begins with a heading that has the local time. The user's lines begin with `####`, those of the program and
its commands with `>`; the rest is what the model answered. Lines have no times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from companion.records.talk import Role
from companion.signals.transcripts.said import AssistantLogs, Facts, HeardMessage, LogForm, NotOfThisForm

FILE_NAME = ".aider.chat.history.md"
_BEGINS = re.compile(r"^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)")
_COMMANDS = re.compile(r"^/(?!ask\b|code\b|architect\b|context\b)\w+")
"""Commands to aider itself, but for those that carry a message to the model."""
_BLANK = "<blank>"
"""Stands for a message without words."""


def read(line: bytes, facts: Facts) -> Iterator[HeardMessage]:
    """What a line says."""
    if not line.endswith(b"\n"):
        raise NotOfThisForm("it is still being written")
    text = line.decode("utf-8", "replace").rstrip("\r\n")
    if (begins := _BEGINS.match(text)) is not None:
        facts.session, facts.before, facts.began = begins.group(1), "", _utc(begins.group(1))
        return
    if not facts.session:
        if text.strip():
            raise NotOfThisForm("it comes before the first session")
        return
    if text.startswith("####"):
        words = text[4:].strip()
        if words and words != _BLANK and not _COMMANDS.match(words):
            yield HeardMessage(Role.USER, words, goes_on=True)
    elif not text.startswith(">"):
        yield HeardMessage(Role.ASSISTANT, text, goes_on=True)


def _utc(said: str) -> datetime | None:
    """A time by the clock of the machine, as naive UTC; None for what is no time."""
    try:
        return datetime.fromisoformat(said).astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError, OSError):
        return None


def _beside(log: Path) -> Facts:
    return Facts(folder=str(log.parent))


ASSISTANT = AssistantLogs(
    "aider", "Aider", LogForm.LINES, (f"./{FILE_NAME}",), (FILE_NAME,), read, _beside, name_of=str
)
