"""Documents that exist in no file: the context of a file, why a line is as it is, what stands behind an id.

Their URIs are `companion:///context/PATH.md?root=…`, `companion:///why/PATH.md?root=…&line=…` and
`companion:///memory/ID.md?root=…`. A client that cannot read such documents gets a file of a private
folder that goes when the server does.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from companion.errors import CompanionError, UsageError
from companion_lsp import wording
from companion_lsp.convert import uri_of
from companion_lsp.protocol import SCHEME
from companion_lsp.server import COMMAND_S, CompanionServer, Place

if TYPE_CHECKING:
    from companion.api import Companion

CONTEXT, WHY, MEMORY = "context", "why", "memory"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a virtual document shows: its sort, the path or id it is about, the repository, a line from 1."""

    sort: str
    subject: str
    root: Path
    line: int = 1

    def uri(self) -> str:
        """The document's URI."""
        query = {"root": self.root.as_posix()} | ({"line": str(self.line)} if self.sort == WHY else {})
        return f"{SCHEME}:///{self.sort}/{quote(self.subject)}.md?{urlencode(query, quote_via=quote)}"


def register(server: CompanionServer) -> None:
    """Answers workspace/textDocumentContent."""
    server.on_end.append(_clear)

    @server.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    async def content(ls: CompanionServer, params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
        wanted = wanted_of(params.uri)
        if wanted is None or not ls.serves(wanted.root):
            raise JsonRpcInvalidParams(f"{params.uri} is no document of this workspace.")
        try:
            return types.TextDocumentContentResult(await text_of(ls, wanted))
        except (CompanionError, OSError) as wrong:
            return types.TextDocumentContentResult(f"{wrong}\n")


def wanted_of(uri: str) -> Wanted | None:
    """What a URI asks for; None if it is none of ours."""
    try:
        parts = urlsplit(uri)
        query = parse_qs(parts.query)
    except ValueError:
        return None
    sort, _, subject = unquote(parts.path).lstrip("/").partition("/")
    roots, line = query.get("root", []), query.get("line", ["1"])[0]
    if parts.scheme != SCHEME or sort not in {CONTEXT, WHY, MEMORY} or not roots or not line.isdecimal():
        return None
    return Wanted(sort, subject.removesuffix(".md"), Path(roots[0]), int(line))


async def text_of(server: CompanionServer, wanted: Wanted) -> str:
    """The document's text. Raises CompanionError with what to do about it."""
    from companion.api import Order
    from companion.records import Format, Signals

    place = Place(wanted.uri(), wanted.root / wanted.subject, wanted.root, None, server.encoding)
    budget = server.settings.budget_tokens

    def read(companion: Companion, _: Place) -> str:
        if wanted.sort == MEMORY:
            expansion = companion.expand(wanted.subject)
            return f"# {expansion.title}\n\n{expansion.text}\n"
        if wanted.sort == WHY:
            return wording.hover_markdown(companion.why(str(place.path), wanted.line), companion.now(), "", links=False)
        signals = Signals(current_file=str(place.path) if wanted.subject else "")
        return companion.assemble(budget, signals, Format.MARKDOWN, Order.PEOPLE).text

    return await server.ask(place, read, COMMAND_S)


async def show(server: CompanionServer, wanted: Wanted) -> dict[str, str]:
    """Show a document in the editor, as far as it can; its URI and text are given back."""
    if not server.serves(wanted.root):
        raise UsageError(f"{wanted.root} is not open in this editor.", "Open its folder first.")
    text = await text_of(server, wanted)
    uri = wanted.uri()
    if not server.abilities.reads_documents:
        uri = uri_of(_as_file(wanted, text))
    if server.abilities.shows_documents:
        await server.window_show_document_async(types.ShowDocumentParams(uri, take_focus=True))
    else:
        where = "" if server.abilities.reads_documents else f": {uri}"
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, f"Companion wrote it down{where}"))
    return {"uri": uri, "text": text}


def is_shown(path: Path) -> bool:
    """Whether a file is one that a document was written to."""
    return bool(_folder.cache_info().currsize) and path.parent == _folder()


def _as_file(wanted: Wanted, text: str) -> Path:
    """A file with the document's text, the same for the same document."""
    name = sha256(wanted.uri().encode("utf-8", "surrogatepass")).hexdigest()[:12]
    file = _folder() / f"{wanted.sort}-{name}.md"
    file.write_text(text, encoding="utf-8", errors="replace")
    return file


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="companion-"))


def _clear() -> None:
    if _folder.cache_info().currsize:
        shutil.rmtree(_folder(), ignore_errors=True)
