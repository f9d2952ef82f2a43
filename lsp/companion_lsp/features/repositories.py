"""`companion/repositories`: the work trees of the workspace, each once, for views that show several."""

from __future__ import annotations

from msgspec import Struct

from companion import wire
from companion_lsp import convert
from companion_lsp.requests import answers
from companion_lsp.server import CompanionServer

REPOSITORIES = "companion/repositories"


class RepositoriesAsk(Struct, frozen=True):
    """Nothing is to be said."""


def register(server: CompanionServer) -> None:
    """Answers companion/repositories."""
    answers(server, REPOSITORIES, lambda params: wire.decode(RepositoriesAsk, params or {}), repositories)


async def repositories(server: CompanionServer, _: RepositoriesAsk) -> object:
    """Each work tree that the editor has open, by its URI and the name of its folder."""
    return {"repositories": [{"root": convert.uri_of(root), "name": root.name} for root in server.roots()]}
