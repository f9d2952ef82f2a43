"""Who is here: requests being answered and clients attached; and when there has been nobody for long enough."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager


class Presence:
    """Counts who is here. One thread sleeps until the daemon may leave; it wakes when that moment may have come."""

    def __init__(self, idle_s: float, leave: Callable[[], None]) -> None:
        """`leave` is called once, from a thread of its own, after `idle_s` seconds with nobody here."""
        self._idle_s = idle_s
        self._leave = leave
        self._change = threading.Condition()
        self._requests = self._attached = self._asked = 0
        self._last = time.monotonic()
        self._closed = False
        self._thread = threading.Thread(target=self._wait, name="companion-idle")

    def start(self) -> None:
        """Start the thread that waits for the moment to leave."""
        self._thread.start()

    def close(self) -> None:
        """End that thread."""
        with self._change:
            self._closed = True
            self._change.notify_all()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()

    def asked(self) -> AbstractContextManager[None]:
        """A request is being answered."""
        with self._change:
            self._asked += 1
        return self._here(requests=1)

    def attached(self) -> AbstractContextManager[None]:
        """A client holds a connection open."""
        return self._here(attached=1)

    def working(self) -> AbstractContextManager[None]:
        """The writer does a job: the daemon stays until it is done."""
        return self._here(requests=1)

    def quiet(self, within_s: float) -> bool:
        """Wait until nothing is being answered, `within_s` seconds at most; whether that came."""
        with self._change:
            return self._change.wait_for(lambda: self._requests == 0, within_s)

    def alone(self, within_s: float) -> bool:
        """Wait until nothing but the request of the caller is being answered, `within_s` seconds at most."""
        with self._change:
            return self._change.wait_for(lambda: self._requests <= 1, within_s)

    def undisturbed(self, act: Callable[[], None]) -> bool:
        """Do something that takes milliseconds if nobody but the caller is at work; who asks now waits for its end.

        Whether it was done.
        """
        with self._change:
            if self._requests > 1:
                return False
            act()
            return True

    @property
    def counts(self) -> tuple[int, int]:
        """Requests answered so far, and clients attached now."""
        return self._asked, self._attached

    @property
    def leaves_after_s(self) -> float:
        """Seconds with nobody here after which the daemon leaves."""
        return self._idle_s

    @contextmanager
    def _here(self, requests: int = 0, attached: int = 0) -> Iterator[None]:
        with self._change:
            self._requests += requests
            self._attached += attached
        try:
            yield
        finally:
            with self._change:
                self._requests -= requests
                self._attached -= attached
                self._last = time.monotonic()
                if self._requests <= 1:
                    self._change.notify_all()

    def _wait(self) -> None:
        with self._change:
            while not self._closed:
                if self._requests or self._attached:
                    self._change.wait()
                    continue
                left_s = self._last + self._idle_s - time.monotonic()
                if left_s <= 0:
                    break
                self._change.wait(left_s)
            if self._closed:
                return
        self._leave()
