"""What kinds learn from, read out of the store and the repository as a scan left them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING

from msgspec import Struct

from companion.errors import SourceError
from companion.kinds.facts.project_files import spec_of
from companion.ports import Redactor
from companion.records import Commit, Draft, FileSeen, ParsedFile, RepoState
from companion.signals.files import blob_id
from companion.store.code.tables import Code
from companion.store.history.commits import CommitHistory
from companion.store.memories.memories import Memories

if TYPE_CHECKING:
    from companion.app.scanning.stage import Stage, Tree
    from companion.evidence.line_origins import LineOrigins


class ScannedWorld(Struct, frozen=True, dict=True):
    """One scan's view: what is new since the kinds last looked, and the whole where they need it."""

    project: str
    checkout: str
    repo: RepoState
    now: datetime
    tree: Tree
    history: CommitHistory
    code: Code
    memories: Memories
    redactor: Redactor
    commits: tuple[Commit, ...]
    changed_paths: tuple[str, ...]
    code_read: tuple[ParsedFile, ...] | None = None
    """Every parsed file, where the scan has read them already: reading them takes a second for 3,000."""
    gone: tuple[str, ...] = ()
    """Paths that are no longer there."""
    traced: Callable[[], LineOrigins | None] = lambda: None
    """Which commit made each line, where that is known."""

    @classmethod
    def of(
        cls, stage: Stage, tree: Tree, changed_paths: tuple[str, ...] = (), gone: tuple[str, ...] = ()
    ) -> ScannedWorld:
        """The world of one checkout as the store has it, with these paths new or gone and no new commits."""
        runtime, state = stage.runtime, stage.state
        kept = (runtime.store.history, runtime.store.code, runtime.store.memories, runtime.adapters.redactor)
        traced = partial(runtime.store.line_origins.of, stage.project, state.head)
        here = (stage.project, stage.checkout, state, stage.now, tree)
        return cls(*here, *kept, (), changed_paths, None, gone, traced)

    def new_commits(self) -> Sequence[Commit]:
        """Commits not learned from yet, oldest first, redacted."""
        return self.commits

    def recent_commits(self, limit: int) -> Sequence[Commit]:
        """The newest commits known, newest last."""
        return self.history.recent_commits(self.project, limit)

    def taught(self, learner: str) -> Sequence[Draft]:
        """What a way of learning taught of the project and of this checkout, as far as it is still kept."""
        learners = (learner, f"{learner}@{self.checkout}")
        return [memory.draft for name in learners for memory in self.memories.taught(self.project, name)]

    def lines_left(self, sha: str) -> tuple[int, int] | None:
        """How many lines of source a commit put, and how many of them are left."""
        return self._origins.left_of(sha) if self._origins is not None else None

    def lines_made(self, sha: str, path: str) -> Collection[int]:
        """The lines of a file, as it is now, that a commit made."""
        if self._origins is None:
            return ()
        try:
            return self._origins.lines_of(sha, path, blob_id(self.tree.read(path)))
        except SourceError:  # it is gone
            return ()

    def lines_known(self) -> bool:
        """Whether it is known which commit made each line."""
        return self._origins is not None

    def changed_texts(self, matching: Iterable[str]) -> Iterator[FileSeen]:
        """Changed files whose path matches, redacted; what vanished meanwhile is passed over."""
        wanted = spec_of(tuple(matching))
        yield from self.texts_at(path for path in self.changed_paths if wanted.match_file(path))

    def texts_at(self, paths: Iterable[str]) -> Iterator[FileSeen]:
        """The files at some paths, redacted; what vanished meanwhile is passed over."""
        for path in paths:
            seen = self.tree.seen(path, self.redactor)
            if seen is not None:
                yield seen

    def gone_paths(self) -> Sequence[str]:
        """What the scan no longer found."""
        return self.gone

    def sample_texts(self, matching: Iterable[str], limit: int) -> Iterator[FileSeen]:
        """At most `limit` files that match, changed or not, spread evenly over the sorted paths."""
        wanted = spec_of(tuple(matching))
        paths = [path for path in self.all_paths() if wanted.match_file(path)]
        stride = max(1, -(-len(paths) // max(1, limit)))
        yield from self.texts_at(paths[::stride])

    def changed_code(self) -> Sequence[ParsedFile]:
        """Parsed files among the changed ones."""
        return self._changed_code

    def all_code(self) -> Sequence[ParsedFile]:
        """Every parsed file of the checkout."""
        return self._all_code

    def all_paths(self) -> Sequence[str]:
        """Every path that was indexed, sorted."""
        return self._all_paths

    @cached_property
    def _origins(self) -> LineOrigins | None:
        return self.traced()

    @cached_property
    def _all_paths(self) -> Sequence[str]:
        return sorted(self.code.known(self.checkout))

    @cached_property
    def _changed_code(self) -> Sequence[ParsedFile]:
        if self.code_read is None:
            return self.code.parsed(self.checkout, self.changed_paths)
        changed = set(self.changed_paths)
        return tuple(file for file in self.code_read if file.path in changed)

    @cached_property
    def _all_code(self) -> Sequence[ParsedFile]:
        if self.code_read is not None:
            return self.code_read
        return self.code.parsed(self.checkout, None)
