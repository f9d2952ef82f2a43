"""What is new, to every way of learning in turn, and what each says to the memories.

Some ways look at the whole of the code or the history to say one thing of it (`kinds.UNHURRIED`). While
someone works they wait until nobody does; everything else is learned at once.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from companion import kinds
from companion.app.consolidation.contested import contest
from companion.app.runtime import Runtime
from companion.app.scanning.world import ScannedWorld
from companion.errors import CompanionError
from companion.kinds.declared import declarations
from companion.ports import FOUND, Extractor, Progress
from companion.records import Commit, Draft, FactType, Kind
from companion.store import declared
from companion.store.memories.memories import ReconcileOutcome

_log = logging.getLogger(__name__)

NOTHING = ReconcileOutcome()
LISTED_SINCE = "workflows"
"""The way of learning that made memories of tasks and CI files before they were listed."""
HISTORY_ORIGINS = ("commit:", "history")
"""Origins that belong to the project; every other origin is a path, and belongs to a checkout."""


class Taught(Struct, frozen=True):
    """What was learned, and a note for each kind that failed: the others went on without it."""

    outcome: ReconcileOutcome = NOTHING
    failed: tuple[str, ...] = ()

    def __add__(self, other: Taught) -> Taught:
        return Taught(self.outcome + other.outcome, self.failed + other.failed)


@dataclass(frozen=True)
class Learning:
    """Lets kinds learn from a world. For paths that are gone there nothing speaks any more."""

    runtime: Runtime
    world: ScannedWorld
    only_on_branch: Set[str]
    progress: Progress
    waiting: tuple[Commit, ...] = ()
    """What those who look at the whole are shown as new, if commits came before that they have not seen."""
    _found: Counter[str] = field(default_factory=Counter, init=False)

    def learn(self, learners: Sequence[Extractor]) -> Taught:
        """Each learner in turn; what one says is kept before the next begins."""
        total = Taught()
        for done, kind in enumerate(learners, start=1):
            total = total + self._tried(kind)
            self.progress.step("learning", done, len(learners))
            for what, number in self._found.items():
                self.progress.step(f"{FOUND}{what}", number, number)
        return total + self._guarded("what files declare", self._list)

    def _list(self) -> ReconcileOutcome:
        """What only repeats a file is listed, no memory unless a note denies it; what was one before is retired."""
        world, memories, outcome = self.world, self.runtime.store.memories, NOTHING
        if (found := declarations(world)) is not None:
            declared.put(self.runtime.store.database, world.checkout, found, self.runtime.adapters.counter.count)
            outcome = contest(self.runtime, world.project, world.checkout)
        learner = f"{LISTED_SINCE}@{world.checkout}"
        if origins := {memory.draft.origin for memory in memories.taught(world.project, learner)}:
            memories.reconcile(world.project, learner, sorted(origins), [], world.now)
        return outcome

    def _tried(self, kind: Extractor) -> Taught:
        return self._guarded(kind.name, lambda: self._kept(kind))

    def _guarded(self, what: str, kept: Callable[[], ReconcileOutcome]) -> Taught:
        try:
            return Taught(kept())
        except CompanionError:
            raise
        except Exception as wrong:
            _log.exception("learning %s failed", what)
            said = f"Learning {what} failed ({type(wrong).__name__}); the next init tries again."
            return Taught(failed=(said,))

    def _kept(self, kind: Extractor) -> ReconcileOutcome:
        world = self.world
        if self.waiting and not world.commits and kind.name in kinds.UNHURRIED:
            world = replace(world, commits=self.waiting)
        ours = {f"commit:{sha}" for sha in self.only_on_branch}
        drafts = [self._on_branch(draft) if draft.origin in ours else draft for draft in kind.learn(world)]
        self._found.update(filter(None, map(_word, drafts)))
        origins = {*kind.origins(world), *(draft.origin for draft in drafts)}
        of_project = {origin for origin in origins if origin.startswith(HISTORY_ORIGINS)}
        of_checkout = (origins - of_project) | set(world.gone)
        outcome = ReconcileOutcome()
        for learner, named in ((kind.name, of_project), (f"{kind.name}@{world.checkout}", of_checkout)):
            if named:
                said = [draft for draft in drafts if draft.origin in named]
                outcome = outcome + self.runtime.store.memories.reconcile(
                    world.project, learner, sorted(named), said, world.now
                )
        return outcome

    def _on_branch(self, draft: Draft) -> Draft:
        return replace(draft, scope=replace(draft.scope, branch=self.world.repo.branch))


def _word(draft: Draft) -> str:
    """What people call what was found, in the plural; empty for what they would not count."""
    if draft.type == FactType.DECISION:
        return "decisions"
    if draft.type == FactType.FACT and not draft.attribute:
        return "rules"
    return "past changes" if draft.kind is Kind.EPISODE else ""
