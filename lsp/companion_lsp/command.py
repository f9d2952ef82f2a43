"""`companion lsp`: a session over standard input and output, or one over TCP or WebSocket for a single client."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Annotated, BinaryIO

from companion.errors import UsageError
from companion.surfaces.cli.declared import Option
from companion_lsp.stdio import one_session, serve_stdio

if TYPE_CHECKING:
    from companion_lsp.server import CompanionServer


def lsp(
    stdio: Annotated[bool, Option("--stdio", help="Speak over standard input and output; the default.")] = False,
    tcp: Annotated[str, Option("--tcp", metavar="HOST:PORT", help="Wait for one client over TCP.")] = "",
    ws: Annotated[str, Option("--ws", metavar="HOST:PORT", help="Wait for one client over WebSocket.")] = "",
) -> None:
    """Serve an editor by the language server protocol.

    Example: `companion lsp --stdio`
    """
    if sum((stdio, bool(tcp), bool(ws))) > 1:
        raise UsageError("A server has one client, by one way.", "Give one of --stdio, --tcp and --ws.")
    address = _address(tcp or ws) if tcp or ws else None
    if address is None:
        serve_stdio()

    def serve(server: CompanionServer, _: BinaryIO) -> None:
        from companion_lsp import transport

        (transport.serve_tcp if tcp else transport.serve_ws)(server, *address)

    one_session(serve)


app = lsp
"""What the entry point names."""


def _address(given: str) -> tuple[str, int]:
    """Host and port. Only this machine is served: whoever connects may ask everything."""
    host, colon, port = given.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not (colon and port.isdigit() and int(port) < 65_536):
        raise UsageError(f"{given!r} is not an address.", "Write it like `127.0.0.1:8900`.")
    try:
        loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        raise UsageError(f"{host} is not this machine.", "Give 127.0.0.1, ::1 or localhost.")
    return host, int(port)
