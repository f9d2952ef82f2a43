"""Simple rankers to be measured beside ours, over the same library and moment.

Each takes the library, the file at hand and the words of the task and gives paths, best first. What a
ranker has no sign for it does not list.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from companion.engine.predicting.file_index import file_index_of
from companion.ports import Library

Ranker = Callable[[Library, str, str], Sequence[str]]

DEEP = 400
"""Answers asked of the library: enough for twenty source files among documents and data."""
FUSION_CONSTANT = 60
"""The usual constant of reciprocal rank fusion (Cormack, Clarke and Buettcher 2009)."""


def most_recent(library: Library, _path: str, _text: str) -> Sequence[str]:
    """Files by how lately they changed."""
    return [recent.path for recent in library.recent(DEEP)]


def same_directory(library: Library, path: str, _text: str) -> Sequence[str]:
    """Files of the same folder, then of those around it, the latest changed first."""
    here = path.split("/")[:-1]

    def shared(other: str) -> float:
        there = other.split("/")[:-1]
        common = next((n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), None)
        depth = min(len(here), len(there)) if common is None else common
        return (2 * depth + 1) / (len(here) + len(there) + 1)

    late = {recent.path: recent.commits_ago for recent in library.recent(DEEP)}
    far = max(late.values(), default=0) + 1
    return sorted(library.paths(), key=lambda other: (-shared(other), late.get(other, far), other))[:DEEP]


def name_similarity(library: Library, path: str, _text: str) -> Sequence[str]:
    """Files whose names share words with this one's, tests of it and tested ones first."""
    file_index = file_index_of(library.paths())
    scores = file_index.pairs(path) + file_index.alike(path)
    best = [place for place in np.argsort(-scores, kind="stable")[:DEEP] if scores[place] > 0]
    return [file_index.paths[place] for place in best]


def raw_cochange(library: Library, path: str, _text: str) -> Sequence[str]:
    """Files by the number of commits in common."""
    near = library.cochanged([path], DEEP)
    return [n.path for n in sorted(near, key=lambda n: (-n.together, n.path))]


def decayed_cochange(library: Library, path: str, _text: str) -> Sequence[str]:
    """Files by co-change with decay and commit size."""
    return [neighbour.path for neighbour in library.cochanged([path], DEEP)]


def bm25(library: Library, _path: str, text: str) -> Sequence[str]:
    """Files whose words, or the subjects of whose past commits, match the task's."""
    return [match.path for match in library.match_files(text, DEEP)] if text.strip() else []


def import_graph(library: Library, path: str, _text: str) -> Sequence[str]:
    """Files linked to this one, by the number of uses, then those linked to them."""
    near = _uses(library, [path], {path})
    if not near:
        return []
    beyond = _uses(library, sorted(near), {path, *near})
    return [*_ordered(near), *_ordered(beyond)][:DEEP]


def fused(*rankers: Ranker) -> Ranker:
    """Files by the sum of their reciprocal ranks in the lists of some rankers: no weights, nothing learned."""

    def rank(library: Library, path: str, text: str) -> Sequence[str]:
        scores: defaultdict[str, float] = defaultdict(float)
        for ranker in rankers:
            listed = (other for other in ranker(library, path, text) if other != path)
            for place, other in enumerate(listed, 1):
                scores[other] += 1 / (FUSION_CONSTANT + place)
        return _ordered(scores)[:DEEP]

    return rank


rank_fusion = fused(decayed_cochange, name_similarity, same_directory, most_recent)
"""Four simple lists as one; the best simple method on repositories that nothing was tuned on."""


def _uses(library: Library, paths: Sequence[str], known: set[str]) -> dict[str, float]:
    """Unknown files linked to any of `paths`, with the number of uses."""
    found: defaultdict[str, float] = defaultdict(float)
    for link in library.links(paths):
        for path in (link.source, link.target):
            if path not in known:
                found[path] += link.weight
    return dict(found)


def _ordered(weights: Mapping[str, float]) -> list[str]:
    return sorted(weights, key=lambda path: (-weights[path], path))


BASELINES: Mapping[str, Ranker] = {
    "most recently used": most_recent,
    "same directory": same_directory,
    "name similarity": name_similarity,
    "raw co-change": raw_cochange,
    "decayed co-change": decayed_cochange,
    "rank fusion": rank_fusion,
    "bm25 on the subject": bm25,
    "import graph": import_graph,
}
"""Every baseline by its name."""
