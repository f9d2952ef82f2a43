"""Who answers requests: a verb is put to the companion that a request is for, and faults are noted."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Protocol

from companion import wire
from companion.api import Companion, Host
from companion.errors import AlreadyKept, CompanionError, StoreError, UsageError
from companion.ports import Progress
from companion.surfaces.http.asks import absolute
from companion.surfaces.http.lanes import READ, WRITE, Lanes
from companion.surfaces.http.problems import Refused
from companion.surfaces.http.verbs import Verb

_log = logging.getLogger("companion.http")


class PageLinks(Protocol):
    """Lets browsers in to the page."""

    async def link(self, folder: Path) -> str:
        """An address that lets one browser in, once. Raises CompanionError for no repository."""


class RequestHandler:
    """Answers for a host: finds the companion that a request is for, and puts the request to it."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.lanes = Lanes()
        self.stopping = asyncio.Event()
        self.beside: list[asyncio.Task[None]] = []
        """What serves beside the API, as the page does, and is to end with it."""
        self.opening: PageLinks | None = None
        """The page's own listener, once a page was asked for."""

    def answer(self, verb: Verb, ask: Any, progress: Progress, id_: str = "") -> bytes:
        """The whole answer to a request, in the thread that calls. Raises CompanionError.

        With an `id_` what it writes is kept once; asked again, it raises AlreadyKept, or StoreError for what takes
        long and may have ended in the midst of it.
        """
        once = self.host.once(id_) if id_ and verb.lane is not READ else nullcontext()
        try:
            with self.companion(ask.repo, anywhere=verb.route.anywhere) as companion, once:
                found = wire.encode(verb.answer(companion, ask, progress), verb.result)
                beside = list(companion.notices())
        except AlreadyKept as kept:
            if verb.lane is WRITE:
                raise
            raise StoreError(
                "The background service ended while it worked on this; what it had finished is kept.",
                "Run the command again for the rest.",
            ) from kept
        said = {**found, "notices": beside} if verb.special.flat and isinstance(found, dict) else None
        return wire.to_json(said or {"result": found, "notices": beside})

    @contextmanager
    def companion(self, repo: str, *, anywhere: bool = False) -> Iterator[Companion]:
        """The companion for a repository, while a request is answered."""
        with self.host.asked():
            companion = self.host.companion(absolute(repo or self._only_root(), "repo"), anywhere=anywhere)
            try:
                yield companion
            finally:
                companion.close()

    def _only_root(self) -> str:
        roots = [one.root for one in self.host.state().repositories]
        if len(roots) != 1:
            raise UsageError(
                f"The request names no repository, and {len(roots)} are open.",
                "Give `repo`, the absolute path of a folder in it.",
            )
        return roots[0]


def note_fault(wrong: Exception) -> None:
    """Log where in the program a fault happened: no message, since it may quote what was asked.

    The fault itself goes along as `wrong`, for a log that tells it in its own way.
    """
    if isinstance(wrong, (CompanionError, Refused)):
        return
    places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(wrong.__traceback__)]
    _log.error("%s at %s", type(wrong).__name__, " < ".join(reversed(places)), extra={"wrong": wrong})
