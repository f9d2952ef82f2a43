"""The page's own listener: opened in a running daemon when a page is first asked for, and closed with it."""

from __future__ import annotations

import asyncio
import secrets
import socket
from contextlib import suppress
from pathlib import Path

from companion.surfaces.http.access import loopback
from companion.surfaces.http.handler import RequestHandler
from companion.surfaces.http.lanes import READ
from companion.surfaces.http.server import QuietServer, made_server
from companion.surfaces.page.app import Page
from companion.surfaces.page.page_access import PageAccess

PORT_NAME = "page.port"
"""File in the data folder with the port of the last page: where it is free, the next one listens there too, so that
what forwards it goes on working."""
PORT_MAX = 65_535
KEY_BYTES = 12


class Opening:
    """One daemon's page, once it is asked for."""

    def __init__(self, handler: RequestHandler) -> None:
        self._handler = handler
        self._page: Page | None = None
        self._port = 0

    async def link(self, folder: Path) -> str:
        """An address that lets one browser in, once, for a minute. Raises CompanionError for no repository."""
        root = await self._handler.lanes.run(READ, lambda: self._root(folder))
        if self._page is None:
            self._page = self._opened()
        return f"http://127.0.0.1:{self._port}{self._page.link(root)}"

    def _root(self, folder: Path) -> Path:
        """The root of the work tree that a folder lies in, or a bare repository itself."""
        with self._handler.companion(str(folder)):
            return next((one for one in (folder, *folder.parents) if (one / ".git").exists()), folder)

    def _opened(self) -> Page:
        page = Page(self._handler, secrets.token_urlsafe(KEY_BYTES))
        listener = _listener(Path(self._handler.host.state().home) / PORT_NAME)
        self._port = listener.getsockname()[1]
        server = made_server(PageAccess(page.app()), self._handler)
        self._handler.beside.append(asyncio.create_task(_served(server, listener)))
        return page


async def _served(server: QuietServer, listener: socket.socket) -> None:
    try:
        await server.serve(sockets=[listener])
    finally:
        listener.close()


def _listener(kept: Path) -> socket.socket:
    """A loopback port: the one used last time if it is free, else any."""
    last = 0
    with suppress(OSError, ValueError):
        last = int(kept.read_text("ascii")[:10])
    try:
        listener = loopback(last if 0 < last <= PORT_MAX else 0)
    except OSError:
        listener = loopback(0)
    with suppress(OSError):  # on a full disk the page is worth more than its next port
        kept.write_text(f"{listener.getsockname()[1]}\n", "ascii")
    return listener
