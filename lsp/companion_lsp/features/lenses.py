"""Code lenses: above classes and the module (or every definition) how much is remembered and when it changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec.structs import replace

from companion_lsp import convert, texts
from companion_lsp.server import CompanionServer, OpenDocument

if TYPE_CHECKING:
    from companion.api import Companion
    from companion.records import CodeLens

    Placed = tuple[tuple[CodeLens, int, str], ...]
    """Marks with the line (from 1) where each stands now and what its lens says."""

LENS_S = 0.5
"""Deadline of lenses: they come as the file is drawn, and an editor asks again upon news."""
CONTAINERS = {"module", "class", "interface", "enum"}
"""What has a lens unless all definitions are asked for."""

NONE: Placed = ()


def register(server: CompanionServer) -> None:
    """Answers textDocument/codeLens and codeLens/resolve."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=True))
    async def lenses(ls: CompanionServer, params: types.CodeLensParams) -> list[types.CodeLens]:
        place = ls.place(params.text_document.uri)
        if place is None or ls.settings.lenses == "off":
            return []
        known = await _of_opening(ls, place)
        found = await ls.answer(place, lambda companion, here: marks_here(companion, here, known), NONE, LENS_S)
        return [
            convert.to_lens(line, {"uri": place.uri, "line": line if mark.symbol else 0, "title": title})
            for mark, line, title in found
            if ls.settings.lenses == "all" or mark.kind in CONTAINERS
        ]

    @server.feature(types.CODE_LENS_RESOLVE)
    def resolve(_: CompanionServer, lens: types.CodeLens) -> types.CodeLens:
        data = lens.data if isinstance(lens.data, dict) else {}
        argument = {"uri": str(data.get("uri", "")), "line": data.get("line", 1)}
        lens.command = types.Command(str(data.get("title", "")), "companion.why", arguments=[argument])
        return lens

    def shown_anew() -> None:
        if server.abilities.refreshes_lenses:
            server.workspace_code_lens_refresh(None)

    server.on_news.append(shown_anew)


async def _of_opening(server: CompanionServer, place: OpenDocument) -> tuple[CodeLens, ...] | None:
    """The marks of a file that is just being opened, which were asked for then; None: they are still to be asked for.

    Asked twice, and for its clock each time, the daemon used a fifth more processor time while a file was opened.
    """
    asked = server.opening.get(place.uri)
    if asked is None:
        return None
    await asyncio.wait({asked}, timeout=LENS_S)
    answered = asked.done() and not asked.cancelled() and asked.exception() is None
    return asked.result() if answered else None


def marks_here(companion: Companion, here: OpenDocument, known: tuple[CodeLens, ...] | None = None) -> Placed:
    """The marks of a file with the line where each stands now and what its lens says; changed lines have none.

    They are asked for unless they are `known`. What the one of the file would say of its last commit is left to the
    definition that says the same.
    """
    _, shift = here.versions()
    now = companion.now()
    found = []
    marks = companion.marks(str(here.path)) if known is None else known
    told = {(one.changed_at, one.says) for one in marks if one.symbol}
    for mark in marks:
        line = 1 if not mark.symbol else shift.to_edited(mark.first_line)
        if line is not None:
            again = not mark.symbol and (mark.changed_at, mark.says) in told
            found.append((mark, line, texts.lens_title(replace(mark, says="") if again else mark, now)))
    return tuple(found)
