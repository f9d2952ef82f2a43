"""The embedding model, loaded beside the writer: whoever saves a file or asks for one does not wait for it."""

from __future__ import annotations

import threading
import time

from companion.daemon.inbox import VectorsJob
from companion.daemon.workplace import Workplace


class Model:
    """Loads the model of a daemon on a thread of its own: half a second, mostly outside of Python.

    Until it is there, who has vectors to make is noted and told then.
    """

    def __init__(self, daemon: Workplace) -> None:
        self._daemon = daemon
        self._lock = threading.Lock()
        self._there = daemon.runtime.adapters.embedder is None
        self._waiting: list[str] = []
        self._thread: threading.Thread | None = None

    def load(self) -> None:
        """Begin, where there is a model and nobody has begun."""
        with self._lock:
            self._begin()

    def join(self) -> None:
        """Wait for the end of loading, if it was begun."""
        if self._thread is not None:
            self._thread.join()

    def is_there_for(self, project: str) -> bool:
        """Whether the model is loaded; if not, the project's `Vectors` are put into the inbox once it is."""
        with self._lock:
            if not self._there:
                self._waiting.append(project)
                self._begin()
            return self._there

    def _begin(self) -> None:
        if not self._there and self._thread is None:
            self._thread = threading.Thread(target=self._load, name="companion-model")
            self._thread.start()

    def _load(self) -> None:
        start = time.monotonic()
        embedder = self._daemon.runtime.adapters.embedder
        try:
            if embedder is not None:
                embedder.embed(["warm"])
        except Exception as wrong:  # as ModelMissing: search goes by words, and whoever makes vectors is told again
            self._daemon.log.failed("model", wrong)
        else:
            self._daemon.log.said("model", s=time.monotonic() - start)
        with self._lock:
            self._there, waiting = True, dict.fromkeys(self._waiting)
        for project in waiting:
            self._daemon.inbox.put(VectorsJob(project))
        self._daemon.inbox.stirred()
