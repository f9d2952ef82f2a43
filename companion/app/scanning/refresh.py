"""A few changed files or commits, taken in while someone works: the narrow way through a scan's stages.

What it promises: when it returns, the code index, the index of words, links, and what changed files
and new commits teach by themselves are those of a fresh scan. What looks at the whole (patterns, habits,
the weights of prediction, the check of history against today) waits, noted in the store, until
`settle_down` is called or the next scan comes; what was learned from the whole before stands until
then. Each stage commits before the next begins, and what is cut off is taken up by the next look.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion import kinds
from companion.app.scanning.checking import check_history
from companion.app.scanning.history import HistoryStage, NewHistory
from companion.app.scanning.indexing import NONE, Indexed, Indexer
from companion.app.scanning.learning import NOTHING, Learning, Taught
from companion.app.scanning.line_origins import AT_ONCE, LineOriginStage
from companion.app.scanning.passages import PassageStage
from companion.app.scanning.pending import Pending
from companion.app.scanning.ranking import RankingStage
from companion.app.scanning.stage import Stage, Tree
from companion.app.scanning.world import ScannedWorld
from companion.ports import Extractor
from companion.records import Commit
from companion.signals import files
from companion.store import projects
from companion.store.memories.following import follow
from companion.store.memories.memories import ReconcileOutcome

WAITS = "Patterns and habits of the whole repository are learned when nobody is working."


class TakenIn(Struct, frozen=True):
    """What a refresh found and did; `waits` says whether something is left for `settle_down`."""

    indexed: Indexed = NONE
    commits: int = 0
    outcome: ReconcileOutcome = NOTHING
    notes: tuple[str, ...] = ()
    waits: bool = False
    arrived: tuple[Commit, ...] = ()


class Refresher(Stage):
    """Takes changes into one checkout. `state` is the repository as it stands now."""

    def run(self, tree: Tree, paths: Sequence[str] | None) -> TakenIn:
        """Take in what changed at `paths` and in the history; None: everywhere, refs that moved elsewhere too."""
        learned_head = projects.checkout_head(self.runtime.store.database, self.checkout)
        new = NewHistory()
        if paths is None or learned_head != self.state.head:
            new = self.stage(HistoryStage).run()
        indexer = self.stage(Indexer)
        indexed = self._code(indexer, tree, paths)
        pending = self.stage(Pending)
        changed, gone = pending.with_left(indexed, pending.unread())
        traced = self.stage(LineOriginStage).run(most=AT_ONCE)  # which says what of a change is left
        taught = Taught()
        if new.commits or changed or gone:
            world = replace(ScannedWorld.of(self, tree, changed, gone), commits=new.commits)
            taught = self._learn(world, new, [kind for kind in kinds.KINDS if kind.name not in kinds.UNHURRIED])
        if not taught.failed:
            self._note(new, {*changed, *gone}, learned_head)
        if new.commits or new.notes:
            follow(self.runtime.store.database, self.project)
        self.index_words()
        cut = self.stage(PassageStage).some(tree, [*indexed.fresh, *indexed.gone], new.commits)
        indexer.link()  # last: what was saved is known and found without it
        waits = bool(new.commits or changed or gone) or pending.history() or bool(pending.paths())
        notes = (*new.notes, *taught.failed)
        return TakenIn(indexed, len(new.commits), taught.outcome, notes, waits or not (cut and traced), new.commits)

    def settle_down(self, tree: Tree, give_way: Callable[[], bool]) -> TakenIn:
        """Let those learn that look at the whole, and learn the weights of prediction anew.

        Between two steps `give_way` is asked; if it says so, all waits on and is begun again later.
        """
        pending = self.stage(Pending)
        complete = self.stage(PassageStage).run(tree, give_way=give_way) and self.stage(LineOriginStage).run(give_way)
        if not complete and give_way():
            return TakenIn(waits=True)
        unread, left = pending.unread(), pending.paths()
        waiting = pending.newest_commits()
        if not left and not waiting:
            return TakenIn()
        total = Taught()
        world = ScannedWorld.of(self, tree, *pending.with_left(Indexed(), left))
        hurried = [kind for kind in kinds.KINDS if kind.name not in kinds.UNHURRIED] if unread else []
        for kind in (*hurried, *(kind for kind in kinds.KINDS if kind.name in kinds.UNHURRIED)):
            if give_way():
                return TakenIn(outcome=total.outcome, notes=total.failed, waits=True)
            total = total + self._learn(world, NewHistory(), (kind,), waiting)
        if waiting and not give_way():
            self.stage(RankingStage).run(give_way)
        if not give_way():
            total = total + Taught(check_history(self.runtime, world))
        if give_way() or total.failed:
            return TakenIn(outcome=total.outcome, notes=total.failed, waits=True)
        with self.runtime.store.database.write():
            pending.clear()
        self.runtime.store.text_index.update(self.project)
        return TakenIn(outcome=total.outcome)

    def waits(self) -> bool:
        """Whether something was taken in that `settle_down` has yet to make something of."""
        pending = self.stage(Pending)
        behind = self.stage(PassageStage).waits() or self.stage(LineOriginStage).waits()
        return pending.history() or bool(pending.paths()) or behind

    # ------------------------------------------------------------------ stages

    def _code(self, indexer: Indexer, tree: Tree, paths: Sequence[str] | None) -> Indexed:
        runtime, limit = self.runtime, self.runtime.settings.file_max_bytes
        known = {
            path: (size, mtime, id_) for path, (mtime, size, id_) in runtime.store.code.known(self.checkout).items()
        }
        if paths is None or not isinstance(tree, files.WorkTree):
            scan = files.scan(tree, known, limit, names=runtime.adapters.redactor)
        else:
            scan = files.scan_some(tree, paths, known, limit, names=runtime.adapters.redactor)
        indexed = indexer.keep(scan, known)
        self._note_skipped(scan)
        return indexed

    def _note_skipped(self, scan: files.Scan) -> None:
        """Keep the list of what is not read, where it changed."""
        database = self.runtime.store.database
        before = {row.path: row for row in projects.skipped(database, self.checkout)}
        if scan.looked_at is not None:
            before = files.at_or_under(before, scan.looked_at)
        if before != {row.path: row for row in scan.skipped}:
            projects.set_skipped(database, self.checkout, scan.skipped, before)

    def _learn(
        self, world: ScannedWorld, new: NewHistory, learners: Sequence[Extractor], waiting: tuple[Commit, ...] = ()
    ) -> Taught:
        return Learning(self.runtime, world, new.only_on_branch, self.progress, waiting).learn(learners)

    def _note(self, new: NewHistory, read: set[str], learned_head: str) -> None:
        """Note how far this came, in one transaction."""
        if not read and not new.commits and learned_head == self.state.head:
            return
        with self.runtime.store.database.write(quiet=learned_head == self.state.head):
            self.stage(Pending).note_read(read, history=bool(new.commits))
            if learned_head != self.state.head or new.commits:
                projects.set_scanned(self.runtime.store.database, self.checkout, self.state, self.now)
