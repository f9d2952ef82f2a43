"""Which repository a request is about: the one that was named, else one the client has open, else this folder's."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import islice
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

from companion.client.companions import work_tree

ROOTS = "roots"
"""Under this name a client of the current protocol is asked for its folders, and answers."""
ROOTS_MAX = 50
"""Folders of a client that are looked at: an editor's window has a handful."""
ROOTS_WAIT_S = 5.0
"""How long an older client may take to say which folders it has open; it is not asked again."""

Asked = CallToolRequestParams | ReadResourceRequestParams | GetPromptRequestParams
Held = dict[str, Any]
"""What a server of the library keeps while it lives: nothing of ours."""
Context = ServerRequestContext[Held]


class Folders:
    """Finds out once which folders a client works in, and which of them a request is about."""

    def __init__(self, named: Path | None = None) -> None:
        """`named` decides where it is given."""
        self._named = named
        self._known: tuple[Path, ...] = ()

    def forget(self) -> None:
        """The client has other folders open: ask again with the next request."""
        self._known = ()

    async def folder(self, context: Context, params: Asked) -> Path | InputRequiredResult:
        """The folder; or the question that a client of the current protocol has to answer before."""
        if self._named is not None:
            return self._named
        if not self._known and _has_roots(context):
            if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
                told = (params.input_responses or {}).get(ROOTS)
                if told is None and params.request_state is None:  # asked once: who does not answer has none
                    return InputRequiredResult(input_requests={ROOTS: ListRootsRequest()}, request_state=ROOTS)
                roots = told.roots if isinstance(told, ListRootsResult) else []
            else:
                roots = await _listed(context)
            self._known = repositories(roots)
        self._known = self._known or (Path.cwd(),)
        return meant(self._known, _file_of(params))


def _has_roots(context: Context) -> bool:
    return context.session.check_client_capability(ClientCapabilities(roots=RootsCapability()))


def repositories(roots: Iterable[Root]) -> tuple[Path, ...]:
    """Those of a client's folders that lie in a repository, in its order."""
    found: list[Path] = []
    for root in islice(roots, ROOTS_MAX):
        parts = urlsplit(str(root.uri))
        if parts.scheme != "file" or parts.netloc not in {"", "localhost"}:
            continue
        path = unquote(parts.path)
        folder = Path(path.lstrip("/") if os.name == "nt" else path)
        if work_tree(folder) is not None:
            found.append(folder)
    return tuple(found)


def meant(folders: Sequence[Path], file: str) -> Path:
    """Of several folders the one whose repository has the file that is asked about; else the first."""
    for folder in folders if file and len(folders) > 1 else ():
        root = work_tree(folder) or folder
        if os.path.lexists(root / file) and (root / file).is_relative_to(root):
            return folder
    return folders[0]


def _file_of(params: Asked) -> str:
    """The file that a request is about, if it names one."""
    file = (getattr(params, "arguments", None) or {}).get("file")
    return file if isinstance(file, str) and "\0" not in file else ""


async def _listed(context: Context) -> list[Root]:
    """The folders of a client of an earlier protocol; none if it does not say in time."""
    with anyio.move_on_after(ROOTS_WAIT_S):
        try:
            told = await context.session.send_request(ListRootsRequest(), ListRootsResult)
            return list(told.roots)
        except MCPError:
            return []
    return []
