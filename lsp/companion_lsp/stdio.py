"""A session over standard input and output, the way editors start one: what it needs is loaded, and little else.

Standard output belongs to the protocol: before anything else runs it is moved out of reach, so that
whatever prints prints to standard error. The process ends with its client, whatever way that ends.
"""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO, NoReturn

if TYPE_CHECKING:
    from companion_lsp.server import CompanionServer

COLLECT_AFTER_OBJECTS = 200_000
"""New objects between two searches for cycles, as in the whole command line: loading the protocol makes that many
and drops none."""


def serve_stdio() -> NoReturn:
    """Serve the client that started this process, and end it."""
    gc.set_threshold(COLLECT_AFTER_OBJECTS)

    def serve(server: CompanionServer, out: BinaryIO) -> None:
        from companion_lsp import transport

        transport.serve_io(server, out)

    one_session(serve)


def one_session(serve: Callable[[CompanionServer, BinaryIO], None]) -> NoReturn:
    """Have `serve` serve one client, then leave; it is given what was standard output."""
    from companion_lsp.loading import load_types

    out = _own_output()
    load_types()
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # it would write whole messages, with the text of files
    server = make_server()
    try:
        serve(server, out)
    finally:
        _end(server)


def make_server() -> CompanionServer:
    """A server with all features."""
    from companion_lsp.features import FEATURES
    from companion_lsp.server import CompanionServer

    server = CompanionServer()
    for feature in FEATURES:
        feature.register(server)
    return server


def _end(server: CompanionServer) -> NoReturn:
    """Leave at once: no thread that still waits for a daemon may keep the process."""
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
