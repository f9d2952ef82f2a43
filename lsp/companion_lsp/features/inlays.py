"""Inlay hints, off unless wanted: at the end of a definition's first line how much is remembered of it."""

from __future__ import annotations

from lsprotocol import types

from companion_lsp import convert
from companion_lsp.features.lenses import NONE, marks_here
from companion_lsp.server import CompanionServer

INLAYS_S = 0.5
"""Deadline of inlay hints: an editor asks for them at each scroll."""


def register(server: CompanionServer) -> None:
    """Answers textDocument/inlayHint."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlays(ls: CompanionServer, params: types.InlayHintParams) -> list[types.InlayHint]:
        place = ls.place(params.text_document.uri) if ls.settings.inlays else None
        if place is None or place.lines is None:
            return []
        found = []
        for mark, line, _ in await ls.answer(place, marks_here, NONE, INLAYS_S):
            if mark.symbol and mark.memories and params.range.start.line < line <= params.range.end.line + 1:
                end = convert.to_position(place.lines, line, len(place.lines[line - 1]) + 1, place.encoding)
                label = f"{mark.memories} remembered"
                found.append(types.InlayHint(end, label, tooltip=mark.says, padding_left=True))
        return found

    def shown_anew() -> None:
        if server.abilities.refreshes_inlays:  # also to take away what was shown
            server.workspace_inlay_hint_refresh(None)

    server.on_news.append(shown_anew)
