"""A scan: what is new in history and code goes into the store, and the kinds learn from it.

The stages, each committed before the next begins, so that a killed scan goes on where it stopped:

1. history   new commits, by one bulk read; rewritten ones are marked
2. code      changed files, parsed in parallel; what must be learned from is noted with them
3. links     which file depends on which
4. passages  what changed in files and commits is cut and can be found
5. learning  every kind reads what is new and says what it remembers of it; what history taught is checked against today
   ... beside all these, which commit made each line; beside 4 and 5 the weights learned from the project's own past
   ... from here on contexts are answered in full; then
6. vectors   newest and most used memories first
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
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
from companion.app.scanning.ranking import RankingStage
from companion.app.scanning.stage import Stage, Tree
from companion.app.scanning.world import ScannedWorld
from companion.ports import Extractor
from companion.records import Skipped
from companion.signals import files
from companion.store import projects
from companion.store.memories.following import follow
from companion.store.memories.memories import ReconcileOutcome


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
        ranking = self.stage(RankingStage)
        due = rank and (new.commits or pending.history()) and ranking.due()
        with ranking.beside() if due else nullcontext():
            self.stage(PassageStage).run(tree, commits=new.commits, read=indexed.read)
            changed, gone = pending.with_left(indexed, pending.paths())
            taught = self._learn(tree, new, changed, gone, indexed, pending)
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
