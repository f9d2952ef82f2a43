"""The tools: a row each, with what it is asked, what it does and what it may change. One module a family."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.surfaces.mcp.for_assistants import TOOLS_OF
from companion.surfaces.mcp.tool import Tool, ToolChoice, Working
from companion.surfaces.mcp.tools import judging, memories, notes, reasoning, settling, talks

__all__ = ["FORMER", "TOOLS", "Tool", "ToolChoice", "Working", "offered", "tool_of"]

TOOLS: tuple[Tool, ...] = (*memories.ROWS, *settling.ROWS, *judging.ROWS, *talks.ROWS, *reasoning.ROWS, *notes.ROWS)
FORMER: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "search_memories": ("search_memory", {}),
    "get_active_conversation": ("where_were_we", {}),
    "resolve_contradiction": ("contradictions", {}),
    "confirm_memory": ("close_conversation", {"do": "confirm"}),
    "resume_conversation": ("close_conversation", {"do": "resume"}),
    "archive_conversation": ("close_conversation", {"do": "archive"}),
}
"""Other names that are understood and not listed, each with its tool and the arguments that it stands for.

So is the name of a command that a tool takes the place of: `search` for `search_memory`.
"""


def offered(choice: ToolChoice) -> tuple[Tool, ...]:
    """The tools that a client is told of."""
    return tuple(filter(choice.lists, TOOLS))


def tool_of(name: str, choice: ToolChoice) -> Tool | None:
    """The tool of a name or a former name, listed or not; a small model can call those alone that it is told of."""
    wanted, given = FORMER.get(name, (TOOLS_OF.get(name, name), {}))
    found = next((tool for tool in TOOLS if tool.name == wanted), None)
    if found is None or (choice is ToolChoice.SMALL and not choice.lists(found)):
        return None
    return replace(found, given=given)
