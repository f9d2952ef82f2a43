"""What happens to files, told to the owner: opened, edited, selected, saved, closed; others' diagnostics too.

An opened file is asked about at once, so that its dossier is at hand before the pointer rests on a word
and a repository that was never read is noticed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lsprotocol import types

from companion_lsp import convert
from companion_lsp.server import CompanionServer

DIAGNOSED = "companion/diagnosed"
"""A notification that an editor's own extension may send: the diagnostics of a file by all its tools."""
SELECTED = "companion/selected"
"""The same for the place of the cursor."""
WARM_S = 10.0
"""Deadline of the first question about a file: nobody waits for it, and an owner may have to start."""


def register(server: CompanionServer) -> None:
    """Answers didOpen, didChange, didSave, didClose and two notifications of our own."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: CompanionServer, params: types.DidOpenTextDocumentParams) -> None:
        _touch(ls, params.text_document.uri, "opened")
        place = ls.place(params.text_document.uri)
        if place is not None:
            known = await ls.answer(place, lambda c, p: c.marks(str(p.path)), None, WARM_S)
            if known is not None:
                ls.shown(place)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def edited(ls: CompanionServer, params: types.DidChangeTextDocumentParams) -> None:
        lines = [change.range.start.line + 1 for change in params.content_changes if hasattr(change, "range")]
        _touch(ls, params.text_document.uri, "edited", lines[-1] if lines else None)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: CompanionServer, params: types.DidSaveTextDocumentParams) -> None:
        place = ls.place(params.text_document.uri, text=False)
        if place is not None:
            ls.touch(place, "saved")
            for act in ls.on_saved:
                act(place)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: CompanionServer, params: types.DidCloseTextDocumentParams) -> None:
        _touch(ls, params.text_document.uri, "closed")
        for act in ls.on_closed:
            act(params.text_document.uri)

    @server.feature(SELECTED)
    def selected(ls: CompanionServer, params: Any) -> None:
        uri, line = getattr(params, "uri", None), getattr(params, "line", None)
        if isinstance(uri, str):
            _touch(ls, uri, "selected", line + 1 if isinstance(line, int) else None)

    @server.feature(DIAGNOSED)
    def diagnosed(ls: CompanionServer, params: Any) -> None:
        from companion.records import Diagnosed

        uri = getattr(params, "uri", None)
        place = ls.place(uri, text=False) if isinstance(uri, str) else None
        if place is not None:
            given = _diagnostics(ls, getattr(params, "diagnostics", ()))
            ls.note(place, Diagnosed(str(place.path), convert.from_diagnostics(given)))


def _touch(server: CompanionServer, uri: str, how: str, line: int | None = None) -> None:
    place = server.place(uri, text=False)
    if place is not None:
        server.touch(place, how, line)


def _diagnostics(server: CompanionServer, given: Any) -> list[types.Diagnostic]:
    """Diagnostics out of a message whose shape nobody checked; what is none is passed over."""
    found = []
    for one in given if isinstance(given, (list, tuple)) else ():
        try:
            plain = one if isinstance(one, Mapping) else server.protocol._converter.unstructure(one)
            found.append(server.protocol._converter.structure(plain, types.Diagnostic))
        except Exception as wrong:
            server.say(f"A diagnostic could not be read: {type(wrong).__name__}.", types.MessageType.Log)
    return found
