"""Which model a project's questions are asked with while the vectors of another one are made.

Vectors belong to a model. After a change of model (another name, checksum or dimension) all texts lack a
vector, and get one in the background as new texts do: by the daemon, or by the next scan, a batch a commit, so
that a kill repeats nothing. Until the last is made, questions go to the model that knows more of the project's
texts, if it can still be run here; the text index answers all along. Then the old vectors are dropped, a batch
at a time too.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from companion.config import Settings
from companion.store import projects

if TYPE_CHECKING:
    from companion.app.runtime import Runtime
    from companion.ports import Embedder


def search_models(runtime: Runtime) -> SearchModels:
    """Which model each project of a store is asked with; all who ask share it."""
    return runtime.one(SearchModels, runtime)


class SearchModels:
    """The model that each project is asked with now. Threads may share it."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._lock = threading.Lock()
        self._asked: dict[str, Embedder] = {}
        self._noted = False

    def of(self, project: str) -> Embedder | None:
        """Whom to ask for the vector of a question: decided once, and again when all vectors are made."""
        runtime = self._runtime
        if runtime.adapters.embedder is None:
            return None
        known = self._asked.get(project)
        if known is None:
            with self._lock:
                known = self._asked.setdefault(project, self._decided(project, runtime.adapters.embedder))
        return known

    def note(self) -> None:
        """Write down how the model is made that vectors are made with, so that it can be made again after a change."""
        runtime = self._runtime
        if runtime.adapters.embedder is not None and not self._noted:
            name = _how(runtime.adapters.embedder.model)
            if projects.get_value(runtime.store.database, name) != runtime.settings.embeddings:
                projects.set_value(runtime.store.database, name, runtime.settings.embeddings)
            self._noted = True

    def finish(self, project: str) -> bool:
        """All texts have a vector: ask the new model, and drop some of the old vectors; whether there are more."""
        runtime = self._runtime
        if runtime.adapters.embedder is None:
            return False
        with self._lock:
            self._asked[project] = runtime.adapters.embedder
        return runtime.store.vectors.drop_others(
            project, runtime.adapters.embedder.model, runtime.adapters.embedder.dimension
        )

    def _decided(self, project: str, embedder: Embedder) -> Embedder:
        """The model with most of the project's vectors that can be run; the one that is set, among equals."""
        if not self._runtime.store.vectors.has_others(embedder.model):
            return embedder
        counts = self._runtime.store.vectors.models(project)
        own = counts.get(embedder.model, 0)
        for model, count in sorted(counts.items(), key=lambda one: (-one[1], one[0])):
            if count > own and (other := self._made(model)) is not None:
                return other
        return embedder

    def _made(self, model: str) -> Embedder | None:
        """The embedder of that name, if it can be made here and is still the same."""
        setting = projects.get_value(self._runtime.store.database, _how(model)) or Settings().embeddings
        made = self._runtime.adapters.make_embedder(setting)
        return made if made is not None and made.model == model else None


def _how(model: str) -> str:
    return f"embeddings of {model}"
