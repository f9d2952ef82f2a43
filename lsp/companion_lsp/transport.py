"""One session over standard input and output, TCP or WebSocket; its end ends the server.

Over the network a second client is refused while there is one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import socket
import sys
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pygls.io_ import StdinAsyncReader, StdoutWriter, run_async, run_websocket

from companion_lsp.framing import LINE_MOST_BYTES, MESSAGE_MOST_BYTES, Messages, Unreadable

if TYPE_CHECKING:
    from collections.abc import Awaitable
    from typing import BinaryIO

    from companion_lsp.framing import ByteReader
    from companion_lsp.server import CompanionServer

log = logging.getLogger(__name__)

LOCAL_PAGE = re.compile(r"https?://(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?")
"""Pages that may connect by WebSocket: those of this machine. Any other page of a browser is refused."""


def serve_io(server: CompanionServer, out: BinaryIO) -> None:
    """Serve the client that started this process."""
    server.protocol.set_writer(StdoutWriter(out))
    with contextlib.suppress(SystemExit, KeyboardInterrupt, BrokenPipeError):
        asyncio.run(_session(server, _Input(sys.stdin.buffer, server.thread_pool)))


def serve_tcp(server: CompanionServer, host: str, port: int) -> None:
    """Wait for a client over TCP and serve it."""
    asyncio.run(_tcp(server, host, port))


def serve_ws(server: CompanionServer, host: str, port: int) -> None:
    """Wait for a client over WebSocket and serve it."""
    asyncio.run(_ws(server, host, port))


async def _tcp(server: CompanionServer, host: str, port: int) -> None:
    over = asyncio.Event()
    taken = False

    async def session(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal taken
        if taken:
            writer.close()
            return
        taken = True
        server.protocol.set_writer(writer)
        try:
            await _session(server, reader)
        except (SystemExit, ConnectionError, asyncio.IncompleteReadError):
            log.debug("the client has gone")
        finally:
            over.set()

    listening = await asyncio.start_server(session, host, port)
    _say_where(listening.sockets)
    async with listening:
        await over.wait()


async def _session(server: CompanionServer, reader: ByteReader) -> None:
    """Read and handle messages until there are none."""

    def passed_over(what: str) -> None:
        print(f"companion lsp: {what}", file=sys.stderr, flush=True)

    try:
        messages = Messages(reader, passed_over)
        await run_async(threading.Event(), messages, server.protocol, log, server.report_server_error)
    except Unreadable as wrong:
        print(f"companion lsp: {wrong}", file=sys.stderr, flush=True)


class _Input(StdinAsyncReader):
    """Standard input, no more of a line than a head may have."""

    def readline(self) -> Awaitable[bytes]:
        """A line, or a piece of one that is too long."""
        reading: Awaitable[bytes] = self.loop.run_in_executor(self.executor, self.stdin.readline, LINE_MOST_BYTES)
        return reading


async def _ws(server: CompanionServer, host: str, port: int) -> None:
    from websockets.asyncio.server import ServerConnection, serve

    over = asyncio.Event()
    taken = False

    async def session(connection: ServerConnection) -> None:
        nonlocal taken
        if taken:
            await connection.close(1013, "one client at a time")
            return
        taken = True
        try:
            await run_websocket(connection, threading.Event(), server.protocol, log, server.report_server_error)
        except SystemExit:
            log.debug("the client has gone")
        finally:
            over.set()

    async with serve(session, host, port, origins=[None, LOCAL_PAGE], max_size=MESSAGE_MOST_BYTES) as listening:
        _say_where(listening.sockets)
        await over.wait()


def _say_where(sockets: Iterable[socket.socket]) -> None:
    """The address on standard error, where whoever asked for port 0 reads it."""
    for one in sockets:
        host, port = one.getsockname()[:2]
        print(f"listening on {host}:{port}", file=sys.stderr, flush=True)
