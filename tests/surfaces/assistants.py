"""An assistant: a real client of the protocol, in memory or at the other end of a process."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar
from xml.etree import ElementTree

from kept_open import keep_open
from mcp import Client, StdioServerParameters
from mcp.client import ClientRequestContext
from mcp_types import CallToolResult, ListRootsResult, Root

from companion.surfaces.mcp.folders import Folders
from companion.surfaces.mcp.server import Assistant
from companion.surfaces.mcp.tools import ToolChoice

Result = TypeVar("Result")
Session = Callable[[Client], Awaitable[Result]]

ERAS = {"auto": "2026-07-28", "legacy": "2025-11-25"}
"""How a client begins, and the protocol that it then speaks."""


def in_memory(
    session: Session[Result], root: Path | None, mode: str = "auto", choice: ToolChoice = ToolChoice.ALL, **more: Any
) -> Result:
    """A session with a server in this process."""
    keep_open(Path(os.environ["COMPANION_HOME"]))
    assistant = Assistant(Folders(root), choice)

    async def held() -> Result:
        async with Client(assistant.server(), mode=mode, **more) as client:
            return await session(client)

    try:
        return asyncio.run(held())
    finally:
        assistant.close()


def over_stdio(session: Session[Result], folder: Path, *arguments: str, mode: str = "auto") -> Result:
    """A session with a server that is a process, started as an assistant starts it."""
    program = StdioServerParameters(
        command=sys.executable,
        args=["-P", "-m", "companion.surfaces.cli", "mcp", *arguments],
        cwd=folder,
        env=dict(os.environ),
    )

    async def held() -> Result:
        async with Client(program, mode=mode) as client:
            return await session(client)

    return asyncio.run(held())


def called(tool: str, **arguments: object) -> Session[CallToolResult]:
    """A session of one call."""
    return lambda client: client.call_tool(tool, arguments)


def says(result: CallToolResult) -> str:
    """The text of an answer."""
    (part,) = result.content
    assert part.type == "text"
    return part.text


def tree(text: str) -> ElementTree.Element:
    """The tagged part of an answer, as a parser sees it."""
    return ElementTree.fromstring(text[text.index("<") :])


def with_roots(*folders: Path) -> dict[str, Any]:
    """What makes a client say that it has these folders open."""

    async def roots(context: ClientRequestContext) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=folder.as_uri()) for folder in folders])

    return {"list_roots_callback": roots}
