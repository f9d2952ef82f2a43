"""Learners that say things anew, and one body of every sort of memory."""

from __future__ import annotations

from datetime import datetime

from stores import PROJECT, at

from companion.records import (
    Body,
    Decision,
    DecisionStatus,
    Draft,
    Episode,
    Evidence,
    EvidenceKind,
    Failure,
    Memory,
    Pattern,
    Workflow,
)
from companion.store.memories.memories import Memories, ReconcileOutcome

ORIGINS = ("pyproject.toml", "setup.cfg", "history")


def learn(kept: Memories, *drafts: Draft, days: float = 0, origins: tuple[str, ...] = ORIGINS) -> ReconcileOutcome:
    return kept.reconcile(PROJECT, "facts", origins, drafts, at(days))


def active(kept: Memories) -> list[Memory]:
    return list(kept.iterate(PROJECT))


def everything(kept: Memories) -> list[Memory]:
    return list(kept.iterate(PROJECT, archived=True))


BODIES: list[Body] = [
    None,
    Decision("Which store?", "DuckDB", "one file", DecisionStatus.IN_FORCE),
    Episode("Fix the fold", datetime(2025, 3, 4, 5, 6, 7), ("Ann", "Bo"), ("a" * 40,), "fix"),
    Failure("f00", "ValueError", "bad “thing”", "check it", "b" * 40, True),
    Pattern(
        "raise HTTPException",
        {"status": "{n}"},
        "raise with a status",
        12,
        1,
        (Evidence(EvidenceKind.FILE, "a.py", 3),),
        (Evidence(EvidenceKind.FILE, "b.py", None, "q"),),
    ),
    Workflow("deploy", ("test", "build"), {"test": "make test"}, 3, 2, 12.5),
]
