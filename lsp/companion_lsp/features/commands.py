"""Commands: what a person asks for by name, from a palette, a lens, a link or a key.

Each takes one object, of which `uri` (a file), `folder` (a URI too) or `root` (the path of a work tree) says where;
without any the first folder of the workspace is meant. Each gives back plain JSON. What goes wrong is shown with the
next step.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from lsprotocol import types

from companion.errors import CompanionError, UsageError
from companion.records.wording import counted
from companion_lsp import convert
from companion_lsp.addresses import CONTEXT, MEMORY, WHY, VirtualDocument
from companion_lsp.features import asks, indexing
from companion_lsp.features.virtual import show
from companion_lsp.requests import place_of
from companion_lsp.server import CompanionServer, OpenDocument

Given = Mapping[str, Any]
"""What a client sends with a command: JSON, looked at where it is used."""
Done = object
NOTE_CHARACTERS = 4_000
"""Characters of a selection that are kept: a page of text; more is a file and is indexed as one."""
RANGE_KEYS = ("start", "end")


def register(server: CompanionServer) -> None:
    """Answers workspace/executeCommand for each of `COMMANDS`."""
    for name, act in COMMANDS.items():
        server.command(name)(_told(act))


def _told(
    act: Callable[[CompanionServer, OpenDocument, Given], Awaitable[Done]],
) -> Callable[..., Awaitable[Done]]:
    """The command as the protocol calls it: with the server, by its name `ls`, and any arguments; its errors shown."""

    async def run(ls: CompanionServer, *arguments: object) -> object:
        given = arguments[0] if arguments else {}
        if isinstance(given, str):
            given = {"uri": given}
        try:
            if not isinstance(given, Mapping):
                raise UsageError("A command takes one object.", 'Give it as `{"uri": …}`.')
            return await act(ls, where(ls, given), given)
        except (CompanionError, OSError) as wrong:
            ls.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"Companion: {wrong}"))
            return {"error": str(wrong)}

    return run


def where(server: CompanionServer, given: Given) -> OpenDocument:
    """The file or work tree that a command is about. Raises CompanionError if it is none that we serve."""
    uri, folder, root = (str(given.get(name) or "") for name in ("uri", "folder", "root"))
    if uri or folder:
        return place_of(server, uri, folder, text=True)
    place = server.tree(Path(root) if root else next(iter(server.roots()), None))
    if place is None:
        raise UsageError("No repository is open here.", "Open a folder that is one.")
    return place


async def _context(server: CompanionServer, place: OpenDocument, given: Given) -> Done:
    wanted = VirtualDocument(CONTEXT, "" if place.path == place.root else _relative(place), place.root)
    return await show(server, wanted)


async def _why(server: CompanionServer, place: OpenDocument, given: Given) -> Done:
    line = given.get("line")
    return await show(server, VirtualDocument(WHY, _relative(place), place.root, line if isinstance(line, int) else 1))


async def _expand(server: CompanionServer, place: OpenDocument, given: Given) -> Done:
    return await show(server, VirtualDocument(MEMORY, _id(given), place.root))


async def _remember(server: CompanionServer, place: OpenDocument, given: Given) -> Done:
    from companion.api import Note
    from companion.records import Scope

    text = given.get("text")
    if not isinstance(text, str) and place.lines is not None:
        text = convert.selected(place.lines, _range(given.get("range")), place.encoding)
    if not isinstance(text, str) or not text.strip():
        raise UsageError("Nothing is selected.", "Select what to remember first.")
    scope = Scope() if place.path == place.root else Scope(path=_relative(place))
    note = Note(text.strip()[:NOTE_CHARACTERS], scope=scope)
    memory = await server.ask(place, lambda companion, _: companion.remember(note))
    server.changed(place.root, "remember")
    _say(server, f"Remembered: {memory.draft.levels.index}")
    return {"id": memory.id, "text": memory.draft.levels.summary}


async def _refresh(server: CompanionServer, place: OpenDocument, given: Given) -> Done:
    done = await server.ask(place, lambda companion, _: companion.refresh(None))
    server.changed(place.root, "refreshed")
    _say(
        server,
        f"Companion read {counted(done.files_changed, 'changed file')} and {counted(done.commits_new, 'new commit')}.",
    )
    return {"files": done.files_changed, "commits": done.commits_new, "seconds": done.seconds}


async def _status(server: CompanionServer, place: OpenDocument, given: Given) -> Done:
    stats = await server.ask(place, lambda companion, _: companion.stats())
    memories = sum(one.active for one in stats.memories)
    _say(
        server,
        f"Companion knows {counted(memories, 'memory')} of {counted(stats.files, 'file')} and "
        f"{counted(stats.commits, 'commit')} of {stats.project}; open: "
        f"{counted(stats.open_contradictions, 'contradiction')}.",
    )
    return {
        "project": stats.project,
        "memories": memories,
        "files": stats.files,
        "commits": stats.commits,
        "openContradictions": stats.open_contradictions,
        "missing": list(stats.readiness.missing),
    }


async def _read(server: CompanionServer, place: OpenDocument, given: Given) -> Done:
    return {"read": await indexing.read(server, place)}


async def _ask(server: CompanionServer, place: OpenDocument, given: Given) -> Done:
    """A verb that changes something, as code actions ask it: see `asks.py`."""
    found, *_ = await asks.put(server, place, asks.askable(str(given.get("verb"))), given.get("ask", {}))
    return found


COMMANDS: dict[str, Callable[[CompanionServer, OpenDocument, Given], Awaitable[Done]]] = {
    "companion.context": _context,
    "companion.why": _why,
    "companion.expand": _expand,
    "companion.remember": _remember,
    "companion.refresh": _refresh,
    "companion.status": _status,
    "companion.read": _read,
    "companion.ask": _ask,
}


def _say(server: CompanionServer, what: str) -> None:
    server.window_show_message(types.ShowMessageParams(types.MessageType.Info, what))


def _id(given: Given) -> str:
    id_ = given.get("id")
    if not isinstance(id_, str) or not id_:
        raise UsageError("No memory is named.", 'Give its id: `{"id": "m1…"}`.')
    return id_


def _relative(place: OpenDocument) -> str:
    return place.path.relative_to(place.root).as_posix()


def _range(given: Any) -> types.Range:  # what is none raises below
    """A range out of JSON. Raises UsageError if it is none."""
    try:
        start, end = (types.Position(int(given[side]["line"]), int(given[side]["character"])) for side in RANGE_KEYS)
    except (TypeError, KeyError, ValueError):
        raise UsageError("Nothing is selected.", "Select what to remember first.") from None
    return types.Range(start, end)
