"""`companion/story`: the story of the definition around a line, as rows; each says which lines of the file it wrote.

The first row is the commit of the line, then come the other steps from the oldest to the newest, then what is
remembered. A row has, beside what any has: `group` (`line`, `steps` or `about`), `sha`, `did` (what the commit did:
`made`, `fixed` and so on), `date` (`2024-05-01`), `spans` (first and last lines, from 1, as the file stands in the
editor) and `links` (`sort`, `name` and `url`, which is empty where no forge shows it: `opens` has the commit as a
document then).

`wait` waits for git some seconds; without it the answer is what is ready. `asking` says that more comes: ask with
`wait` then. A `line` counts from 1; 0 is the file as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from companion import wire
from companion.errors import UsageError
from companion.wire import Between
from companion_lsp import convert
from companion_lsp.drawing import drawn
from companion_lsp.features.hover import HOVER_WAIT_S, why_here
from companion_lsp.requests import Uri, answers
from companion_lsp.server import COMMAND_S, CompanionServer, OpenDocument
from companion_lsp.shifting import Shift

if TYPE_CHECKING:
    from companion.api import Companion
    from companion.records import StoryStep, Why

STORY = "companion/story"
LINE_MOST = 10_000_000
"""No file that is read has more lines."""
WAIT_S = 4.0
"""Seconds that an answer waits for git where it may: nearly all stories are there by then."""


class _Asked(Struct, frozen=True):
    """Of which file and line, and whether to wait for git."""

    uri: Uri
    line: Annotated[int, Between(0, LINE_MOST)] = 0
    wait: bool = False


def register(server: CompanionServer) -> None:
    """Answers companion/story."""
    answers(server, STORY, lambda params: wire.decode(_Asked, params), _story)


async def _story(server: CompanionServer, asked: _Asked) -> object:
    """The story of a line. Raises CompanionError."""
    place = server.place(asked.uri)
    if place is None:
        raise UsageError(f"{asked.uri} is not a file of a repository here.", "Open the repository's folder.")

    def read(companion: Companion, here: OpenDocument) -> object:
        why = why_here(companion, here, asked.line, WAIT_S if asked.wait else HOVER_WAIT_S)
        _, shift = here.versions()
        return {
            "root": convert.uri_of(here.root),
            "file": why.path,
            "symbol": why.symbol,
            "line": asked.line,
            "first": shift.to_edited(why.first_line) or why.first_line,
            "last": shift.to_edited(why.last_line) or why.last_line,
            "asking": why.asking,
            "end": why.end,
            "rows": _rows(why, companion, here, shift),
        }

    return await server.ask(place, read, COMMAND_S)


def _rows(why: Why, companion: Companion, here: OpenDocument, shift: Shift) -> list[Mapping[str, object]]:
    from companion.surfaces.story_rows import of_step, of_why_line

    now = companion.now()

    def of(step: StoryStep, group: str) -> Mapping[str, object]:
        spans = [span for first, last in step.spans for span in _shown(shift, first, last)]
        row = drawn(of_step(step, why.path), here.root, now)
        if (url := next((one.url for one in step.links if one.sort == "commit"), "")) or not step.sha:
            row["opens"] = ("link", url) if url else ("", "")
        day = f"{step.at:%Y-%m-%d}" if step.at else ""
        links = [{"sort": one.sort, "name": one.name, "url": one.url} for one in step.links]
        return {**row, "group": group, "sha": step.sha, "did": step.did, "date": day, "spans": spans, "links": links}

    found = [of(why.written, "line")] if why.written is not None else []
    found += [of(step, "steps") for step in why.others]
    about = (drawn(of_why_line(one), here.root, now) for one in why.lines)
    return [*found, *({**row, "group": "about"} for row in about)]


def _shown(shift: Shift, first: int, last: int) -> list[tuple[int, int]]:
    """Where saved lines stand in the editor; those that were changed there are in no commit."""
    lines = [line for saved in range(first, last + 1) if (line := shift.to_edited(saved)) is not None]
    starts = [line for line in lines if line - 1 not in lines]
    return [(start, next(line for line in lines if line >= start and line + 1 not in lines)) for start in starts]
