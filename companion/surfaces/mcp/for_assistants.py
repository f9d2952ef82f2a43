"""What a message of the program says to an assistant: its tools in place of commands, and no tags.

Messages are written once, for people at a terminal, with the next command in backticks. Here each command becomes the
tool that does the same; one that no tool does is the user's to run, and the message says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from companion.escape import as_message

TOOLS_OF: dict[str, str] = {}
"""The tool that does what a command does; filled as tools are made."""
USERS = "the user's to run"
"""Said of a command that no tool does."""
_COMMAND = re.compile(r"(?P<run>\b(?:Run|See|Try) |\b(?:run|see|try) )?`companion (?P<words>[^`]+)`")
OTHER_DEEDS = frozenset({"--new"})
"""Options by which a command does something else than its tool."""
_NEXT = re.compile(r"[:;,] (?:see|run|try) `companion [^`]+`")
_SUBCOMMAND = re.compile(r"[a-z]+")
_ID = re.compile(r"[\w./:-]*\d[\w./:-]*")


def for_assistants(text: str) -> str:
    """A message as an assistant is told it."""
    return as_message(with_tools(text))


def with_tools(text: str) -> str:
    """A text with tools in place of commands, which is escaped by whoever shows it."""
    return _COMMAND.sub(_told, text)


def without_commands(context: str, missing: Iterable[str]) -> str:
    """A rendered context whose sentences on what is missing name no command; it only becomes shorter."""
    for command in (found.group() for what in missing for found in _NEXT.finditer(what)):
        context = context.replace(command, "", 1)
    return context


def _told(found: re.Match[str]) -> str:
    verb, words = found["run"] or "", found["words"].split()
    tool, rest = _tool_for(words)
    if tool:
        ids = "".join(f" {word}" for word in rest if _ID.fullmatch(word))
        return f"{'Call ' if verb[:1].isupper() else 'call ' if verb else ''}`{tool}{ids}`"
    command = f"`companion {found['words']}`"
    if not verb:
        return f"{command} ({USERS})"
    return f"{'Ask' if verb[:1].isupper() else 'ask'} the user to run {command}"


def _tool_for(words: list[str]) -> tuple[str, list[str]]:
    """The tool for a command, and what it is given; empty where the command is another, whose name begins so."""
    for length in range(len(words), 0, -1):
        if tool := TOOLS_OF.get(" ".join(words[:length])):
            rest = words[length:]
            other = rest and (_SUBCOMMAND.fullmatch(rest[0]) or rest[0] in OTHER_DEEDS)
            return ("", []) if other else (tool, rest)
    return "", []
