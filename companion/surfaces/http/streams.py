"""Answers that take their time, a JSON document a line: long work as it proceeds, and news as it happens."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, contextmanager

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from companion import wire
from companion.api import News
from companion.errors import CompanionError
from companion.surfaces.http.lanes import LONG, Lanes

MEDIA_TYPE = "application/x-ndjson"
STEP_EVERY_S = 0.05
"""Progress is told at most that often for one stage: bars move no faster to the eye."""
WAITING_NEWS_MAX = 1_000
"""Whoever has that many lines unread is not reading; the stream ends, and a living client comes back."""


class LinesResponse(StreamingResponse):
    """An answer line by line; `release` is called when it ends, however it does, even before its first line."""

    def __init__(self, lines: AsyncIterator[bytes], release: Callable[[], None]) -> None:
        super().__init__(lines, media_type=MEDIA_TYPE)
        self._release = release

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, then let go of what was held for it."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._release()


class Abandoned(CompanionError):
    """Whoever wanted the work is gone, or the daemon ends."""


class Reporting:
    """Progress that is told line by line, from the thread that works; it stops the work that nobody waits for."""

    def __init__(self, tell: Callable[[object], None]) -> None:
        self._tell = tell
        self._told: dict[str, float] = {}
        self.abandoned = ""

    def step(self, stage: str, done: int, total: int | None) -> None:
        """Say how far a stage is. Raises Abandoned at a stage's next step once nobody waits."""
        if self.abandoned:
            raise Abandoned(self.abandoned, "What was done is kept; ask again to go on.")
        now = time.monotonic()
        if done != total and now - self._told.get(stage, 0.0) < STEP_EVERY_S:
            return
        self._told[stage] = now
        self._tell({"progress": {"stage": stage, "done": done, "total": total}})


async def work_lines(
    lanes: Lanes, stopping: asyncio.Event, work: Callable[[Reporting], bytes], failed: Callable[[Exception], bytes]
) -> LinesResponse:
    """Lines of progress, then one with the result, or with the problem. Raises Refused at the start if all is busy."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes | None] = asyncio.Queue()

    def tell(line: bytes | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(lines.put_nowait, line)

    reporting = Reporting(lambda said: tell(wire.to_json(said)))

    def run() -> None:
        try:
            tell(work(reporting))
        except Exception as wrong:
            tell(failed(wrong))
        finally:
            tell(None)

    begun = lanes.submit(LONG, run)
    watch = asyncio.create_task(_abandon_when(stopping, reporting))

    async def told() -> AsyncIterator[bytes]:
        while (line := await lines.get()) is not None:
            yield line + b"\n"

    def release() -> None:
        watch.cancel()
        reporting.abandoned = reporting.abandoned or "Whoever asked is gone."
        begun.cancel()

    return LinesResponse(told(), release)


async def _abandon_when(stopping: asyncio.Event, reporting: Reporting) -> None:
    await stopping.wait()
    reporting.abandoned = "The background service is ending."


class NewsStand:
    """The news of one repository for one client, as lines; the client counts as attached while they are read."""

    def __init__(self, stopping: asyncio.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = stopping
        self._waiting: asyncio.Queue[News | None] = asyncio.Queue()
        self._watch = asyncio.create_task(self._leaving())
        self._held: ExitStack | None = None
        self._gone = False
        self._lock = threading.Lock()

    @contextmanager
    def taking(self) -> Iterator[ExitStack]:
        """What is entered within the block is held until the stand is left; at once, if it was left already."""
        with ExitStack() as entered:
            yield entered
            with self._lock:
                if not self._gone:
                    self._held = entered.pop_all()

    def leave(self) -> None:
        """Let go of what is held; may be called twice."""
        self._watch.cancel()
        with self._lock:
            self._gone, held, self._held = True, self._held, None
        if held is not None:
            held.close()

    def tell(self, news: News) -> None:
        """Hand over news, from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._put, news)

    async def lines(self, hello: object) -> AsyncIterator[bytes]:
        """A line of greeting, then a line for each piece of news, until the client or the daemon leaves."""
        yield wire.to_json(hello) + b"\n"
        while (news := await self._waiting.get()) is not None:
            yield wire.to_json({"news": wire.encode(news)}) + b"\n"

    def _put(self, news: News) -> None:
        if self._waiting.qsize() < WAITING_NEWS_MAX:
            self._waiting.put_nowait(news)
        elif self._waiting.qsize() == WAITING_NEWS_MAX:
            self._waiting.put_nowait(None)

    async def _leaving(self) -> None:
        await self._stopping.wait()
        self._waiting.put_nowait(None)
