"""The server: uvicorn on sockets that are already bound, quiet while nobody asks, and gone without a thread left."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion import wire
from companion.client.peers import is_ours
from companion.surfaces.http.access import UNIX
from companion.surfaces.http.handler import RequestHandler
from companion.surfaces.http.problems import MEDIA_TYPE, Refused, problem_of

HEADS_MAX_BYTES = 16_384
"""The longest path has 4,096 characters, in escapes three times that; nothing else in a head is long."""
HEAD_WAIT_S = 10
"""How long a request may take to arrive, and a new connection to send one: it comes from this computer."""
TCP_HEAD_WAIT_S = 3
"""The same on loopback ports, which every process of this computer can hold up."""
KEEP_ALIVE_S = 120
"""How long a connection may rest between requests: an editor pauses for minutes, and a new one costs little."""
CONNECTIONS_MAX = 300
"""Clients at once on the user's own socket; a process may have 1,024 files open on most systems, and the store and the
watching of a few checkouts need some."""
TCP_CONNECTIONS_MAX = 100
"""The same on each loopback port, for the API and for the page: a browser opens six, a program a handful. They have
their own count, so that whoever floods one shuts nobody out of another."""
ACCEPTED_AT_ONCE = 64
"""Connections taken from a listener before those beyond its limit are hung up: all that a flood has open besides."""
GRACE_S = 10
"""How long answers under way may take when the daemon ends; work that was begun ends in its thread."""

logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # whoever sends nonsense is told so, and fills no log


def made_server(app: ASGIApp, handler: RequestHandler, patience_s: float = HEAD_WAIT_S) -> QuietServer:
    """A server that answers with an application until a request handler's host stops."""
    config = uvicorn.Config(
        app,
        loop="asyncio",
        http=partial(Connection, patience_s=patience_s),  # type: ignore[arg-type]  # called as a class would be
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        backlog=ACCEPTED_AT_ONCE,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACE_S,
        h11_max_incomplete_event_size=HEADS_MAX_BYTES,
    )
    return QuietServer(config, handler)


class QuietServer(uvicorn.Server):
    """Waits for the host's end instead of looking for it ten times a second; an idle daemon uses no processor time."""

    def __init__(self, config: uvicorn.Config, handler: RequestHandler) -> None:
        super().__init__(config)
        self._handler = handler

    async def main_loop(self) -> None:
        """Until the host stops."""
        loop = asyncio.get_running_loop()

        def stopped() -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended by itself
                loop.call_soon_threadsafe(self._handler.stopping.set)

        self._handler.host.when_stopped(stopped)
        await self._handler.stopping.wait()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are the daemon's affair: it ends what it began, and this server with it."""
        yield


FOREIGN = (
    "The background service is another user's, and answers that user alone.",
    "Set COMPANION_HOME to a data folder of your own.",
)
"""What is said to another user's process: their editor shows it as it is."""


class Connection(H11Protocol):
    """One connection: of the same user, with a request that arrives in time and answers that say what helps."""

    def __init__(self, *, patience_s: float, **named: Any) -> None:
        super().__init__(**named)
        self._patience_s = patience_s
        self._most = CONNECTIONS_MAX
        self.app_state = {**self.app_state, "patience_s": patience_s}
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # streams alone come
        """Let in our own user's processes, and no more than there is room for."""
        super().connection_made(transport)
        plug = transport.get_extra_info("socket")
        if plug.family == getattr(socket, "AF_UNIX", None):
            self.app_state["listener"] = UNIX
            if not is_ours(plug):
                self._refuse(Refused(403, "ForeignUser", *FOREIGN))
                return
        else:
            self._most, self._patience_s = TCP_CONNECTIONS_MAX, min(self._patience_s, TCP_HEAD_WAIT_S)
            # else the end of an answer waits for word of its beginning
            plug.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        beside = sum(isinstance(one, Connection) and one.server == self.server for one in self.connections)
        if beside > self._most:
            self._refuse(Refused(503, "TooBusy", "Too many clients are connected.", "Close some, then ask again."))
            return
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        self._forget_patience()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A request's bytes; its head must be whole in time, a resting connection may take longer."""
        if self.transport.is_closing():
            return
        resting = self._patience is None and (self.cycle is None or self.cycle.response_complete)
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._forget_patience()
        elif resting and not self.transport.is_closing():
            self._wait_for_head()

    def on_response_complete(self) -> None:
        """The next request may take its time again."""
        self._forget_patience()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Say what is wrong with bytes that are no request."""
        wrong = sys.exc_info()[1]
        if isinstance(wrong, h11.RemoteProtocolError) and wrong.error_status_hint == 431:
            self._refuse(
                Refused(
                    431, "TooLarge", f"The headers are larger than {HEADS_MAX_BYTES:,} bytes.", "Send shorter ones."
                )
            )
        else:
            self._refuse(Refused(400, "BadRequest", "The bytes are not an HTTP request.", "See /openapi.json."))

    def _wait_for_head(self) -> None:
        self._forget_patience()
        self._patience = self.loop.call_later(self._patience_s, self._lose_patience)

    def _forget_patience(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _lose_patience(self) -> None:
        self._refuse(Refused(408, "TooSlow", "The request did not arrive in time.", "Send it again."))

    def _refuse(self, wrong: Refused) -> None:
        """Answer without asking the application, and hang up."""
        body = wire.to_json(problem_of(wrong))
        heads = f"HTTP/1.1 {wrong.status} \r\ncontent-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\n"
        if not self.transport.is_closing():
            self.transport.write(f"{heads}connection: close\r\n\r\n".encode("ascii") + body)
            self.transport.close()
