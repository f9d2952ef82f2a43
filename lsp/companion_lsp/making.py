"""A server put together: all features on it."""

from __future__ import annotations

from companion.client.companions import Way
from companion_lsp.features import FEATURES
from companion_lsp.server import CompanionServer


def make_server(way: Way | None = None) -> CompanionServer:
    """A server with all features; `way` is how companions are reached, `companion.client` unless given."""
    server = CompanionServer(way)
    for feature in FEATURES:
        feature.register(server)
    return server
