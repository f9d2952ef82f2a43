"""What the editor at the other end can do, asked of its capabilities once."""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol import types
from msgspec import Struct
from pygls.capabilities import get_capability

FACT_NAMES = {
    "pulls_diagnostics": "text_document.diagnostic",
    "refreshes_diagnostics": "workspace.diagnostics.refresh_support",
    "refreshes_lenses": "workspace.code_lens.refresh_support",
    "reads_documents": "workspace.text_document_content",
    "shows_documents": "window.show_document.support",
    "shows_progress": "window.work_done_progress",
    "gives_configuration": "workspace.configuration",
    "takes_registrations": "workspace.did_change_configuration.dynamic_registration",
}
"""Each ability, and the client capability that tells of it."""


class Abilities(Struct, frozen=True):
    """What a client can do; without a word from it, hardly anything."""

    reads_markdown: bool = False
    follows_commands: bool = False
    """Whether links to commands work in hovers: said by the initialization option `commandLinks`."""
    pulls_diagnostics: bool = False
    refreshes_diagnostics: bool = False
    refreshes_lenses: bool = False
    reads_documents: bool = False
    shows_documents: bool = False
    shows_progress: bool = False
    gives_configuration: bool = False
    takes_registrations: bool = False


def abilities_of(params: types.InitializeParams) -> Abilities:
    """The abilities a client declares when it starts."""
    formats = get_capability(params.capabilities, "text_document.hover.content_format", None) or ()
    options = params.initialization_options
    links = options.get("commandLinks") is True if isinstance(options, Mapping) else False
    told = {name: bool(get_capability(params.capabilities, where, None)) for name, where in FACT_NAMES.items()}
    return Abilities(types.MarkupKind.Markdown in formats, links, **told)
