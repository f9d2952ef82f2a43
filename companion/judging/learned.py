"""The same findings weighed by fitted weights: a logistic regression, made by `scripts/train_judge.py`.

The weights lie beside this module as JSON with the names of what they weigh, so that a change of the features
without new weights is noticed at once. Nothing is embedded: vectors of the two sentences added nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from companion.errors import ModelMissing
from companion.judging.compare import Comparison, compare
from companion.judging.features import FEATURES, row
from companion.judging.reasons import because
from companion.judging.rules import SURE
from companion.judging.scopes import Lie
from companion.judging.structured import slot_ruling
from companion.records import Ruling, Statement

HALF = 0.5
"""Probability from which two statements contradict."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A fitted weight for each feature, in the order of FEATURES, and one for being at all."""

    version: str
    weights: tuple[float, ...]
    bias: float

    def probability(self, answers: Sequence[float]) -> float:
        """That two statements with these answers contradict one another."""
        total = self.bias + math.fsum(weight * answer for weight, answer in zip(self.weights, answers, strict=True))
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


class LocalJudge:
    """Weighs as labelled pairs taught; as quick as the rules, and needs nothing but the package."""

    def __init__(self, weights: Weights | None = None) -> None:
        """The weights that ship, unless others are given. Raises ModelMissing if they do not fit the features."""
        self._weights = weights or shipped_weights()

    @property
    def name(self) -> str:
        """Name and version of the weights."""
        return f"local {self._weights.version}"

    def rule(self, a: Statement, b: Statement) -> Ruling:
        """Whether the two can both hold. They are always read in one order, so the order given cannot matter."""
        a, b = sorted((a, b), key=repr)
        told = slot_ruling(a, b) or self._weighed(compare(a, b))
        return Ruling(told[0], told[1], told[2], self.name)

    def _weighed(self, c: Comparison) -> tuple[bool, float, str]:
        if c.lie is Lie.APART or c.times_apart or c.a.text == c.b.text:
            return False, SURE, because(c, contradict=False)
        probability = self._weights.probability(row(c))
        contradict = probability >= HALF
        confidence = probability if contradict else 1 - probability
        return contradict, round(confidence, 2), because(c, contradict=contradict)


@cache
def shipped_weights() -> Weights:
    """The weights in the package. Raises ModelMissing if they were made for other features."""
    kept = json.loads((files("companion.judging") / "data" / "weights.json").read_text("utf-8"))
    if tuple(kept["weights"]) != tuple(FEATURES):
        raise ModelMissing(
            "The weights of the local judge were fitted to other features.",
            "Run `python scripts/train_judge.py`, or use the judge `rules`.",
        )
    return Weights(str(kept["version"]), tuple(kept["weights"].values()), float(kept["bias"]))
