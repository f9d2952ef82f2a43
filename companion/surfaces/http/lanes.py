"""Where requests are worked off: a bounded pool of threads for each sort, so that none holds up another.

A request waits for a thread or is refused at once, when as many wait as may; it is answered within the lane's
deadline or told that it was not. Work that has begun is never broken off: it ends in its thread, unheard.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from msgspec import Struct

from companion.api.routes import Pace
from companion.surfaces.http.problems import Refused

T = TypeVar("T")

RETRY_AFTER_S = 1
"""When a refused client may ask again: a waiting request is answered in much less."""


class Lane(Struct, frozen=True):
    """How many threads work at a sort of request, how many may wait for one, and how long an answer may take."""

    name: str
    threads: int
    waiting: int
    deadline_s: float


READ = Lane("read", threads=8, waiting=128, deadline_s=25)
"""Answers take milliseconds, and seconds where all processors are busy: who is told too early asks again, which costs
the same once more. More threads than cores, since they wait for the disk and for each other's cursors."""
WRITE = Lane("write", threads=4, waiting=256, deadline_s=30)
"""One writer is behind them; they mostly wait for it. A full disk may need that long to say so."""
SLOW = Lane("slow", threads=3, waiting=32, deadline_s=600)
"""Copies, checks and refreshes: they go over the whole store, or wait until a scan is over."""
LONG = Lane("long", threads=3, waiting=8, deadline_s=24 * 3600)
"""Scans and rebuilds: each keeps a core busy, and nobody starts a dozen."""
LANES = {Pace(lane.name): lane for lane in (READ, WRITE, SLOW, LONG)}


class Lanes:
    """The pools of one server."""

    def __init__(self) -> None:
        self._pools: dict[Lane, ThreadPoolExecutor] = {}
        self._under_way: dict[Lane, int] = {}

    def submit(self, lane: Lane, work: Callable[[], T]) -> Future[T]:
        """Have work done in a lane. Raises Refused if too much waits there. To be called on the event loop."""
        if self._under_way.get(lane, 0) >= lane.threads + lane.waiting:
            raise _too_busy()
        loop = asyncio.get_running_loop()
        self._under_way[lane] = self._under_way.get(lane, 0) + 1
        future = self._pool(lane).submit(work)

        def left(_: Future[T]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._leave, lane)

        future.add_done_callback(left)
        return future

    async def run(self, lane: Lane, work: Callable[[], T]) -> T:
        """The work's result. Raises Refused when it is not there by the lane's deadline, and whatever it raises."""
        begun = self.submit(lane, work)
        heard = asyncio.wrap_future(begun)
        done, _ = await asyncio.wait({heard}, timeout=lane.deadline_s)
        if done:
            return heard.result()
        if begun.cancel():
            raise _too_busy()
        heard.add_done_callback(lambda late: late.cancelled() or late.exception())
        raise Refused(
            503,
            "TooSlow",
            f"There was no answer within {lane.deadline_s:g} seconds"
            + ("; nothing was changed." if lane is READ else "; it may still be worked on."),
            "Look at `companion status`, then ask again.",
            {"Retry-After": str(RETRY_AFTER_S)},
        )

    def close(self) -> None:
        """Wait until what has begun is done; what has not is dropped."""
        for pool in self._pools.values():
            pool.shutdown(wait=True, cancel_futures=True)

    def _pool(self, lane: Lane) -> ThreadPoolExecutor:
        if lane not in self._pools:
            self._pools[lane] = ThreadPoolExecutor(lane.threads, thread_name_prefix=f"http-{lane.name}")
        return self._pools[lane]

    def _leave(self, lane: Lane) -> None:
        self._under_way[lane] -= 1


def _too_busy() -> Refused:
    return Refused(
        503,
        "TooBusy",
        "Too many requests wait for an answer; nothing was done.",
        "Ask again in a second.",
        {"Retry-After": str(RETRY_AFTER_S)},
    )
