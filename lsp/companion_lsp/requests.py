"""Requests of our own, beside the protocol's: read strictly, and always answered.

What goes wrong is an answer too: `{"error": {"message", "hint", "sort"}}`, what happened, what to do about it, and the
name of the error. A client library that sees an error of the protocol writes it to a log or pops a box up; what the
person should see of it, and where, is for whoever asked.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

from msgspec import Struct

from companion.errors import CompanionError, NotARepository, UsageError
from companion.wire import Between
from companion_lsp import convert
from companion_lsp.server import CompanionServer, OpenDocument

Ask = TypeVar("Ask")
Uri = Annotated[str, Between(0, 12_288)]
"""A URI. The longest path that a system understands has 4,096 characters, each of them three when encoded."""
SAYS_CHARACTERS = 500
"""Characters of a message or hint: a sentence or two, and room for a path."""
HOW_TO_BEGIN = "Open the folder of one, or run `git init` in it."


class PlaceAsk(Struct, frozen=True):
    """Of which repository: by a file in it or by its folder."""

    uri: Uri = ""
    folder: Uri = ""


def answers(
    server: CompanionServer,
    method: str,
    read: Callable[[object], Ask],
    act: Callable[[CompanionServer, Ask], Awaitable[object]],
) -> None:
    """Answer a request of ours: `read` makes a record of its parameters, or raises UsageError."""

    @server.feature(method)
    async def run(ls: CompanionServer, params: object) -> object:
        ls.has_views = True
        try:
            return await act(ls, read(params))
        except (CompanionError, OSError) as wrong:
            return {"error": told(wrong)}


def told(wrong: CompanionError | OSError) -> dict[str, str]:
    """An error as a person reads it: what happened, what to do, and its name."""
    from companion.escape import one_line

    what, hint = (wrong.what, wrong.next_step) if isinstance(wrong, CompanionError) else (str(wrong), "")
    return {
        "message": one_line(what, SAYS_CHARACTERS),
        "hint": one_line(hint, SAYS_CHARACTERS),
        "sort": type(wrong).__name__,
    }


def place_of(server: CompanionServer, uri: str, folder: str, *, text: bool = False) -> OpenDocument:
    """The file of `uri` or, where that is none that is served, the work tree of `folder` (a URI too).

    With `text` the lines of an open file come along. Raises NotARepository where there is none, and UsageError where
    nothing is named.
    """
    if not (uri or folder):
        raise UsageError("No folder is named.", "Give `uri` or `folder`.")
    place = (server.place(uri, text=text) if uri else None) or server.tree(convert.path_of(folder))
    if place is None:
        path = convert.path_of(folder)
        what = f"{folder or uri} is not a file of a repository in this workspace."
        raise NotARepository(f"{path} is not a git repository." if path else what, HOW_TO_BEGIN)
    return place
