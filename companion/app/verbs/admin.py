"""Admin: notes, what the store holds, whether it is sound, and copies of it."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from companion.api import WEEKS_TOLD, Finding, Stats
from companion.app.checkout import OpenCheckout
from companion.app.preambles import Preambles
from companion.engine.predicting.accuracy import points
from companion.errors import UsageError
from companion.notes import atomic, status
from companion.notes import preamble as sheets
from companion.notes.locations import (
    NOTEBOOKS_MOST,
    OWN_FOLDER,
    SHARED_FOLDER,
    NoteFolders,
    NoteLocation,
    project_page,
    shared_folder,
)
from companion.notes.note_text import NoteText, read, stamp
from companion.ports import Progress
from companion.records.looking import Accuracy
from companion.records.notes import NotePage, NoteSort, Preamble
from companion.signals import git
from companion.store import parameters, projects
from companion.store.history import accuracy
from companion.store.memories import contradictions, usage
from companion.store.texts import clean
from companion.talk.past.instructions import DEFAULT as COMPACTION

AUTHORS_NAMED = 4
"""People named as having written a page: those who wrote most of it."""
NOT_COMMITTED = "somebody who has not committed it"
"""Who wrote lines that no commit has: whoever has access to this work tree."""
AGREED = "yes"
WEEKS_MOST = 520
"""Ten years of weeks."""
_BEGINNINGS = {NoteSort.STATUS: status.BEGINNING, NoteSort.COMPACTION: COMPACTION}
"""What a page begins with that somebody asks to edit; every other one begins empty."""


class AdminService(OpenCheckout):
    """The verbs of notes and upkeep. See `companion.api.Companion`."""

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
        with self.rooms.one(Preambles).writing:
            atomic.rewrite(place, lambda before: status.with_fields(before, wanted, self.now()))
        return self._page(place)

    def preamble(self) -> Preamble:
        """What an assistant is told first: the notes, whole, and the same bytes until one of them changes."""
        desk, now = self._desk(), self.now()
        places = desk.places()
        return self.rooms.one(Preambles).of(
            f"{self.checkout}\x1f{self.project}",
            [stamp(place) for place in places],
            now,
            lambda: tuple(self._page(place) for place in places),
            self._written,
        )

    def place_note(self, name: str) -> Path:
        """Where a note lies, for an editor; the file is made if it is not there yet."""
        place = self._desk().place(self._fit(name))
        return atomic.make(place, _BEGINNINGS.get(place.sort, ""))

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

    def stats(self) -> Stats:
        """What the store holds of this project, in counts and bytes."""
        self._tell_if_unread()
        counts = self.rooms.memories.counts(self.project)
        library = self.library()
        languages = Counter(forms.language for forms in library.paths().values() if forms.language)
        used = usage.totals(self.rooms.database, self.project)
        return Stats(
            project=projects.project_name(self.rooms.database, self.project),
            remote=self.state.remote,
            root=self.state.root,
            commits=self.rooms.history.seq_count(self.project),
            files=len(library.paths()),
            symbols=self.rooms.code.symbol_count(self.checkout),
            languages=tuple(sorted(languages.items(), key=lambda item: (-item[1], item[0]))),
            memories=self._learned(),
            archived=sum(n for (_, _, status), n in counts.items() if status == "archived"),
            open_contradictions=len(contradictions.open_ones(self.rooms.database, self.project)),
            readiness=library.readiness(),
            store_bytes=self.rooms.database.path.stat().st_size,
            store_path=str(self.rooms.database.path),
            retrieved=used.retrieved,
            cited=used.cited,
            ignored=used.ignored,
        )

    def accuracy(self, weeks: int = WEEKS_TOLD) -> Accuracy:
        """How well prediction did on this project."""
        if not 1 <= weeks <= WEEKS_MOST:
            raise UsageError(f"{weeks} weeks make no sense.", f"Give 1 to {WEEKS_MOST}.")
        from companion.app.scanning.scan import RANKER

        database, project = self.rooms.database, self.project
        told = accuracy.replayed(database, project)
        since = (self.now() - timedelta(weeks=weeks)).replace(hour=0, minute=0, second=0, microsecond=0)
        overall = points(told, len(told))
        return Accuracy(
            project=projects.project_name(database, project),
            weeks=accuracy.weeks(database, project, since, self.now(), self.session().uncounted()),
            replayed=points(told),
            overall=overall[0] if overall else None,
            learned_at=parameters.learned_at(database, project, RANKER),
            own_weights=any("." not in name for name in parameters.load(database, project, RANKER)),
        )

    def export(self, folder: Path, *, everything: bool = False) -> tuple[Path, ...]:
        """Write what is remembered of this project, or everything the store keeps, as JSON Lines and Markdown."""
        from companion.store.everything import export

        return tuple(export(self.rooms.database, folder, "" if everything else self.project))

    def import_file(self, path: Path) -> int:
        """Read an export back, a folder or its lines; returns the number of memories that were new."""
        from companion.store.everything import import_lines, lines_in

        rooms, lines = self.rooms, lines_in(path)
        came = import_lines(rooms.database, self.project, lines, counter=rooms.counter, redactor=rooms.redactor)
        rooms.__dict__.pop("user", None)  # an empty store takes over the user of the export
        new = {**came.rows, "notes": came.notes}
        if told := ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in sorted(new.items()) if count):
            self._notices.append(f"Also new: {told}.")
        return came.memories

    def backup(self, target: Path | None) -> Path:
        """A consistent copy of the whole store."""
        from companion.store.backup import backup

        return backup(self.rooms.database, target)

    def doctor(self) -> tuple[Finding, ...]:
        """Check the store, the indexes, the models and the repository."""
        from companion.app import checks

        with self.rooms.database.sparing(checks.MEMORY, checks.THREADS):
            return checks.examine_open(self.rooms, self.state, self.project, self.checkout)

    def rebuild(self, progress: Progress) -> tuple[Finding, ...]:
        """Make every derived index anew from what is canonical."""
        from companion.app import checks
        from companion.app.scanning.passages import PassageStage

        return checks.rebuild(self._stage(PassageStage, progress), self._tree())
