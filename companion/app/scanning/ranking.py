"""What predicts the files that are needed, learned from a project's own past, and kept.

Links are worth what they were worth at a few moments of that past: the trees are read newest first, from the code as it
is indexed now, and of each only the files are parsed that differ from the tree read before it. Learning takes seconds
and needs nothing of what a scan learns meanwhile, so that a scan has it done beside itself.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

from msgspec import Struct

from companion import syntax
from companion.adapters.secrets import redacted_source
from companion.app.scanning.apart import APART_FROM, WorkerGone, apart, in_thread
from companion.app.scanning.stage import Stage
from companion.engine.predicting.learn import PastLinks, examples_from, fitted, past_trees, replay_weights, unseen
from companion.errors import SourceError, UsageError
from companion.records import Commit, ParsedFile, RepoState
from companion.records.looking import Measured
from companion.signals import files
from companion.store import parameters, projects
from companion.store.history import accuracy

RANKER = "ranker.lists"
"""The name that prediction's weights are kept under."""
RANKER_COMMITS = 2_000
"""Newest commits that weights are learned from; older ones change nothing and cost time."""
RANKER_AFTER, RANKER_PART = 50, 0.05
"""New commits, or part of all, after which a scan learns the weights anew: fewer move them little, and it takes half of
the time of a scan. A daemon does so sooner, while nobody works."""
PARSED_MOST = 3_000
"""Files parsed for all trees together, some ten seconds: past them, older trees are left out."""

log = logging.getLogger(__name__)


class TrainingPast(Struct, frozen=True):
    """All that weights are learned from: a project's newest commits, oldest first, and its code as it is now.

    `known` has the size and the content of each file, `file_max_bytes` is the most that is read of one. `before` are
    the parameters that were learned last, from commits up to number `seen`; None where that is not among these.
    """

    state: RepoState
    commits: Sequence[Commit]
    parsed: Sequence[ParsedFile]
    known: Mapping[str, tuple[int, int, str]]
    file_max_bytes: int
    half_life: float
    max_files: int
    before: Mapping[str, float]
    seen: int | None


class TrainedRanker(Struct, frozen=True):
    """Parameters by name, and how well prediction did on commits that nothing had seen."""

    parameters: Mapping[str, float]
    measured: Sequence[Measured]


