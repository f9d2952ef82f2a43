"""For those who stay, as editors and assistants do: one companion a repository, and an ear for its news."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from companion.errors import CompanionError, StoreUnwritable

if TYPE_CHECKING:
    from companion.api import Companion, News
    from companion.client.stream import Attachment

Answer = TypeVar("Answer")


def work_tree(folder: Path) -> Path | None:
    """The work tree that a folder lies in, by the nearest `.git` in or above it."""
    return next((one for one in (folder, *folder.parents) if (one / ".git").exists()), None)


def started(root: Path) -> Companion:
    """A companion for a repository, its daemon started if need be."""
    from companion import client

    return client.connect(root, start=True)


class Companions:
    """Asks companions on behalf of an editor or an assistant. Threads may share it; every method may wait."""

    def __init__(
        self,
        connect: Callable[[Path], Companion] = started,
        *,
        lost: Callable[[str], None] = lambda why: None,
        news: Callable[[Path, News], None] = lambda root, told: None,
    ) -> None:
        """`lost` is told why when a daemon ended, before another is started; `news` is what daemons tell."""
        self._connect = connect
        self._lost = lost
        self._news = news
        self._companions: dict[Path, Companion] = {}
        self._attached: dict[Path, Attachment] = {}
        self._lock = threading.Lock()
        self._opening: dict[Path, threading.Lock] = {}
        self._closed = False

    def ask(self, root: Path, question: Callable[[Companion], Answer]) -> Answer:
        """The answer for a repository. Raises CompanionError; where nothing could be kept, the next asks anew."""
        try:
            return question(self._companion(root))
        except StoreUnwritable:
            self.leave(root)
            raise

    def leave(self, root: Path) -> None:
        """Let go of a repository that nobody looks at any more."""
        with self._lock:
            held = [self._attached.pop(root, None), self._companions.pop(root, None)]
        for one in held:
            if one is not None:
                with suppress(CompanionError, OSError):
                    one.close()

    def close(self) -> None:
        """Let go of all of them."""
        with self._lock:
            self._closed = True
            roots = {*self._companions, *self._attached}
        for root in roots:
            self.leave(root)

    def _companion(self, root: Path) -> Companion:
        with self._lock:
            opening = self._opening.setdefault(root, threading.Lock())
        with opening:  # several requests of a file that was just opened make one connection
            with self._lock:
                known = self._companions.get(root)
            if known is not None:
                return known
            found = self._connect(root)
            with self._lock:
                self._companions[root] = found
                wanted = not self._closed and root not in self._attached
            if wanted:
                self._attach(root)
            return found

    def _attach(self, root: Path) -> None:
        """Hear the news and keep the daemon, if there may be one; answers are as right without, only later seen."""
        from companion import client
        from companion.config import DaemonUse, data_home

        with suppress(CompanionError, OSError):
            if client.daemon_use(data_home()) is not DaemonUse.NEVER:
                held = client.attach(root, lambda told: self._news(root, told), self._lost)
                with self._lock:
                    self._attached[root] = held
