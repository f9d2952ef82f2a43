"""Weights and calibration from the project's own past, with no look at the future.

The newest commits are replayed one after another: for each, the state is what the commits before it
left, each of its files in turn is taken as the one at hand, and the others are what was needed.

    fit      a conditional logit (softmax over files), pulled towards the usual weights
    guard    on the later part of the past learned weights must beat the usual ones, and both the simple
             rankers that are corners of the same space (co-change alone, rank fusion): the best is used
    finally  calibration is fitted on that later part, with the weights that won
    unseen   beside it, how well commits are found by weights that were fitted before them

What past trees contained is not known from commits alone. Links are given, as they were in a few of
these trees: each commit is learned from with those of the newest tree before it. Words of a task are
not replayed: what weighs them keeps its usual weight.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from companion.engine.attending.focus import Focus
from companion.engine.predicting.calibrate import Calibration, fit_calibration, shares
from companion.engine.predicting.cochange import HALF_LIFE_COMMITS, MAX_FILES, Cochange, commit_weight
from companion.engine.predicting.evidence import NEIGHBOURS_LIMIT, RECENT_LIMIT, FocusEvidence
from companion.engine.predicting.features import LISTS
from companion.engine.predicting.file_index import FileIndex, Flags, Floats
from companion.records import ChangeStatus, Commit, Link
from companion.syntax.languages import made_of

REPLAYED_COMMITS = 200
"""Newest fitting commits that are learned from: weights move little beyond a hundred."""
PAST_TREES = 4
"""Trees among these whose links are looked at: each serves the 50 commits behind it."""
FEWEST_COMMITS = 40
"""With fewer nothing is learned: five weights need some dozens of examples."""
QUERIES_A_COMMIT = 2
"""Files of one commit taken as the one at hand; more of the same commit say the same."""
LEAST_FILES, MOST_FILES = 2, 20
"""A commit of one file has nothing to predict; one of more than twenty is a sweep."""
FITTED_SHARE = 0.7
"""The earlier part is fitted on, the later part judges."""
PULL = 60.0
"""Commits that the usual weights count for. With 1 or 10 as little as half of what they find above others is kept."""
MARGIN = 0.002
"""Learned weights must find so much more among the first ten, or the usual ones stay."""
CALIBRATED_PLACES = 30
"""First files of each prediction that calibration looks at; the others are all but never needed."""
FILES_LIMIT = 4_000
"""Files of a replay, the latest named first: more take gigabytes and are not near any example."""
STEPS = 25
SMALL_STEP = 1e-3
"""Weights that move less have arrived: scores differ in the third digit."""

PastLinks = Mapping[int, Sequence[Link]]
"""The links of a tree, by the number of the commit before which the project stood so."""

_USUAL: Floats = np.array([feature.weight for feature in LISTS])
_SIMPLE = (("together",), ("together", "recent", "alike", "beside"))
"""Rankers that need no learning: co-change, and its fusion with recency, names and folders, each with one voice."""


class TrainingExample(Struct, frozen=True):
    """One file at hand, the others as candidates, which of them were needed, and the commit's number.

    `values` has a row for each candidate and a column for each of LISTS. The examples of a commit share
    its weight: the more files it changed, the less it says.
    """

    values: npt.NDArray[np.float32]
    needed: Flags
    commit: int
    weight: float


def past_trees(commits: Sequence[Commit]) -> tuple[int, ...]:
    """Numbers of the commits before which links are worth knowing, in ascending order; none in too short a past."""
    chosen = [number for number, _ in replayed(commits)][-REPLAYED_COMMITS:]
    if len(chosen) < FEWEST_COMMITS:
        return ()
    return tuple(chosen[part * len(chosen) // PAST_TREES] for part in range(PAST_TREES))


def examples_from(
    commits: Sequence[Commit],
    *,
    links: PastLinks = MappingProxyType({}),
    half_life: float = HALF_LIFE_COMMITS,
    max_files: int = MAX_FILES,
) -> list[TrainingExample]:
    """Replay commits (oldest first) and take examples from the last REPLAYED_COMMITS that are fit for it.

    A commit is fit if it is no merge and changes 2 to 20 source files that were there before it. Each
    example sees only earlier commits, files that then existed and links of a tree before it; where links
    are known at all, commits before the first of them are no examples.
    """
    chosen = dict([*replayed(commits)][-REPLAYED_COMMITS:])
    if not chosen:
        return []
    past = Cochange(half_life, max_files)
    file_index = _union_index(commits)
    examples: list[TrainingExample] = []
    uses: _Uses = {}
    first = min(links, default=0)
    for number, commit in enumerate(commits):
        if number in links:
            uses = _by_path(links[number])
        if number in chosen and number >= first:
            examples += _of_commit(number, chosen[number], past, file_index, uses)
        past.add(commit)
    return examples


class Fitted(Struct, frozen=True):
    """What a past taught: parameters by name (none, if it is too short), and weights that never saw its later part.

    `early` were fitted on what comes before the commit of number `unseen_from`, in the order of LISTS.
    """

    parameters: dict[str, float]
    early: Floats
    unseen_from: int


def fitted(examples: Sequence[TrainingExample]) -> Fitted:
    """What examples in order of time teach."""
    commits = sorted({example.commit for example in examples})
    if len(commits) < FEWEST_COMMITS:
        return Fitted({}, _USUAL, 0)
    border = commits[int(len(commits) * FITTED_SHARE)]
    early = [example for example in examples if example.commit < border]
    late = [example for example in examples if example.commit >= border]
    before = _fit_weights(early)
    simple = max((_simple(names) for names in _SIMPLE), key=lambda weights: found_among(late, weights))
    best = before if found_among(late, before) > found_among(late, _USUAL) + MARGIN else _USUAL
    learned = _fit_weights(examples) if best is before else _USUAL
    if found_among(late, simple) > found_among(late, best) + MARGIN:
        best, learned = (best + simple) / 2, (learned + simple) / 2
    moved = {feature.name: round(float(weight), 4) for feature, weight in zip(LISTS, learned, strict=True)}
    return Fitted((moved if best is not _USUAL else {}) | _calibrated(late, best).parameters(), before, border)


def _simple(names: Sequence[str]) -> Floats:
    """Weights of a few lists alone, alike, as heavy as all of the usual ones."""
    counted = np.array([float(feature.name in names) for feature in LISTS])
    return np.asarray(counted * (_USUAL.sum() / counted.sum()), dtype=np.float64)


def replay_weights(parameters: Mapping[str, float]) -> Floats:
    """The weights of a replay in parameters of `predict`."""
    return np.array([parameters.get(feature.name, feature.weight) for feature in LISTS])


def unseen(examples: Sequence[TrainingExample], weights: Floats, since: int) -> list[tuple[int, float, float, float]]:
    """Of each commit from number `since` on the share found among the first ten by weights that have not seen it.

    Beside it what the usual weights find, and what naming the files that were changed last does.
    """
    late = [example for example in examples if example.commit >= since]
    learned, usual, simplest = (found_by_commit(late, one) for one in (weights, _USUAL, _simple(["recent"])))
    return [(commit, learned[commit], usual[commit], simplest[commit]) for commit in sorted(learned)]


def found_among(examples: Sequence[TrainingExample], weights: Floats) -> float:
    """Share of the needed files among the first ten (recall), averaged over commits."""
    total = sum(example.weight for example in examples)
    return sum(example.weight * _found(example, weights) for example in examples) / total if total else 0.0


def found_by_commit(examples: Sequence[TrainingExample], weights: Floats) -> dict[int, float]:
    """Share of the needed files among the first ten (recall), for each commit by its number."""
    of_commit: defaultdict[int, list[TrainingExample]] = defaultdict(list)
    for example in examples:
        of_commit[example.commit].append(example)
    return {commit: found_among(some, weights) for commit, some in of_commit.items()}


def _found(example: TrainingExample, weights: Floats) -> float:
    best = np.argsort(-(example.values @ weights), kind="stable")[:10]
    return float(example.needed[best].sum()) / float(example.needed.sum())


def replayed(commits: Sequence[Commit]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The commits worth replaying by their number, each with the source files that it changed, as called before it.

    `commits` are given oldest first; a merge is none, nor what changes a single file or is a sweep.
    """
    is_source, alive = _is_source(commits), set[str]()
    for number, commit in enumerate(commits):
        changed = {change.old_path or change.path for change in commit.changes}
        there = tuple(sorted(path for path in changed & alive if is_source(path)))
        if not commit.is_merge and LEAST_FILES <= len(there) <= MOST_FILES:
            yield number, there
        for change in commit.changes:
            if change.status is ChangeStatus.RENAMED:
                alive.discard(change.old_path)
            if change.status is ChangeStatus.DELETED:
                alive.discard(change.path)
            else:
                alive.add(change.path)


