"""Hover: why the line under the pointer is as it is, in ten lines at most: what is ready at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec.structs import replace

from companion_lsp import convert, texts
from companion_lsp.server import CompanionServer, OpenDocument

if TYPE_CHECKING:
    from companion.api import Companion
    from companion.records import Why

HOVER_WAIT_S = 0.02
"""Seconds that a hover waits for git: it shows what is ready, and what comes later the next time."""


def register(server: CompanionServer) -> None:
    """Answers textDocument/hover."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: CompanionServer, params: types.HoverParams) -> types.Hover | None:
        place = ls.place(params.text_document.uri) if ls.settings.hover else None
        if place is None:
            return None
        if place.lines is None:  # hovers come for open files; one that is not is taken as it was saved
            line, column = params.position.line + 1, params.position.character + 1
        elif params.position.line >= len(place.lines):
            return None
        else:
            line, column = convert.from_position(place.lines, params.position, place.encoding)
        ls.touch(place, "selected", line)
        told = await ls.answer(place, lambda companion, here: _told(ls, companion, here, line), None)
        if told is None:
            return None
        word = convert.word_range(place.lines or (), line, column, place.encoding)
        return types.Hover(told, word)


def why_here(companion: Companion, here: OpenDocument, line: int, patience_s: float = 0.0) -> Why:
    """Why a line of a file is as it is, as the file stands in the editor.

    A line that was not saved is not committed: of it only the definition is known, if it is inside of one.
    """
    from companion.records import UNCOMMITTED, Why

    _, shift = here.versions()
    above, below = shift.around(line) if line else (0, 0)
    why = companion.why(str(here.path), above if above == below else max(1, above), "", patience_s)
    if above == below:
        return why
    if why.first_line <= above and below <= why.last_line:
        return replace(why, written=UNCOMMITTED)
    return Why(why.path, "", line, line, line, UNCOMMITTED)


def _told(server: CompanionServer, companion: Companion, here: OpenDocument, line: int) -> types.MarkupContent | None:
    why = why_here(companion, here, line, HOVER_WAIT_S)
    if not (why.lines or why.steps or why.written or why.asking):
        return None
    now = companion.now()
    if server.abilities.reads_markdown:
        text = texts.hover_markdown(why, now, str(here.root), links=server.abilities.follows_commands)
        return types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.MarkupContent(types.MarkupKind.PlainText, texts.hover_plain(why, now))
