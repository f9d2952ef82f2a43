"""Memories that stand apart from an ask: neither of its files nor of its words, recalled because they always are.

Conventions, workflows and patterns are looked at for every context, and most of them concern neither the
files at hand nor the task. Such a memory is ranked and placed alike in every ask of the same activity, so that is
worked out once for each and kept for a while.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from companion.engine.lasting import Lasting
from companion.engine.recalling.place import Placement, place
from companion.engine.recalling.rank import Ranked, rank
from companion.engine.recalling.recall import Recalled
from companion.engine.recalling.scoring_context import ScoringContext
from companion.engine.recalling.traits import traits_of
from companion.records import Activity, Decision, Failure, Kind, Memory, Pattern, Workflow

SORTS_KEPT = 64
"""Activities, with or without a place or task, and what a project says of a memory: two dozen of them occur."""
APART_KEPT = 2_000
"""Memories kept of each of those: ten times as many as are recalled for every context."""

_NO_MOMENT = datetime(2000, 1, 1)
"""What stands apart has no age that counts: that of an episode does, and keeps it from being kept."""

Found = tuple[Placement | None, Ranked]
"""Where a memory goes, or nowhere, and how it is ranked."""


class Apart:
    """Tells which of what was recalled stands apart, and where that goes."""

    def __init__(self, recalled: Recalled, scoring: ScoringContext) -> None:
        self._matched = scoring.matched or {}
        self._urgent = recalled.same_errors | recalled.recent_errors | recalled.with_people | recalled.binding.keys()
        self._recalled = recalled
        self._lens = scoring
        self._of_something = bool(scoring.current or scoring.at_hand or scoring.matched is not None)

    def of(self, memory: Memory) -> Found | None:
        """Its place and rank; None where they have to be worked out for this ask."""
        id_, kind, scoring = memory.id, memory.draft.kind, self._lens
        if id_ in self._matched or id_ in self._urgent or not scoring.reach.isdisjoint(traits_of(memory).files):
            return None
        body = memory.draft.body
        if kind is Kind.EPISODE and isinstance(body, Failure | Decision):
            return None
        if (scoring.usual and isinstance(body, Workflow)) or (
            isinstance(body, Pattern) and (scoring.activity is Activity.REVIEW or scoring.makes(memory.draft))
        ):
            return None
        standing = (id_ in self._recalled.foundation, id_ in self._recalled.conventions)
        found = _kept(scoring.activity, self._of_something, *standing).of(memory)
        return found if found[0] is None or kind is not Kind.EPISODE else None


@lru_cache(maxsize=SORTS_KEPT)
def _kept(activity: Activity, of_something: bool, foundation: bool, convention: bool) -> Lasting[Memory, Found]:
    scoring = ScoringContext(_NO_MOMENT, activity, matched={} if of_something else None)

    def found(memory: Memory) -> Found:
        ids = frozenset((memory.id,))
        ranked = rank(memory, scoring)
        recalled = Recalled(
            foundation=ids if foundation else frozenset(), conventions=ids if convention else frozenset()
        )
        return place(ranked, recalled, scoring), ranked

    return Lasting(found, APART_KEPT)
