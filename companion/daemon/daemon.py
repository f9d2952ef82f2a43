"""The daemon: one open store, the checkouts worked in, one writer, and whoever asks or listens.

Reading goes on in as many threads as ask. Short writes (a note, a citation, an observation) are committed
by the thread that asks, between two commits of the writer; what takes long (scans, refreshes, vectors) is
done by the writer alone, one job after the other. Whatever is answered was committed before.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from companion.__about__ import __version__
from companion.api import Companion, DaemonState, Refreshed, RunOrder, Watched
from companion.app.checkout import OpenCheckout
from companion.app.local import nowhere
from companion.app.runtime import Runtime
from companion.app.verbs.code.scans import waits
from companion.config import WatchBy
from companion.daemon.checkouts import Live
from companion.daemon.idle_runs import IdleRuns
from companion.daemon.inbox import Call, WarmJob
from companion.daemon.log import DaemonLog
from companion.daemon.memory_use import memory_bytes, untidy
from companion.daemon.news import Tell
from companion.daemon.team import TeamSync
from companion.daemon.workplace import Workplace
from companion.daemon.writer import Writer
from companion.errors import NotARepository, StoreError, UsageError
from companion.ports import Progress
from companion.records import JudgedBatch, Touch, Touched
from companion.store import projects

T = TypeVar("T")

DRAIN_S = 20.0
"""How long requests that are being answered may take once the daemon is to leave; they take milliseconds."""
RETRY_S = 10.0
"""After a refresh that failed, the next request of a checkout has it tried again, this many seconds later at best."""

IN_TURN = frozenset({"scan", "refresh", "rebuild", "import_file", "backup"})
"""Verbs that the writer carries out, one job after the other; all others are answered by the thread that asks."""

SHARES = frozenset({"team_share", "team_withdraw", "team_export", "settle", "unsettle", "judge", "forget"})
"""Verbs after which there may be something to send to a team's server."""


class Daemon(Workplace):
    """Owns the store and answers for every repository of one user. Implements `companion.api.Host`."""

    def __init__(self, runtime: Runtime, log: DaemonLog, *, idle_s: float, watch: WatchBy, address: str = "") -> None:
        """`watch` is how checkouts are watched, `idle_s` how long to stay with nobody."""
        runtime.shared = True
        runtime.store.make_all()
        super().__init__(runtime, log, idle_s)
        self._address = address
        self._started_at = runtime.adapters.clock.now()
        self._store = _identity(runtime.store.database.path)
        self._numbers = count(1)
        self._writer = Writer(self, watch)
        self._idle_runs = IdleRuns(self, runtime.settings.consolidate_idle_s)
        self._team = TeamSync(self)
        self.stirred = self._idle_runs.stirred

    # ---------------------------------------------------------------- life

    def start(self) -> None:
        """Start the writer and what waits for quiet moments, and have what the first question needs loaded."""
        self._writer.start()
        self._presence.start()
        self._idle_runs.start()
        self.inbox.put(WarmJob())

    def close(self) -> bool:
        """Wait until everything is written and every thread has ended; whether the store may now be closed.

        It may not where a request still reads, or where the store was moved away: then the process has to
        end as after a crash, which loses nothing that was acknowledged.
        """
        self.stop("closed")
        self._presence.close()
        self.checkouts.close()
        self._team.close()
        self._writer.join()
        self._idle_runs.close()
        quiet = self._presence.quiet(DRAIN_S)
        clean = quiet and not self.moved
        if clean:
            self.runtime.store.database.checkpoint()
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
            return nowhere(self.runtime, path, owns_runtime=False).verbs
        if live.wrong and time.monotonic() - live.failed_at > RETRY_S:
            self.changed(live, None)
        self.stirred(live.root)
        self._team.follow(live)
        companion = self.here(live)
        companion.go_on, companion.later, companion.around = self.make_way, self.later, Hosted(self, live).around
        return companion.verbs

    def once(self, id_: str) -> AbstractContextManager[None]:
        """While the block lasts this thread writes for the request with this id; raises AlreadyKept if it was kept."""
        return self.runtime.store.database.once(id_)

    def state(self) -> DaemonState:
        """What the background service is and does."""
        requests, attached = self._presence.counts
        return DaemonState(
            pid=os.getpid(),
            version=__version__,
            home=str(self.runtime.store.home),
            address=self._address,
            started_at=self._started_at,
            requests=requests,
            attached=attached,
            leaves_after_s=self._presence.leaves_after_s,
            memory_bytes=memory_bytes(),
            repositories=tuple(self._watched(live) for live in self.checkouts.all()),
        )

    def attached(self) -> AbstractContextManager[None]:
        """While the block lasts a client is attached, and the daemon stays."""
        return self._presence.attached()

    @contextmanager
    def asked(self) -> Iterator[None]:
        """While the block lasts a request is answered; its end starts the time until the daemon rests, and leaves."""
        try:
            with self._presence.asked():
                yield
        finally:
            self.inbox.stirred()

    def news(self, path: Path, tell: Tell) -> AbstractContextManager[None]:
        """While the block lasts, `tell` hears what changes in the repository that `path` lies in, from any thread."""
        self._need_store()
        return self._news.listening(self.checkouts.of(path).root, tell)

    # ------------------------------------------------------- for who is hosted

    def in_turn(self, verb: str, work: Callable[[], T]) -> T:
        """Have something done by the writer, and wait for it. Raises what it raises, StoreError if too much waits."""
        self._need_store()
        done: Future[T] = Future()
        carried = self.runtime.store.database.carried(work)

        def run() -> None:
            try:
                done.set_result(carried())
            except BaseException as wrong:
                done.set_exception(wrong)
                raise

        self.inbox.put(Call(next(self._numbers), verb, run, done.set_exception))
        return done.result()

    def shared(self, live: Live) -> None:
        """Something was shared or resolved."""
        self._team.wake(live.project)

    def connected(self, live: Live) -> None:
        """A project has another server, or none."""
        self._team.follow(live, again=True)

    def _need_store(self) -> None:
        """Refuse to go on over a store that is not where it was: what is written now could be lost."""
        if _identity(self.runtime.store.database.path) == self._store and not self.moved:
            return
        self.moved = True
        self.stop("the store was moved")
        raise StoreError(
            f"The store in {self.runtime.store.home} was moved away or replaced while the service ran, so it ends.",
            "Put it back if you moved it, then run the command again; nothing that was acknowledged is lost.",
        )

    def _watched(self, live: Live) -> Watched:
        watching, folders, notes = self._writer.watching(live)
        return Watched(
            root=live.root,
            project=projects.project_name(self.runtime.store.database, live.project),
            branch=self.runtime.adapters.redactor.redact(live.state.branch),
            watching=watching,
            folders=folders,
            waiting=self.inbox.waiting(live.root),
            refreshed_at=live.refreshed_at,
            notes=(*notes, *self._team.told(live), *([live.wrong] if live.wrong else [])),
        )


