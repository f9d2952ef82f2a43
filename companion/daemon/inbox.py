"""What waits for the one writer: each job at most once, the most urgent first, never more than can be kept.

Whoever puts a job in never waits. A job like one that waits already joins it: ten saves of a file are one
refresh, and so are saves of ten files of one checkout. A refresh of too many paths becomes one of the whole
checkout, which costs a look at every file and loses nothing. A job that was taken is no longer waiting: what
changes while it runs waits anew, so the last state of a file is always read after it was written.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from enum import IntEnum
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.errors import StoreError

PATHS_MAX = 500
"""Paths of one refresh: looking at every file of a checkout takes no longer than reading this many one by one."""
CALLS_MAX = 64
"""Calls that somebody waits for: as many as there are threads that answer, with room to spare."""
QUIET_S = 3.0
"""How long nothing else has to come before what is for a quiet moment is done: a pause to think, not one to type."""
AWAY_S = 60.0
"""How long nobody has to ask or save before what a question loads again within half a second is given back."""
USES_MAX = 1_000
"""Notes of what was served that wait to be written; older ones are dropped, since they only count."""


class Urgency(IntEnum):
    """Which job is taken first; among equals the one that came first. The last two wait for a moment that is theirs."""

    NOW = 0
    SOON = 1
    IDLE = 2
    QUIET = 3
    AWAY = 4


class _Once(Struct, frozen=True):
    """Something to do: of jobs with the same key one waits, however often it was asked for."""

    urgency: ClassVar[Urgency]
    apart_by: ClassVar[str] = ""
    """The field that tells jobs of a sort apart; empty where all of them are one."""

    @property
    def key(self) -> tuple[str, str]:
        """The sort of job, and what tells it from others of its sort."""
        return type(self).__name__.lower(), str(getattr(self, self.apart_by)) if self.apart_by else ""


class Refresh(_Once, frozen=True):
    """Take in what changed in these paths of a checkout; None: wherever anything did."""

    root: str
    paths: frozenset[str] | None
    urgency = Urgency.NOW  # somebody will ask about what was just saved
    apart_by = "root"


class Call(_Once, frozen=True):
    """Something that a client waits for, such as a scan. `fail` tells the client that it will not be done."""

    number: int
    verb: str
    run: Callable[[], None]
    fail: Callable[[Exception], None]
    urgency = Urgency.NOW  # before all else: somebody waits for the answer
    apart_by = "number"


class UseJob(_Once, frozen=True):
    """Write down what contexts showed; each note writes one, and all notes wait together."""

    notes: tuple[Callable[[], None], ...]
    urgency = Urgency.SOON  # it counts, no more


class Prefetch(_Once, frozen=True):
    """Make the context that will be asked for next, for the checkout at this root: only the newest file matters."""

    root: str
    urgency = Urgency.SOON  # before vectors, after everything that is true already
    apart_by = "root"


class VectorsJob(_Once, frozen=True):
    """Give a slice of a project's texts their vectors; asked again while some are left."""

    project: str
    urgency = Urgency.IDLE  # when nothing else is to do
    apart_by = "project"


class WarmJob(_Once, frozen=True):
    """Load what the first question and the first change would wait for; once is enough."""

    urgency = Urgency.SOON  # before vectors, which need it, and after everything that somebody waits for


class Settle(_Once, frozen=True):
    """Make of what was taken in of a checkout what needs a look at all of it, such as patterns and habits."""

    root: str
    urgency = Urgency.QUIET  # it takes seconds, and each change makes the last time worthless
    apart_by = "root"


class Rest(_Once, frozen=True):
    """Give back the memory that only the last busy moment needed; once is enough."""

    urgency = Urgency.QUIET  # while nobody asks, writes or saves


class Unload(_Once, frozen=True):
    """Give back models, vocabularies and what was read of the store: who asks next has them loaded again."""

    urgency = Urgency.AWAY  # loading them takes longer than any answer


Job = Refresh | Call | UseJob | Prefetch | VectorsJob | WarmJob | Settle | Rest | Unload


