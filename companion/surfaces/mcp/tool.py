"""What a tool is, where it works, and how many of them a client is told of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field

from companion.api import Companion
from companion.api.asks import ask_record, call_with
from companion.surfaces.mcp.answers import Answer
from companion.surfaces.mcp.for_assistants import TOOLS_OF

UNNAMED = "assistant"
"""A client of the protocol that does not say what it is called."""


class ToolChoice(StrEnum):
    """How many tools are listed: the four that a small model can keep apart, the ten of everyday work, or all."""

    SMALL = "small"
    DEFAULT = "default"
    ALL = "all"

    @classmethod
    def _missing_(cls, value: object) -> ToolChoice | None:
        """`full` is what `all` was called."""
        return cls.ALL if value == "full" else None

    def lists(self, tool: Tool) -> bool:
        """Whether a tool is among those that are listed."""
        order = list(ToolChoice)
        return order.index(tool.listed) <= order.index(self)


class Working(Struct, frozen=True):
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


class Tool(Struct, frozen=True):
    """A tool: what it is for, what it is asked with, and the function that answers.

    `changes` says that it writes; `takes_back` that it takes something out of what is shown. `listed` is the smallest
    choice that lists it. `gives` are the lists of its values with the fields of their rows, told to clients that hand
    answers to programs. `given` are arguments that a former name stands for.
    """

    name: str
    says: str
    ask: type
    call: Callable[..., Answer]
    changes: bool = False
    takes_back: bool = False
    listed: ToolChoice = ToolChoice.ALL
    gives: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    given: Mapping[str, object] = field(default_factory=dict)

    def answer(self, working: Working, ask: object) -> Answer:
        """The answer to what a client asks. Raises CompanionError."""
        return call_with(self.call, ask, {"working": working})


def tool(
    *commands: str | tuple[str, str],
    changes: bool = False,
    takes_back: bool = False,
    listed: ToolChoice = ToolChoice.ALL,
    gives: Mapping[str, Mapping[str, str]] | None = None,
) -> Callable[[Callable[..., Answer]], Tool]:
    """What makes a tool of a function that does what `commands` do, some of them with an argument that is said too.

    Its name, what it says of itself and its arguments are the function's, but for `working`. Only what is always listed
    is named to an assistant in a command's place.
    """

    def made(call: Callable[..., Answer]) -> Tool:
        says = " ".join((call.__doc__ or "").split())
        ask = ask_record(call, call.__name__, says, {"working"})
        for one in commands if listed is not ToolChoice.ALL else ():
            command, argument = (one, "") if isinstance(one, str) else one
            TOOLS_OF[command] = f"{call.__name__} {argument}".strip()
        return Tool(call.__name__, says, ask, call, changes, takes_back, listed, gives or {})

    return made
