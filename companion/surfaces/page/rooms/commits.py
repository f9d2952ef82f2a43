"""One commit: what it says, what it changed, and what was learned from it; without one, those of the last weeks."""

from __future__ import annotations

from companion.api import Companion
from companion.surfaces import rows
from companion.surfaces.page.room import PageRequest, PageView, Room

WORDS = {"A": "added", "M": "changed", "D": "removed", "R": "renamed"}
"""What a commit did to a file."""
FILES_SHOWN = 200
"""Files listed of one commit: a longer list is that of a tool."""


def show(companion: Companion, ask: PageRequest) -> PageView:
    """The commit whose id begins with `id`."""
    id_ = ask.text("id", 100)
    if not id_:
        return PageView("commits/room.html", {"found": companion.overview().newest})
    told = companion.commit(id_)
    values = {
        "told": told,
        "words": WORDS,
        "files_most": FILES_SHOWN,
        "memories": [rows.of_memory(one) for one in told.learned],
    }
    return PageView("commits/one.html", values)


ROOM = Room("commits", "Commits", "What each commit changed, and what was learned from it", show, listed=False)
