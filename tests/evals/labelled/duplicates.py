"""Which labelled pairs of statements a run would merge, on the product's own path.

Each pair is remembered by hand, with its scopes, in a project of its own in one store, is given its vectors, and
the pass is planned. What it would merge is compared with the label, beside two simple rules: any two that are
near enough, and any two of the same words. The area under the curve ranks pairs by their nearness, ours with
those that nothing keeps apart before all others. A pair that becomes one memory when it is remembered (the
same text again is no news) counts as merged.
"""

from __future__ import annotations

import gzip
import json
import re
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from companion.errors import UsageError
from companion.evals.statistics import percentile, wilson
from companion.records import Kind, Merge, Scope, Visibility
from evals.labelled.pairs import read_scope

if TYPE_CHECKING:
    from companion.app.runtime import Runtime
    from companion.ports import Pass

MAX_ROWS = 20_000
"""Pairs of one file: each takes some 30 ms."""
NEAR = 0.92
"""Nearness from which the plain rule merges: the figure usually given for another model."""
NOW = datetime(2026, 1, 5, 9, 0)
"""Any moment will do: no statement of a pair is dated."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements with where they hold, and whether they say the same."""

    a: str
    b: str
    scope_a: Scope
    scope_b: Scope
    about_a: str
    about_b: str
    same: bool
    kind: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a pair: whether it would be one memory, how near the two are, and how long planning took."""

    pair: Pair
    merged: bool
    cosine: float
    ms: float


def duplicates(path: Path, *, progress: Callable[[int, int], None] = lambda done, total: None) -> dict[str, object]:
    """Figures of every pair of `path`, beside two baselines, whole and by kind. Raises UsageError for a bad file."""
    from companion.app.compose import open_runtime
    from companion.app.replay import SetClock
    from companion.config import Settings

    pairs = read_pairs(path)
    with tempfile.TemporaryDirectory(prefix="companion-duplicates-") as folder:
        runtime = open_runtime(Path(folder), Settings(), SetClock(NOW))
        try:
            outcomes = _outcomes(runtime, pairs, progress)
        finally:
            runtime.close()
    return _told(outcomes)


def read_pairs(path: Path) -> list[Pair]:
    """The labelled pairs of a file (JSON Lines, also gzipped): a, b, dup; scope_a, scope_b and kind if given."""
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
        return [_pair(row) for row in rows[:MAX_ROWS]]
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as wrong:
        raise UsageError(
            f"{path} is not a file of pairs: {wrong}.", "Each line is a JSON object with a, b and dup."
        ) from wrong


def _pair(row: Mapping[str, object]) -> Pair:
    scope_a, about_a = read_scope(str(row.get("scope_a") or ""))
    scope_b, about_b = read_scope(str(row.get("scope_b") or ""))
    kind = str(row.get("kind") or "")
    return Pair(str(row["a"]), str(row["b"]), scope_a, scope_b, about_a, about_b, bool(row["dup"]), kind)


# --- the product's path ---------------------------------------------------------------------------


def _outcomes(runtime: Runtime, pairs: Sequence[Pair], progress: Callable[[int, int], None]) -> list[Outcome]:
    from companion.app.consolidation.archives import archive_for
    from companion.app.consolidation.running import known_passes

    embedder = runtime.adapters.embedder
    if embedder is None:
        raise UsageError("There is no embedding model, so nothing is near.", "Choose one: setting `embeddings`.")
    step: Pass = known_passes()["dedupe"].load()
    outcomes = []
    for number, pair in enumerate(pairs):
        project = f"pair-{number}"
        ids = _kept(runtime, project, pair)
        a, b = embedder.embed([pair.a, pair.b])
        start = time.perf_counter()
        merges = [one for one in step.plan(archive_for(runtime, project, NOW)) if isinstance(one, Merge)]
        ms = 1_000 * (time.perf_counter() - start)
        merged = len(ids) == 1 or any(ids <= {one.keep, *one.drop} for one in merges)
        outcomes.append(Outcome(pair, merged, float(a @ b), ms))
        progress(number + 1, len(pairs))
    return outcomes


def _kept(runtime: Runtime, project: str, pair: Pair) -> set[str]:
    """Remember both and give them their vectors; their ids, or the one that they share."""
    from companion.app.scanning.vectors import fill_vectors
    from companion.kinds.by_hand import draft_from_note
    from companion.ports import NoProgress

    ids = set()
    for text, scope, about in ((pair.a, pair.scope_a, pair.about_a), (pair.b, pair.scope_b, pair.about_b)):
        said = runtime.adapters.redactor.redact(text)
        draft = draft_from_note(said, Kind.FACT, scope, Visibility.USER_PRIVATE, pinned=False, label=about, now=NOW)
        ids.add(runtime.store.memories.remember(project, draft, NOW).id)
    fill_vectors(runtime, project, NoProgress())
    return ids


# --- figures --------------------------------------------------------------------------------------


def _told(outcomes: Sequence[Outcome]) -> dict[str, object]:
    times = [one.ms for one in outcomes]
    cosines = [one.cosine for one in outcomes]
    labels = [one.pair.same for one in outcomes]
    groups = {
        "different places": [one for one in outcomes if not _one_place(one.pair)],
        "one place": [one for one in outcomes if _one_place(one.pair)],
    }
    groups |= {kind: [one for one in outcomes if one.pair.kind == kind] for kind in _kinds(outcomes)}
    return {
        "eval": "duplicates",
        "n": len(outcomes),
        "ours": {
            **_figures(outcomes, lambda one: one.merged),
            "auc": auc([one.cosine + one.merged for one in outcomes], labels),
        },
        "baselines": {
            f"cosine >= {NEAR}": {**_figures(outcomes, lambda one: one.cosine >= NEAR), "auc": auc(cosines, labels)},
            "same words": _figures(outcomes, lambda one: _words(one.pair.a) == _words(one.pair.b)),
        },
        "by": {name: _figures(some, lambda one: one.merged) for name, some in groups.items() if some},
        "wrong": [_shown(one.pair) for one in outcomes if one.merged and not one.pair.same],
        "missed": [_shown(one.pair) for one in outcomes if one.pair.same and not one.merged],
        "latency_ms": {f"p{part}": percentile(times, part / 100) for part in (50, 95)},
    }


def _figures(outcomes: Sequence[Outcome], merges: Callable[[Outcome], bool]) -> dict[str, float]:
    """Precision and recall of what a rule would merge, each with its 95 % interval."""
    merged = [one for one in outcomes if merges(one)]
    right = sum(one.pair.same for one in merged)
    same = sum(one.pair.same for one in outcomes)
    sure, full = wilson(right, len(merged)), wilson(right, same)
    return {
        "n": len(outcomes),
        "merged": len(merged),
        "wrong": len(merged) - right,
        "precision": right / len(merged) if merged else 1.0,
        "precision_low": sure.low,
        "precision_high": sure.high,
        "recall": right / same if same else 0.0,
        "recall_low": full.low,
        "recall_high": full.high,
    }


def auc(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """How often one that is the same scores above one that is not; ties count half. One half where one sort lacks."""
    good = np.array([score for score, same in zip(scores, labels, strict=True) if same])
    bad = np.array([score for score, same in zip(scores, labels, strict=True) if not same])
    if not len(good) or not len(bad):
        return 0.5
    above = np.searchsorted(np.sort(bad), good, side="left") + np.searchsorted(np.sort(bad), good, side="right")
    return float(above.sum() / (2 * len(good) * len(bad)))


def _kinds(outcomes: Sequence[Outcome]) -> list[str]:
    return sorted({one.pair.kind for one in outcomes} - {""})


def _one_place(pair: Pair) -> bool:
    return (pair.scope_a, pair.about_a) == (pair.scope_b, pair.about_b)


def _words(text: str) -> list[str]:
    return sorted(re.findall(r"\w+", text.lower()))


def _shown(pair: Pair) -> dict[str, str]:
    places = {"scope_a": f"{pair.about_a} {pair.scope_a.label()}", "scope_b": f"{pair.about_b} {pair.scope_b.label()}"}
    return {"a": pair.a, "b": pair.b} | {name: place.strip() for name, place in places.items() if place.strip()}
