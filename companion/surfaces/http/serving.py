"""The API served on sockets that are already bound, until its host stops."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence

from companion.api import Host
from companion.surfaces.http.access import AccessGuard
from companion.surfaces.http.app import make_app
from companion.surfaces.http.handler import RequestHandler
from companion.surfaces.http.server import HEAD_WAIT_S, made_server


def serve(host: Host, sockets: Sequence[socket.socket], token: str = "", patience_s: float = HEAD_WAIT_S) -> None:
    """Answer for a host on bound sockets until it stops; returns when every answer is given and thread ended.

    `token` is what must be said on sockets that any process can reach.
    """
    app = make_app(host)
    handler: RequestHandler = app.state.handler
    server = made_server(AccessGuard(app, token), handler, patience_s)

    async def answer() -> None:
        await server.serve(sockets=list(sockets))
        await asyncio.gather(*handler.beside, return_exceptions=True)

    try:
        asyncio.run(answer())
    finally:
        handler.lanes.close()
