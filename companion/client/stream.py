"""Being attached to a daemon: a connection that is held open keeps it alive and brings the news."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from companion import wire
from companion.api import News
from companion.client.calling import Caller, Lines
from companion.client.finding import Address
from companion.errors import CompanionError, UsageError

FIRST_WAIT_S = 0.1
"""How long to wait before looking for a daemon again, after the first failure; twice as long after each other."""
LONGEST_WAIT_S = 10.0
"""The longest such wait: a store that cannot be opened now may be free again then."""
LOOK_S = 2.0
"""How often to look for a daemon after one that was ended on purpose; whoever has something to ask starts it."""
JOIN_S = 5.0
"""How long closing waits for the listening thread, which may just be starting a daemon."""


class Attachment:
    """Listens in a thread of its own until it is closed.

    `on_news` gets each piece of news. When the daemon is lost, `on_lost` is told why, once; then `reconnect`,
    which may start a daemon, is asked where there is one, again and again with growing pauses. A daemon that
    ended on purpose is not started again by this: `look` is asked until somebody else has done so. All are called
    on that thread.
    """

    def __init__(
        self,
        path: Path,
        on_news: Callable[[News], None],
        reconnect: Callable[[], Address],
        on_lost: Callable[[str], None] = lambda why: None,
        look: Callable[[], Address | None] | None = None,
    ) -> None:
        self._path = path.absolute()
        self._on_news = on_news
        self._reconnect = reconnect
        self._on_lost = on_lost
        self._look = look
        self.refused: UsageError | None = None
        """Why nothing will ever be heard, where the repository itself is the matter; `on_lost` was told it too."""
        self._left = False
        """Whether the daemon took its leave, rather than died."""
        self._closed = threading.Event()
        self._attached = threading.Event()
        self._lock = threading.Lock()
        self._lines: Lines | None = None
        self._thread = threading.Thread(target=self._listen, name="companion-news", daemon=True)
        self._thread.start()

    def wait(self, timeout_s: float) -> bool:
        """Wait until attached; whether that came true in time."""
        return self._attached.wait(timeout_s)

    def close(self) -> None:
        """Hang up and end the thread."""
        self._closed.set()
        with self._lock:
            if self._lines is not None:
                self._lines.hang_up()
        if threading.current_thread() is not self._thread:
            self._thread.join(JOIN_S)

    def _listen(self) -> None:
        wait_s = 0.0
        while not self._closed.wait(wait_s):
            try:
                if (address := self._next_daemon()) is None:
                    wait_s = LOOK_S
                    continue
                self._hear(address)
                why = "The background service ended."
            except UsageError as wrong:  # the repository itself is the matter; no other daemon would know better
                self.refused = wrong
                if not self._closed.is_set():
                    self._on_lost(str(wrong))
                return
            except (CompanionError, OSError) as wrong:
                why = str(wrong)
            was_attached = self._attached.is_set()
            self._attached.clear()
            wait_s = FIRST_WAIT_S if was_attached else min(LONGEST_WAIT_S, max(FIRST_WAIT_S, wait_s * 2))
            if was_attached and not self._closed.is_set():
                self._on_lost(why)

    def _next_daemon(self) -> Address | None:
        return self._look() if self._left and self._look is not None else self._reconnect()

    def _hear(self, address: Address) -> None:
        """News until one side ends."""
        path = f"/attach?repo={quote(os.fsencode(self._path))}"
        with Caller(address).lines("GET", path, None, None) as lines:
            with self._lock:
                self._lines = lines
            try:
                for line in lines:
                    if self._closed.is_set():
                        return
                    if "attached" in line:
                        self._left = False
                        self._attached.set()
                    elif "news" in line:
                        news = wire.decode(News, line["news"])
                        self._left = self._left or news.what == "leaving"
                        self._on_news(news)
            finally:
                with self._lock:
                    self._lines = None
