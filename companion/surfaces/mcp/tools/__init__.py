"""The tools: a row each, with what it is asked, what it does and what it may change. One module a family."""

from __future__ import annotations

from collections.abc import Mapping

from companion.surfaces.mcp.tool import Tool, ToolChoice, Working
from companion.surfaces.mcp.tools import judging, memories, notes, reasoning, settling, talks

__all__ = ["ALIASES", "TOOLS", "Tool", "ToolChoice", "Working", "offered", "tool_of"]

TOOLS: tuple[Tool, ...] = (*memories.ROWS, *settling.ROWS, *judging.ROWS, *talks.ROWS, *reasoning.ROWS, *notes.ROWS)
ALIASES: Mapping[str, str] = {"search_memories": "search_memory"}
"""Other names that are understood and not listed: a second row would cost every request its tokens."""


def offered(choice: ToolChoice) -> tuple[Tool, ...]:
    """The tools that a client is told of."""
    return tuple(tool for tool in TOOLS if tool.small or choice is ToolChoice.FULL)


def tool_of(name: str, choice: ToolChoice) -> Tool | None:
    """The tool of a name or another name for it; None if none is offered."""
    wanted = ALIASES.get(name, name)
    return next((tool for tool in offered(choice) if tool.name == wanted), None)
