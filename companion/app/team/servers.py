"""A team's server by its URL: opened for a project, checked before it is kept, prepared by who owns it."""

from __future__ import annotations

from companion.adapters.postgres.preparing import prepare_server
from companion.adapters.postgres.server import DIMENSION, PostgresServer
from companion.app.team.linking import ServerLink
from companion.ports import Embedder

__all__ = ["open_server", "prepare_server"]


def open_server(link: ServerLink, embedder: Embedder | None = None, *, listens: bool = False) -> PostgresServer:
    """The server of a link; nothing is asked of it yet. Raises UsageError for a URL that may not be used.

    Vectors of an embedder go there only where they are as long as those that servers keep.
    """
    model = embedder.model if embedder is not None and embedder.dimension == DIMENSION else ""
    return PostgresServer(link.url, link.project, model, listens=listens)
