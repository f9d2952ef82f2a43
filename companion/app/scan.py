"""A scan: what is new in history and code goes into the store, and the kinds learn from it.

The stages, each committed before the next begins, so that a killed scan goes on where it stopped:

1. history   new commits, by one bulk read; rewritten ones are marked
2. code      changed files, parsed in parallel; what must be learned from is noted with them
3. links     which file depends on which
4. learning  every kind reads what is new and says what it remembers of it
5. ranking   weights learned from the project's own past
   ... from here on contexts are answered in full; then
6. vectors   newest and most used memories first
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from companion import kinds, syntax
from companion.adapters.secrets import redacted_source
from companion.app.history import HistoryStage, NewHistory
from companion.app.rooms import Rooms
from companion.app.world import ScannedWorld
from companion.errors import CompanionError
from companion.ports import Kind, Progress
from companion.records import Draft, ParsedFile, RepoState, Skipped
from companion.signals import files
from companion.store import projects
from companion.store.memories import Outcome

_log = logging.getLogger(__name__)

FILES_A_BATCH = 400
"""Files committed at once: a few seconds of parsing, the most that a kill can cost."""
HISTORY_ORIGINS = ("commit:", "history")
"""Origins that belong to the project; every other origin is a path, and belongs to a checkout."""
RANKER = "ranker.files"
"""The name that prediction's weights are kept under."""
RANKER_COMMITS = 2_000
"""Newest commits that weights are learned from; older ones change nothing and cost time."""


Tree = files.WorkTree | files.CommitTree
_Code = tuple[tuple[str, ...], tuple[str, ...], tuple[Skipped, ...], tuple[ParsedFile, ...] | None]
"""Paths that changed, paths that are gone, what was skipped, and every parsed file if all were read."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a scan found and did, before vectors."""

    commits_new: int
    commits_total: int
    files_new: int
    files_total: int
    files_gone: int
    outcome: Outcome
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...]


