"""Which repository a client works in: the one that was named, else the one it says it has open, else this folder's."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import anyio
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolRequestParams,
    ClientCapabilities,
    GetPromptRequestParams,
    InputRequiredResult,
    ListRootsRequest,
    ListRootsResult,
    ReadResourceRequestParams,
    Root,
    RootsCapability,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from companion.client.desk import work_tree

ROOTS = "roots"
"""Under this name a client of the current protocol is asked for its folders, and answers."""
ROOTS_WAIT_S = 5.0
"""How long an older client may take to say which folders it has open; it is not asked again."""

Asked = CallToolRequestParams | ReadResourceRequestParams | GetPromptRequestParams
Context = ServerRequestContext[dict[str, Any]]


class Folders:
    """Finds out once which folder a client works in, and keeps to it."""

    def __init__(self, named: Path | None = None, *, ask_client: bool = True) -> None:
        """`named` decides where it is given; without `ask_client` a client's own folders do not count."""
        self._known = named
        self._ask_client = ask_client

    async def folder(self, context: Context, params: Asked) -> Path | InputRequiredResult:
        """The folder; or the question that a client of the current protocol has to answer before."""
        if self._known is not None:
            return self._known
        if self._may_ask(context):
            if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
                told = (params.input_responses or {}).get(ROOTS)
                if told is None and params.request_state is None:  # asked once: who does not answer has none
                    return InputRequiredResult(input_requests={ROOTS: ListRootsRequest()}, request_state=ROOTS)
                roots = told.roots if isinstance(told, ListRootsResult) else []
            else:
                roots = await _listed(context)
            self._known = first_repository(roots)
        self._known = self._known or Path.cwd()
        return self._known

    def _may_ask(self, context: Context) -> bool:
        has_roots = ClientCapabilities(roots=RootsCapability())
        return self._ask_client and context.session.check_client_capability(has_roots)


def first_repository(roots: Iterable[Root]) -> Path | None:
    """The first of a client's folders that lies in a repository."""
    for root in roots:
        parts = urlsplit(str(root.uri))
        if parts.scheme != "file" or parts.netloc not in {"", "localhost"}:
            continue
        path = unquote(parts.path)
        folder = Path(path.lstrip("/") if os.name == "nt" else path)
        if work_tree(folder) is not None:
            return folder
    return None


async def _listed(context: Context) -> list[Root]:
    """The folders of a client of an earlier protocol; none if it does not say in time."""
    with anyio.move_on_after(ROOTS_WAIT_S):
        try:
            told = await context.session.send_request(ListRootsRequest(), ListRootsResult)
            return list(told.roots)
        except MCPError:
            return []
    return []
