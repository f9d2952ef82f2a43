"""The product set back in time: a store of its own that knows a repository up to some commit.

Measurements walk a project's past with it. It is composed of the same objects as always; only the
clock and the commit that counts as newest are given. Nothing later than what it was told is in it.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from companion.api import Order
from companion.app.compose import open_runtime
from companion.app.local import LocalCompanion
from companion.app.runtime import Runtime
from companion.app.scanning.history import HistoryStage, NewHistory, redacted
from companion.app.scanning.scan import Scanner
from companion.app.scanning.vectors import fill_vectors
from companion.config import Settings
from companion.engine.attending.focus import focus
from companion.engine.predicting.predict import predict
from companion.errors import UsageError
from companion.ports import Library, NoProgress
from companion.records import (
    Commit,
    Context,
    FileSeen,
    Format,
    Prediction,
    RepoState,
    SearchHit,
    SearchQuery,
    Signals,
    Span,
)
from companion.signals import git
from companion.signals.files import CommitTree
from companion.store import projects
from companion.store.library import StoreLibrary
from companion.store.passages.vectors import MEANINGS_MOST

_IDENTIFIER = re.compile(r"[A-Za-z_]\w{2,}")


class SetClock:
    """A clock that shows what it was set to."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def now(self) -> datetime:
        """The moment it was set to, naive UTC."""
        return self.moment


def _settings(*, vectors: bool) -> Settings:
    return Settings() if vectors else Settings(embeddings="off")


class Replay:
    """A companion for one repository, taken forward commit by commit; see `companion.evals.replay`."""

    def __init__(self, repo: Path, *, vectors: bool = False) -> None:
        """With `vectors` all memories and passages have theirs at each step, as where a daemon has run for a while."""
        self.state = git.open_repository(repo)
        self._folder = tempfile.TemporaryDirectory(prefix="companion-replay-")
        self._clock = SetClock(datetime(1970, 1, 1))
        self._runtime = open_runtime(Path(self._folder.name), _settings(vectors=vectors), self._clock)
        self._project, self._checkout = projects.identify(self._runtime.store.database, self.state, self._clock.now())
        self._ranked = False
        self._at: RepoState = self.state
        self._tree: CommitTree | None = None

    def commits(self) -> list[Commit]:
        """The whole history, oldest first, for choosing test commits."""
        return list(git.read_commits(self.state, rev=self.state.head))

    def advance(self, commits: Sequence[Commit], tree: str) -> None:
        """Take in commits, oldest first, and the files of the commit `tree`; weights are learned once."""
        if commits:
            self._clock.moment = max(self._clock.moment, commits[-1].committed_at)
        self._at = replace(self.state, head=tree or self.state.head)
        if self._tree is not None:
            self._tree.close()
        self._tree = CommitTree(self._at, self._at.head)
        scanner = Scanner(
            self._runtime,
            self._at,
            self._project,
            self._checkout,
            NoProgress(),
            self._clock.now(),
            workers=1 if self._ranked else 2,
        )
        taken = tuple(redacted(one, self._runtime.adapters.redactor.redact) for one in commits)
        scanner.stage(HistoryStage).store(taken)
        with scanner.tracing.beside():
            scanner.absorb(NewHistory(taken), self._tree, rank=not self._ranked)
        self._ranked = True
        fill_vectors(self._runtime, self._project, NoProgress(), MEANINGS_MOST)

    @property
    def library(self) -> Library:
        """What the engine may ask, as of the last `advance`."""
        return self._library()

    def predict(self, signals: Signals, limit: int) -> tuple[Prediction, ...]:
        """Files likely needed, as the product answers."""
        library = self._library()
        return predict(focus(signals, ()), library, limit)

    def assemble(self, budget_tokens: int, signals: Signals) -> Context:
        """The context, as the product answers."""
        return self.companion().verbs.assemble(budget_tokens, signals, Format.MARKDOWN, Order.PEOPLE, count_use=False)

    def search(self, query: SearchQuery) -> tuple[SearchHit, ...]:
        """What the product's search finds, best first."""
        return self.companion().verbs.search(query)

    def companion(self) -> LocalCompanion:
        """The product as it stood at the last `advance`, to observe and to ask."""
        return LocalCompanion(
            self._runtime, self._at, self._project, self._checkout, tree=self._tree, owns_runtime=False
        )

    def changed_names(self, commit: Commit) -> frozenset[str]:
        """Identifiers in the lines that a commit adds or removes."""
        lines = git.changed_lines(self.state, commit.sha)
        return frozenset(name for line in lines for name in _IDENTIFIER.findall(line))

    def seen(self, path: str) -> FileSeen | None:
        """A file of the tree of the last `advance`, redacted; None if it may not be read or is not there."""
        return self._tree.seen(path, self._runtime.adapters.redactor) if self._tree is not None else None

    def old_spans(self, commit: Commit) -> Mapping[str, tuple[Span, ...]]:
        """The lines of its first parent that a commit changes, by path; empty for a first commit."""
        return git.old_spans(self.state, commit.parents[0], commit.sha) if commit.parents else {}

    def makers(self, path: str, spans: Sequence[Span]) -> frozenset[str]:
        """The commits that made lines of a file as of the last `advance`, and what the merges among them brought."""
        library = self._library()
        made = {one.sha for makers in library.makers(path, spans) for one in makers}
        told = (library.commit_summary(sha) for sha in made)
        return frozenset(made.union(*(one.branch for one in told if one is not None)))

    def count(self, text: str) -> int:
        """The tokens of a text."""
        return self._runtime.adapters.counter.count(text)

    def close(self) -> None:
        """Let go of the store and remove it."""
        if self._tree is not None:
            self._tree.close()
        self._runtime.close()
        self._folder.cleanup()

    def _library(self) -> StoreLibrary:
        return self.companion().library(Signals())


@contextmanager
def scanned_at(
    repo: Path, sha: str, *, reads: type[CommitTree] = CommitTree, settings: Settings | None = None
) -> Iterator[tuple[Runtime, str]]:
    """A store of its own after a scan of a repository as of a commit, with the project's id; gone afterwards.

    Its clock stands at that commit, and `reads` gives its files. Raises UsageError if the commit is not there.
    """
    state = git.open_repository(repo)
    if not git.is_ancestor(state, sha, sha):
        raise UsageError(f"{repo} has no commit {sha}.", "Fetch more of its history.")
    at: RepoState = replace(state, head=sha)
    tree = reads(at, sha)
    with tempfile.TemporaryDirectory(prefix="companion-learned-") as folder:
        clock = SetClock(max(commit.committed_at for commit in git.read_commits(at, since=f"{sha}~1", rev=sha)))
        runtime = open_runtime(Path(folder), settings or Settings(embeddings="off"), clock)
        try:
            project, checkout = projects.identify(runtime.store.database, at, clock.now())
            Scanner(runtime, at, project, checkout, NoProgress(), clock.now(), workers=2).run(tree)
            yield runtime, project
        finally:
            tree.close()
            runtime.close()
