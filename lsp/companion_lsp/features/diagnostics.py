"""Diagnostics: open contradictions and departures from conventions, as hints at the exact range.

A client that can ask for them does; to others they are sent when a file was opened, and both are told
when something changed. Of a file that was closed nothing stays in anybody's list, and a line that was
edited since it was read has none until it is read again.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lsprotocol import types

from companion_lsp import convert
from companion_lsp.server import CompanionServer, OpenDocument

if TYPE_CHECKING:
    from companion.api import Companion
    from companion.records import Hint

    Found = tuple[tuple[Hint, types.Diagnostic], ...]
    """Hints with what an editor is told of each."""

NONE: Found = ()


def register(server: CompanionServer) -> None:
    """Answers textDocument/diagnostic; publishes to those who do not ask."""

    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=convert.SOURCE),
    )
    async def pulled(
        ls: CompanionServer, params: types.DocumentDiagnosticParams
    ) -> types.RelatedFullDocumentDiagnosticReport:
        place = ls.place(params.text_document.uri)
        found = await _found(ls, place) if place is not None else []
        return types.RelatedFullDocumentDiagnosticReport(items=found)

    tasks: set[asyncio.Task[None]] = set()

    def publish(place: OpenDocument) -> None:
        if not server.abilities.pulls_diagnostics:
            task = asyncio.get_running_loop().create_task(_publish(server, place))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    def shown_anew() -> None:
        if server.abilities.pulls_diagnostics:
            if server.abilities.refreshes_diagnostics:
                server.workspace_diagnostic_refresh(None)
            return
        for place in server.open_places():
            publish(place)

    def forget(uri: str) -> None:
        if not server.abilities.pulls_diagnostics:
            server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    server.on_closed.append(forget)
    server.on_news.append(shown_anew)
    server.on_shown.append(publish)


def hints_here(companion: Companion, here: OpenDocument) -> Found:
    """The hints of a file with their diagnostics; those of lines that were changed are left out."""
    lines, shift = here.versions()
    found = []
    for hint in companion.hints(str(here.path)):
        line = shift.to_edited(hint.first_line)
        last = shift.to_edited(hint.last_line)
        if line is not None and last is not None:
            found.append((hint, convert.to_diagnostic(hint, line, lines, here.encoding)))
    return tuple(found)


async def _found(server: CompanionServer, place: OpenDocument) -> list[types.Diagnostic]:
    if not server.settings.diagnostics:
        return []
    return [diagnostic for _, diagnostic in await server.answer(place, hints_here, NONE)]


async def _publish(server: CompanionServer, place: OpenDocument) -> None:
    found = await _found(server, place)
    if unquote(place.uri) not in server.workspace.text_documents:
        return  # it was closed meanwhile, and what is shown of it was taken away
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(place.uri, found))
