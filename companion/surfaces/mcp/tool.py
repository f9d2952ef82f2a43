"""What a tool is, where it works, and how many of them a client is told of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from companion.api import Companion
from companion.api.asks import ask_record, call_with
from companion.surfaces.mcp.answers import Answer
from companion.surfaces.mcp.for_assistants import TOOLS_OF

UNNAMED = "assistant"
"""A client of the protocol that does not say what it is called."""


class ToolChoice(StrEnum):
    """How many tools are offered: all, or the few that a small model can keep apart."""

    FULL = "full"
    SMALL = "small"


@dataclass(frozen=True, slots=True)
class Working:
    """Where a client works: a companion, the root of the repository it answers for, and who asks.

    `assistant` is the name that the client gives itself, or what stands for one that gives none.
    """

    companion: Companion
    root: Path
    persona: str = ""
    assistant: str = UNNAMED

    def at_hand(self, file: str) -> str:
        """A file as the verbs take it: absolute; a relative one is meant from the root."""
        return str(self.root / file) if file else ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: what it is for, what it is asked with, and the function that answers.

    `changes` says that it writes; `takes_back` that it takes something out of what is shown. `gives` are the lists
    of its values with the fields of their rows, told to clients that hand answers to programs. `commands` are those of
    the command line in whose place it is named to an assistant.
    """

    name: str
    says: str
    ask: type
    call: Callable[..., Answer]
    changes: bool = False
    takes_back: bool = False
    small: bool = False
    gives: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    commands: tuple[str, ...] = ()

    def answer(self, working: Working, ask: object) -> Answer:
        """The answer to what a client asks. Raises CompanionError."""
        return call_with(self.call, ask, {"working": working})


def tool(
    *commands: str,
    changes: bool = False,
    takes_back: bool = False,
    small: bool = False,
    gives: Mapping[str, Mapping[str, str]] | None = None,
) -> Callable[[Callable[..., Answer]], Tool]:
    """What makes a tool of a function that does what `commands` do.

    Its name, what it says of itself and its arguments are the function's, but for `working`.
    """

    def made(call: Callable[..., Answer]) -> Tool:
        says = " ".join((call.__doc__ or "").split())
        ask = ask_record(call, call.__name__, says, {"working"})
        TOOLS_OF.update(dict.fromkeys(commands, call.__name__))
        return Tool(call.__name__, says, ask, call, changes, takes_back, small, gives or {}, commands)

    return made
