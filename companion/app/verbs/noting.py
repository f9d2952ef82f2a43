"""Notes: looked up, set, and shown whole before anything else is said."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from companion.app.checkout import OpenCheckout
from companion.errors import UsageError
from companion.notes import preamble as sheets
from companion.notes import status, writing
from companion.notes.places import (
    NOTEBOOKS_MOST,
    OWN_FOLDER,
    SHARED_FOLDER,
    NoteFolders,
    NoteLocation,
    project_page,
    shared_folder,
)
from companion.notes.reading import NoteText, read, stamp
from companion.records.notes import NotePage, NoteSort, Preamble
from companion.signals import git
from companion.store import projects
from companion.store.texts import clean
from companion.talk.past.instructions import DEFAULT as COMPACTION

AUTHORS_NAMED = 4
"""People named as having written a page: those who wrote most of it."""
NOT_COMMITTED = "somebody who has not committed it"
"""Who wrote lines that no commit has: whoever has access to this work tree."""
AGREED = "yes"
_BEGINNINGS = {NoteSort.STATUS: status.BEGINNING, NoteSort.COMPACTION: COMPACTION}
"""What a page begins with that somebody asks to edit; every other one begins empty."""


class Noting(OpenCheckout):
    """The verbs of notes. See `companion.api.Companion`."""

    def notes(self, name: str = "") -> tuple[NotePage, ...]:
        """The notes that are there, or the one of a name."""
        desk = self._desk()
        if not name:
            return tuple(self._page(place) for place in desk.places())
        place = desk.place(self._fit(name))
        page = self._page(place)
        if page.changed_at is None and not os.path.lexists(place.path):
            raise UsageError(f"There is no note `{place.name}` yet.", f"Begin it: `companion notes edit {place.name}`.")
        return (page,)

    def update_status(self, fields: Mapping[str, str]) -> NotePage:
        """Set fields of the status, each with the present time; every other byte of the file stays."""
        wanted = {self._fit(name): self._fit(value) for name, value in status.checked(fields).items()}
        place = self._desk().place(NoteSort.STATUS.value)
        with self.rooms.writing_notes:
            writing.rewrite(place, lambda before: status.with_fields(before, wanted, self.now()))
        return self._page(place)

    def preamble(self) -> Preamble:
        """What an assistant is told first: the notes, whole, and the same bytes until one of them changes."""
        desk, now = self._desk(), self.now()
        places = desk.places()
        return self.rooms.preambles.of(
            f"{self.checkout}\x1f{self.project}",
            [stamp(place) for place in places],
            now,
            lambda: tuple(self._page(place) for place in places),
            self._written,
        )

    def place_note(self, name: str) -> Path:
        """Where a note lies, for an editor; the file is made if it is not there yet."""
        place = self._desk().place(self._fit(name))
        return writing.make(place, _BEGINNINGS.get(place.sort, ""))

    def use_repository_notes(self, *, on: bool) -> tuple[NotePage, ...]:
        """Agree to notes in this repository's `.companion/notes`, or no more."""
        if not self.checkout or self.work_folder() is None:
            raise UsageError("There is no work tree here.", "Go into a repository.")
        if on and shared_folder(Path(self.state.root)) is None:
            raise UsageError("`.companion/notes` is a link that leads elsewhere.", "Put a folder there.")
        projects.set_value(self.rooms.database, self._agreement, AGREED if on else "")
        return tuple(page for page in self.notes() if page.sort is NoteSort.REPOSITORY)

    @property
    def _agreement(self) -> str:
        """The name under which it is kept that notes of this project's repository may be read and written."""
        return f"repository notes:{self.project}"

    def _desk(self) -> NoteFolders:
        """The folders whose notes are in sight here and today."""
        root = self.work_folder() if self.checkout else None
        agreed = root is not None and projects.get_value(self.rooms.database, self._agreement) == AGREED
        return NoteFolders(
            self.rooms.home / OWN_FOLDER,
            self.rooms.on_the_wall(self.now()).date(),
            project_page(self._name, self.project) if self.checkout else "",
            shared_folder(root) if agreed and root is not None else None,
        )

    def _page(self, place: NoteLocation) -> NotePage:
        """A note as it is shown: read anew, without secrets."""
        found = read(place)
        text = self.rooms.redactor.redact(clean(found.text), str(place.path))
        name, path = clean(place.name), clean(str(place.path))
        page = NotePage(name, place.sort, path, text, found.changed_at, found.size_bytes)
        page = replace(page, cut_bytes=found.cut_bytes, problem=found.problem)
        if place.sort is NoteSort.STATUS:
            return replace(page, fields=status.fields_of(text))
        return replace(page, written_by=self._authors(place, found)) if place.sort is NoteSort.REPOSITORY else page

    def _authors(self, place: NoteLocation, found: NoteText) -> tuple[str, ...]:
        """Who wrote the lines of a page in the repository, most first, as git and the history tell."""
        lines = found.content.count(b"\n") + (not found.content.endswith(b"\n"))
        if not found.content:
            return ()
        path = (SHARED_FOLDER / place.path.name).as_posix()
        wrote: Counter[str] = Counter()
        for one in git.blame(self.state, path, found.content):
            wrote[self._author(one.sha) if one.sha else NOT_COMMITTED] += one.last - one.first + 1
        if left := lines - wrote.total():
            wrote[NOT_COMMITTED] += left
        return tuple(name for name, _ in wrote.most_common(AUTHORS_NAMED))

    def _author(self, sha: str) -> str:
        commit = self.rooms.history.commit(self.project, sha)
        return self._fit(commit.author.name) if commit is not None else f"the author of {sha[:12]}"

    def _written(self, pages: tuple[NotePage, ...]) -> Preamble:
        now, budget = self.now(), self.rooms.settings.preamble_tokens
        here = sheets.Here(now, self.rooms.on_the_wall(now), clean(str(self.rooms.home / OWN_FOLDER)))
        sheet = sheets.write(pages, here, budget, self.rooms.counter)
        left_out = sheet.left_out
        if sum(page.sort is NoteSort.NOTEBOOK for page in pages) >= NOTEBOOKS_MOST:
            left_out = (*left_out, f"notebooks after the first {NOTEBOOKS_MOST}")
        digest = hashlib.sha256(sheet.text.encode("utf-8", "replace")).hexdigest()[:16]
        return Preamble(sheet.text, sheet.tokens, budget, now, digest, tuple(page.name for page in pages), left_out)
