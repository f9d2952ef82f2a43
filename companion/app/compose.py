"""Put a companion together: find the repository, open the store, hand each part what it needs."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from companion.adapters.clock import SystemClock
from companion.adapters.embedders import make_embedder
from companion.adapters.embedding import MiniLmEmbedder
from companion.adapters.secrets import SecretRedactor
from companion.adapters.tokens import QuickTokens
from companion.app.consolidation.judges import reader
from companion.app.local import LocalCompanion, nowhere
from companion.app.runtime import Adapters, Runtime, runtime_over
from companion.app.scanning.behind import caught_up
from companion.config import Settings, data_home, load_settings, model_key, removed_settings
from companion.errors import NotARepository
from companion.ports import Clock, LanguageModel, Redactor
from companion.signals import git
from companion.store import projects
from companion.store.files import WANTED
from companion.store.opening import open_store

if TYPE_CHECKING:
    from companion.records import RepoState


def open_companion(
    path: Path, home: Path | None = None, *, anywhere: bool = False, patient: bool = True
) -> LocalCompanion:
    """A companion for the repository that `path` lies in, its store opened (and made if need be).

    Who is not `patient` asks once and leaves: loading the embedding model takes as long as all else, so words decide.
    Raises NotARepository, unless it may be `anywhere`, and StoreError where the store cannot be opened.
    """
    opener = _StoreOpener(home or data_home())
    try:
        opened = LocalCompanion(*opener.checkout(path), around=caught_up)
        opened.store.readings.questions.patient = patient
        return opened
    except NotARepository:
        if anywhere:
            return nowhere(opener.runtime, path, owns_runtime=True)
        opener.close()
        raise
    except BaseException:
        opener.close()
        raise


@dataclass
class _StoreOpener:
    """Opens the store when git asks for what it found last time: after it has seen a repository at all."""

    home: Path

    @cached_property
    def runtime(self) -> Runtime:
        """The runtime, its store opened at the first need."""
        runtime = open_runtime(self.home, load_settings(self.home), SystemClock())
        runtime.backs_up = True
        return runtime

    def checkout(self, path: Path) -> tuple[Runtime, RepoState, str, str]:
        """The runtime, the repository that the path lies in, and the ids of its project and checkout."""
        state = git.open_repository(path, self)
        project, checkout = projects.identify(self.runtime.store.database, state, self.runtime.adapters.clock.now())
        return self.runtime, state, project, checkout

    def note(self, common_dir: str) -> str:
        """What was kept for a git folder."""
        return projects.StoredRoots(self.runtime.store.database).note(common_dir)

    def keep(self, common_dir: str, note: str) -> None:
        """Keep a note for a git folder."""
        projects.StoredRoots(self.runtime.store.database).keep(common_dir, note)

    def close(self) -> None:
        """Let go of the runtime if its store was opened."""
        if "runtime" in self.__dict__:
            self.runtime.close()


MODEL_FOLDER = "model"
"""In the home: the embedding model, ready to run."""


def open_runtime(home: Path, settings: Settings, clock: Clock, *, keep_model: bool = False) -> Runtime:
    """The runtime over the store in `home`; `keep_model` is for who stays and has the model made ready for all."""
    embedder = make_embedder(settings, home / MODEL_FOLDER, keep=keep_model)
    counter = QuickTokens(settings.tokenizer)
    database = open_store(home, wait_s=settings.store_wait_s, memory_limit=settings.memory_limit)
    redactor = SecretRedactor()
    adapters = Adapters(
        clock,
        counter,
        redactor,
        embedder,
        make_language_model=lambda: _language_model(settings, redactor),
        unloads=(
            counter.unload,
            reader.cache_clear,
            *([embedder.unload] if isinstance(embedder, MiniLmEmbedder) else []),
        ),
    )
    with ExitStack() as held:
        held.callback(database.close)
        runtime = runtime_over(database, settings, adapters)
        runtime.notices = removed_settings(home)
        if projects.get_value(database, WANTED):
            from companion.app.deleting import leave_everywhere

            runtime.notices += leave_everywhere(runtime)
        held.pop_all()
    return runtime


def _language_model(settings: Settings, redactor: Redactor) -> LanguageModel | None:
    """The language model that the settings name, with its calls of one run; its adapter is loaded for a run."""
    from companion.adapters.language_model import make_language_model

    return make_language_model(settings, model_key(), redactor)
