"""A stage of reading a repository: one checkout, the store it is read into, and who is told how it goes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from companion.app.runtime import Runtime
from companion.ports import Progress
from companion.records import RepoState
from companion.signals import files

if TYPE_CHECKING:
    from companion.app.checkout import OpenCheckout

S = TypeVar("S", bound="Stage")

Tree = files.WorkTree | files.CommitTree


@dataclass
class Stage:
    """What every stage knows. `state.head` is the commit that counts as the newest."""

    runtime: Runtime
    state: RepoState
    project: str
    checkout: str
    progress: Progress
    now: datetime
    full: bool = False
    """All is read and made anew, whatever was known."""
    workers: int = 0

    def stage(self, kind: type[S]) -> S:
        """Another stage of the same work."""
        here = (self.runtime, self.state, self.project, self.checkout)
        return kind(*here, self.progress, self.now, self.full, self.workers)

    def index_words(self) -> None:
        """Bring the full-text index up to date with what is remembered."""
        self.progress.step("indexing words", 0, 1)
        self.runtime.store.text_index.update(self.project)
        self.progress.step("indexing words", 1, 1)


def stage_of(checkout: OpenCheckout, kind: type[S], progress: Progress, *, full: bool = False) -> S:
    """A stage of reading a checkout."""
    runtime = checkout.runtime
    workers = runtime.settings.parse_workers or min(8, os.cpu_count() or 1)
    here = (runtime, checkout.state, checkout.project, checkout.checkout)
    return kind(*here, progress, checkout.now(), full, workers)
