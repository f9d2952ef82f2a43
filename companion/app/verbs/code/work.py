"""Code: why a place is as it is, what is known of a file; what happens in editors and shells."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace

from companion.api import FACTS_TOLD, NOT_USEFUL, AtWork
from companion.app.given import scope_inside
from companion.app.scanning.arriving import branch_event
from companion.app.scanning.origins import OriginsOfLines
from companion.app.verbs.service import Service
from companion.app.working.completing import complete
from companion.engine.attending.focus import focus
from companion.engine.telling.departures import Disputed, hints
from companion.engine.telling.dossier import FileDossier
from companion.engine.telling.why import Origins, marks, why
from companion.errors import SourceError, UsageError
from companion.records import (
    Blamed,
    CodeLens,
    Declaration,
    Diagnosed,
    Event,
    Happening,
    Hint,
    Memory,
    Observation,
    Ran,
    Severity,
    Signals,
    Touch,
    Touched,
    Why,
)
from companion.records.command_line import steps_of
from companion.signals import git
from companion.signals.files import blob_id, decoded
from companion.store import declared
from companion.store.code import about_file

ABOUT_A_FILE = 200
"""Memories read of one file: a hover shows nine, a code lens counts; more is a file of a thousand commits."""
WHY_WAIT_S = 0.4
"""Seconds that an answer about a line waits for git: nine files of ten are blamed in less, and a hover may take 1."""
MARKS_WAIT_S = 0.2
"""The same for lenses, which come as the file is drawn."""
DISPUTED = 10_000
"""Lines read of open contradictions: more than anybody settles."""
DOSSIERS_KEPT = 64
"""Files whose dossier is kept until something changes: those open in a few editors, some 200 kB each."""
READ_AT_ONCE = 16
"""Dossiers read at the same time at most: as many as there are threads that answer."""
INTERESTS_SHOWN = 20
"""Files and symbols named as being at the centre: more than anybody has in mind."""
EXIT_CODE_MAX = 2**31 - 1
"""The largest exit code that is kept as it is."""
LONGEST_SYMBOL = 400
"""Characters of a qualified name that are kept; a longer one is not a name."""


class CodeAtWork(Service):
    """The verbs of code and of work on it. See `companion.api.Companion`."""

    def why(self, path: str, line: int) -> Why:
        self.here.need_reading()
        known = self._dossier(self.here.inside(path))
        return why(known, line, self._origins(known, WHY_WAIT_S) if line else ())

    def marks(self, path: str) -> tuple[CodeLens, ...]:
        self.here.need_reading()
        known = self._dossier(self.here.inside(path))
        return marks(known, self._origins(known, MARKS_WAIT_S))

    def hints(self, path: str) -> tuple[Hint, ...]:
        """Open contradictions and departures from conventions in a file, by line.

        Nothing is said of a file that has changed since it was indexed: what its lines are now is not
        known until it was read again.
        """
        self.here.need_reading()
        place = self.here.inside(path)
        known = self._dossier(place)
        lines = self._lines_as_indexed(place)
        if not lines:
            return ()
        departing = [memory.id for memory in known.memories if known.departures(memory)]
        dismissed = about_file.passed_over(self.rooms.database, departing, NOT_USEFUL)
        return hints(known, self._disputes().get(place, ()), lines, dismissed)

    def _disputes(self) -> Mapping[str, Sequence[Disputed]]:
        """Where open contradictions were read from, by path; read again after one was opened or settled."""
        database, readings, branch = self.rooms.database, self.rooms.readings, self.here.state.branch
        opened = readings.kept(
            ("open", self.here.project), database.revision, lambda: about_file.open_digest(database, self.here.project)
        )

        def read() -> Mapping[str, Sequence[Disputed]]:
            by_path: dict[str, list[Disputed]] = {}
            rows = about_file.disputed(
                database, self.here.project, branch=branch, checkout=self.here.checkout, limit=DISPUTED
            )
            for path, id_, line, reason in rows:
                by_path.setdefault(path, []).append(Disputed(id_, line, reason))
            return by_path

        return readings.kept(("disputed", self.here.checkout, branch), (opened, self._memories_version()), read)

    def _memories_version(self) -> Hashable:
        """Changes whenever a memory of the project does."""
        return self.rooms.text_index.version(self.here.project) or self.rooms.database.revision

    def _dossier(self, path: str) -> FileDossier:
        """The dossier of a file, kept until a memory, the history or the indexed code changes."""
        readings = self.rooms.readings
        version: Hashable = (
            self._memories_version(),
            readings.code_revision(self.here.checkout),
            readings.snapshots.of(self.here.project).newest,
        )
        kept = readings.kept(("dossiers", self.here.checkout, self.here.state.branch), version, _Dossiers)
        with kept.turn(path):
            known = kept.get(path) or self._read_dossier(path)
            kept.put(path, known)
        return known

    def _origins(self, known: FileDossier, wait_s: float) -> Origins | None:
        """Which commits wrote the lines of a file as it lies on disk; None if git has not said so in time."""
        state, path, fit = self.here.state, known.path, self.here.fit
        try:
            content = self.here.source().read(path)
        except SourceError:
            return ()

        def find() -> tuple[Blamed, ...]:
            return tuple(replace(one, subject=fit(one.subject)) for one in git.blame(state, path, content))

        return self.rooms.one(OriginsOfLines).of((self.here.checkout, path, blob_id(content), state.head), find, wait_s)

    def _read_dossier(self, path: str) -> FileDossier:
        library = self.here.library()
        forms = library.paths().get(path)
        symbols = forms.symbols if forms else ()
        known = FileDossier(path, forms.lines if forms else 0, symbols, called=library.called(path))
        named = library.about([f"file:{path}"], ABOUT_A_FILE)
        dotted = [f"symbol:{symbol.qualname}" for symbol in symbols if "." in symbol.qualname]
        defined = library.about(dotted, ABOUT_A_FILE)
        pointing = [memory for memory in library.at(path, ABOUT_A_FILE) if known.points_here(memory)]
        touched = about_file.touched_by(self.rooms.database, self.here.project, path, self.here.state.branch)
        memories: dict[str, Memory] = {m.id: m for m in (*named, *defined, *pointing)}
        return replace(known, memories=tuple(memories.values()), touched=touched)

    def _lines_as_indexed(self, path: str) -> list[str]:
        """The lines of a file if it still is what was indexed, only to measure them; else none."""
        forms = self.here.library().paths().get(path)
        try:
            content = self.here.source().read(path)
        except SourceError:
            return []
        if forms is None or blob_id(content) != forms.content_hash:
            return []
        return decoded(content).replace("\r\n", "\n").split("\n")

    def facts(self, words: str = "") -> tuple[Declaration, ...]:
        rows = declared.read(self.rooms.database, self.here.checkout)
        return declared.saying(rows, self.here.fit(words))[:FACTS_TOLD]

    def observe(self, seen: Sequence[Observation]) -> None:
        """Take note of what happened in an editor or shell; written down before it is acted on.

        What lies outside the repository, or is nowhere, is left out: editors open all sorts of files.
        """
        self.here.need_reading()
        seen = [_storable(one) if isinstance(one, Ran) else one for one in seen]
        self.here.session().note(tuple(self._events(seen)))
        for one in seen:
            if isinstance(one, Ran):
                from companion.app.working.commands import note_ran

                note_ran(self.here, one)
            elif isinstance(one, Diagnosed):
                from companion.app.working.failures import note_diagnosed

                note_diagnosed(self.here, one)
        self.here.session().judge(self.here.now())

    def at_work(self) -> AtWork:
        self.here.need_reading()
        session = self.here.session()
        at_hand, done = session.at_hand(), complete(self.here, Signals())
        meant = focus(done.signals, (*self.here.errors(done.signals), *done.errors))
        counts = session.prefetched.counts()
        return AtWork(
            activity=meant.activity.value,
            why_activity=done.inferred.get("activity", meant.why_activity),
            branch=self.here.state.branch,
            current_file=done.signals.current_file,
            interests=at_hand.centre.interests(INTERESTS_SHOWN),
            events=len(at_hand.events),
            prefetched=counts.prepared,
            prefetch_served=counts.served,
        )

    def _events(self, seen: Sequence[Observation]) -> Iterator[Event]:
        now = self.here.now()
        yield from branch_event(self.here)
        for one in seen:
            if isinstance(one, Ran):
                if steps_of(one.command):  # looking around tells nothing of what is being done
                    yield Event(0, now, Happening.RAN, exit_code=one.exit_code)
            elif path := self._path_of(one):
                if isinstance(one, Touched):
                    yield Event(
                        0,
                        now,
                        Happening(one.how.value),
                        path,
                        self.here.fit(one.symbol)[:LONGEST_SYMBOL],
                        one.line,
                        unindexed=path not in self.here.library().paths(),
                    )
                else:
                    errors = sum(found.severity is Severity.ERROR for found in one.diagnostics)
                    others = len(one.diagnostics) - errors
                    yield Event(0, now, Happening.DIAGNOSED, path, errors=errors, warnings=others)

    def _path_of(self, one: Touched | Diagnosed) -> str:
        """The file as the repository knows it; empty if it is none of this repository's."""
        if one.path in self.here.library().paths():
            return one.path
        gone = isinstance(one, Diagnosed) or one.how is Touch.CLOSED
        try:
            path = self.here.fit(scope_inside(one.path, self.here.state)) if gone else self.here.inside(one.path)
        except UsageError:
            return ""
        return "" if path == ".git" or path.startswith(".git/") else path


class _Dossiers:
    """The dossiers read last. An editor asks three things of a file it opens, at once: the first reads it for all."""

    def __init__(self) -> None:
        self._by_path: OrderedDict[str, FileDossier] = OrderedDict()
        self._lock = threading.Lock()
        self._turns = tuple(threading.Lock() for _ in range(READ_AT_ONCE))

    def turn(self, path: str) -> threading.Lock:
        """Held while the dossier of a file is looked for and read."""
        return self._turns[hash(path) % len(self._turns)]

    def get(self, path: str) -> FileDossier | None:
        """The dossier of a file, if it is kept."""
        with self._lock:
            return self._by_path.get(path)

    def put(self, path: str, known: FileDossier) -> None:
        """Keep a dossier, and let go of the one that was put for longest."""
        with self._lock:
            self._by_path[path] = known
            self._by_path.move_to_end(path)
            while len(self._by_path) > DOSSIERS_KEPT:
                self._by_path.popitem(last=False)


def _storable(ran: Ran) -> Ran:
    """A command with an exit code that 32 bits hold: Windows has larger ones, and a failure must stay one."""
    return replace(ran, exit_code=max(-EXIT_CODE_MAX - 1, min(ran.exit_code, EXIT_CODE_MAX)))
