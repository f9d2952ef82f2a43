"""The API served on sockets that are already bound, until its host stops."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence

from msgspec import Struct

from companion.api import Host
from companion.surfaces.http.access import AccessGuard
from companion.surfaces.http.app import make_app
from companion.surfaces.http.handler import RequestHandler
from companion.surfaces.http.server import HEAD_WAIT_S, made_server


class Listening(Struct, frozen=True):
    """Where to listen: sockets that are bound, and what must be said on those that any process can reach."""

    sockets: tuple[socket.socket, ...]
    token: str = ""
    patience_s: float = HEAD_WAIT_S


def answer(host: Host, sockets: Sequence[socket.socket], token: str) -> None:
    """Answer for a daemon on the sockets that it has bound; what `companion.client.hosting.own` asks for."""
    serve(host, Listening(tuple(sockets), token))


def serve(host: Host, listening: Listening) -> None:
    """Answer for a host until it stops; returns when every answer is given, socket closed and thread ended."""
    app = make_app(host)
    handler: RequestHandler = app.state.handler
    server = made_server(AccessGuard(app, listening.token), handler, listening.patience_s)

    async def answer() -> None:
        await server.serve(sockets=list(listening.sockets))
        await asyncio.gather(*handler.beside, return_exceptions=True)

    try:
        asyncio.run(answer())
    finally:
        handler.lanes.close()