@dataclass
class RankingStage(Stage):
    """Learns the weights of one checkout's project."""

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Learn them while the block runs, and keep them after it; where the block fails, nothing is kept."""
        past = self._past()
        with in_thread(lambda stopped: self._learned(past, stopped)) as result:
            yield
            found = result(lambda: self.progress.step("learning from the past", 0, None))
        if found is not None:
            self._keep(past, found)

    def run(self, give_way: Callable[[], bool] = lambda: False) -> None:
        """Learn them now; where something is more urgent, from less."""
        past = self._past()
        self._keep(past, learned(past, self.workers, give_way))

    def due(self) -> bool:
        """Whether enough has come since weights were last learned for learning them again."""
        if self.full:
            return True
        history, last = self.runtime.store.history, projects.get_value(self.runtime.store.database, self._noted)
        newest = [commit.sha for commit in reversed(history.recent_commits(self.project, RANKER_AFTER))]
        since = newest.index(last) if last in newest else RANKER_AFTER
        return since >= min(RANKER_AFTER, RANKER_PART * history.seq_count(self.project))

    @property
    def _noted(self) -> str:
        """The name under which the newest commit is noted that weights were learned from."""
        return f"{RANKER}:{self.project}"

    def _past(self) -> TrainingPast:
        store, settings = self.runtime.store, self.runtime.settings
        commits = store.history.recent_commits(self.project, RANKER_COMMITS)
        last = projects.get_value(store.database, self._noted)
        return TrainingPast(
            state=self.state,
            commits=commits,
            parsed=tuple(store.code.parsed(self.checkout)),
            known={path: (size, 0, blob) for path, (_, size, blob) in store.code.known(self.checkout).items()},
            file_max_bytes=settings.file_max_bytes,
            half_life=settings.cochange_half_life_commits,
            max_files=settings.cochange_max_files,
            before=parameters.load(store.database, self.project, RANKER),
            seen=next((number for number, commit in enumerate(commits) if commit.sha == last), None),
        )

    def _learned(self, past: TrainingPast, stopped: Callable[[], bool]) -> TrainedRanker | None:
        """What the past teaches; from many commits in a process of its own. None where that was stopped."""
        if self.workers > 1 and len(past.commits) > APART_FROM:
            try:
                return apart(_taught, past, told=lambda _: None, stopped=stopped)
            except WorkerGone as wrong:
                log.info("weights are learned in this process: %s", wrong)
        return learned(past, self.workers, stopped)

    def _keep(self, past: TrainingPast, found: TrainedRanker) -> None:
        database = self.runtime.store.database
        with database.write():
            parameters.save(database, self.project, RANKER, dict(found.parameters), self.now)
            accuracy.keep_replayed(database, self.project, list(found.measured), self.now)
            projects.set_value(database, self._noted, past.commits[-1].sha if past.commits else "")


def _taught(past: TrainingPast, _: Callable[[int], None]) -> TrainedRanker:
    """What a process of its own does, which may have no others."""
    return learned(past, 1)


def learned(past: TrainingPast, workers: int, give_way: Callable[[], bool] = lambda: False) -> TrainedRanker:
    """The weights that a past teaches, and how those did that had not seen its newest part.

    `give_way` is asked between two trees; if it says so, the older ones are left out.
    """
    examples = examples_from(
        past.commits,
        links=past_links(past, workers, give_way),
        half_life=past.half_life,
        max_files=past.max_files,
    )
    taught = fitted(examples)
    weights, since = taught.early, taught.unseen_from
    if past.seen is not None:
        weights, since = replay_weights(past.before), past.seen + 1
    found = [
        Measured(past.commits[number].sha, past.commits[number].committed_at, *shares)
        for number, *shares in unseen(examples, weights, since)
    ]
    return TrainedRanker(taught.parameters, found)


def past_links(past: TrainingPast, workers: int, give_way: Callable[[], bool]) -> PastLinks:
    """The links of the trees that `past_trees` asks for, as far as they can be read and parsed at a bounded cost."""
    parsed = {file.path: file for file in past.parsed}
    trees = list(_trees(past, give_way))
    read = syntax.parse_many((item for tree in trees for item in tree.changed), workers, redacted_source)
    found = {}
    for tree in trees:
        if give_way():
            break
        for path in tree.gone:
            parsed.pop(path, None)
        parsed |= {file.path: file for file in islice(read, len(tree.changed))}
        everything = [parsed[path] for path in sorted(parsed)]
        found[tree.number] = syntax.link(everything, syntax.Definitions(everything))
    return found


class _PastTree(Struct, frozen=True):
    """How a tree differs from the one that was read before it; `number` is the commit that came next."""

    number: int
    changed: Sequence[tuple[str, bytes, str]]
    gone: Collection[str]


def _trees(past: TrainingPast, give_way: Callable[[], bool]) -> Iterator[_PastTree]:
    known = dict(past.known)
    left = PARSED_MOST
    for number in reversed(past_trees(past.commits)):
        parents = past.commits[number].parents
        if not parents or give_way():
            return
        tree = files.CommitTree(past.state, parents[0])
        try:
            scan = files.scan(tree, known, past.file_max_bytes)
            left -= scan.changed_count
            if left < 0:
                return
            changed = [(seen.path, data, seen.content_hash) for seen, data in scan.changed]
        except (SourceError, UsageError):  # a shallow or rewritten history has no such tree
            return
        finally:
            tree.close()
        for path in scan.gone:
            known.pop(path, None)
        known |= {path: (len(data), 0, content_hash) for path, data, content_hash in changed}
        yield _PastTree(number, changed, scan.gone)
