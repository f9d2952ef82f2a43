"""Files by the work on them, and one file: what made it, what changes with it, who works on it, what is known of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.api import Companion
from companion.surfaces import rows
from companion.surfaces.page.room import PageRequest, PageView, Room, need_reading

ROOT = "."
LISTED = 200
"""Files of one list; folders narrow it."""
FIRST_TOLD = 12
"""Commits that are seen at first; the others open below them."""


def show(companion: Companion, ask: PageRequest) -> PageView:
    """The page of a `path`; without one all files, or those of a `folder`."""
    path = ask.text("path")
    if not path:
        return PageView("files/room.html", _listed(companion, ask.text("folder").strip("/")))
    told = companion.file_past(path)
    values = {
        "told": told,
        "above": above(told.path),
        "first": FIRST_TOLD,
        "called": short_names([told.path, *(one.b for one in told.neighbours)]),
        "memories": [rows.of_memory(one) for one in told.memories],
    }
    return PageView("files/one.html", values)


def _listed(companion: Companion, folder: str) -> dict[str, object]:
    """The files of a folder, and the folders in it."""
    found = [one for one in companion.overview().files if lies_in(one.path, folder)]
    if not found:
        need_reading(companion)
    inside = f"{folder}/" if folder else ""
    inner = {inside + rest.partition("/")[0] for one in found if "/" in (rest := one.path.removeprefix(inside))}
    return {"folder_path": folder, "found": found, "inner": sorted(inner), "most": LISTED}


def lies_in(path: str, folder: str) -> bool:
    """Whether a file is in a folder or one of those inside it; `.` holds the files that lie in no folder."""
    return "/" not in path if folder == ROOT else not folder or path.startswith(f"{folder}/")


def short_names(paths: Iterable[str]) -> dict[str, str]:
    """What each of some files is called among them: its name, with its folder where others have that name too."""
    listed = tuple(dict.fromkeys(paths))
    names = Counter(path.rpartition("/")[2] for path in listed)
    return {
        path: name if names[name := path.rpartition("/")[2]] == 1 else "/".join(path.split("/")[-2:]) for path in listed
    }


def above(path: str) -> tuple[tuple[str, str], ...]:
    """The folders that a path lies in, the outermost first: name and path of each."""
    parts = path.split("/")[:-1]
    return tuple((name, "/".join(parts[: place + 1])) for place, name in enumerate(parts))


ROOM = Room("files", "Files", "What made each file, and what changes with it", show, listed=False)