def _is_source(commits: Sequence[Commit]) -> Callable[[str], bool]:
    """Which files are what was worked on, by all that the commits name."""
    return made_of({change.path for commit in commits for change in commit.changes})


def _union_index(commits: Sequence[Commit]) -> FileIndex:
    """All source files that the commits name; which of them exist is looked up at each moment."""
    is_source, named = _is_source(commits), dict[str, None]()
    for commit in reversed(commits):
        for change in commit.changes:
            for path in (change.path, change.old_path):
                if path and len(named) < FILES_LIMIT and is_source(path):
                    named.setdefault(path)
    return FileIndex(dict.fromkeys(named, ()), named)


_Uses = Mapping[str, Sequence[Link]]


def _by_path(links: Sequence[Link]) -> _Uses:
    """Links by the path at either end."""
    found: defaultdict[str, list[Link]] = defaultdict(list)
    for link in links:
        found[link.source].append(link)
        found[link.target].append(link)
    return found


def _of_commit(
    number: int, changed: tuple[str, ...], past: Cochange, file_index: FileIndex, uses: _Uses
) -> list[TrainingExample]:
    """Each of a commit's files in turn as the one at hand."""
    known = [path for path in changed if path in file_index.index]
    if len(known) < LEAST_FILES:
        return []
    there = np.zeros(len(file_index), dtype=bool)
    there[[place for path in past.living() if (place := file_index.index.get(path)) is not None]] = True
    asked = known[:: max(1, -(-len(known) // QUERIES_A_COMMIT))][:QUERIES_A_COMMIT]
    recent = past.recent(RECENT_LIMIT)
    found: list[TrainingExample] = []
    for path in asked:
        evidence = FocusEvidence(
            focus=Focus(current=path, files=MappingProxyType({path: 1.0}), at_hand=frozenset({path})),
            file_index=file_index,
            together=((path, 1.0, past.cochanged([path], NEIGHBOURS_LIMIT)),),
            links=tuple(uses.get(path, ())),
            recent=recent,
        )
        candidates = there.copy()
        candidates[file_index.index[path]] = False
        needed = np.zeros(len(file_index), dtype=bool)
        needed[[file_index.index[other] for other in known if other != path]] = True
        values = np.stack([feature.values(evidence)[candidates] for feature in LISTS], axis=1).astype(np.float32)
        found.append(TrainingExample(values, needed[candidates], number, commit_weight(len(known)) / len(asked)))
    return found


class _Stacked(Struct, frozen=True):
    """Examples below one another: rows, the first row of each, and each row's example."""

    values: Floats
    target: Floats
    starts: npt.NDArray[np.intp]
    example: npt.NDArray[np.intp]
    weight: Floats

    @classmethod
    def of(cls, examples: Sequence[TrainingExample]) -> _Stacked:
        sizes = [len(example.needed) for example in examples]
        return cls(
            values=np.concatenate([example.values for example in examples]).astype(np.float64),
            target=np.concatenate([example.needed / example.needed.sum() for example in examples]),
            starts=np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.intp),
            example=np.repeat(np.arange(len(examples)), sizes),
            weight=np.array([example.weight for example in examples]),
        )

    def surprise(self, weights: Floats) -> tuple[float, Floats]:
        """Negative log likelihood of the needed files, and the softmax of each row."""
        scores = self.values @ weights
        top = np.maximum.reduceat(scores, self.starts)
        powers = np.exp(scores - top[self.example])
        whole = np.add.reduceat(powers, self.starts)
        said = np.log(whole) + top - np.add.reduceat(self.target * scores, self.starts)
        return float((self.weight * said).sum()), np.asarray(powers / whole[self.example], dtype=np.float64)


def _fit_weights(examples: Sequence[TrainingExample]) -> Floats:
    """Weights by damped Newton steps on the surprise, plus PULL times the squared way from the usual ones.

    None is below 0: a list that the past speaks against is worth nothing, it does not count against a file.
    """
    rows = _Stacked.of(examples)
    weights = _USUAL
    loss, share = rows.surprise(weights)
    for _ in range(STEPS):
        part = rows.weight[rows.example]
        gradient = rows.values.T @ (part * (share - rows.target)) + PULL * (weights - _USUAL)
        mean = np.add.reduceat(rows.values * share[:, None], rows.starts)
        curvature = (rows.values * (part * share)[:, None]).T @ rows.values
        curvature += PULL * np.eye(len(_USUAL)) - (mean * rows.weight[:, None]).T @ mean
        step = np.asarray(np.linalg.solve(curvature, gradient), dtype=np.float64)
        weights, loss, share, moved = _downhill(rows, weights, step, loss)
        if moved < SMALL_STEP:
            break
    return weights


def _downhill(rows: _Stacked, weights: Floats, step: Floats, loss: float) -> tuple[Floats, float, Floats, float]:
    """The longest halving of a step that does not raise the loss; none if a thousandth still does."""
    length = 1.0
    while length > 1e-3:
        tried = np.maximum(weights - length * step, 0.0)
        surprise, share = rows.surprise(tried)
        new = surprise + PULL / 2 * float(((tried - _USUAL) ** 2).sum())
        if new <= loss:
            return tried, new, share, float(np.abs(tried - weights).max())
        length /= 2
    return weights, loss, rows.surprise(weights)[1], 0.0


def _calibrated(examples: Sequence[TrainingExample], weights: Floats) -> Calibration:
    """Calibration on the first places of each prediction; the usual one where there are no examples."""
    share: list[Floats] = []
    needed: list[Flags] = []
    weight: list[Floats] = []
    for example in examples:
        scores = example.values @ weights
        best = np.argsort(-scores, kind="stable")[:CALIBRATED_PLACES]
        share.append(shares(scores, np.ones(len(scores), dtype=bool))[best])
        needed.append(example.needed[best])
        weight.append(np.full(len(best), example.weight))
    if not share:
        return Calibration()
    return fit_calibration(np.concatenate(share), np.concatenate(needed), np.concatenate(weight))
