"""Document links in what we show: files with their line, commits at the remote, memories by id."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lsprotocol import types

from companion_lsp import convert
from companion_lsp.addresses import MEMORY, VirtualDocument, wanted_of
from companion_lsp.features.virtual import is_shown
from companion_lsp.protocol import SCHEME
from companion_lsp.server import CompanionServer, OpenDocument

if TYPE_CHECKING:
    from companion.api import Companion

LINKS = 500
"""Links of one document: a context of the largest budget names fewer files."""
_FILE = re.compile(r"(?<![\w/.:@-])((?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.\w+|(?:[\w.@+-]+/)+[\w.@+-]+)(?::(\d+))?")
_COMMIT = re.compile(r"\bcommit `?([0-9a-f]{7,40})\b")
_MEMORY = re.compile(r"\bm1[0-9a-f]{6,}\b")
_REMOTE = re.compile(r"[\w.-]+\.[a-z]{2,}/[\w./~-]+")


def register(server: CompanionServer) -> None:
    """Answers textDocument/documentLink for our own documents alone."""
    remotes: dict[Path, str] = {}

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def links(ls: CompanionServer, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        uri = params.text_document.uri
        root = _root(ls, uri)
        opened = ls.workspace.text_documents.get(unquote(uri))
        if root is None or opened is None:
            return []
        lines = opened.source.splitlines()
        place = OpenDocument(uri, root, root, tuple(lines), ls.encoding)
        if root not in remotes:
            remotes[root] = await ls.answer(place, _remote, "")
        found = []
        for row, line in enumerate(lines, start=1):
            for start, end, target in _in_line(line, root, remotes[root]):
                ends = [convert.to_position(lines, row, column, ls.encoding) for column in (start + 1, end + 1)]
                found.append(types.DocumentLink(types.Range(*ends), target))
        return found[:LINKS]


def _root(server: CompanionServer, uri: str) -> Path | None:
    """The repository that a document of ours speaks of; None for any other document."""
    if uri.startswith(f"{SCHEME}:"):
        wanted = wanted_of(uri)
        return wanted.root if wanted is not None and server.serves(wanted.root) else None
    path = convert.path_of(uri)
    if path is None or not is_shown(path):
        return None
    return next(iter(server.roots()), None)


def _remote(companion: Companion, _: OpenDocument) -> str:
    return companion.stats().remote


def _in_line(line: str, root: Path, remote: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and target of each link of a line, in characters."""
    for found in _FILE.finditer(line):
        file = root / found[1]
        if file.is_file() and file.resolve().is_relative_to(root.resolve()):
            yield (*found.span(), convert.uri_of(file) + (f"#L{found[2]}" if found[2] else ""))
    for found in _COMMIT.finditer(line) if _REMOTE.fullmatch(remote) else ():
        yield (*found.span(1), f"https://{remote}/commit/{found[1]}")
    for found in _MEMORY.finditer(line):
        yield (*found.span(), VirtualDocument(MEMORY, found[0], root).uri())
