"""Documents that exist in no file: the context of a file, why a line is as it is, what stands behind an id.

`addresses.py` says how they are named. A client that cannot read such documents gets a file of a private folder that
goes when the server does.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec.structs import replace
from pygls.exceptions import JsonRpcInvalidParams

from companion.api import PATIENCE_S
from companion.errors import CompanionError, UsageError
from companion.escape import one_line, visible_text
from companion_lsp.addresses import CONTEXT, MEMORY, OLDER, WHY, VirtualDocument, wanted_of
from companion_lsp.convert import uri_of
from companion_lsp.features.hover import why_here
from companion_lsp.server import COMMAND_S, CompanionServer, OpenDocument
from companion_lsp.texts import why_markdown

if TYPE_CHECKING:
    from companion.api import Companion
    from companion.records import Memory

TITLE_CHARACTERS = 200
"""Characters of a line of a list."""
_COMMAND = re.compile(r"(\bcommand:)(?=\S)", re.IGNORECASE)
"""How a link to a command of the editor begins: what was remembered may hold one, and an editor would follow it."""


def register(server: CompanionServer) -> None:
    """Answers workspace/textDocumentContent."""
    server.on_end.append(_clear)

    @server.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    async def content(ls: CompanionServer, params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
        wanted = wanted_of(params.uri)
        if wanted is None or not ls.serves(wanted.root):
            raise JsonRpcInvalidParams(f"{params.uri} is not a document of this workspace.")
        try:
            return types.TextDocumentContentResult(await text_of(ls, wanted))
        except (CompanionError, OSError) as wrong:
            return types.TextDocumentContentResult(f"{wrong}\n")


async def text_of(server: CompanionServer, wanted: VirtualDocument) -> str:
    """The document's text. Raises CompanionError with what to do about it."""
    path = wanted.root / wanted.subject
    opened = server.place(uri_of(path)) if wanted.sort == WHY else None
    place = opened or OpenDocument(wanted.uri(), path, wanted.root, None, server.encoding)
    budget = server.settings.budget_tokens

    def read(companion: Companion, _: OpenDocument) -> str:
        from companion.surfaces.documents import expansion, told_why

        if wanted.sort == MEMORY:
            return f"{expansion(companion.expand(wanted.subject))}\n"
        if wanted.sort == WHY:
            why = replace(why_here(companion, place, wanted.line, PATIENCE_S), line=wanted.line)
            return f"{why_markdown(why, wanted.way_to) if server.abilities.reads_documents else told_why(why)}\n"
        if wanted.sort == CONTEXT:
            return _context(companion, place, wanted, budget)
        return _side(companion, wanted)

    return _COMMAND.sub(r"\1 ", visible_text(await server.ask(place, read, COMMAND_S)))


def _context(companion: Companion, place: OpenDocument, wanted: VirtualDocument, budget: int) -> str:
    from companion.api import Order
    from companion.records import Format, Signals

    signals = Signals(current_file=str(place.path) if wanted.subject else "")
    return companion.assemble(budget, signals, Format.MARKDOWN, Order.PEOPLE).text


def _side(companion: Companion, wanted: VirtualDocument) -> str:
    """One side of a contradiction: what it says, where it holds, and where that can be checked."""
    from companion.surfaces.documents import behind

    one = next((one for one in companion.contradictions(settled=True) if one.id == wanted.subject), None)
    if one is None:
        raise UsageError(
            f"No contradiction has the id {wanted.subject}.", "It may have been resolved: look at the list again."
        )
    memory, *also = one.side_a if wanted.sort == OLDER else one.side_b
    parts = [memory.draft.levels.full.strip(), "\n".join(behind(memory))]
    if also:
        parts += [
            f"## {len(also)} more that {'say' if len(also) > 1 else 'says'} the same",
            "\n".join(map(_twin, also)),
        ]
    return "\n\n".join(parts) + "\n"


def _twin(memory: Memory) -> str:
    """Where else it is said, and in which words."""
    from companion.surfaces.rows import whence

    return f"- {one_line(whence(memory), TITLE_CHARACTERS)}: {one_line(memory.draft.levels.summary, TITLE_CHARACTERS)}"


async def show(server: CompanionServer, wanted: VirtualDocument) -> dict[str, str]:
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


def _as_file(wanted: VirtualDocument, text: str) -> Path:
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
