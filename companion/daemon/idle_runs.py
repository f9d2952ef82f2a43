"""Runs that come by themselves: when nobody has asked or edited for a while, and enough is new.

One thread sleeps until that moment may have come; only what somebody does arms it, so a daemon in whose
repositories nothing happens never wakes. Whoever comes back has the run stop at its next batch; it goes on when
all is quiet again.
"""

from __future__ import annotations

import threading
import time

from companion.api import AskedBy, RunOrder
from companion.app.consolidation.running import Interrupted, is_due
from companion.daemon.checkouts import Live
from companion.daemon.workplace import Workplace
from companion.errors import RunUnderWay, StoreError
from companion.ports import NoProgress
from companion.records.runs import RunState


class IdleRuns:
    """Has runs come by themselves for the repositories that were worked in."""

    def __init__(self, daemon: Workplace, idle_s: float) -> None:
        """`idle_s` is how long nobody must have asked or edited; 0: no run comes by itself."""
        self._daemon = daemon
        self._idle_s = idle_s
        self._change = threading.Condition()
        self._stirred_at = 0.0
        self._roots: dict[str, None] = {}
        """Repositories in which something happened since their last look, in order."""
        self._closed = False
        self._thread = threading.Thread(target=self._wait, name="companion-runs")

    def start(self) -> None:
        """Start the thread that waits for an idle moment, if runs are to come in one."""
        if self._idle_s:
            self._thread.start()

    def close(self) -> None:
        """End that thread; a run that is under way ends at its next batch."""
        with self._change:
            self._closed = True
            self._change.notify_all()
        if self._thread.is_alive():
            self._thread.join()

    def stirred(self, root: str) -> None:
        """Somebody asked or edited."""
        with self._change:
            self._stirred_at = time.monotonic()
            if not self._roots:
                self._change.notify_all()
            self._roots[root] = None

    def _wait(self) -> None:
        while (root := self._next()) is not None:
            try:
                self._run(root)
            except Exception as wrong:  # the next run must come whatever became of this one
                self._daemon.log.failed("consolidation", wrong)

    def _next(self) -> str | None:
        """The next repository to look at, once it has been quiet for long enough; None at the end."""
        with self._change:
            while not self._closed:
                left_s = self._stirred_at + self._idle_s - time.monotonic()
                if not self._roots:
                    self._change.wait()
                elif left_s > 0:
                    self._change.wait(left_s)
                else:
                    root = next(iter(self._roots))
                    del self._roots[root]
                    return root
        return None

    def _run(self, root: str) -> None:
        daemon, live = self._daemon, self._daemon.checkouts.at(root)
        if live is None or not live.read or daemon.moved:
            return
        runtime = daemon.runtime
        if not is_due(runtime.store.database, live.project, runtime.adapters.clock.now(), runtime.settings):
            return
        with daemon.working():
            start = time.monotonic()
            ours = True
            try:
                again = self._begun(live, start)
            except RunUnderWay:  # whoever asked for that one hears of it
                ours, again = False, True
            except Interrupted:
                again = True
            except StoreError:
                if not daemon.leaves:
                    raise
                again = True
            finally:
                if ours:
                    daemon.tidied(live)
        if ours:
            daemon.log.said("consolidation", project=live.project, done=not again, s=time.monotonic() - start)
        if again:
            self.stirred(root)

    def _begun(self, live: Live, start: float) -> bool:
        """Have the run; whether some of it is left."""
        companion = self._daemon.here(live)
        companion.go_on = lambda: not self._closed and self._stirred_at < start
        told = companion.consolidate(RunOrder(asked_by=AskedBy.IDLE), self._daemon.unless_leaving(NoProgress()))
        return told.state is RunState.APPLYING
