"""The one thread that does what takes long to write: a job at a time, the most urgent first."""

from __future__ import annotations

import threading
import time

from companion.api import News
from companion.app.contexts import prefetch
from companion.app.local import LocalCompanion
from companion.app.scanning.vectors import Slices
from companion.app.scanning.warming import warming
from companion.app.verbs.code.scans import settle_down, waits
from companion.config import WatchBy
from companion.daemon.checkouts import Live, lost
from companion.daemon.inbox import (
    Call,
    Job,
    Prefetch,
    Refresh,
    Rest,
    Settle,
    Unload,
    Urgency,
    UseJob,
    VectorsJob,
    WarmJob,
)
from companion.daemon.memory_use import give_back, tidy
from companion.daemon.model import Model
from companion.daemon.workplace import Workplace
from companion.errors import CompanionError, ModelMissing
from companion.store.backup import backup, copy_is_due

OPENING_S = 0.015
"""An editor that opens a file asks for its lenses and hints right behind that: they go before the context."""
OPENED_S = 0.05
"""How long a context for an opened file waits for those answers at most; it is to be ready within 0.15 s."""
WARMED_S = 0.02
"""How long the next step of warming waits for answers: it takes a tenth of a second, and the first change needs it."""
COPY_AGAIN_S = 3600.0
"""How long after a copy of the store failed, for a full disk say, it is tried again, if there is work then."""
FAULT = "the last refresh failed: run `companion logs` for the place in the program"


