"""Projects that share through a server are synchronised: one thread each, which waits for news from either side.

It holds one connection, on which the server tells it of what others appended; whoever shares something here wakes it.
Between the two it waits without a clock. A server that cannot be reached is asked again after a pause that doubles.
Nothing else waits for any of it.
"""

from __future__ import annotations

import threading

from companion.api import News
from companion.app.team.linking import ServerLink, ServerNow, ServerStates, link_of
from companion.app.team.servers import open_server
from companion.app.team.syncing import Synced, add_vectors, synchronise
from companion.daemon.checkouts import Live
from companion.daemon.workplace import Workplace
from companion.errors import CompanionError, TeamServerUnreachable, UsageError
from companion.ports import TeamServer
from companion.records.memory import TEAM_FOLDER
from companion.records.wording import counted

AGAIN_S = 1.0
"""The first pause before a server is asked again; it doubles."""
AGAIN_MOST_S = 300.0
"""The longest pause: a laptop that comes online is synchronised within five minutes, or when somebody shares."""


class TeamSync:
    """Who synchronises the projects of a daemon."""

    def __init__(self, daemon: Workplace) -> None:
        self._daemon = daemon
        self._states = daemon.runtime.one(ServerStates)
        self._states.wake = self.wake
        self._lock = threading.Lock()
        self._followed: dict[str, _Follower | None] = {}
        self._closed = False

    def follow(self, live: Live, *, again: bool = False) -> None:
        """Begin to synchronise the project of a checkout if it has a server; with `again` look whether it has."""
        before = None
        with self._lock:
            if self._closed or (live.project in self._followed and not again):
                return
            before = self._followed.pop(live.project, None)
        if before is not None:
            before.end()
        link = link_of(self._daemon.runtime, live.project)
        with self._lock:
            if not self._closed and live.project not in self._followed:
                follower = self._followed[live.project] = None if link is None else self._follower(live, link)
                if follower is not None:
                    follower.start()

    def _follower(self, live: Live, link: ServerLink) -> _Follower | None:
        try:
            return _Follower(self._daemon, live, link)
        except CompanionError as wrong:  # the driver was taken away, or the environment names another server
            self._states.set(live.project, ServerNow(False, self._daemon.runtime.adapters.clock.now(), str(wrong)))
            return None

    def wake(self, project: str) -> bool:
        """Have a project synchronised at once; whether there is anybody who does."""
        with self._lock:
            follower = self._followed.get(project)
        if follower is not None:
            follower.server.wake()
        return follower is not None

    def told(self, live: Live) -> tuple[str, ...]:
        """How sharing stands in a checkout, on a line; nothing where there is neither a server nor a folder."""
        here = self._daemon.here(live)
        root = here.work_folder()
        if here.team_server() is None and (root is None or not (root / TEAM_FOLDER).is_dir()):
            return ()
        try:
            standing = here.team_status(1)
        except UsageError as wrong:
            return (str(wrong),)
        told = " ".join(filter(None, (standing.server and standing.server.says, *standing.waits)))
        return (f"Team: {told}",) if told else ()

    def close(self) -> None:
        """End every thread; a batch that is being written is written."""
        with self._lock:
            self._closed = True
            followers = [one for one in self._followed.values() if one is not None]
        for one in followers:
            one.end()


class _Follower(threading.Thread):
    """Synchronises one project until it is ended."""

    def __init__(self, daemon: Workplace, live: Live, link: ServerLink) -> None:
        super().__init__(name="companion-team")
        self._daemon = daemon
        self._live = live
        self.server: TeamServer = open_server(link, daemon.runtime.adapters.embedder, listens=True)
        self._ended = threading.Event()

    def end(self) -> None:
        """Have it end, and wait for that."""
        self._ended.set()
        self.server.close()
        if self.is_alive() and self is not threading.current_thread():
            self.join()

    def run(self) -> None:
        """Synchronise, wait, and again."""
        pause_s: float | None = None
        while self._goes_on():
            pause_s = self._once(pause_s)
            if self._goes_on():
                self.server.wait(pause_s)
        self.server.release()

    def _once(self, paused_s: float | None) -> float | None:
        """Synchronise once; returns the pause before the next time, in seconds, None: until there is news."""
        runtime, project = self._daemon.runtime, self._live.project
        states, now, here = runtime.one(ServerStates), runtime.adapters.clock.now(), self._daemon.here(self._live)
        try:
            done = synchronise(here, self.server, self._goes_on_when_alone, self._daemon.requests)
            self._tell(done)
            states.set(project, ServerNow(True, now, refused=tuple(done.refused.items())))
            add_vectors(here, self.server, self._goes_on_when_alone)
        except TeamServerUnreachable as wrong:
            if self._goes_on() and states.set(
                project, ServerNow(False, now, runtime.adapters.redactor.redact(wrong.what))
            ):
                self._daemon.log.failed("team", wrong, project=project)
            return AGAIN_S if paused_s is None else min(paused_s * 2, AGAIN_MOST_S)
        except Exception as wrong:  # whatever it is, the next time must come
            told = (
                runtime.adapters.redactor.redact(str(wrong))
                if isinstance(wrong, CompanionError)
                else type(wrong).__name__
            )
            if states.set(project, ServerNow(False, now, told)):
                self._daemon.log.failed("team", wrong, project=project)
            return AGAIN_MOST_S
        return None

    def _tell(self, done: Synced) -> None:
        if done.pulled or done.pushed or done.restored:
            self._daemon.log.said("team", project=self._live.project, pulled=done.pulled, pushed=done.pushed)
        if done.memories or done.withdrawn:
            self._daemon.learned(self._live)
            self._daemon.at_hand(self._live)
            told = f"{counted(len(done.memories), 'memory')} came from the team."
            self._daemon.tell(News("refreshed", self._live.root, told, count=len(done.memories)))

    def _goes_on(self) -> bool:
        return not (self._ended.is_set() or self._daemon.leaves or self._daemon.moved)

    def _goes_on_when_alone(self) -> bool:
        """Who asks meanwhile goes first."""
        return self._goes_on() and self._daemon.make_way()
