"""Who wants to hear what changes in which checkout, and telling them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.api import News

Tell = Callable[[News], None]

_log = logging.getLogger(__name__)


class NewsFeed:
    """Hands news to listeners, on the thread that has them; a listener that fails harms no other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: dict[object, tuple[str, Tell]] = {}

    @contextmanager
    def listening(self, root: str, tell: Tell) -> Iterator[None]:
        """While the block lasts, `tell` hears of the checkout at `root`, and when the daemon leaves."""
        ticket = object()
        with self._lock:
            self._listeners[ticket] = (root, tell)
        try:
            yield
        finally:
            with self._lock:
                self._listeners.pop(ticket, None)

    def tell(self, news: News) -> None:
        """Tell everyone who listens to its checkout; news without a root is for all."""
        with self._lock:
            meant = [tell for root, tell in self._listeners.values() if not news.root or root == news.root]
        for tell in meant:
            try:
                tell(news)
            except Exception as wrong:  # whoever listens is a stranger, and the writer must go on
                _log.warning("a listener failed: %s", type(wrong).__name__)
