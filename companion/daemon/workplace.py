"""Where a daemon and those who work for it meet: the store, the inbox, the checkouts, who listens, the end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from companion.api import News, Refreshed
from companion.app.local import LocalCompanion
from companion.app.runtime import Runtime
from companion.daemon.checkouts import Checkouts, Live
from companion.daemon.inbox import Inbox, Prefetch, Refresh, Settle, UseJob, VectorsJob, leaving
from companion.daemon.log import DaemonLog
from companion.daemon.news import NewsFeed
from companion.daemon.presence import Presence
from companion.ports import Progress
from companion.records.wording import counted, enumerated
from companion.store.memories import contradictions
from companion.store.talk.turn_index import own_spaces

BREATH_S = 0.002
"""Between two batches of a run the store is free for so long: a note takes less."""
GIVE_WAY_S = 0.25
"""How long a batch of a run waits at most for requests that are being answered; nearly all take less."""


class Workplace:
    """What the writer, idle runs and the team need of their daemon. Thread-safe."""

    def __init__(self, runtime: Runtime, log: DaemonLog, idle_s: float) -> None:
        """`idle_s` is how long to stay with nobody."""
        self.runtime = runtime
        self.log = log
        self._stopping = threading.Event()
        self._stop_lock = threading.Lock()
        self._stopped: list[Callable[[], None]] = []
        self._presence = Presence(idle_s, lambda: self.stop("nobody asked"))
        self._news = NewsFeed()
        self.inbox = Inbox()
        self.checkouts = Checkouts(runtime, self._arrived)
        self.stirred: Callable[[str], None] = lambda _: None
        """Told the root of each repository in which somebody asked or edited."""
        self.moved = False
        """Whether the store was moved away: then nothing more is written."""

    def stop(self, why: str) -> None:
        """End in good order: what is being written is finished first. Returns at once."""
        with self._stop_lock:
            if self._stopping.is_set():
                return
            self._stopping.set()
            told, self._stopped = self._stopped, []
        self.log.said("leaving", why="-".join(self.runtime.adapters.redactor.redact(why).split()))
        self.inbox.close()
        self._news.tell(News("leaving", "", "The background service ends."))
        for tell in told:
            tell()

    def when_stopped(self, tell: Callable[[], None]) -> None:
        """`tell` is called once, from any thread, when the daemon is to end (at once if it is already)."""
        with self._stop_lock:
            if not self._stopping.is_set():
                self._stopped.append(tell)
                return
        tell()

    def here(self, live: Live) -> LocalCompanion:
        """A companion of a checkout; closing it lets go of nothing."""
        return LocalCompanion(self.runtime, live.state, live.project, live.checkout, owns_runtime=False)

    @property
    def leaves(self) -> bool:
        """Whether it is to end."""
        return self._stopping.is_set()

    def working(self) -> AbstractContextManager[None]:
        """While the block lasts a job is done, and the daemon stays."""
        return self._presence.working()

    def tell(self, news: News) -> None:
        """Tell those who listen."""
        self._news.tell(news)

    def unless_leaving(self, progress: Progress) -> Progress:
        """Progress that breaks off the work which reports to it once the daemon is to leave."""
        return _Breakable(progress, self._stopping)

    def later(self, note: Callable[[], None]) -> None:
        """Write down what was served, soon."""
        self.inbox.put(UseJob((note,)))

    def changed(self, live: Live, paths: frozenset[str] | None) -> None:
        """Something may have changed in these paths, or (None) anywhere. Nothing is read without a first scan."""
        if live.read:
            self.stirred(live.root)
            self.inbox.put(Refresh(live.root, paths))

    def at_hand(self, live: Live) -> None:
        """Something was opened: a context for it will be asked for."""
        if live.read:
            self.inbox.put(Prefetch(live.root))

    def learned(self, live: Live) -> None:
        """There are new texts, and perhaps new contradictions."""
        if self.runtime.adapters.embedder is not None:
            self.inbox.put(VectorsJob(live.project))
        now = contradictions.open_ones(self.runtime.store.database, live.project)
        ids, before = frozenset(one.id for one in now), live.open_contradictions
        live.open_contradictions = ids
        if before is not None and ids != before:
            self._news.tell(News("contradictions", live.root, f"{len(ids)} contradictions are open.", count=len(ids)))

    def said(self) -> None:
        """Something was said or remembered that is the user's own: its texts get vectors."""
        if self.runtime.adapters.embedder is not None:
            for space in own_spaces(self.runtime.store.user):
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

    def requests(self) -> int:
        """How many requests there were so far."""
        return self._presence.counts[0]

    def rest(self) -> None:
        """Nobody is at work: the store need not be in memory."""
        if not self.moved:
            self._presence.undisturbed(self.runtime.store.database.let_go)

    def unload(self) -> None:
        """Nobody has been at work for a while: what is loaded again when somebody asks need not be in memory."""
        self._presence.undisturbed(self.runtime.unload)

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
        live.refreshed_at, live.wrong = self.runtime.adapters.clock.now(), ""
        done = refreshed.files_changed + refreshed.files_gone + refreshed.commits_new
        learned = refreshed.added + refreshed.changed + refreshed.retired
        if not done + learned:
            return
        self.learned(live)
        self.at_hand(live)
        parts = (
            (refreshed.files_changed, "changed file"),
            (refreshed.files_gone, "deleted file"),
            (refreshed.commits_new, "new commit"),
            (learned, "change of what is remembered"),
        )
        says = f"Read: {enumerated([counted(number, what) for number, what in parts if number])}."
        self._news.tell(News("refreshed", live.root, says, tuple(paths or ()), done))

    def _arrived(self, live: Live) -> None:
        self.changed(live, None)
        if live.read and live.open_contradictions is None:
            self.learned(live)


class _Breakable:
    """Progress that ends the work which reports to it; what was committed stays, and the next scan goes on there."""

    def __init__(self, inner: Progress, stopping: threading.Event) -> None:
        self._inner = inner
        self._stopping = stopping

    def step(self, stage: str, done: int, total: int | None) -> None:
        """Pass it on. Raises StoreError once the daemon is to leave."""
        if self._stopping.is_set():
            raise leaving()
        self._inner.step(stage, done, total)
