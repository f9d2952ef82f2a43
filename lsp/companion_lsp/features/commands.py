"""Commands: what a person asks for by name, from a palette, a lens, a link or a key.

Each takes one object, of which `uri` (a file) or `root` (a work tree) says where; with neither, the first
folder of the workspace is meant. Each gives back plain JSON. What goes wrong is shown with the next step.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from companion.errors import CompanionError, UsageError
from companion_lsp import convert
from companion_lsp.addresses import CONTEXT, MEMORY, WHY, VirtualDocument
from companion_lsp.features import indexing
from companion_lsp.features.virtual import show
from companion_lsp.server import CompanionServer, OpenDocument

if TYPE_CHECKING:
    from companion.records import Scope

Given = Mapping[str, Any]
"""What a client sends with a command: JSON, looked at where it is used."""
Done = object
NOTE_CHARACTERS = 4_000
"""Characters of a selection that are kept: a page of text; more is a file and is indexed as one."""
HITS = 20
"""Memories that a search gives back, as on the command line."""
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
    """The file or work tree that a command is about. Raises UsageError if it is none that we serve."""
    uri, root = given.get("uri"), given.get("root")
    if isinstance(uri, str):
        place = server.place(uri)
        if place is None:
            raise UsageError(f"{uri} is not a file of a repository in this workspace.", "Open the repository's folder.")
        return place
    roots = [Path(root)] if isinstance(root, str) else server.roots()
    if not roots or not server.serves(roots[0]):
        raise UsageError("No repository is open here.", "Open a folder that is one.")
    return OpenDocument(convert.uri_of(roots[0]), roots[0], roots[0], None, server.encoding)


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
    note = Note(text.strip()[:NOTE_CHARACTERS], scope=scope, pinned=given.get("pinned") is True)
    memory = await server.ask(place, lambda companion, _: companion.remember(note))
    server.changed(place.root, "remember")
    _say(server, f"Remembered: {memory.draft.levels.index}")
    return {"id": memory.id, "text": memory.draft.levels.summary}


async def _resolve(server: CompanionServer, place: OpenDocument, given: Given) -> Done:
    from companion.api import Verdict
    from companion.records import Resolution

    try:
        resolution = Resolution(_text(given, "resolution"))
    except ValueError:
        known = ", ".join(one.value for one in Resolution)
        raise UsageError("That is not a way to resolve a contradiction.", f"Choose one of: {known}.") from None
    verdict = Verdict(
        resolution,
        note=_text(given, "note"),
        scope_a=_scope(given.get("scopeA")),
        scope_b=_scope(given.get("scopeB")),
        merged=_text(given, "merged"),
    )
    settled = await server.ask(place, lambda companion, _: companion.settle(_id(given), verdict))
    server.changed(place.root, "settle")
    return {"id": settled.id, "resolution": resolution.value}


async def _pin(server: CompanionServer, place: OpenDocument, given: Given) -> Done:
    on = given.get("on") is not False
    memory = await server.ask(place, lambda companion, _: companion.pin(_id(given), on=on))
    server.changed(place.root, "pin")
    return {"id": memory.id, "pinned": memory.draft.pinned}


async def _not_useful(server: CompanionServer, place: OpenDocument, given: Given) -> Done:
    from companion.api import NOT_USEFUL

    await server.ask(place, lambda companion, _: companion.pass_over([_id(given)], NOT_USEFUL))
    server.changed(place.root, "pass_over")
    return {"id": _id(given)}


async def _refresh(server: CompanionServer, place: OpenDocument, given: Given) -> Done:
    done = await server.ask(place, lambda companion, _: companion.refresh(None))
    server.changed(place.root, "refreshed")
    _say(server, f"Companion read {done.files_changed} changed files and {done.commits_new} new commits.")
    return {"files": done.files_changed, "commits": done.commits_new, "seconds": done.seconds}


async def _status(server: CompanionServer, place: OpenDocument, given: Given) -> Done:
    stats = await server.ask(place, lambda companion, _: companion.stats())
    memories = sum(one.active for one in stats.memories)
    _say(
        server,
        f"Companion knows {memories} memories of {stats.files} files and {stats.commits} commits of {stats.project}; "
        f"{stats.open_contradictions} contradictions are open.",
    )
    return {
        "project": stats.project,
        "memories": memories,
        "files": stats.files,
        "commits": stats.commits,
        "openContradictions": stats.open_contradictions,
        "missing": list(stats.readiness.missing),
    }


async def _at_work(server: CompanionServer, place: OpenDocument, given: Given) -> Done:
    work = await server.ask(place, lambda companion, _: companion.at_work())
    interests = [{"target": one.target, "degree": one.degree, "says": one.says} for one in work.interests]
    return {"activity": work.activity, "why": work.why_activity, "branch": work.branch, "interests": interests}


async def _search(server: CompanionServer, place: OpenDocument, given: Given) -> Done:
    from companion.records import SearchQuery

    query = SearchQuery(text=_text(given, "query"), limit=HITS)
    hits = await server.ask(place, lambda companion, _: companion.search(query))
    return [
        {"id": hit.id, "sort": hit.sort, "text": hit.text, "score": hit.score, "path": hit.path, "spans": hit.spans}
        for hit in hits
    ]


async def _read(server: CompanionServer, place: OpenDocument, given: Given) -> Done:
    return {"read": await indexing.read(server, place)}


COMMANDS: dict[str, Callable[[CompanionServer, OpenDocument, Given], Awaitable[Done]]] = {
    "companion.context": _context,
    "companion.why": _why,
    "companion.expand": _expand,
    "companion.remember": _remember,
    "companion.resolve": _resolve,
    "companion.pin": _pin,
    "companion.notUseful": _not_useful,
    "companion.refresh": _refresh,
    "companion.status": _status,
    "companion.atWork": _at_work,
    "companion.search": _search,
    "companion.read": _read,
}


def _scope(given: object) -> Scope | None:
    """A scope out of JSON, None if none is given. Raises UsageError for anything else."""
    from companion.records import Scope

    if given is None:
        return None
    known = set(Scope.__struct_fields__)
    if not isinstance(given, Mapping) or not set(given) <= known or not all(isinstance(v, str) for v in given.values()):
        raise UsageError("That is not a valid scope.", f"Give an object with any of: {', '.join(sorted(known))}.")
    return Scope(**given)


def _say(server: CompanionServer, what: str) -> None:
    server.window_show_message(types.ShowMessageParams(types.MessageType.Info, what))


def _id(given: Given) -> str:
    id_ = given.get("id")
    if not isinstance(id_, str) or not id_:
        raise UsageError("No memory is named.", 'Give its id: `{"id": "m1…"}`.')
    return id_


def _text(given: Given, name: str) -> str:
    text = given.get(name, "")
    return text if isinstance(text, str) else ""


def _relative(place: OpenDocument) -> str:
    return place.path.relative_to(place.root).as_posix()


def _range(given: Any) -> types.Range:  # what is none raises below
    """A range out of JSON. Raises UsageError if it is none."""
    try:
        start, end = (types.Position(int(given[side]["line"]), int(given[side]["character"])) for side in RANGE_KEYS)
    except (TypeError, KeyError, ValueError):
        raise UsageError("Nothing is selected.", "Select what to remember first.") from None
    return types.Range(start, end)
