r"""The protocol as pygls speaks it, with four things mended: lines, broken requests, our messages, virtual documents.

Lines end where the protocol says (`\r\n`, `\n`, `\r`) and at no form feed. A request that cannot be
read is answered with an error in place of silence, and so is one before the session has begun. What messages of our
own hold stays as JSON has it: pygls would rename every key that is no Python name. The capability for virtual
documents is told.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest, JsonRpcServerNotInitialized
from pygls.protocol import JsonRPCNotification, JsonRPCRequestMessage, LanguageServerProtocol, lsp_method
from pygls.workspace import TextDocument, Workspace

SCHEME = "companion"
"""The scheme of documents that exist in no file: contexts and what stands behind an id."""
OURS = f"{SCHEME}/"
"""How the methods of our own messages begin."""

UNASKED = frozenset([types.INITIALIZE, types.SHUTDOWN, types.EXIT])
"""What may be said before a session has begun."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


class _Document(TextDocument):
    """A document whose lines end where the protocol says."""

    @property
    def lines(self) -> Sequence[str]:
        """The lines with their ends."""
        return tuple(_LINE.findall(self.source))


class Documents(Workspace):
    """The open documents. A change of one that was never opened is passed over."""

    def _create_text_document(
        self, doc_uri: str, source: str | None = None, version: int | None = None, language_id: str | None = None
    ) -> _Document:
        return _Document(
            doc_uri,
            source=source,
            version=version,
            language_id=language_id,
            sync_kind=self._sync_kind,
            position_codec=self._position_codec,
        )

    def update_text_document(
        self, text_doc: types.VersionedTextDocumentIdentifier, change: types.TextDocumentContentChangeEvent
    ) -> None:
        """Apply a change."""
        if unquote(text_doc.uri) in self._text_documents:
            super().update_text_document(text_doc, change)


class CompanionProtocol(LanguageServerProtocol):
    """See the module."""

    @property
    def ended_well(self) -> bool:
        """Whether the client said that it would leave, before it did."""
        return bool(self._shutdown)

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[object, object, types.InitializeResult]:
        """Start a session; the second request of this kind is an error."""
        if self._workspace is not None:
            raise JsonRpcInvalidRequest("The session has begun already.")
        started = super().lsp_initialize(params)
        try:
            step = next(started)  # pygls has made its workspace by now and asks for our own handler
            before = self.workspace
            self._workspace = Documents(
                before.root_uri, before._sync_kind, params.workspace_folders or [], before.position_encoding
            )
            while True:
                step = started.send((yield step))
        except StopIteration as done:
            result: types.InitializeResult = done.value
        assert result.capabilities.workspace is not None
        result.capabilities.workspace.text_document_content = types.TextDocumentContentOptions(schemes=[SCHEME])
        return result

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message as a record; a request that is none is answered with what is wrong."""
        try:
            if self._workspace is None and data.get("method", types.EXIT) not in UNASKED:
                raise JsonRpcServerNotInitialized("The session has not begun: `initialize` comes first.")
            if str(data.get("method")).startswith(OURS) and isinstance(data.get("id", ""), (int, str)):
                return _ours(data)
            return super().structure_message(data)
        except JsonRpcException as wrong:
            if "method" in data and isinstance(data.get("id"), (int, str)):
                self._send_response(data["id"], error=wrong.to_response_error())
            raise


def _ours(data: Mapping[str, Any]) -> JsonRPCRequestMessage | JsonRPCNotification:
    """A message of our own, with its parameters as they came."""
    told = {"jsonrpc": data.get("jsonrpc"), "method": data["method"], "params": data.get("params")}
    return JsonRPCRequestMessage(id=data["id"], **told) if "id" in data else JsonRPCNotification(**told)
