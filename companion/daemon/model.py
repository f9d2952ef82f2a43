"""The embedding model, loaded beside the writer: whoever saves a file or asks for one does not wait for it."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor

from companion.daemon.inbox import VectorsJob
from companion.daemon.workplace import Workplace


class Model:
    """Loads the model of a daemon on a thread of its own: half a second, mostly outside of Python. For the writer."""

    def __init__(self, daemon: Workplace) -> None:
        self._daemon = daemon
        self._thread = ThreadPoolExecutor(1, "companion-model")
        self._loading: Future[None] | None = None

    def load(self) -> None:
        """Begin, where there is a model and nobody has begun."""
        if self._loading is None and self._daemon.runtime.adapters.embedder is not None:
            self._loading = self._thread.submit(self._load)

    def join(self) -> None:
        """Wait for the end of loading, if it was begun."""
        self._thread.shutdown()

    def is_there_for(self, project: str) -> bool:
        """Whether the model is loaded; if not, the project's vectors are asked for again once it is."""
        self.load()
        if self._loading is None or self._loading.done():
            return True
        self._loading.add_done_callback(lambda _: self._daemon.inbox.put(VectorsJob(project)))
        return False

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
        self._daemon.inbox.stirred()
