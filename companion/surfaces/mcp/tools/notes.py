"""Tools about notes: the status, which the assistant may write too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from companion.records.notes import NotePage
from companion.surfaces.mcp.answers import FULL_MAX_CHARACTERS, Answer, Row, both
from companion.surfaces.mcp.tool import Working, tool


def shown(pages: tuple[NotePage, ...]) -> Answer:
    """Notes as they lie there, whole as far as they go, with the day of the last change."""
    return both("notes", [_row(page) for page in pages])


def _row(page: NotePage) -> Row:
    labels = {
        "name": page.name,
        "sort": page.sort.value,
        "changed": f"{page.changed_at:%Y-%m-%d %H:%M}" if page.changed_at else "",
        "problem": page.problem,
    }
    return Row("note", labels, page.text, limit=FULL_MAX_CHARACTERS)


@tool("notes edit status", changes=True, takes_back=True)
def update_status(
    working: Working, fields: Annotated[Mapping[str, str], "As focus, next, mood; empty takes one out."]
) -> Answer:
    """Write the user's status note, as work goes on."""
    return both("notes", [_row(working.companion.update_status(fields))], "Written.")


ROWS = (update_status,)
