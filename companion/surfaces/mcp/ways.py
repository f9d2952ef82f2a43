"""How clients come in: over standard input and output, or by HTTP on this computer with a token.

Over HTTP requests are let in as by the daemon (`companion.surfaces.http.access`): a request must name us, hold the
token of a file that only the user can read, and come from no other page.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import sys
from pathlib import Path

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.shared.message import SessionMessage
from starlette.types import ASGIApp, Receive, Scope, Send

from companion.config import make_home, write_private
from companion.surfaces.http.access import BODY_MAX_BYTES, AccessGuard
from companion.surfaces.http.problems import Refused, response_of
from companion.surfaces.mcp.folders import Held
from companion.surfaces.mcp.lines import mend

PATH = "/mcp"
TOKEN_NAME = "mcp.token"  # noqa: S105 - the name of a file
TOKEN_BYTES = 32
"""As many random bytes as nobody guesses."""
TOKEN_MAX_BYTES = 1_000
"""A token file has one short line."""
KEEP_ALIVE_S = 120
"""How long a connection may rest between requests, as with the daemon."""
GRACE_S = 3
"""How long answers under way may take when the server ends; streams that are held open are cut then."""


async def over_stdio(server: Server[Held]) -> None:
    """One client over standard input and output, until it closes our input."""
    send, mended = anyio.create_memory_object_stream[SessionMessage | Exception]()
    async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as beside:
        beside.start_soon(mend, incoming, send, outgoing)
        await server.run(mended, outgoing, server.create_initialization_options())
        beside.cancel_scope.cancel()


def token_in(home: Path) -> tuple[Path, str]:
    """The file with the token, and the token: the one that is there, so that settings stay right, else a new one."""
    path = home / TOKEN_NAME
    try:
        known = path.read_bytes()[:TOKEN_MAX_BYTES].decode("ascii", "replace").strip()
    except FileNotFoundError:
        known = ""
    if len(known) >= TOKEN_BYTES and (os.name != "posix" or not path.stat().st_mode & 0o077):
        return path, known
    make_home(home)
    token = secrets.token_urlsafe(TOKEN_BYTES)
    write_private(path, f"{token}\n")  # a new file: one that others may read, or have open, is no place for a secret
    return path, token


def over_http(server: Server[Held], plug: socket.socket, token: str) -> None:
    """Clients by streamable HTTP, until Ctrl-C or SIGTERM."""
    asyncio.run(_serve(server, plug, token))


async def _serve(server: Server[Held], plug: socket.socket, token: str) -> None:
    import uvicorn

    manager = StreamableHTTPSessionManager(app=server, max_request_body_size=BODY_MAX_BYTES)
    config = uvicorn.Config(
        AccessGuard(_only_here(StreamableHTTPASGIApp(manager)), token, told_by="`companion mcp --http`"),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACE_S,
    )
    async with manager.run():
        await uvicorn.Server(config).serve(sockets=[plug])


def _only_here(app: ASGIApp) -> ASGIApp:
    """The application at its one address."""

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == PATH:
            await app(scope, receive, send)
            return
        refused = Refused(404, "NotFound", "There is nothing at this address.", f"The protocol is spoken at {PATH}.")
        await response_of(refused)(scope, receive, send)

    return answered


def leave(code: int) -> None:
    """End at once: no thread that still waits for a daemon may keep a process whose client has gone."""
    sys.stderr.flush()
    os._exit(code)