class Hosted(Struct, frozen=True):
    """What a daemon does around the verbs that a client asks of one checkout."""

    daemon: Daemon
    live: Live

    def around(self, here: OpenCheckout, verb: str, given: dict[str, object], answer: Callable[..., object]) -> object:
        """Have a verb answered, and see to what follows from it."""
        if isinstance(progress := given.get("progress"), Progress):
            given["progress"] = self.daemon.unless_leaving(progress)
        work = partial(answer, **given)
        try:
            told = self.daemon.in_turn(verb, work) if verb in IN_TURN else work()
        finally:
            order = given.get("order")
            if verb == "undo" or (isinstance(order, RunOrder) and not order.dry_run):
                self.daemon.tidied(self.live)
        self._follow(here, verb, given, told)
        return told

    def _follow(self, here: OpenCheckout, verb: str, given: Mapping[str, object], told: object) -> None:
        """See to what follows from a verb, by what was given and told."""
        daemon, live = self.daemon, self.live
        if verb in SHARES:
            daemon.shared(live)
        match verb, told:
            case "scan", _:
                daemon.was_read(live)
                daemon.learned(live)
            case "refresh", Refreshed() as refreshed:
                paths = given["paths"]
                daemon.took_in(live, refreshed, paths if isinstance(paths, Sequence) else None)
                if waits(here):
                    daemon.settle(live)
            case (("remember" | "settle" | "unsettle" | "import_file"), _):
                daemon.learned(live)
                if live.read and waits(here):
                    daemon.settle(live)
            case "judge", JudgedBatch(changes=changes) if changes:
                daemon.learned(live)
            case (("team_connect" | "team_disconnect"), _):
                daemon.connected(live)
            case "confirm_review", _:
                daemon.learned(live)
                daemon.said()
            case "add_turn", _:
                daemon.said()
            case "observe", _ if isinstance(seen := given["seen"], Sequence):
                self._observed(here, [one for one in seen if isinstance(one, Touched)])

    def _observed(self, here: OpenCheckout, touched: Sequence[Touched]) -> None:
        """What was saved is read, and what was opened will be asked about."""
        if saved := frozenset(_saved(here, touched)):
            self.daemon.changed(self.live, saved)
        if any(one.how is Touch.OPENED for one in touched):
            self.daemon.at_hand(self.live)


def _saved(here: OpenCheckout, touched: Sequence[Touched]) -> Iterator[str]:
    """Paths that were saved, as the repository knows them; what lies outside it is nobody's business."""
    for one in touched:
        if one.how is Touch.SAVED:
            with suppress(UsageError):
                yield here.inside(one.path)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
