"""Files and commits into the index of passages: what changed is cut, what is gone taken out, and nothing else touched.

The states of sources in the index are compared with the tables, so that whatever was cut off here is taken up by the
next look, and unchanged content is never cut twice: a file that only moved keeps its passages under its new path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from companion.app.scanning.history import redacted
from companion.app.scanning.stage import Stage, Tree
from companion.evidence.commits import cut_commit
from companion.evidence.cutting import VERSION, cut_file
from companion.records import Commit, ParsedFile
from companion.signals import git
from companion.store.bulk import batches
from companion.store.passages.documents import SourcePassages, whole_of
from companion.store.passages.index import PassageChange
from companion.store.text.documents import commit_space, file_space

FILES_AT_ONCE = 200
"""Files cut between two commits of the index: a second of work, the most that a kill can cost."""
COMMITS_AT_ONCE = 5_000
"""Commits of history taken in at once: a second as well."""
FEW_PATHS = 50
"""Up to so many paths are looked up one by one; with more, the states of all are read."""
ON_DEFAULT = "-"
"""The state of a commit that the default branch has; one that is on a branch alone has its name."""
EXTENT = "extent"
"""The source under which it is noted how far the history of a project was taken in."""


class PassageStage(Stage):
    """Brings the passages of one checkout up to date with the tables."""

    def run(
        self,
        tree: Tree,
        *,
        commits: Iterable[Commit] = (),
        read: Sequence[ParsedFile] | None = None,
        give_way: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Take in all that differs; False where it gave way or the disk took nothing, and something is left.

        `commits` are those that a scan has just read, `read` the files that it has parsed.
        """
        return self._history(commits) and self._files(tree, self._differing(), read, give_way)

    def some(self, tree: Tree, paths: Sequence[str], commits: Iterable[Commit] = ()) -> bool:
        """Take in what differs at these paths, there or gone, and the commits that are new."""
        if len(paths) > FEW_PATHS:
            return self.run(tree, commits=commits)
        space = file_space(self.checkout)
        known = self._known()
        before = {path: state for path in paths if (state := self.runtime.store.passages.state(space, path))}
        now = {path: known[path] for path in paths if path in known}
        return self._history(commits) and self._files(tree, _Differing.between(before, now), None, lambda: False)

    def waits(self) -> bool:
        """Whether commits wait to be taken in, as all do where the index is new."""
        return not self._has_history()

    def _has_history(self) -> bool:
        extent = self.runtime.store.history.extent(self.project)
        return self.runtime.store.passages.state(commit_space(self.project), EXTENT) == extent

    # ------------------------------------------------------------------ files

    def _known(self) -> dict[str, str]:
        """The state of every file of the checkout as the tables have it."""
        known = self.runtime.store.code.known(self.checkout)
        return {path: f"{VERSION}:{content}" for path, (_, _, content) in known.items()}

    def _differing(self) -> _Differing:
        return _Differing.between(self.runtime.store.passages.states(file_space(self.checkout)), self._known())

    def _files(
        self, tree: Tree, differing: _Differing, read: Sequence[ParsedFile] | None, give_way: Callable[[], bool]
    ) -> bool:
        index = self.runtime.store.passages
        if (differing.moved or differing.gone) and not index.change(partial(self._move, differing)):
            return False
        by_path = {file.path: file for file in read or ()}
        done, total = 0, len(differing.changed)
        for batch in batches(sorted(differing.changed), FILES_AT_ONCE):
            if give_way():
                return False
            parsed = by_path or {file.path: file for file in self.runtime.store.code.parsed(self.checkout, batch)}
            states = {path: differing.changed[path] for path in batch}
            if not index.change(partial(self._cut, tree, states, parsed)):
                return False
            done += len(batch)
            self.progress.step("indexing passages", done, total)
        return True

    def _move(self, differing: _Differing, change: PassageChange) -> None:
        """Take out what is gone; what only has another path now keeps its passages."""
        space = file_space(self.checkout)
        for path, old in differing.moved.items():
            for cut in self.runtime.store.passages.of_source(space, old):
                passages = tuple(replace(one, path=path) for one in cut.passages)
                change.replace(space, replace(cut, source=path, passages=passages))
        change.remove(space, differing.gone)

    def _cut(
        self, tree: Tree, states: Mapping[str, str], parsed: Mapping[str, ParsedFile], change: PassageChange
    ) -> None:
        """Cut some files, redacted; one that has changed since it was indexed waits for the next look."""
        space = file_space(self.checkout)
        for path, state in states.items():
            seen = tree.seen(path, self.runtime.adapters.redactor)
            if seen is None or path not in parsed or f"{VERSION}:{seen.content_hash}" != state:
                continue
            passages = tuple(cut_file(path, seen.text, parsed[path]))
            change.replace(space, SourcePassages(path, state, passages, whole=whole_of(parsed[path])))

    # ------------------------------------------------------------------ commits

    def _history(self, fresh: Iterable[Commit]) -> bool:
        """Take in the commits that are new, take out those that are gone, note those that were merged."""
        index, space = self.runtime.store.passages, commit_space(self.project)
        if self._has_history():
            return True
        extent = self.runtime.store.history.extent(self.project)
        states = index.states(space)
        known = self.runtime.store.history.branches(self.project)
        wanted = {sha: branch for sha, branch in known.items() if states.get(sha) != (branch or ON_DEFAULT)}
        gone = [sha for sha in states if sha not in known and sha != EXTENT]
        done, total = 0, len(wanted)
        last: Sequence[SourcePassages] = ()  # taken in with what says that nothing is left: mostly there is one batch
        for batch in batches(self._passages_of(wanted, states, fresh), COMMITS_AT_ONCE):
            if last and not index.change(partial(_put, space, last)):
                return False
            last = batch
            done += len(batch)
            self.progress.step("indexing commits", done, total)
        return index.change(partial(_finish, space, last, gone, extent))

    def _passages_of(
        self, wanted: Mapping[str, str], states: Mapping[str, str], fresh: Iterable[Commit]
    ) -> Iterator[SourcePassages]:
        """The passages of commits, as they were cut before, as just read, as git has them, or by subject alone."""
        left = dict(wanted)

        def cut(commits: Iterable[Commit]) -> Iterator[SourcePassages]:
            for commit in commits:
                if (branch := left.pop(commit.sha, None)) is not None:
                    yield SourcePassages(commit.sha, branch or ON_DEFAULT, tuple(cut_commit(commit)), branch)

        for sha in wanted.keys() & states.keys():  # merged since, or the other way round
            branch = left.pop(sha)
            for kept in self.runtime.store.passages.of_source(commit_space(self.project), sha):
                yield replace(kept, state=branch or ON_DEFAULT, branch=branch)
        yield from cut(fresh)
        if left and self.state.head:
            redact = self.runtime.adapters.redactor.redact
            log = git.read_commits(self.state, rev=self.state.head)
            yield from cut(redacted(one, redact) for one in log if one.sha in left)
        if left:
            yield from cut(self.runtime.store.history.commits(self.project, left))


class _Differing(Struct, frozen=True):
    """Files whose passages are to be cut with their state, those that only moved by new path, and those gone."""

    changed: dict[str, str]
    moved: dict[str, str]
    gone: tuple[str, ...]

    @classmethod
    def between(cls, before: Mapping[str, str], now: Mapping[str, str]) -> _Differing:
        """What differs between the states in the index and those of the tables."""
        gone = tuple(path for path in before if path not in now)
        changed = {path: state for path, state in now.items() if before.get(path) != state}
        left = {(before[path], PurePosixPath(path).suffix): path for path in gone}
        moved = {}
        for path, state in changed.items():
            old = left.pop((state, PurePosixPath(path).suffix), None)
            if old is not None:
                moved[path] = old
        return cls({path: state for path, state in changed.items() if path not in moved}, moved, gone)


def _put(space: str, cuts: Iterable[SourcePassages], change: PassageChange) -> None:
    for cut in cuts:
        change.replace(space, cut)


def _finish(
    space: str, last: Iterable[SourcePassages], gone: Iterable[str], extent: str, change: PassageChange
) -> None:
    _put(space, last, change)
    change.remove(space, gone)
    change.replace(space, SourcePassages(EXTENT, extent, ()))