def joined(waiting: Job, new: Job) -> Job:
    """Two jobs of one key as one that does both."""
    match waiting, new:
        case Refresh(root, before), Refresh(_, after):
            if before is None or after is None or len(before | after) > PATHS_MAX:
                return Refresh(root, None)
            return Refresh(root, before | after)
        case UseJob(before), UseJob(after):
            return UseJob((*before, *after)[-USES_MAX:])
    return new


class Inbox:
    """Jobs that wait. Any thread puts, one takes."""

    def __init__(self, quiet_s: float = QUIET_S, away_s: float = AWAY_S) -> None:
        self._waits_s = {Urgency.QUIET: quiet_s, Urgency.AWAY: away_s}
        self._busy_at = time.monotonic() - max(quiet_s, away_s)
        self._change = threading.Condition()
        self._jobs: dict[tuple[str, str], Job] = {}
        self._order: dict[Urgency, deque[tuple[str, str]]] = {urgency: deque() for urgency in Urgency}
        self._calls = 0
        self._closed = False

    def put(self, job: Job) -> None:
        """Have a job done, soon. Raises StoreError for a call that has to be refused; all else is never refused.

        Once the inbox is closed other jobs are dropped: who comes next starts with a look at everything.
        """
        with self._change:
            if isinstance(job, Call):
                self._accept(job)
            elif self._closed and not isinstance(job, UseJob):
                return
            if isinstance(job, Refresh) and job.paths is not None and len(job.paths) > PATHS_MAX:
                job = replace(job, paths=None)
            waiting = self._jobs.get(job.key)
            if waiting is None:
                self._order[job.urgency].append(job.key)
            self._jobs[job.key] = job if waiting is None else joined(waiting, job)
            if job.urgency not in self._waits_s:
                self._busy_at = time.monotonic()
            self._change.notify()

    def stirred(self) -> None:
        """Something was asked or done: what it needed is given back once that is long enough ago."""
        with self._change:
            self._busy_at = time.monotonic()
        self.put(Rest())
        self.put(Unload())

    def take(self) -> Job | None:
        """The next job, waited for; None once the inbox is closed and nothing that must be done is left."""
        with self._change:
            while True:
                if (job := self._next()) is not None:
                    return job
                if self._closed:
                    return None
                self._change.wait(min((self._left_s(one.urgency) for one in self._jobs.values()), default=None))

    def close(self) -> None:
        """No more: calls are refused, what can be found out again is dropped, what was counted is still written."""
        with self._change:
            self._closed = True
            for job in [job for job in self._jobs.values() if not isinstance(job, UseJob)]:
                del self._jobs[job.key]
                self._order[job.urgency].remove(job.key)
                if isinstance(job, Call):
                    self._calls -= 1
                    job.fail(leaving())
            self._change.notify_all()

    def presses(self, than: Urgency = Urgency.QUIET) -> bool:
        """Whether something waits that is more urgent than what is for a quiet moment (or `than`), or all is to end."""
        with self._change:
            return self._closed or any(keys for urgency, keys in self._order.items() if urgency < than)

    def waiting(self, root: str) -> int:
        """How many paths of a checkout wait to be taken in; 1 where all of it does."""
        with self._change:
            job = self._jobs.get(("refresh", root))
            if not isinstance(job, Refresh):
                return 0
            return 1 if job.paths is None else len(job.paths)

    def __len__(self) -> int:
        """How many jobs wait."""
        with self._change:
            return len(self._jobs)

    def _accept(self, call: Call) -> None:
        if self._closed:
            raise leaving()
        if self._calls >= CALLS_MAX:
            raise StoreError(
                f"{CALLS_MAX} changes wait already, so `{call.verb}` was not started.", "Try again in a moment."
            )
        self._calls += 1

    def _left_s(self, urgency: Urgency) -> float:
        """Seconds until jobs of an urgency may be taken: until it has been quiet for as long as they wait for."""
        return self._busy_at + self._waits_s.get(urgency, 0.0) - time.monotonic()

    def _next(self) -> Job | None:
        for urgency, keys in self._order.items():
            if keys and (urgency not in self._waits_s or self._left_s(urgency) <= 0):
                job = self._jobs.pop(keys.popleft())
                self._calls -= isinstance(job, Call)
                return job
        return None


def leaving() -> StoreError:
    """What a client is told whose request came too late."""
    return StoreError(
        "The background service is exiting.", "Run the command again: it starts a new one or does without."
    )
