"""`companion lsp`: a session over standard input and output, or one over TCP or WebSocket for a single client.

Standard output belongs to the protocol: before anything else runs it is moved out of reach, so that
whatever prints prints to standard error. The process ends with its client, whatever way that ends.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import sys
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from companion.errors import UsageError

if TYPE_CHECKING:
    from companion_lsp.server import CompanionServer

app = typer.Typer(add_completion=False)


@app.command()
def lsp(
    stdio: Annotated[bool, typer.Option("--stdio", help="Speak over standard input and output; the default.")] = False,
    tcp: Annotated[str, typer.Option("--tcp", metavar="HOST:PORT", help="Wait for one client over TCP.")] = "",
    ws: Annotated[str, typer.Option("--ws", metavar="HOST:PORT", help="Wait for one client over WebSocket.")] = "",
) -> None:
    """Serve an editor by the language server protocol.

    Example: `companion lsp --stdio`
    """
    if sum((stdio, bool(tcp), bool(ws))) > 1:
        raise UsageError("A server has one client, by one way.", "Give one of --stdio, --tcp and --ws.")
    address = _address(tcp or ws) if tcp or ws else None
    out = _own_output()

    from companion_lsp import transport
    from companion_lsp.server import make_server

    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # it would write whole messages, with the text of files
    server = make_server()
    try:
        if address is None:
            transport.serve_io(server, out)
        elif tcp:
            transport.serve_tcp(server, *address)
        else:
            transport.serve_ws(server, *address)
    finally:
        _end(server)


def _end(server: CompanionServer) -> None:
    """Leave at once: no thread that still waits for an owner may keep the process."""
    server.release()
    sys.stderr.flush()
    os._exit(0 if server.protocol.ended_well else 1)


def _own_output() -> BinaryIO:
    """The real standard output for the protocol alone; everything else that writes there writes to errors."""
    sys.stdout.flush()
    own = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = sys.stderr
    return own


def _address(given: str) -> tuple[str, int]:
    """Host and port. Only this machine is served: whoever connects may ask everything."""
    host, colon, port = given.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not (colon and port.isdigit() and int(port) < 65_536):
        raise UsageError(f"{given!r} is no address.", "Write it like `127.0.0.1:8900`.")
    try:
        loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        raise UsageError(f"{host} is not this machine.", "Give 127.0.0.1, ::1 or localhost.")
    return host, int(port)
