"""Line origins of a checkout: made beside a scan by a thread and git's own process, and fed with new commits after.

They are as of one commit. Where the origins of a first parent of it are kept, only the commits since are read;
where history was rewritten, or more of a shallow one has come, all are made anew.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

from companion.app.scanning.apart import APART_FROM, Result, Told, WorkerGone, apart, in_thread
from companion.app.scanning.stage import Stage
from companion.errors import SourceError
from companion.evidence.line_origins import LineOrigins
from companion.records import RepoState
from companion.records.line_changes import CommitLines
from companion.signals import git
from companion.store import projects

COMMITS_MOST = 20_000
"""Newest commits along first parents that are read: some 20 s beside a scan. Older lines have no maker: what was done
before so much other work seldom tells why something is as it is now."""
AT_ONCE = 200
"""New commits that a saved file may wait for: a tenth of a second. More wait for a quiet moment."""
JOINED_MOST = 5_000
"""Newest commits among which merges are looked into, 3 to 7 ms each: flask has 1,021 of them."""
BROUGHT_MOST = 500
"""Newest commits along first parents of what such a merge brought that are read."""
DEEP_MOST = 3
"""How many merges deep that goes: a stable branch that was merged had a version branch merged into it before."""
GAPS_MOST = 8
"""Commits whose contents are not here that are passed over: a clone without contents has none at all."""

log = logging.getLogger(__name__)


@dataclass
class LineOriginStage(Stage):
    """Brings the line origins of one checkout up to the commit that is checked out."""

    _done: int = field(default=0, init=False)
    _total: int = field(default=0, init=False)
    _result: Result[list[LineOrigins]] | None = field(default=None, init=False)

    def waits(self) -> bool:
        """Whether the line origins of the commit that is checked out are not kept, or could be told further back."""
        if not self.state.head:
            return False
        known = self.runtime.store.line_origins.of(self.project, self.state.head)
        return known is None or known.cut != self._cut()

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Make them while the block runs, and keep them after it; where the block fails, nothing is kept."""
        if not (self.full or self.waits()):
            yield
            return
        with in_thread(lambda stopped: self._made(stopped, beside=True)) as self._result:
            yield
            found = self._found()
        for origins in found:
            self._keep(origins)

    def found(self) -> LineOrigins | None:
        """The origins of the commit that is checked out, waited for where they are being made; None without any."""
        return next(iter(self._found()), None) or self.runtime.store.line_origins.of(self.project, self.state.head)

    def _found(self) -> list[LineOrigins]:
        """What was made beside, once that is done."""
        if self._result is None:
            return []
        return self._result(lambda: self.progress.step("tracing lines", self._done, self._total or None)) or []

    def run(self, give_way: Callable[[], bool] = lambda: False, most: int = COMMITS_MOST) -> bool:
        """Make them now, from at most so many new commits; False where something is left to do.

        Where it gives way, what it came to is kept, and the next run goes on from there.
        """
        if not (self.full or self.waits()):
            return True
        for origins in self._made(give_way, most):
            self._keep(origins)
        return not self.waits()

    def _made(
        self, give_way: Callable[[], bool], most: int = COMMITS_MOST, *, beside: bool = False
    ) -> list[LineOrigins]:
        """The origins as far as they came, one or none; many commits are read in a process `beside` this one."""
        head, cut = self.state.head, self._cut()
        chain = git.first_parents(self.state, head, COMMITS_MOST)
        before = self._before(chain, cut)
        self._done, self._total = 0, len(chain) if before is None else chain.index(before.head)
        since = next(iter(chain[min(self._total, JOINED_MOST + 1) :]), "")
        if self._total > most:
            return []
        origins = LineOrigins(cut=cut) if before is None else before.copy()
        if beside and self.workers > 1 and self._total > APART_FROM:
            try:
                made = apart(traced, self.state, origins, self._total, since, told=self._came_to, stopped=give_way)
            except WorkerGone as wrong:
                log.info("line origins are made in this process: %s", wrong)
            else:
                return [] if made is None else [made]
        return [traced(self.state, origins, self._total, since, self._came_to, give_way)]

    def _came_to(self, done: int) -> None:
        self._done = done

    def _before(self, chain: tuple[str, ...], cut: str) -> LineOrigins | None:
        """The kept origins that the fewest commits are missing from."""
        kept = self.runtime.store.line_origins
        heads = kept.heads(self.project) if not self.full else frozenset()
        nearest = next((sha for sha in chain if sha in heads), "")
        known = kept.of(self.project, nearest) if nearest else None
        return known if known is not None and known.cut == cut else None

    def _cut(self) -> str:
        """Tells where a shallow history ends; empty for a whole one."""
        ends = " ".join(sorted(git.history_ends(self.state)))
        return hashlib.sha256(ends.encode()).hexdigest()[:16] if ends else ""

    def _keep(self, origins: LineOrigins) -> None:
        """Keep what is known of indexed files alone: those that nobody may read leave no trace."""
        origins.retain(self.runtime.store.code.known(self.checkout))
        checked_out = [one.head for one in projects.checkouts(self.runtime.store.database, self.project) if one.head]
        self.runtime.store.line_origins.keep(self.project, origins, checked_out)


def traced(
    state: RepoState,
    origins: LineOrigins,
    total: int,
    since: str,
    told: Told,
    give_way: Callable[[], bool] = lambda: False,
) -> LineOrigins:
    """The origins of the commit that is checked out, from those of `total` commits before it; or as far as they came.

    What merges brought is looked for among the commits after the one that `since` names. Git is read to its end unless
    something more urgent comes.
    """
    begun, cut, done = not origins.head, origins.cut, 0
    with closing(git.Branches(state, state.head, since)) as branches:
        for _ in range(GAPS_MOST):
            try:
                for commit in git.line_changes(state, state.head, total - done):
                    done += 1
                    told(done)
                    origins.fold(commit, _merged(branches, commit, total - done))
                    if give_way():
                        return origins
                break
            except SourceError as wrong:  # contents are not here: of the lines until then nothing can be known
                log.info("no line origins of %d of %d commits: %s", done + 1, total, wrong)
                origins = LineOrigins(cut=cut)
                if not done or give_way():
                    break
                done += 1
        else:
            origins = LineOrigins(cut=cut)
    origins.head = state.head
    if begun:
        origins.compact()
    return origins


def _merged(branches: git.Branches, commit: CommitLines, newer: int, deep: int = 0) -> LineOrigins | None:
    """What the commits did that a merge brought; None for any other commit. `newer` is how many come after it."""
    if not commit.merge or deep >= DEEP_MOST or newer > JOINED_MOST:
        return None
    origins = LineOrigins()
    try:
        for one in branches.brought(commit.sha, BROUGHT_MOST):
            origins.fold(one, _merged(branches, one, newer, deep + 1))
        unlike = [one.path for one in commit.files if one.path and one.text and not origins.knows(one.path, one.blob)]
        if unlike:
            origins.fold(branches.joining(commit.sha, unlike))
    except SourceError as wrong:
        log.info("no line origins of what %s merged: %s", commit.sha, wrong)
        return None
    return origins
