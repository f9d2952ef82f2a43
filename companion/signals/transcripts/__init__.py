"""Logs that coding assistants keep of their sessions, as turns. An assistant is a module and a line in `ASSISTANTS`.

Formats are those that the assistants write in 2026; what none of them says is passed over, never guessed. A module only
says where the logs lie and what one record says; turns, growing files and limits are the same for all.

    said.py      the words these modules use, and what programs put between people's
    fields.py    what stands in JSON, taken out with care
    message_turns.py  messages become turns
    incremental.py    a log read from where reading stopped
    finding.py   where the logs lie
"""

from __future__ import annotations

from companion.errors import UsageError
from companion.signals.transcripts import aider, claude_code, cline, codex, cursor, gemini, opencode, vscode
from companion.signals.transcripts.finding import Log, logs, places, recognised
from companion.signals.transcripts.incremental import LogPosition, LogReading, heard, sealed, unchanged
from companion.signals.transcripts.said import AssistantLogs, Facts, HeardTurn, Rows, Surroundings

ASSISTANTS: tuple[AssistantLogs, ...] = (
    claude_code.ASSISTANT,
    codex.ASSISTANT,
    gemini.ASSISTANT,
    gemini.OLDER,
    aider.ASSISTANT,
    vscode.ASSISTANT,
    cline.ASSISTANT,
    cursor.ASSISTANT,
    opencode.ASSISTANT,
)
"""Every assistant whose logs are read; one that has changed its form stands here twice, under one name."""


def names() -> tuple[str, ...]:
    """The names of the assistants, each once."""
    return tuple(dict.fromkeys(one.name for one in ASSISTANTS))


def named(name: str) -> tuple[AssistantLogs, ...]:
    """The forms in which one assistant keeps its talk. Raises UsageError for a name that is none."""
    found = tuple(one for one in ASSISTANTS if one.name == name)
    if not found:
        raise UsageError(f"There is no assistant `{name}`.", f"Choose one of: {', '.join(names())}.")
    return found