class Writer:
    """Takes jobs from a daemon's inbox until it is closed and done."""

    def __init__(self, daemon: Workplace, watch: WatchBy) -> None:
        self._daemon = daemon
        self._watches_by = watch
        self._slices = Slices(daemon.runtime)
        self._warming = warming(daemon.runtime)
        self._model = Model(daemon)
        self._thread = threading.Thread(target=self._work, name="companion-writer")
        self._copying = threading.Thread(target=self._copy, name="companion-copy")
        self._copy_again_at = 0.0

    def start(self) -> None:
        """Start the thread that works."""
        self._thread.start()

    def join(self) -> None:
        """Wait for the end; the inbox must be closed."""
        if self._thread.is_alive():
            self._thread.join()
        if self._copying.is_alive():
            self._copying.join()
        self._model.join()

    def watching(self, live: Live) -> tuple[str, int, tuple[str, ...]]:
        """How a checkout is watched, in a word with its reason; how many folders; what is to be known of it."""
        if live.watch is None:
            return ("off" if live.read else "off: not read yet"), 0, ()
        state = live.watch.state
        return state.how, state.folders, tuple(state.notes)

    def _work(self) -> None:
        while (job := self._daemon.inbox.take()) is not None:
            with self._daemon.working():
                start = time.monotonic()
                verb, facts = _told(job)
                try:
                    self._do(job)
                except Exception as wrong:  # the next job must be done whatever became of this one
                    self._daemon.log.failed(verb, wrong, **facts)
                else:
                    self._daemon.log.said(verb, **facts, s=time.monotonic() - start)
            if not isinstance(job, Rest | Unload):
                self._daemon.inbox.stirred()

    def _do(self, job: Job) -> None:
        match job:
            case Call(run=run):
                run()
            case Refresh(root, paths):
                self._refresh(root, paths)
            case UseJob(notes):
                for note in notes:
                    note()
            case Prefetch(root):
                self._prefetch(root)
            case VectorsJob(project):
                self._vectors(project)
            case WarmJob():
                self._warm()
            case Settle(root):
                self._settle(root)
            case Rest():
                self._daemon.rest()
                give_back()
                self._copy_if_due()
            case Unload():
                self._daemon.unload()
                give_back()

    def _refresh(self, root: str, paths: frozenset[str] | None) -> None:
        live = self._daemon.checkouts.again(root)
        if live is None or self._daemon.moved:
            return
        self._watch(live)
        try:
            companion = self._companion(live)
            refreshed = companion.refresh(None if paths is None else sorted(paths))
        except Exception as wrong:
            live.failed_at = time.monotonic()
            live.wrong = str(wrong) if isinstance(wrong, CompanionError) else FAULT
            raise
        self._daemon.took_in(live, refreshed, None if paths is None else sorted(paths))
        if waits(companion):
            self._daemon.settle(live)

    def _settle(self, root: str) -> None:
        live = self._daemon.checkouts.again(root)
        if live is None or self._daemon.moved:
            return
        companion = self._companion(live)
        self._daemon.took_in(live, settle_down(companion, self._daemon.inbox.presses), ())
        if waits(companion) and self._daemon.inbox.presses():  # it gave way; where it did not, asking again is no use
            self._daemon.settle(live)

    def _watch(self, live: Live) -> None:
        """Watch a checkout from its first refresh on: before it, so that nothing falls in between."""
        by = self._watches_by
        if by is WatchBy.OFF or live.state.bare or (live.watch is not None and not lost(live)):
            return
        if live.watch is not None:
            live.watch.close()
        from companion.signals.watch import Watching  # where nothing is watched, nothing of it is loaded

        try:
            watching = Watching(live.state, lambda paths: self._daemon.changed(live, paths))
            watching.start(by)
            live.watch = watching
        except OSError as wrong:
            self._daemon.log.failed("watch", wrong)

    def _prefetch(self, root: str) -> None:
        live = self._daemon.checkouts.at(root)
        if live is None or self._daemon.moved or not self._daemon.make_way(OPENING_S, OPENED_S):
            return
        if made := prefetch(self._companion(live)):
            self._daemon.tell(News("prefetched", root, "A context is ready.", made, len(made)))

    def _vectors(self, project: str) -> None:
        if self._daemon.moved or not self._model.is_there_for(project):
            return
        try:
            _, more = self._slices.fill(project)
        except ModelMissing as wrong:
            self._daemon.log.failed("vectors", wrong)
            return
        if more:
            self._daemon.inbox.put(VectorsJob(project))
        else:
            tidy()

    def _warm(self) -> None:
        """Load step by step what the first change needs, then the model; whoever waits for the writer goes first."""
        for _ in self._warming:
            if self._daemon.inbox.presses(Urgency.IDLE):
                self._daemon.inbox.put(WarmJob())
                return
            if not self._daemon.make_way(within_s=WARMED_S):
                return
        tidy()
        self._model.load()

    def _copy_if_due(self) -> None:
        """Have the daily copy of the store made beside the work, in a pause of it."""
        if time.monotonic() < self._copy_again_at or self._copying.is_alive() or self._daemon.moved:
            return
        if copy_is_due(self._daemon.runtime.store.database, time.time()):
            self._copy_again_at = time.monotonic() + COPY_AGAIN_S
            self._copying = threading.Thread(target=self._copy, name="companion-copy")
            self._copying.start()

    def _copy(self) -> None:
        with self._daemon.working():
            try:
                backup(self._daemon.runtime.store.database, None)
            except Exception as wrong:  # whatever it is, the work goes on
                self._daemon.log.failed("backup", wrong)
        self._daemon.inbox.stirred()

    def _companion(self, live: Live) -> LocalCompanion:
        """The companion of a checkout; what moves meanwhile is told by the watcher, and by each request's stamp."""
        companion = self._daemon.here(live)
        companion.looked = True
        return companion


def _told(job: Job) -> tuple[str, dict[str, object]]:
    """A job as the log tells it: a verb, ids and counts."""
    match job:
        case Call(verb=verb):
            return verb, {}
        case Refresh(_, paths):
            return "refresh", {"paths": "all" if paths is None else len(paths)}
        case UseJob(notes):
            return "use", {"served": len(notes)}
        case VectorsJob(project):
            return "vectors", {"project": project}
    return type(job).__name__.lower(), {}
