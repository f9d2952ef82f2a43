"""Which labelled pairs of statements are found to contradict one another, on the product's own path.

Every statement is remembered with its scope in a store of its own, all pairs side by side, candidates are found
as a run finds them, and the judge is asked about those. A contradiction whose two statements were never brought
together counts as missed. What a scope names beyond language, path, environment, version and branch
("module:auth") is what the statement is about.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.app.compose import open_runtime
from companion.app.replay import SetClock
from companion.app.runtime import Runtime
from companion.config import Settings
from companion.evals.statistics import Interval, percentile, wilson
from companion.kinds.by_hand import draft_from_note
from companion.ports import Judge, NoProgress
from companion.records import Kind, RepoState, Ruling, Statement, Visibility
from evals.labelled.pairs import Pair, read_pairs

NOW = datetime(2026, 1, 5, 9, 0)
"""Any moment will do: no statement of a pair is dated."""
CANDIDATES = 1_000_000
"""Pairs looked at: all that are found, since other pairs' statements lie in the same store."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of a pair: whether it was a candidate at all, the ruling, and how long that took."""

    pair: Pair
    candidate: bool
    ruling: Ruling | None
    ms: float

    @property
    def found(self) -> bool:
        """Whether the product would open a contradiction."""
        return self.candidate and self.ruling is not None and bool(self.ruling.contradict)


def contradictions(
    path: Path,
    make_judge: Callable[[Runtime], Judge],
    *,
    scoped: bool = True,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, object]:
    """Figures of every pair of `path`, beside two baselines, whole and by kind. Raises UsageError for a bad file."""
    pairs = read_pairs(path, scoped=scoped)
    with tempfile.TemporaryDirectory(prefix="companion-contradictions-") as folder:
        runtime = open_runtime(Path(folder), Settings(), SetClock(NOW))
        try:
            judge = make_judge(runtime)
            candidate = _candidates(runtime, pairs, judge.name)
            judged = list(_ruled(judge, pairs, candidate, progress))
        finally:
            runtime.close()
    return _told(judged, judge.name, scoped)


# --- the product's path ---------------------------------------------------------------------------


def _candidates(runtime: Runtime, pairs: Sequence[Pair], judge: str) -> set[str]:
    """Ids of the pairs whose two statements the run would lay before a judge."""
    from companion.app.scanning.vectors import fill_vectors
    from companion.store import projects
    from companion.store.consolidation.pairs import candidates
    from companion.store.consolidation.view import View

    state = RepoState("/pairs", "/pairs", "", "", "", "main")
    project, _ = projects.identify(runtime.store.database, state, NOW)
    ids: dict[str, list[str]] = {}
    for pair in pairs:
        ids[pair.id] = [remembered(runtime, project, side) for side in (pair.a, pair.b)]
    if runtime.adapters.embedder is not None:
        fill_vectors(runtime, project, NoProgress())
    found = candidates(View(runtime.store.database, project, NOW, pairs_most=CANDIDATES), judge)
    together = {frozenset((one.a, one.b)) for one in found}
    return {pair.id for pair in pairs if frozenset(ids[pair.id]) in together}


def remembered(runtime: Runtime, project: str, statement: Statement) -> str:
    """Put a statement into the store as a note; its id."""
    text = runtime.adapters.redactor.redact(statement.text)
    draft = draft_from_note(
        text, Kind.FACT, statement.scope, Visibility.USER_PRIVATE, pinned=False, label=statement.subject, now=NOW
    )
    return runtime.store.memories.remember(project, draft, NOW).id


def _ruled(
    judge: Judge, pairs: Sequence[Pair], candidate: set[str], progress: Callable[[int, int], None]
) -> Iterator[Judged]:
    for done, pair in enumerate(pairs):
        start = time.perf_counter()
        ruling = judge.rule(pair.a, pair.b)
        yield Judged(pair, pair.id in candidate, ruling, 1_000 * (time.perf_counter() - start))
        progress(done + 1, len(pairs))


# --- figures ----------------------------------------------------------------------------------------


def _told(judged: Sequence[Judged], judge: str, scoped: bool) -> dict[str, object]:
    kinds = sorted({one.pair.kind for one in judged})
    took = [one.ms for one in judged]
    return {
        "eval": "contradictions",
        "n": len(judged),
        "ours": {
            **_figures(judged, lambda one: one.found),
            "candidates_recall": _share([one.candidate for one in judged if one.pair.contradict]),
            "undecided": sum(one.ruling is None or one.ruling.contradict is None for one in judged),
        },
        "baselines": {
            "every candidate": _figures(judged, lambda one: one.candidate),
            "same scope alone": _figures(judged, lambda one: _same_scope(one.pair)),
            "negation or number alone": _figures(judged, lambda one: _lexical(one.pair)),
        },
        "judge_alone": _figures(judged, lambda one: one.ruling is not None and bool(one.ruling.contradict)),
        "by": {kind: _kind([one for one in judged if one.pair.kind == kind]) for kind in kinds},
        "latency_ms": {"p50": round(percentile(took, 0.5), 3), "p95": round(percentile(took, 0.95), 3)},
        "settings": {"judge": judge, "scopes": scoped},
    }


def _figures(judged: Sequence[Judged], says: Callable[[Judged], bool]) -> dict[str, float]:
    """Precision, recall and false-positive rate, each with the ends of its 95 % interval."""
    said = [(says(one), one.pair.contradict) for one in judged]
    right = sum(found and true for found, true in said)
    counts = {
        "precision": (right, sum(found for found, _ in said)),
        "recall": (right, sum(true for _, true in said)),
        "false_positive_rate": (sum(found and not true for found, true in said), sum(not true for _, true in said)),
    }
    figures: dict[str, float] = {}
    for name, (part, whole) in counts.items():
        interval = wilson(part, whole) if whole else Interval(0.0, 1.0)
        figures |= {
            name: round(part / whole, 4) if whole else 0.0,
            f"{name}_low": interval.low,
            f"{name}_high": interval.high,
        }
    return figures


def _kind(judged: Sequence[Judged]) -> dict[str, float]:
    """How many of a kind there are, and how many of them are right."""
    right = sum(one.found == one.pair.contradict for one in judged)
    true = sum(one.pair.contradict for one in judged)
    return {"n": len(judged), "contradictions": true, "right": right, "share": round(right / len(judged), 3)}


def _share(marks: Sequence[bool]) -> float:
    return round(sum(marks) / len(marks), 4) if marks else 0.0


def _same_scope(pair: Pair) -> bool:
    return (pair.a.scope, pair.a.subject) == (pair.b.scope, pair.b.subject)


_NEGATION = re.compile(r"\b(?:not|no|never|none|nobody|nothing|without|cannot)\b|n't\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:\.\d+)*")


def _lexical(pair: Pair) -> bool:
    negated = [bool(_NEGATION.search(side.text)) for side in (pair.a, pair.b)]
    numbers = [set(_NUMBER.findall(side.text)) for side in (pair.a, pair.b)]
    return negated[0] != negated[1] or (all(numbers) and not numbers[0] & numbers[1])
