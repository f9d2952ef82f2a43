"""Scores to probabilities that mean what they say: of files given 0.3, three in ten are needed.

A file's share of the softmax over all files, as log odds, is stretched and shifted (Platt 1999). The
two figures are fitted on the project's own past; where it has too little of it, usual ones hold.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct

from companion.engine.predicting.file_index import Flags, Floats

USUAL_SLOPE = 0.85
USUAL_SHIFT = 0.9
"""Fitted on the pooled past of public repositories."""
PRIOR_STRENGTH = 100.0
"""How firmly the usual figures hold beside the project's own: best of 30 to 300 on later commits."""
MOST = 0.99
"""Nothing about the next file is certain."""
STEPS = 50
_TINY = 1e-9


class Calibration(Struct, frozen=True):
    """Log odds of being needed = `shift` + `slope` x log odds of the file's share."""

    slope: float = USUAL_SLOPE
    shift: float = USUAL_SHIFT

    @classmethod
    def of(cls, parameters: Mapping[str, float]) -> Calibration:
        """From parameters by name; the usual figures where they lack."""
        return cls(parameters.get("calibration.slope", USUAL_SLOPE), parameters.get("calibration.shift", USUAL_SHIFT))

    def parameters(self) -> dict[str, float]:
        """By name, as the store keeps them."""
        return {"calibration.slope": self.slope, "calibration.shift": self.shift}

    def probabilities(self, shares: Floats) -> Floats:
        """Probability for each share of a softmax, 0 to MOST, in the same order as the shares."""
        return np.minimum(_sigmoid(self.shift + self.slope * log_odds(shares)), MOST)


FROM_TEXT = Calibration(slope=1.0, shift=1.7)
"""Where nothing but a text is known, no file at hand: fitted on the subjects of commits of twelve repositories."""


def shares(scores: Floats, counted: Flags) -> Floats:
    """Each score's part of the softmax over the counted ones; of one that is not counted, over all."""
    if not len(scores):
        return scores
    top = float(scores.max())
    powers = np.exp(scores - top)
    whole = float(powers[counted].sum())
    return powers / np.where(counted, max(whole, _TINY), float(powers.sum()))


def log_odds(share: Floats) -> Floats:
    """log(p / (1 - p)), bounded where p is 0 or 1."""
    bounded = np.clip(share, _TINY, 1 - 1e-6)
    return np.log(bounded) - np.log1p(-bounded)


def fit_calibration(share: Floats, needed: Flags, weight: Floats) -> Calibration:
    """The figures that make `share` tell `needed` best, pulled towards the usual ones.

    Logistic regression by Newton steps; `weight` is how much each prediction counts.
    """
    x = np.stack([log_odds(share), np.ones(len(share))], axis=1)
    usual = np.array([USUAL_SLOPE, USUAL_SHIFT])
    w = usual.copy()
    for _ in range(STEPS):
        p = _sigmoid(x @ w)
        gradient = x.T @ (weight * (p - needed)) + PRIOR_STRENGTH * (w - usual)
        curvature = (x * (weight * p * (1 - p))[:, None]).T @ x + PRIOR_STRENGTH * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        w = w - np.clip(step, -1.0, 1.0)
        if float(np.abs(step).max()) < 1e-6:
            break
    slope = float(max(w[0], 0.05))
    return Calibration(slope, float(w[1]))


BINS = 10
"""Of equal width, in which what was said is compared with what came."""


def expected_calibration_error(probability: Floats, needed: Flags, weight: Floats) -> float:
    """Mean distance of probability and frequency over BINS; each prediction counts `weight`."""
    whole = float(weight.sum())
    if not whole:
        return 0.0
    place = np.minimum((probability * BINS).astype(int), BINS - 1)
    off = 0.0
    for number in range(BINS):
        inside = place == number
        part = weight[inside]
        if part.sum() > 0:
            said, came = float(probability[inside] @ part), float(needed[inside] @ part)
            off += abs(said - came) / whole
    return off


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(x, -40.0, 40.0))), dtype=np.float64)
