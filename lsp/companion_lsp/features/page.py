"""`companion/page`: a link to the local page of a repository, to be opened in a browser; it works once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from companion import wire
from companion_lsp.requests import Uri, answers, place_of
from companion_lsp.server import CompanionServer, OpenDocument

if TYPE_CHECKING:
    from companion.api import Companion

PAGE = "companion/page"


class _PageAsk(Struct, frozen=True):
    """Of which repository: by a file in it or by its folder."""

    uri: Uri = ""
    folder: Uri = ""


def register(server: CompanionServer) -> None:
    """Answers companion/page."""
    answers(server, PAGE, lambda params: wire.decode(_PageAsk, params), page)


async def page(server: CompanionServer, ask: _PageAsk) -> object:
    """The link. Raises CompanionError, where the setting `daemon` forbids a daemon too."""

    def link(_: Companion, here: OpenDocument) -> str:
        from companion.client import page_link

        return page_link(here.root)

    return {"url": await server.ask(place_of(server, ask.uri, ask.folder), link)}
