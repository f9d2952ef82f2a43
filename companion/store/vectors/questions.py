"""Vectors of what was asked: the latest are kept, and one may be begun before it is needed.

A vector takes some milliseconds outside Python, about as long as predicting files takes in it, so
the two go side by side: whoever knows a question says so early, and asks for its vector later.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property

import numpy as np
import numpy.typing as npt

from companion.ports import Embedder
from companion.store.keeping import LastUsed

Vector = npt.NDArray[np.float32]

KEPT_QUESTIONS = 256
"""Vectors kept: the same words are asked again while one works on one thing. 1.5 kB each."""


class Questions:
    """The vectors of texts, each made once while it is kept. Threads may share it."""

    def __init__(self) -> None:
        self.patient = True
        """Whether a model that is not loaded yet is waited for; not by who answers once and leaves."""
        self._made: LastUsed[tuple[str, str], Future[Vector]] = LastUsed(KEPT_QUESTIONS)
        self._answered: set[str] = set()
        self._lock = threading.Lock()

    def begin(self, embedder: Embedder, text: str) -> None:
        """Make the vector of a text on another thread. Never raises: `vector` does."""
        with self._lock:
            if self._find(embedder, text) is None:
                self._made[embedder.model, text] = self._worker.submit(_vector, embedder, text)

    def answered(self, embedder: Embedder) -> bool:
        """Whether a model has given a vector: the first one waits until it is loaded, the others take milliseconds."""
        return embedder.model in self._answered

    def may_ask(self, embedder: Embedder) -> bool:
        """Whether a model is asked at all: where nobody waits for it, words decide until it has answered once."""
        return self.patient or self.answered(embedder)

    def vector(self, embedder: Embedder, text: str) -> Vector:
        """The vector of a text, waited for if it was begun. Raises what the embedder raises."""
        with self._lock:
            begun = self._find(embedder, text)
        if begun is None:
            made: Future[Vector] = Future()
            made.set_result(_vector(embedder, text))
            with self._lock:
                self._made[embedder.model, text] = made
                self._answered.add(embedder.model)
            return made.result()
        try:
            found = begun.result()
            self._answered.add(embedder.model)
            return found
        except Exception:
            with self._lock:
                self._made.pop((embedder.model, text), None)  # it may go better the next time
            raise

    @cached_property
    def _worker(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(max_workers=1, thread_name_prefix="companion-questions")

    def _find(self, embedder: Embedder, text: str) -> Future[Vector] | None:
        found = self._made.get((embedder.model, text))
        if found is not None:
            self._made.move_to_end((embedder.model, text))
        return found


def _vector(embedder: Embedder, text: str) -> Vector:
    vector: Vector = embedder.embed([text])[0]
    return vector