@dataclass
class Scanner:
    """One scan of one checkout. `state.head` is the commit that counts as the newest."""

    rooms: Rooms
    state: RepoState
    project: str
    checkout: str
    progress: Progress
    now: datetime
    full: bool = False
    workers: int = 0
    learners: Sequence[Kind] | None = None
    """Ways of learning; None: all of KINDS."""

    def run(self, tree: Tree) -> Scanned:
        """All stages up to learning; what it returns is already committed."""
        return self.absorb(self.history().run(), tree)

    def history(self) -> HistoryStage:
        """The stage that reads commits."""
        return HistoryStage(self.rooms, self.state, self.project, self.checkout, self.progress, self.now, self.full)

    def absorb(self, new: NewHistory, tree: Tree, *, rank: bool = True) -> Scanned:
        """The stages after history, which is stored already; `rank` says whether weights are learned anew."""
        changed, gone, skipped, read = self._code(tree)
        outcome, failed = self._learn(tree, new, changed, gone, read)
        if new.commits and rank:
            self._rank()
        self._finish(skipped, complete=not failed)
        return Scanned(
            commits_new=len(new.commits),
            commits_total=self.rooms.history.seq_count(self.project),
            files_new=len(changed),
            files_total=len(self.rooms.code.known(self.checkout)),
            files_gone=len(gone),
            outcome=outcome,
            skipped=skipped,
            notes=(*new.notes, *failed),
        )

    # ------------------------------------------------------------------ code

    def _code(self, tree: Tree) -> _Code:
        """Changed and gone paths (those an earlier scan left unlearned included), skipped ones, and all code."""
        rooms, settings = self.rooms, self.rooms.settings
        before = rooms.code.known(self.checkout)
        known = {} if self.full else {path: (size, mtime, id_) for path, (mtime, size, id_) in before.items()}
        scan = files.scan(tree, known, rooms.unredacted, settings.file_max_bytes, names=rooms.redactor)
        fresh: list[str] = []
        for batch in _batches(self._parsed(scan), FILES_A_BATCH):
            prepared = [(parsed, *self._forms(parsed), mtime) for parsed, mtime in batch]
            paths = [parsed.path for parsed, _ in batch]
            with rooms.database.write():
                projects.note_unlearned(rooms.database, self.checkout, paths)
                rooms.code.replace(self.checkout, prepared)
            fresh += paths
        rooms.code.restamp(self.checkout, scan.restamped)
        gone = sorted(set(before) - set(fresh) if self.full else scan.gone)
        if gone:
            with rooms.database.write():
                projects.note_unlearned(rooms.database, self.checkout, gone)
                rooms.code.remove(self.checkout, gone)
        read = self._link() if fresh or gone else None
        left = projects.unlearned(rooms.database, self.checkout)
        alive = set(rooms.code.known(self.checkout))
        changed = tuple(sorted((set(fresh) | left) & alive))
        return changed, tuple(sorted((set(gone) | left) - alive)), tuple(scan.skipped), read

    def _parsed(self, scan: files.Scan) -> Iterator[tuple[ParsedFile, int]]:
        mtimes: dict[str, int] = {}

        def items() -> Iterator[tuple[str, bytes, str]]:
            for seen, data in scan.changed:
                mtimes[seen.path] = seen.mtime_ns
                yield seen.path, data, seen.content_hash

        total = scan.changed_count
        for done, parsed in enumerate(syntax.parse_many(items(), self.workers, redacted_source), start=1):
            self.progress.step("reading code", done, total)
            yield parsed, mtimes.pop(parsed.path)

    def _forms(self, parsed: ParsedFile) -> tuple[str, str]:
        if not parsed.symbols:
            return "", ""
        return syntax.skeleton(parsed, self.rooms.counter.count), syntax.outline(parsed)

    def _link(self) -> tuple[ParsedFile, ...]:
        """Links anew: a changed definition can move the links of files that did not change."""
        everything = self.rooms.code.parsed(self.checkout, None)
        self.progress.step("linking code", 0, len(everything))
        links = syntax.link(everything, syntax.Definitions(everything))
        self.rooms.code.set_links(self.checkout, [file.path for file in everything], links)
        self.progress.step("linking code", len(everything), len(everything))
        return everything

    # ------------------------------------------------------------------ learning

    def _learn(
        self,
        tree: Tree,
        new: NewHistory,
        changed: tuple[str, ...],
        gone: tuple[str, ...],
        read: tuple[ParsedFile, ...] | None,
    ) -> tuple[Outcome, tuple[str, ...]]:
        """What was learned, and a note for each kind that failed: the others go on without it."""
        total = Outcome()
        failed: list[str] = []
        if not new.commits and not changed and not gone:
            return total, ()
        world = ScannedWorld(
            project=self.project,
            checkout=self.checkout,
            repo=self.state,
            now=self.now,
            tree=tree,
            history=self.rooms.history,
            code=self.rooms.code,
            redactor=self.rooms.redactor,
            commits=new.commits,
            changed_paths=changed,
            code_read=read,
        )
        learners = kinds.KINDS if self.learners is None else self.learners
        for done, kind in enumerate(learners, start=1):
            try:
                total = total + self._learn_kind(kind, world, gone, new.only_on_branch)
            except CompanionError:
                raise
            except Exception as wrong:
                _log.exception("learning %s failed", kind.name)
                failed.append(f"Learning {kind.name} failed ({type(wrong).__name__}); the next init tries again.")
            self.progress.step("learning", done, len(learners))
        return total, tuple(failed)

    def _learn_kind(self, kind: Kind, world: ScannedWorld, gone: tuple[str, ...], only_on_branch: Set[str]) -> Outcome:
        ours = {f"commit:{sha}" for sha in only_on_branch}
        drafts = [self._on_branch(draft) if draft.origin in ours else draft for draft in kind.learn(world)]
        origins = {*kind.origins(world), *(draft.origin for draft in drafts)}
        of_project = {origin for origin in origins if origin.startswith(HISTORY_ORIGINS)}
        of_checkout = (origins - of_project) | set(gone)
        outcome = Outcome()
        for learner, named in ((kind.name, of_project), (f"{kind.name}@{self.checkout}", of_checkout)):
            if named:
                said = [draft for draft in drafts if draft.origin in named]
                outcome = outcome + self.rooms.memories.reconcile(self.project, learner, sorted(named), said, self.now)
        return outcome

    def _on_branch(self, draft: Draft) -> Draft:
        return replace(draft, scope=replace(draft.scope, branch=self.state.branch))

    def _rank(self) -> None:
        from companion.engine import learn

        past = self.rooms.history.recent_commits(self.project, RANKER_COMMITS)
        settings = self.rooms.settings
        weights = learn.fit_ranker(
            past,
            syntax.is_code,
            half_life=settings.cochange_half_life_commits,
            max_files=settings.cochange_max_files,
        )
        self.rooms.save_weights(self.project, RANKER, weights, self.now)

    def _finish(self, skipped: Sequence[Skipped], *, complete: bool) -> None:
        """Note how far the scan came: after an incomplete one, the next learns the same again."""
        database, learned_at = self.rooms.database, self.state
        with database.write():
            projects.set_skipped(database, self.checkout, skipped)
            if complete:
                projects.clear_unlearned(database, self.checkout)
            else:
                learned_at = replace(self.state, head=projects.checkout_head(database, self.checkout))
            projects.set_scanned(database, self.checkout, learned_at, self.now)
        self.progress.step("indexing words", 0, 1)
        self.rooms.text_index.update(self.project)
        self.rooms.text_index.update_checkout(self.checkout)
        self.progress.step("indexing words", 1, 1)


def _batches(items: Iterable[tuple[ParsedFile, int]], size: int) -> Iterator[list[tuple[ParsedFile, int]]]:
    source = iter(items)
    while batch := list(islice(source, size)):
        yield batch
