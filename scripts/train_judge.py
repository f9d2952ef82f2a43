"""Fit the weights of the local judge to the labelled pairs of its tests, bit by bit the same each time.

    python scripts/train_judge.py            write companion/judging/data/weights.json
    python scripts/train_judge.py --check    fail if it would change, and print figures by held-out topic

A logistic regression with a ridge, by Newton's method from zero: no chance is involved. Figures are from
weights that saw none of a pair's topic.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from companion.evals.pairs import Pair, read_pairs
from companion.judging.compare import compare
from companion.judging.features import FEATURES, row
from companion.judging.scopes import Lie

ROOT = Path(__file__).resolve().parent.parent
PAIRS = ROOT / "tests" / "judging" / "data" / "pairs.jsonl"
WEIGHTS = ROOT / "companion" / "judging" / "data" / "weights.json"
RIDGE = 1.0
"""Pull of each weight towards nothing, chosen on held-out topics among 0.3, 1 and 3."""
ROUNDS = 40
"""Newton steps; the weights stand still after ten."""
FOLDS = 6
DIGITS = 4
"""Of a weight: what differs between two machines' linear algebra lies far behind."""

Array = npt.NDArray[np.float64]


def main() -> int:
    """Write the weights, or check them; the exit status."""
    pairs = read_pairs(PAIRS)
    topics = [str(json.loads(line)["topic"]) for line in PAIRS.read_text("utf-8").splitlines()]
    answers, labels, decided = _table(pairs)
    made = _told(_fit(answers[~decided], labels[~decided]))
    if "--check" not in sys.argv[1:]:
        WEIGHTS.write_text(made, "utf-8", newline="\n")
        return 0
    _print_held_out(answers, labels, decided, topics)
    return 0 if WEIGHTS.read_text("utf-8") == made else 1


def _table(pairs: Sequence[Pair]) -> tuple[Array, Array, npt.NDArray[np.bool_]]:
    """Answers, labels, and which pairs are decided by place or time before anything is weighed."""
    compared = [compare(pair.a, pair.b) for pair in pairs]
    labels = np.array([float(pair.contradict) for pair in pairs])
    decided = np.array([c.lie is Lie.APART or c.times_apart for c in compared])
    return np.array([row(c) for c in compared]), labels, decided


def _fit(answers: Array, labels: Array) -> Array:
    table = np.c_[answers, np.ones(len(answers))]
    pull = np.eye(table.shape[1]) * RIDGE
    pull[-1, -1] = 1e-3
    weights = np.zeros(table.shape[1])
    for _ in range(ROUNDS):
        said = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (said - labels) + pull @ weights
        bend = (table * (said * (1 - said))[:, None]).T @ table + pull
        weights -= np.linalg.solve(bend, slope)
    return weights


def _told(weights: Array) -> str:
    kept = {name: round(float(weight), DIGITS) + 0.0 for name, weight in zip(FEATURES, weights[:-1], strict=True)}
    version = hashlib.sha256(json.dumps(kept).encode()).hexdigest()[:8]
    told = {"version": version, "bias": round(float(weights[-1]), DIGITS), "weights": kept}
    return json.dumps(told, indent=1) + "\n"


def _print_held_out(answers: Array, labels: Array, decided: npt.NDArray[np.bool_], topics: Sequence[str]) -> None:
    names = sorted(set(topics))
    fold = np.array([names.index(topic) % FOLDS for topic in topics])
    said = np.zeros(len(labels))
    for part in range(FOLDS):
        taught = (fold != part) & ~decided
        weights = _fit(answers[taught], labels[taught])
        asked = (fold == part) & ~decided
        said[asked] = np.c_[answers[asked], np.ones(asked.sum())] @ weights > 0
    for label, what in ((1.0, "recall"), (0.0, "false positives")):
        print(f"{what}: {said[labels == label].mean():.3f} of {int((labels == label).sum())}")


if __name__ == "__main__":
    sys.exit(main())
