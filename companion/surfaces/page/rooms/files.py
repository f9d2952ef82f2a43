"""Files by the work on them, and one file: what made it, what changes with it, who works on it, what is known of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.api import Companion
from companion.records.looking import PastCommit
from companion.surfaces import rows
from companion.surfaces.page.room import PageRequest, PageView, Room

FIRST_TOLD = 12
"""Commits that are seen at first; the others open below them."""


def show(companion: Companion, ask: PageRequest) -> PageView:
    """The page of a `path`; without one all files, or those of a `folder`."""
    path = ask.text("path")
    if not path:
        folder = ask.text("folder").strip("/")
        found = companion.overview().files
        return PageView(
            "files/room.html",
            {"folder_path": folder, "found": [one for one in found if not folder or one.path.startswith(f"{folder}/")]},
        )
    told = companion.file_past(path)
    values = {
        "told": told,
        "above": above(told.path),
        "first": FIRST_TOLD,
        "years": by_year(told.commits),
        "memories": [rows.of_memory(one) for one in told.memories],
    }
    return PageView("files/one.html", values)


def above(path: str) -> tuple[tuple[str, str], ...]:
    """The folders that a path lies in, the outermost first: name and path of each."""
    parts = path.split("/")[:-1]
    return tuple((name, "/".join(parts[: place + 1])) for place, name in enumerate(parts))


def by_year(commits: Sequence[PastCommit]) -> tuple[tuple[int, int], ...]:
    """How many commits there were in each year from the first to the last of them."""
    counted = Counter(one.at.year for one in commits)
    return tuple((year, counted[year]) for year in range(min(counted), max(counted) + 1)) if counted else ()


ROOM = Room("files", "Files", "What made each file, and what changes with it", show, listed=False)
