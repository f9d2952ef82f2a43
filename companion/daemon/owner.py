"""The owner: one open store, the checkouts worked in, one writer, and whoever asks or listens.

Reading goes on in as many threads as ask. Short writes (a note, a citation, an observation) are committed
by the thread that asks, between two commits of the writer; what takes long (scans, refreshes, vectors) is
done by the writer alone, one job after the other. Whatever is answered was committed before.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from pathlib import Path
from typing import TypeVar

from companion.__about__ import __version__
from companion.api import Companion, News, OwnerState, Refreshed, Watched
from companion.app.local import LocalCompanion, nowhere
from companion.app.rooms import Rooms
from companion.daemon.checkouts import Checkouts, Live
from companion.daemon.hosted import Hosted
from companion.daemon.idle_runs import IdleRuns
from companion.daemon.inbox import Call, Inbox, Prefetch, Refresh, Settle, UseJob, VectorsJob, WarmJob, leaving
from companion.daemon.log import OwnerLog
from companion.daemon.memory_use import memory_bytes, untidy
from companion.daemon.news import NewsFeed, Tell
from companion.daemon.presence import Presence
from companion.daemon.watching import Place
from companion.daemon.writer import Writer
from companion.errors import NotARepository, StoreError
from companion.ports import Progress
from companion.store import projects
from companion.store.memories import contradictions
from companion.store.talk.turn_index import own_spaces

T = TypeVar("T")

DRAIN_S = 20.0
"""How long requests that are being answered may take once the owner is to leave; they take milliseconds."""
BREATH_S = 0.002
"""Between two batches of a run the store is free for so long: a note takes less."""
GIVE_WAY_S = 0.25
"""How long a batch of a run waits at most for requests that are being answered; nearly all take less."""
RETRY_S = 10.0
"""After a refresh that failed, the next request of a checkout has it tried again, this many seconds later at best."""


class Owner:
    """Owns the store and answers for every repository of one user. Implements `companion.api.Host`."""

    def __init__(self, rooms: Rooms, log: OwnerLog, *, idle_s: float, place: Place | None, address: str = "") -> None:
        """`place` begins to watch a checkout (None: nothing is watched); `idle_s` is how long to stay with nobody."""
        rooms.shared = True
        rooms.furnish()
        self.rooms = rooms
        self.log = log
        self._address = address
        self._started_at = rooms.clock.now()
        self._store = _identity(rooms.database.path)
        self._stopping = threading.Event()
        self._stop_lock = threading.Lock()
        self._stopped: list[Callable[[], None]] = []
        self._numbers = count(1)
        self._presence = Presence(idle_s, lambda: self.stop("nobody asked"))
        self._news = NewsFeed()
        self.inbox = Inbox()
        self.checkouts = Checkouts(rooms, self._arrived)
        self._writer = Writer(self, place)
        self._idle_runs = IdleRuns(self, rooms.settings.consolidate_idle_s)
        self.moved = False
        """Whether the store was moved away: then nothing more is written."""

    # ---------------------------------------------------------------- life

    def start(self) -> None:
        """Start the writer and what waits for quiet moments, and have what the first question needs loaded."""
        self.log.said("started", version=__version__, pid=os.getpid())
        self._writer.start()
        self._presence.start()
        self._idle_runs.start()
        self.inbox.put(WarmJob())

    def stop(self, why: str) -> None:
        """End in good order: what is being written is finished first. Returns at once."""
        with self._stop_lock:
            if self._stopping.is_set():
                return
            self._stopping.set()
            told, self._stopped = self._stopped, []
        self.log.said("leaving", why="-".join(self.rooms.redactor.redact(why).split()))
        self.inbox.close()
        self._news.tell(News("leaving", "", "The owner of the store ends."))
        for tell in told:
            tell()

    def when_stopped(self, tell: Callable[[], None]) -> None:
        """`tell` is called once, from any thread, when the owner is to end (at once if it is already)."""
        with self._stop_lock:
            if not self._stopping.is_set():
                self._stopped.append(tell)
                return
        tell()

    def close(self) -> bool:
        """Wait until everything is written and every thread has ended; whether the store may now be closed.

        It may not where a request still reads, or where the store was moved away: then the process has to
        end as after a crash, which loses nothing that was acknowledged.
        """
        self.stop("closed")
        self._presence.close()
        self.checkouts.close()
        self._writer.join()
        self._idle_runs.close()
        quiet = self._presence.quiet(DRAIN_S)
        clean = quiet and not self.moved
        if clean:
            self.rooms.database.checkpoint()
        self.log.said("left", clean=clean)
        self.log.close()
        untidy()
        return clean

    # ------------------------------------------------------------- the host

    def companion(self, path: Path, *, anywhere: bool = False) -> Companion:
        """The companion for the repository that `path` lies in, or (`anywhere`) for the user alone where there is none.

        Closing it lets go of nothing.
        """
        self._need_store()
        try:
            live = self.checkouts.of(path)
        except NotARepository:
            if not anywhere:
                raise
            return nowhere(self.rooms, path, owns_rooms=False).verbs
        if live.wrong and time.monotonic() - live.failed_at > RETRY_S:
            self.changed(live, None)
        self._idle_runs.stirred(live.root)
        return LocalCompanion(
            self.rooms,
            live.state,
            live.project,
            live.checkout,
            owns_rooms=False,
            go_on=self.make_way,
            later=self.later,
            around=Hosted(self, live).around,
        ).verbs

    def once(self, id_: str) -> AbstractContextManager[None]:
        """While the block lasts this thread writes for the request with this id; raises AlreadyKept if it was kept."""
        return self.rooms.database.once(id_)

    def state(self) -> OwnerState:
        """Who the owner is and what it does."""
        requests, attached = self._presence.counts
        return OwnerState(
            pid=os.getpid(),
            version=__version__,
            home=str(self.rooms.home),
            address=self._address,
            started_at=self._started_at,
            requests=requests,
            attached=attached,
            leaves_after_s=self._presence.leaves_after_s,
            memory_bytes=memory_bytes(),
            repositories=tuple(self._watched(live) for live in self.checkouts.all()),
        )

    def attached(self) -> AbstractContextManager[None]:
        """While the block lasts a client is attached, and the owner stays."""
        return self._presence.attached()

    @contextmanager
    def asked(self) -> Iterator[None]:
        """While the block lasts a request is answered; its end starts the time until the owner rests, and leaves."""
        try:
            with self._presence.asked():
                yield
        finally:
            self.inbox.stirred()

    def news(self, path: Path, tell: Tell) -> AbstractContextManager[None]:
        """While the block lasts, `tell` hears what changes in the repository that `path` lies in, from any thread."""
        self._need_store()
        return self._news.listening(self.checkouts.of(path).root, tell)

    # ------------------------------------------------- for hosted companions

    def in_turn(self, verb: str, work: Callable[[], T]) -> T:
        """Have something done by the writer, and wait for it. Raises what it raises, StoreError if too much waits."""
        self._need_store()
        done: Future[T] = Future()
        carried = self.rooms.database.carried(work)

        def run() -> None:
            try:
                done.set_result(carried())
            except BaseException as wrong:
                done.set_exception(wrong)
                raise

        self.inbox.put(Call(next(self._numbers), verb, run, done.set_exception))
        return done.result()

    def unless_leaving(self, progress: Progress) -> Progress:
        """Progress that breaks off the work which reports to it once the owner is to leave."""
        return _Breakable(progress, self._stopping)

    def later(self, note: Callable[[], None]) -> None:
        """Write down what was served, soon."""
        self.inbox.put(UseJob((note,)))

    def changed(self, live: Live, paths: frozenset[str] | None) -> None:
        """Something may have changed in these paths, or (None) anywhere. Nothing is read without a first scan."""
        if live.read:
            self._idle_runs.stirred(live.root)
            self.inbox.put(Refresh(live.root, paths))

    def at_hand(self, live: Live) -> None:
        """Something was opened: a context for it will be asked for."""
        if live.read:
            self.inbox.put(Prefetch(live.root))

    def learned(self, live: Live) -> None:
        """There are new texts, and perhaps new contradictions."""
        if self.rooms.embedder is not None:
            self.inbox.put(VectorsJob(live.project))
        now = contradictions.open_ones(self.rooms.database, live.project)
        ids, before = frozenset(one.id for one in now), live.open_contradictions
        live.open_contradictions = ids
        if before is not None and ids != before:
            self._news.tell(News("contradictions", live.root, f"{len(ids)} contradictions are open.", count=len(ids)))

    def said(self) -> None:
        """Something was said or remembered that is the user's own: its texts get vectors."""
        if self.rooms.embedder is not None:
            for space in own_spaces(self.rooms.user):
                self.inbox.put(VectorsJob(space))

    def was_read(self, live: Live) -> None:
        """The checkout was read to the end, and may be watched from now on."""
        live.read = True
        self.changed(live, None)

    def make_way(self, breath_s: float = BREATH_S, within_s: float = GIVE_WAY_S) -> bool:
        """Wait a moment while others ask or write; False where all is to end."""
        if self._stopping.wait(breath_s):  # who waits for the store gets it now: its lock knows no order
            return False
        self._presence.alone(within_s)
        return not self._stopping.is_set()

    def rest(self) -> None:
        """Nobody is at work: the store need not be in memory."""
        if not self.moved:
            self._presence.undisturbed(self.rooms.database.let_go)

    def unload(self) -> None:
        """Nobody has been at work for a while: what is loaded again when somebody asks need not be in memory."""
        self._presence.undisturbed(self.rooms.unload)

    def tidied(self, live: Live) -> None:
        """A run changed what is remembered, or was taken back."""
        self.learned(live)
        self.at_hand(live)
        self._news.tell(News("refreshed", live.root, "A consolidation run changed what is remembered."))

    def settle(self, live: Live) -> None:
        """Something waits for a quiet moment."""
        self.inbox.put(Settle(live.root))

    def took_in(self, live: Live, refreshed: Refreshed, paths: Sequence[str] | None) -> None:
        """A refresh came to its end."""
        live.refreshed_at, live.wrong = self.rooms.clock.now(), ""
        done = refreshed.files_changed + refreshed.files_gone + refreshed.commits_new
        learned = refreshed.added + refreshed.changed + refreshed.retired
        if not done + learned:
            return
        self.learned(live)
        self.at_hand(live)
        says = f"{refreshed.files_changed} files changed, {refreshed.files_gone} gone, {refreshed.commits_new} commits."
        self._news.tell(News("refreshed", live.root, says, tuple(paths or ()), done))

    # ------------------------------------------------------- for the writer

    @property
    def leaves(self) -> bool:
        """Whether it is to end."""
        return self._stopping.is_set()

    def working(self) -> AbstractContextManager[None]:
        """While the block lasts a job is done, and the owner stays."""
        return self._presence.working()

    def tell(self, news: News) -> None:
        """Tell those who listen."""
        self._news.tell(news)

    def _need_store(self) -> None:
        """Refuse to go on over a store that is not where it was: what is written now could be lost."""
        if _identity(self.rooms.database.path) == self._store and not self.moved:
            return
        self.moved = True
        self.stop("the store was moved")
        raise StoreError(
            f"The store in {self.rooms.home} was moved away or replaced while its owner ran, so the owner ends.",
            "Put it back if you moved it, then run the command again; nothing that was acknowledged is lost.",
        )

    def _arrived(self, live: Live) -> None:
        self.changed(live, None)
        if live.read and live.open_contradictions is None:
            self.learned(live)

    def _watched(self, live: Live) -> Watched:
        watching, folders, notes = self._writer.watching(live)
        return Watched(
            root=live.root,
            project=projects.project_name(self.rooms.database, live.project),
            branch=self.rooms.redactor.redact(live.state.branch),
            watching=watching,
            folders=folders,
            waiting=self.inbox.waiting(live.root),
            refreshed_at=live.refreshed_at,
            notes=(*notes, *([live.wrong] if live.wrong else [])),
        )


class _Breakable:
    """Progress that ends the work which reports to it; what was committed stays, and the next scan goes on there."""

    def __init__(self, inner: Progress, stopping: threading.Event) -> None:
        self._inner = inner
        self._stopping = stopping

    def step(self, stage: str, done: int, total: int | None) -> None:
        """Pass it on. Raises StoreError once the owner is to leave."""
        if self._stopping.is_set():
            raise leaving()
        self._inner.step(stage, done, total)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
