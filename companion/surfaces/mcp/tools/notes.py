"""Tools about notes: the status, which the assistant may write too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from companion.records.notes import NotePage
from companion.surfaces.mcp.answers import FULL_MAX_CHARACTERS, Answer, Row, both
from companion.surfaces.mcp.tool import Tool, Working


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusAsk:
    """Set fields of the status."""

    fields: Annotated[Mapping[str, str], "As focus, next, mood; empty takes one out."]


def shown(pages: tuple[NotePage, ...]) -> Answer:
    """Notes as they lie there, whole as far as they go, with the day of the last change."""
    return both("notes", [_row(page) for page in pages])


def _row(page: NotePage) -> Row:
    labels = {
        "name": page.name,
        "sort": page.sort.value,
        "changed": f"{page.changed_at:%Y-%m-%d %H:%M}" if page.changed_at else "",
        "written_by": ", ".join(page.written_by),
        "problem": page.problem,
    }
    return Row("note", labels, page.text, limit=FULL_MAX_CHARACTERS)


def _update_status(working: Working, ask: StatusAsk) -> Answer:
    return both("notes", [_row(working.companion.update_status(ask.fields))], "Written.")


ROWS: tuple[Tool, ...] = (
    Tool(
        "update_status",
        "Write the user's status note, as work goes on.",
        StatusAsk,
        _update_status,
        changes=True,
        takes_back=True,
    ),
)
