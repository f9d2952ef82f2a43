"""Which files are needed next: features, weighed and added, calibrated, with the reasons kept.

    score        sum of weight x feature: a log-linear model, so that sources vote and none has a veto
    share        softmax of the scores over the project's source files; of any other file over all
    probability  the share, calibrated on the project's own past

With a task in words this is done twice: what it makes likely is followed the second time as if it were at hand, which
brings tests, callers and what usually changes along.

The file in front is not predicted: it is there. Others that are open or were edited may well be needed
next, and nobody else has shown them. Files without any sign of being needed are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from companion.engine.attending.focus import Focus
from companion.engine.predicting import calibrate
from companion.engine.predicting.calibrate import Calibration, shares
from companion.engine.predicting.evidence import FOLLOWED_LIMIT, FocusEvidence, follow, gather
from companion.engine.predicting.features import BESIDE_TEXT, FEATURES, LISTS, matrix
from companion.engine.predicting.file_index import Floats
from companion.ports import Library
from companion.records import Prediction, Reason

WEIGHTS_NAME = "ranker.lists"
"""The name under which the store keeps what was learned."""
SAID_FROM = 0.05
"""Parts of a score below this are not told: they decided nothing."""


def predict(focus: Focus, library: Library, limit: int = 40) -> tuple[Prediction, ...]:
    """Files in order of how likely they are needed, each with a calibrated probability and its reasons.

    At most `limit`, the current file left out; equal ones in order of path. Weights and calibration are
    those learned on the project, usual ones where nothing was learned. Work is measured in commits, not in days.
    """
    evidence, learned = gather(focus, library), library.weights(WEIGHTS_NAME)
    if focus.text.strip():
        evidence = follow(evidence, rank(evidence, learned, FOLLOWED_LIMIT), library)
    return rank(evidence, learned, limit)


def rank(evidence: FocusEvidence, learned: Mapping[str, float], limit: int) -> tuple[Prediction, ...]:
    """The `limit` likeliest files, from evidence already gathered and learned parameters by name."""
    file_index = evidence.file_index
    if not len(file_index):
        return ()
    text = bool(evidence.focus.text.strip())
    weights = weights_of(learned)
    if text:
        weights[: len(LISTS)] *= BESIDE_TEXT
    calibration = calibrate.FROM_TEXT if text and not evidence.focus.files else Calibration.of(learned)
    values = matrix(evidence, weights.tolist())
    scores = values @ weights
    wanted = np.ones(len(file_index), dtype=bool)
    if evidence.focus.current in file_index.index:
        wanted[file_index.index[evidence.focus.current]] = False
    probability = calibration.probabilities(shares(scores, file_index.code & wanted))
    places = np.nonzero(wanted & (scores > 0))[0]
    # Places are in order of path, and the sort is stable: equal scores stay so.
    best = places[np.argsort(-np.round(scores[places], 9), kind="stable")][: max(0, limit)]
    paths = [file_index.paths[place] for place in best.tolist()]
    found = zip(paths, probability[best].tolist(), scores[best].tolist(), strict=True)
    return tuple(
        Prediction(path=path, probability=round(sure, 4), score=round(score, 6), reasons=reasons)
        for (path, sure, score), reasons in zip(found, _reasons(evidence, paths, values[best], weights), strict=True)
    )


def weights_of(learned: Mapping[str, float]) -> Floats:
    """A weight for each feature, in order: the learned one, else the usual."""
    return np.array([learned.get(feature.name, feature.weight) for feature in FEATURES], dtype=np.float64)


def confidence(files: tuple[Prediction, ...]) -> float:
    """How likely the first few files hold what is needed next: the chance that one of the first three does."""
    missed = 1.0
    for prediction in files[:3]:
        missed *= 1.0 - prediction.probability
    return round(1.0 - missed, 4)


def _reasons(
    evidence: FocusEvidence, paths: Sequence[str], values: Floats, weights: Floats
) -> Iterator[tuple[Reason, ...]]:
    """For each file, a row of `values`, the features that spoke for it, heaviest first."""
    parts = values * weights
    rounded = [round(weight, 4) for weight in weights.tolist()]
    spoke: list[list[tuple[float, str, int]]] = [[] for _ in paths]
    rows, columns = np.nonzero(parts >= SAID_FROM)
    for row, column, part in zip(rows.tolist(), columns.tolist(), parts[rows, columns].tolist(), strict=True):
        spoke[row].append((-part, FEATURES[column].name, column))
    for row, path in enumerate(paths):
        spoke[row].sort()
        yield tuple(
            Reason(name, round(float(values[row, column]), 4), rounded[column], FEATURES[column].says(evidence, path))
            for _, name, column in spoke[row]
        )
