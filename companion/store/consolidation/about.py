"""What the statements of a run are about: a run of a project at a moment, and the words they write."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache

from msgspec import Struct

from companion.store.memories.contradictions import CLOSED_BY_ITSELF
from companion.store.memories.reconcile import FADED, MERGED, OUTDATED, SUPERSEDED

ERASED = "what it was about was removed for good"
"""Why a change cannot be taken back whose rows are not kept any more."""

EVIDENCE_KEPT = 200
"""Most pieces of evidence of a memory that others are merged into; the others keep theirs in the archive."""

_WORDS: Mapping[str, object] = {
    "merged": MERGED,
    "outdated": OUTDATED,
    "faded": FADED,
    "superseded": SUPERSEDED,
    "closed": CLOSED_BY_ITSELF,
    "evidence_kept": EVIDENCE_KEPT,
}


class About(Struct, frozen=True):
    """One run of one project, at the moment at which it is applied or undone."""

    run: str
    project: str
    now: datetime

    def given(self, statement: str, numbers: Sequence[int]) -> dict[str, object]:
        """The values of a statement about these changes: those it names, since DuckDB takes no other."""
        values: dict[str, object] = {
            **_WORDS,
            "run": self.run,
            "project": self.project,
            "now": self.now,
            "numbers": list(numbers),
            "first": min(numbers),
            "last": max(numbers),
        }
        return {name: values[name] for name in names_in(statement) if name in values}


@cache
def names_in(statement: str) -> tuple[str, ...]:
    """The parameters that a statement names."""
    return tuple(sorted(set(re.findall(r"\$(\w+)", statement))))
