"""What an editor's own extension sees beyond the protocol, told by the notification `companion/seen`.

Its `seen` is a list; each says by `what` which sort it is: `shown`, `selected` and `stopped` name a file and a line
(from 0), `diagnosed` brings a file's diagnostics by all its tools, `ran` a command that ended, `branch` a work tree
where another branch was checked out. What cannot be read is passed over: nobody waits for an answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeGuard

from lsprotocol import types

from companion.errors import CompanionError
from companion_lsp import convert
from companion_lsp.server import CompanionServer, OpenDocument

SEEN = "companion/seen"
SEEN_MOST = 500
"""More than any moment brings; our own extension tells of one at a time."""
COMMAND_READ_CHARACTERS = 8_000
"""Of a command line, four times what is kept: a longer one is a script that was pasted."""

Told = Mapping[str, Any]
"""What a client tells: JSON, looked at where it is used."""


def register(server: CompanionServer) -> None:
    """Answers companion/seen."""

    @server.feature(SEEN)
    async def seen(ls: CompanionServer, params: object) -> None:
        given = params.get("seen") if isinstance(params, Mapping) else None
        for one in given[:SEEN_MOST] if isinstance(given, list) else ():
            act = WAYS.get(str(one.get("what"))) if isinstance(one, Mapping) else None
            try:
                if act is not None:
                    await act(ls, one)
            except (CompanionError, OSError, ValueError, OverflowError) as wrong:
                ls.say(f"A signal could not be sent: {type(wrong).__name__}.", types.MessageType.Log)


async def _looked_at(server: CompanionServer, told: Told) -> None:
    """A file came into sight, the cursor rested in it or a debugger stopped there."""
    place, line = _file(server, told), told.get("line")
    if place is not None:
        server.touch(place, "selected", line + 1 if _is_count(line) else None)


async def _diagnosed(server: CompanionServer, told: Told) -> None:
    """All diagnostics of a file, as they are now."""
    from companion.records import Diagnosed

    place = _file(server, told)
    if place is not None:
        given = _diagnostics(server, told.get("diagnostics"))
        server.note(place, Diagnosed(str(place.path), convert.from_diagnostics(given)))


async def _ran(server: CompanionServer, told: Told) -> None:
    """A command that ended, unless the user asked that such ones be left out; its variables stay here."""
    from companion.config import data_home, load_settings
    from companion.records import Ran
    from companion.records.command_line import is_ignored, without_variables

    found, command, code = _folder(server, told), told.get("command"), told.get("exitCode")
    began_ms, took_ms = told.get("began"), told.get("took")
    if found is None or not isinstance(command, str) or type(code) is not int:
        return
    if not (_is_count(began_ms) and _is_count(took_ms)):
        return
    command = command[:COMMAND_READ_CHARACTERS]
    said = without_variables(command)
    if said and not is_ignored(command, load_settings(data_home()).run_ignore):
        place, directory = found
        began = datetime.fromtimestamp(began_ms / 1_000, UTC).replace(tzinfo=None)
        server.note(place, Ran(said, str(directory), code, took_ms / 1_000, began))


async def _branch(server: CompanionServer, told: Told) -> None:
    """Another branch: the daemon looks where the work tree stands before it answers anything, and notes it."""
    found = _folder(server, told)
    if found is not None:
        place, _ = found
        await server.ask(place, lambda companion, _: companion.observe(()))
        server.changed(place.root, "refreshed")


WAYS: Mapping[str, Callable[[CompanionServer, Told], Awaitable[None]]] = {
    "shown": _looked_at,
    "selected": _looked_at,
    "stopped": _looked_at,
    "diagnosed": _diagnosed,
    "ran": _ran,
    "branch": _branch,
}
"""What is done with each sort."""


def _file(server: CompanionServer, told: Told) -> OpenDocument | None:
    uri = told.get("uri")
    return server.place(uri, text=False) if isinstance(uri, str) else None


def _folder(server: CompanionServer, told: Told) -> tuple[OpenDocument, Path] | None:
    """The work tree that a folder (a URI) lies in, if it is one of the workspace, and the folder itself."""
    uri = told.get("folder")
    path = convert.path_of(uri) if isinstance(uri, str) else None
    place = server.tree(path)
    return None if place is None or path is None else (place, path)


def _is_count(given: object) -> TypeGuard[int]:
    return type(given) is int and given >= 0


def _diagnostics(server: CompanionServer, given: object) -> list[types.Diagnostic]:
    """Diagnostics out of a message whose shape nobody checked; what is none is passed over."""
    found = []
    for one in given if isinstance(given, list) else ():
        try:
            found.append(server.protocol._converter.structure(one, types.Diagnostic))
        except Exception as wrong:  # whatever a converter makes of nonsense
            server.say(f"A diagnostic could not be read: {type(wrong).__name__}.", types.MessageType.Log)
    return found
