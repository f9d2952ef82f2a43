"""A scan: what is new in history and code goes into the store, and the kinds learn from it.

The stages, each committed before the next begins, so that a killed scan goes on where it stopped:

1. history   new commits, by one bulk read; rewritten ones are marked
2. code      changed files, parsed in parallel; what must be learned from is noted with them
3. links     which file depends on which
4. passages  what changed in files and commits is cut and can be found
5. learning  every kind reads what is new and says what it remembers of it; what history taught is checked against today
6. ranking   weights learned from the project's own past
   ... beside all these, which commit made each line
   ... from here on contexts are answered in full; then
7. vectors   newest and most used memories first
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from companion import kinds, syntax
from companion.app.scanning.checking import check_history
from companion.app.scanning.history import HistoryStage, NewHistory
from companion.app.scanning.indexing import Indexed, Indexer
from companion.app.scanning.learning import Learning, Taught
from companion.app.scanning.line_origins import LineOriginStage
from companion.app.scanning.passages import PassageStage
from companion.app.scanning.pending import Pending
from companion.app.scanning.stage import Stage, Tree
from companion.app.scanning.world import ScannedWorld
from companion.ports import Extractor
from companion.records import Skipped
from companion.records.looking import Measured
from companion.signals import files
from companion.store import parameters, projects
from companion.store.history import accuracy
from companion.store.memories.following import follow
from companion.store.memories.memories import ReconcileOutcome

RANKER = "ranker.lists"
"""The name that prediction's weights are kept under."""
RANKER_COMMITS = 2_000
"""Newest commits that weights are learned from; older ones change nothing and cost time."""


RANKER_AFTER, RANKER_PART = 50, 0.05
"""New commits, or part of all, after which a scan learns the weights anew: fewer move them little, and it takes half of
the time of a scan. A daemon does so sooner, while nobody works."""


class Scanned(Struct, frozen=True):
    """What a scan found and did, before vectors."""

    commits_new: int
    commits_total: int
    files_new: int
    files_total: int
    files_gone: int
    outcome: ReconcileOutcome
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...]


@dataclass
class Scanner(Stage):
    """One scan of one checkout. `state.head` is the commit that counts as the newest."""

    learners: Sequence[Extractor] | None = None
    """Ways of learning; None: all of KINDS."""

    def run(self, tree: Tree) -> Scanned:
        """All stages up to learning; what it returns is already committed."""
        with self.tracing.beside():
            return self.absorb(self.stage(HistoryStage).run(), tree)

    @cached_property
    def tracing(self) -> LineOriginStage:
        """The stage that knows which commit made each line, and runs beside the others."""
        return self.stage(LineOriginStage)

    def absorb(self, new: NewHistory, tree: Tree, *, rank: bool = True) -> Scanned:
        """The stages after history, which is stored already; `rank` says whether weights are learned anew."""
        pending = self.stage(Pending)
        scan, indexed = self._code(tree)
        self.stage(PassageStage).run(tree, commits=new.commits, read=indexed.read)
        changed, gone = pending.with_left(indexed, pending.paths())
        taught = self._learn(tree, new, changed, gone, indexed, pending)
        if rank and (new.commits or pending.history()) and (self.full or weights_are_old(self)):
            learn_weights(self)
        follow(self.runtime.store.database, self.project)
        self._finish(scan.skipped, pending, complete=not taught.failed)
        return Scanned(
            commits_new=len(new.commits),
            commits_total=self.runtime.store.history.seq_count(self.project),
            files_new=len(changed),
            files_total=len(self.runtime.store.code.known(self.checkout)),
            files_gone=len(gone),
            outcome=taught.outcome,
            skipped=tuple(scan.skipped),
            notes=(*new.notes, *taught.failed),
        )

    def _code(self, tree: Tree) -> tuple[files.Scan, Indexed]:
        """What was found in the tree, and what of it was taken in."""
        runtime = self.runtime
        before = runtime.store.code.known(self.checkout)
        again = self.full or self._has_new_languages()
        known = {} if again else {path: (size, mtime, id_) for path, (mtime, size, id_) in before.items()}
        scan = files.scan(tree, known, runtime.settings.file_max_bytes, names=runtime.adapters.redactor)
        indexer = self.stage(Indexer)
        return scan, indexer.take_in(scan, before)

    def _has_new_languages(self) -> bool:
        """Whether there are languages that the program which read the checkout last could not parse.

        All files are read again then: some may have been of another language to it.
        """
        read = projects.get_value(self.runtime.store.database, _parsed(self.checkout)).split()
        return bool(read) and not {row.name for row in syntax.LANGUAGES} <= set(read)

    def _learn(
        self,
        tree: Tree,
        new: NewHistory,
        changed: tuple[str, ...],
        gone: tuple[str, ...],
        indexed: Indexed,
        pending: Pending,
    ) -> Taught:
        """What was learned; nothing where nothing is new."""
        waiting = pending.newest_commits()
        if not (new.commits or changed or gone or waiting):
            return Taught()
        world = ScannedWorld.of(self, tree, changed, gone)
        world = replace(world, commits=new.commits, code_read=indexed.read, traced=self.tracing.found)
        learners = kinds.KINDS if self.learners is None else self.learners
        learning = Learning(self.runtime, world, new.only_on_branch, self.progress, waiting)
        if self.full:  # all is said anew: what ends has its reason before
            return Taught(check_history(self.runtime, world)) + learning.learn(learners)
        return learning.learn(learners) + Taught(check_history(self.runtime, world))

    def _finish(self, skipped: Sequence[Skipped], pending: Pending, *, complete: bool) -> None:
        """Note how far the scan came: after an incomplete one, the next learns the same again."""
        database, learned_at = self.runtime.store.database, self.state
        with database.write():
            projects.set_skipped(database, self.checkout, skipped)
            if complete:
                pending.clear()
            else:
                learned_at = replace(self.state, head=projects.checkout_head(database, self.checkout))
            projects.set_scanned(database, self.checkout, learned_at, self.now)
            projects.set_value(database, _parsed(self.checkout), " ".join(row.name for row in syntax.LANGUAGES))
        self.index_words()


