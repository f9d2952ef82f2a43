"""What an editor's own views need beside their rows.

`companion/repositories` lists the work trees of the workspace, each once, for views that show several. `companion/page`
gives a link to the local page of a repository, to be opened in a browser; it works once. `companion/changed` tells
views to look again, once they have asked for what they show: an editor that never asked has none, and would only log a
message that it does not know.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion import wire
from companion_lsp import convert
from companion_lsp.requests import PlaceAsk, answers, place_of
from companion_lsp.server import CompanionServer, OpenDocument

if TYPE_CHECKING:
    from companion.api import Companion

REPOSITORIES, PAGE, CHANGED = "companion/repositories", "companion/page", "companion/changed"


def register(server: CompanionServer) -> None:
    """Answers companion/repositories and companion/page, and sends companion/changed with a word for what changed."""

    def tell(root: Path, what: str) -> None:
        if server.has_views:
            server.protocol.notify(CHANGED, {"root": convert.uri_of(root), "what": what})

    answers(server, REPOSITORIES, lambda params: None, repositories)
    answers(server, PAGE, lambda params: wire.decode(PlaceAsk, params), page)
    server.on_changed.append(tell)


async def repositories(server: CompanionServer, _: None) -> object:
    """Each work tree that the editor has open, by its URI and the name of its folder."""
    return {"repositories": [{"root": convert.uri_of(root), "name": root.name} for root in server.roots()]}


async def page(server: CompanionServer, ask: PlaceAsk) -> object:
    """The link. Raises CompanionError, where the setting `daemon` forbids a daemon too."""

    def link(_: Companion, here: OpenDocument) -> str:
        from companion.client import page_link

        return page_link(here.root)

    return {"url": await server.ask(place_of(server, ask.uri, ask.folder), link)}
