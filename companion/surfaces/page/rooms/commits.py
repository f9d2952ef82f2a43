"""One commit: what it says, what it changed, and what was learned from it; without one, the newest."""

from __future__ import annotations

import re

from companion.api import Companion
from companion.surfaces import rows
from companion.surfaces.page.room import PageRequest, PageView, Room, need_reading

WORDS = {"A": "added", "M": "changed", "D": "removed", "R": "renamed"}
"""What a commit did to a file."""
FILES_SHOWN = 200
"""Files listed of one commit: a longer list is that of a tool."""
BROKEN_AT = 45
"""Characters from which a line may have been ended for its width: messages are wrapped at 50 to 80."""
_GOES_ON = re.compile(r" {0,3}(?![*+>|#`-]|\d+[.)] |[\w-]+: )\S")
"""How a line begins that goes on from the one before it: not like a list, a quotation, code or a trailer."""


def show(companion: Companion, ask: PageRequest) -> PageView:
    """The commit whose id begins with `id`."""
    id_ = ask.text("id", 100)
    if not id_:
        whole = companion.overview()
        if not whole.commits:
            need_reading(companion)
        return PageView("commits/room.html", {"found": whole.newest, "total": whole.commits})
    told = companion.commit(id_)
    subject, _, body = told.message.partition("\n")
    named = told.commit.title[1:] in subject  # of the title the first letter alone is ours
    values = {
        "told": told,
        "message": flowing(body if named else told.message).strip(),
        "words": WORDS,
        "files_most": FILES_SHOWN,
        "memories": [rows.of_memory(one) for one in told.learned],
    }
    return PageView("commits/one.html", values)


def flowing(message: str) -> str:
    """A message without the ends of lines that only kept it narrow; lists, code and trailers keep theirs."""
    told: list[str] = []
    fenced = broken = False
    for line in message.splitlines():
        fenced ^= line.lstrip().startswith("```")
        if broken and not fenced and _GOES_ON.match(line):
            told[-1] += f" {line.strip()}"
        else:
            told.append(line)
        broken = len(line) >= BROKEN_AT and not line.startswith(("    ", "\t"))
    return "\n".join(told)


ROOM = Room("commits", "Commits", "What each commit changed, and what was learned from it", show, listed=False)
