"""Addresses of documents that exist in no file: the context of a file, why a line is as it is, what is behind an id.

Their URIs are `companion:///context/PATH/Context.md?root=…`, `companion:///why/PATH/Why line N.md?line=N&root=…`,
`companion:///memory/ID.md?root=…` (or `ID/TITLE.md`) and, for each side of a contradiction,
`companion:///older/ID.md?root=…` and `companion:///newer/ID.md?root=…`: an editor's tab says the last part.

Editors write a URI in their own way: VS Code hands `?line=1&root=/r` back as `?line%3D1%26root%3D/r`. So the root
stands last, and the whole of a query is decoded before it is taken apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from companion_lsp.protocol import SCHEME

CONTEXT, WHY, MEMORY, OLDER, NEWER = "context", "why", "memory", "older", "newer"
SORTS = {CONTEXT, WHY, MEMORY, OLDER, NEWER}
MEMORY_ID = "m1"
"""How a memory's id begins."""
NAME_CHARACTERS = 60
"""Characters of a title in an address: a tab shows fewer."""

_UNNAMED = re.compile(r"[/\\?#:*\"<>|]+")
"""Signs that part an address, or that no file may be called by."""
_QUERY = re.compile(r"(?:line=([0-9]{1,9})&)?root=(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class VirtualDocument:
    """What a virtual document shows: its sort, the path or id it is about, the repository, a line from 1 (0: the file).

    A memory's `title` is what an editor's tab says; it is part of the address and means nothing.
    """

    sort: str
    subject: str
    root: Path
    line: int = 1
    title: str = field(default="", compare=False)

    def uri(self) -> str:
        """The document's URI."""
        line = f"line={self.line}&" if self.sort == WHY else ""
        path = "/".join(quote(part) for part in (self.sort, self.subject, self._name()) if part)
        return f"{SCHEME}:///{path}.md?{line}root={quote(self.root.as_posix())}"

    def way_to(self, id_: str) -> str:
        """The path from why a line is as it is to what is behind an id; an editor keeps what stands behind the path."""
        return f"{'../' * (self.subject.count('/') + 2)}{MEMORY}/{quote(id_)}"

    def _name(self) -> str:
        """What an editor's tab says; empty where the subject says it."""
        if self.sort == WHY:
            return f"Why line {self.line}" if self.line else "This file"
        if self.sort == CONTEXT:
            return "Context"
        named = self.sort == MEMORY and self.subject.startswith(MEMORY_ID)
        return _UNNAMED.sub(" ", self.title)[:NAME_CHARACTERS].strip(" .") if named else ""


def wanted_of(uri: str) -> VirtualDocument | None:
    """What a URI asks for; None if it is none of ours."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    sort, _, subject = unquote(parts.path).lstrip("/").partition("/")
    query = _QUERY.fullmatch(unquote(parts.query))
    if parts.scheme != SCHEME or sort not in SORTS or query is None:
        return None
    subject = subject.removesuffix(".md")
    if sort in (WHY, CONTEXT):
        subject = subject.rpartition("/")[0]
    elif sort == MEMORY and subject.startswith(MEMORY_ID):
        subject = subject.partition("/")[0]
    return VirtualDocument(sort, subject, Path(query[2]), int(query[1] or 1))
