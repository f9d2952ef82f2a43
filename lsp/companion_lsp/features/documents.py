"""What happens to files, told to the daemon: opened, edited, saved, closed. What the protocol is silent of: `seeing`.

An opened file is asked about at once, so that its dossier is at hand before the pointer rests on a word
and a repository that was never read is noticed.
"""

from __future__ import annotations

import asyncio

from lsprotocol import types

from companion_lsp.server import CompanionServer

WARM_S = 10.0
"""Deadline of the first question about a file: nobody waits for it, and a daemon may have to start."""


def register(server: CompanionServer) -> None:
    """Answers didOpen, didChange, didSave and didClose."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: CompanionServer, params: types.DidOpenTextDocumentParams) -> None:
        _touch(ls, params.text_document.uri, "opened")
        place = ls.place(params.text_document.uri)
        if place is not None:
            marks = asyncio.ensure_future(ls.answer(place, lambda c, p: c.marks(str(p.path)), None, WARM_S))
            ls.opening[place.uri] = marks
            try:
                known = await marks
            finally:
                if ls.opening.get(place.uri) is marks:
                    del ls.opening[place.uri]
            if known is not None:
                ls.on_shown(place)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def edited(ls: CompanionServer, params: types.DidChangeTextDocumentParams) -> None:
        lines = [change.range.start.line + 1 for change in params.content_changes if hasattr(change, "range")]
        _touch(ls, params.text_document.uri, "edited", lines[-1] if lines else None)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: CompanionServer, params: types.DidSaveTextDocumentParams) -> None:
        place = ls.place(params.text_document.uri, text=False)
        if place is not None:
            ls.touch(place, "saved")
            ls.on_saved(place)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: CompanionServer, params: types.DidCloseTextDocumentParams) -> None:
        _touch(ls, params.text_document.uri, "closed")
        ls.on_closed(params.text_document.uri)


def _touch(server: CompanionServer, uri: str, how: str, line: int | None = None) -> None:
    place = server.place(uri, text=False)
    if place is not None:
        server.touch(place, how, line)
