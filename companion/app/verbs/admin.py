"""Admin: notes, what the store holds, whether it is sound, and copies of it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

from msgspec.structs import replace

from companion.api import WEEKS_TOLD, Finding, Stats
from companion.app.checkout import Service
from companion.app.preambles import Preambles
from companion.engine.predicting.accuracy import points
from companion.errors import UsageError
from companion.notes import atomic, status
from companion.notes import preamble as sheets
from companion.notes.locations import NOTEBOOKS_MOST, OWN_FOLDER, NoteFolders, NoteLocation, project_page
from companion.notes.note_text import read_note, stamp
from companion.ports import Progress
from companion.records.looking import Accuracy
from companion.records.notes import NotePage, NoteSort, Preamble
from companion.store import parameters, projects
from companion.store.history import accuracy
from companion.store.memories import contradictions, usage
from companion.store.texts import clean
from companion.talk.past.instructions import DEFAULT as COMPACTION

WEEKS_MOST = 520
"""Ten years of weeks."""
_BEGINNINGS = {NoteSort.STATUS: status.BEGINNING, NoteSort.COMPACTION: COMPACTION}
"""What a page begins with that somebody asks to edit; every other one begins empty."""


class AdminService(Service):
    """The verbs of notes and upkeep. See `companion.api.Companion`."""

    def notes(self, name: str = "") -> tuple[NotePage, ...]:
        desk = self._desk()
        if not name:
            return tuple(self._page(place) for place in desk.places())
        place = desk.place(self.here.fit(name))
        page = self._page(place)
        if page.changed_at is None and not os.path.lexists(place.path):
            raise UsageError(
                f"There is no note `{place.name}` yet.", f"Create it: `companion notes edit {place.name}`."
            )
        return (page,)

    def update_status(self, fields: Mapping[str, str]) -> NotePage:
        wanted = {self.here.fit(name): self.here.fit(value) for name, value in status.checked(fields).items()}
        place = self._desk().place(NoteSort.STATUS.value)
        with self.runtime.one(Preambles).writing:
            atomic.rewrite(place, lambda before: status.with_fields(before, wanted, self.here.now()))
        return self._page(place)

    def preamble(self) -> Preamble:
        desk, now = self._desk(), self.here.now()
        places = desk.places()
        return self.runtime.one(Preambles).of(
            f"{self.here.checkout}\x1f{self.here.project}",
            [stamp(place) for place in places],
            now,
            lambda: tuple(self._page(place) for place in places),
            self._written,
        )

    def place_note(self, name: str) -> Path:
        place = self._desk().place(self.here.fit(name))
        return atomic.make(place, _BEGINNINGS.get(place.sort, ""))

    def _desk(self) -> NoteFolders:
        """The folder whose notes are in sight here and today."""
        return NoteFolders(
            self.store.home / OWN_FOLDER,
            self.runtime.adapters.on_the_wall(self.here.now()).date(),
            project_page(self.here.name, self.here.project) if self.here.checkout else "",
        )

    def _page(self, place: NoteLocation) -> NotePage:
        """A note as it is shown: read anew, without secrets."""
        found = read_note(place)
        text = self.runtime.adapters.redactor.redact(clean(found.text))
        page = replace(found, name=clean(found.name), path=clean(found.path), text=text)
        return replace(page, fields=status.fields_of(text)) if place.sort is NoteSort.STATUS else page

    def _written(self, pages: tuple[NotePage, ...]) -> Preamble:
        now, budget = self.here.now(), self.runtime.settings.preamble_tokens
        here = sheets.Here(now, self.runtime.adapters.on_the_wall(now), clean(str(self.store.home / OWN_FOLDER)))
        written = sheets.write(pages, here, budget, self.runtime.adapters.counter)
        if sum(page.sort is NoteSort.NOTEBOOK for page in pages) < NOTEBOOKS_MOST:
            return written
        return replace(written, left_out=(*written.left_out, f"notebooks after the first {NOTEBOOKS_MOST}"))

    def stats(self) -> Stats:
        self.here.tell_if_unread()
        counts = self.store.memories.counts(self.here.project)
        library = self.here.library()
        languages = Counter(forms.language for forms in library.paths().values() if forms.language)
        used = usage.totals(self.store.database, self.here.project)
        return Stats(
            project=projects.project_name(self.store.database, self.here.project),
            remote=self.here.state.remote,
            root=self.here.state.root,
            commits=self.store.history.seq_count(self.here.project),
            files=len(library.paths()),
            symbols=self.store.code.symbol_count(self.here.checkout),
            languages=tuple(sorted(languages.items(), key=lambda item: (-item[1], item[0]))),
            memories=self.here.learned(),
            archived=sum(n for (_, _, status), n in counts.items() if status == "archived"),
            open_contradictions=len(contradictions.open_ones(self.store.database, self.here.project)),
            readiness=library.readiness(),
            store_bytes=self.store.database.path.stat().st_size,
            store_path=str(self.store.database.path),
            retrieved=used.retrieved,
            cited=used.cited,
            ignored=used.ignored,
        )

    def accuracy(self, weeks: int = WEEKS_TOLD) -> Accuracy:
        if not 1 <= weeks <= WEEKS_MOST:
            raise UsageError(f"{weeks} weeks make no sense.", f"Give 1 to {WEEKS_MOST}.")
        from companion.app.scanning.ranking import RANKER

        database, project = self.store.database, self.here.project
        told = accuracy.replayed(database, project)
        since = (self.here.now() - timedelta(weeks=weeks)).replace(hour=0, minute=0, second=0, microsecond=0)
        overall = points(told, len(told))
        return Accuracy(
            project=projects.project_name(database, project),
            weeks=accuracy.weeks(database, project, since),
            replayed=points(told),
            overall=overall[0] if overall else None,
            learned_at=parameters.learned_at(database, project, RANKER),
            own_weights=any("." not in name for name in parameters.load(database, project, RANKER)),
        )

    def export(self, folder: Path, *, everything: bool = False) -> tuple[Path, ...]:
        from companion.store.everything import export

        return tuple(export(self.store.database, folder, "" if everything else self.here.project))

    def import_file(self, path: Path) -> int:
        from companion.store.everything import import_lines, lines_in

        runtime, lines = self.runtime, lines_in(path)
        came = import_lines(
            runtime.store.database,
            self.here.project,
            lines,
            counter=runtime.adapters.counter,
            redactor=runtime.adapters.redactor,
        )
        vars(runtime.store).pop("user", None)  # an empty store takes over the user of the export
        new = {**came.rows, "notes": came.notes}
        if told := ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in sorted(new.items()) if count):
            self.here.say(f"Also new: {told}.")
        return came.memories

    def backup(self, target: Path | None) -> Path:
        from companion.store.backup import backup

        return backup(self.store.database, target)

    def doctor(self) -> tuple[Finding, ...]:
        from companion.app import checks

        with self.store.database.sparing(checks.MEMORY, checks.THREADS):
            return checks.examine_open(self.runtime, self.here.state, self.here.project, self.here.checkout)

    def rebuild(self, progress: Progress) -> tuple[Finding, ...]:
        from companion.app import checks
        from companion.app.scanning.passages import PassageStage
        from companion.app.scanning.stage import stage_of

        return checks.rebuild(stage_of(self.here, PassageStage, progress), self.here.source())
