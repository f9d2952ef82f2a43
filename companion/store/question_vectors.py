"""The vectors of questions: made ahead or when asked for, by a model that may fail, only where they find anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from companion.store.search import Vector

if TYPE_CHECKING:
    from companion.ports import Embedder
    from companion.store.store import Store


class QuestionVectors:
    """Makes the vectors of one project's questions; `failed` says why the model could not, empty while it could."""

    def __init__(self, store: Store, asked: Embedder | None, project: str) -> None:
        self.failed = ""
        self._questions = store.readings.questions
        self._vectors, self._of_passages = store.vectors, store.passage_vectors
        self._asked = asked
        self._project = project

    def expect(self, text: str) -> None:
        """Begin the vector of a text on another thread: it will be searched for soon."""
        embedder, questions = self._asked, self._questions
        if embedder is not None and text.strip() and questions.may_ask(embedder):
            questions.begin(embedder, text)

    def begun(self, embedder: Embedder, text: str) -> Callable[[], Vector | None]:
        """What gives the vector of a text once it is needed; it is made meanwhile.

        A model that still loads is waited for here: who waits for it inside an index keeps others.
        """
        self._questions.begin(embedder, text)
        vector = partial(self.vector, embedder, text)
        if self._questions.answered(embedder):
            return vector
        made = vector()
        return lambda: made

    def vector(self, embedder: Embedder, text: str) -> Vector | None:
        """The vector of a question; None where the model fails, which `failed` then says."""
        try:
            return self._questions.vector(embedder, text)
        except Exception as wrong:
            self.failed = _failed(wrong)
            return None

    def dimension(self, embedder: Embedder) -> int | None:
        """How long its vectors are, for which some models have to be loaded; None where that fails."""
        try:
            return embedder.dimension
        except Exception as wrong:
            self.failed = _failed(wrong)
            return None

    def model(self, own: Callable[[], Sequence[str]]) -> Embedder | None:
        """Who makes the vector of a question; nobody where nothing has one to compare it with.

        `own` gives the user's own spaces, which are asked too. The first vector of a process waits for the model, half
        a second.
        """
        embedder = self._asked
        if embedder is None or not self._questions.may_ask(embedder) or self.dimension(embedder) is None:
            return None
        spaces = (self._project, *own())
        of_memories = any(self._vectors.has_any(space, embedder) for space in spaces)
        return embedder if of_memories or self._of_passages.has_any(self._project, embedder) else None


def _failed(wrong: Exception) -> str:
    return f"the embedding model failed ({wrong}): see `companion doctor`"
