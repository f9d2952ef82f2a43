"""Which notes there are: each has a name that people type and a file in `notes/` of the data folder.

They are `status.md`, `identity.md`, `journal.md`, `compaction.md`, `days/2026-01-31.md`, `projects/NAME-ID.md`; any
other Markdown file is a notebook.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from msgspec import Struct

from companion.errors import UsageError
from companion.records.notes import NoteSort

OWN_FOLDER = "notes"
"""In the data folder."""
SUFFIX = ".md"
NOTEBOOKS_MOST = 40
"""Notebooks that are looked at: more than a desk holds, by name."""
NAME_MAX = 80
"""Characters of a name: every system keeps a file name of so many."""
ID_SHOWN = 8
"""Signs of a project's id that tell two projects of one name apart."""

_FIXED = (NoteSort.STATUS, NoteSort.IDENTITY, NoteSort.JOURNAL, NoteSort.COMPACTION)
"""Sorts of which there is one page, called like the sort."""
_ORDER = {sort: place for place, sort in enumerate(NoteSort)}
_NAME = re.compile(r"\w[\w .+-]*")
_UNFIT = re.compile(r"[^\w.+-]+")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.I)
"""Names that Windows keeps for devices: a folder of notes may be taken there."""


class NoteLocation(Struct, frozen=True):
    """Where a note lies; nothing outside of `within` is read or written through it."""

    name: str
    sort: NoteSort
    path: Path
    within: Path


class NoteFolders(Struct, frozen=True):
    """The folder whose notes are in sight, and one project's page in it."""

    own: Path
    today: date
    project: str = ""
    """The file name, without its suffix, of this project's notebook; empty outside of any."""

    def places(self) -> tuple[NoteLocation, ...]:
        """The notes that are there, in the order in which they are shown."""
        known = [place for place in self._known() if _is_there(place.path)]
        taken = {place.path for place in known}
        books = [
            NoteLocation(path.stem, NoteSort.NOTEBOOK, path, self.own)
            for path in _markdown_in(self.own)
            if path not in taken
        ]
        return tuple(sorted((*known, *books), key=lambda place: (_ORDER[place.sort], place.name)))

    def place(self, name: str) -> NoteLocation:
        """Where the note of a name lies, or would lie. Raises UsageError for a name that no note can have."""
        known = {place.name: place for place in self._known()}
        known |= {"today": self._day(self.today), "yesterday": self._day(self.today - timedelta(days=1))}
        plain = name.strip().removesuffix(SUFFIX)
        if plain in known:
            return known[plain]
        if plain == NoteSort.PROJECT.value:
            raise UsageError("There is no project here.", "Go into a repository, or name another note.")
        if day := _as_day(plain):
            return self._day(day)
        if not _NAME.fullmatch(plain) or len(plain) > NAME_MAX or _RESERVED.fullmatch(plain):
            raise UsageError(
                f"No note can be called {name[:NAME_MAX]!r}.", "Use letters, digits, blanks, dots and hyphens."
            )
        return NoteLocation(plain, NoteSort.NOTEBOOK, self.own / f"{plain}{SUFFIX}", self.own)

    def _known(self) -> Iterator[NoteLocation]:
        for sort in _FIXED:
            yield NoteLocation(sort.value, sort, self.own / f"{sort.value}{SUFFIX}", self.own)
        for days in (1, 0):
            yield self._day(self.today - timedelta(days=days))
        if self.project:
            path = self.own / "projects" / f"{self.project}{SUFFIX}"
            yield NoteLocation(NoteSort.PROJECT.value, NoteSort.PROJECT, path, self.own)

    def _day(self, day: date) -> NoteLocation:
        return NoteLocation(day.isoformat(), NoteSort.DAY, self.own / "days" / f"{day.isoformat()}{SUFFIX}", self.own)


def project_page(name: str, id_: str) -> str:
    """The file name, without its suffix, of a project's notebook."""
    return f"{_UNFIT.sub('-', name).strip('-.')[: NAME_MAX - ID_SHOWN - 1] or 'project'}-{id_[-ID_SHOWN:]}"


def _markdown_in(folder: Path) -> list[Path]:
    """The Markdown files of a folder by name, the first `NOTEBOOKS_MOST`; none where it cannot be read."""
    try:
        found = sorted(path for path in folder.iterdir() if path.suffix == SUFFIX and not path.name.startswith("."))
    except OSError:
        return []
    return found[:NOTEBOOKS_MOST]


def _is_there(path: Path) -> bool:
    """Whether anything lies there, be it no file: what cannot be read is told, not passed over."""
    try:
        path.lstat()
    except OSError:
        return False
    return True


def _as_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if len(text) == len("2026-01-31") else None
    except ValueError:
        return None