def _parsed(checkout: str) -> str:
    """The name under which it is noted which languages could be parsed when a checkout was scanned."""
    return f"parsed:{checkout}"


def weights_are_old(stage: Stage) -> bool:
    """Whether enough has come since weights were last learned for learning them again."""
    history, last = stage.runtime.store.history, projects.get_value(stage.runtime.store.database, ranked(stage.project))
    newest = [commit.sha for commit in reversed(history.recent_commits(stage.project, RANKER_AFTER))]
    since = newest.index(last) if last in newest else RANKER_AFTER
    return since >= min(RANKER_AFTER, RANKER_PART * history.seq_count(stage.project))


def ranked(project: str) -> str:
    """The name under which the newest commit is noted that weights were learned from."""
    return f"{RANKER}:{project}"


def learn_weights(stage: Stage, give_way: Callable[[], bool] = lambda: False) -> None:
    """What predicts the files that are needed, learned from the project's own past.

    Before that is kept, what has come since the last time is a test of what was known then: nothing had seen it.
    """
    from companion.app.scanning.past_links import past_links
    from companion.engine.predicting import learn

    runtime, project = stage.runtime, stage.project
    past = runtime.store.history.recent_commits(project, RANKER_COMMITS)
    settings = runtime.settings
    examples = learn.examples_from(
        past,
        links=past_links(runtime, stage.state, stage.checkout, past, stage.workers, give_way),
        half_life=settings.cochange_half_life_commits,
        max_files=settings.cochange_max_files,
    )
    taught = learn.fitted(examples)
    known, since = taught.early, taught.unseen_from
    last = projects.get_value(runtime.store.database, ranked(project))
    seen = next((number for number, commit in enumerate(past) if commit.sha == last), None)
    if seen is not None:
        known, since = learn.replay_weights(parameters.load(runtime.store.database, project, RANKER)), seen + 1
    found = [
        Measured(past[number].sha, past[number].committed_at, *shares)
        for number, *shares in learn.unseen(examples, known, since)
    ]
    with runtime.store.database.write():
        parameters.save(runtime.store.database, project, RANKER, taught.parameters, stage.now)
        accuracy.keep_replayed(runtime.store.database, project, found, stage.now)
        projects.set_value(runtime.store.database, ranked(project), past[-1].sha if past else "")
