"""`companion/changed`: tells views of a client to look again, once it has asked for what they show.

An editor that never asked has no such views, and would only log a message that it does not know.
"""

from __future__ import annotations

from pathlib import Path

from companion_lsp import convert
from companion_lsp.server import CompanionServer

CHANGED = "companion/changed"


def register(server: CompanionServer) -> None:
    """Sends companion/changed with the work tree and a word for what changed in it."""

    def tell(root: Path, what: str) -> None:
        if server.has_views:
            server.protocol.notify(CHANGED, {"root": convert.uri_of(root), "what": what})

    server.on_changed.append(tell)
