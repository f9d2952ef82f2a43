"""Which files a text speaks of: by their own words, and by the past commits whose subjects match.

A file's own words are its path, its names and their descriptions. A matching commit lends its score
to the files it changed, shared among them and fading with age: what was done before under such words
is where such work is done.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

import numpy as np

from companion.ports import TextMatch
from companion.store import analysis, facets
from companion.store.postings import InvertedFile
from companion.store.snapshot import Snapshot
from companion.store.text_index import commit_space, file_space

FILES_CONSIDERED = 200
"""Files whose own words match best: four times what a forecast looks at."""

COMMITS_CONSIDERED = 100
"""Past commits whose subjects match best."""

COMMIT_SHARE = 1.0
"""Weight of what past commits say, beside a file's own words."""

AGE_HALF_LIFE = 3_000.0
"""Commits after which a matching commit counts half: subjects age ten times slower than co-change."""


def match_files(
    file: InvertedFile,
    project: str,
    checkout: str,
    text: str,
    *,
    limit: int,
    history: Snapshot,
    until: datetime | None,
) -> tuple[TextMatch, ...]:
    """Files of a checkout for a text, best first; commits after `until` are not known."""
    spoken = analysis.spoken(text)
    if not spoken or limit < 1:
        return ()
    scores: defaultdict[str, float] = defaultdict(float)
    past: defaultdict[str, float] = defaultdict(float)
    matched: defaultdict[str, set[str]] = defaultdict(set)
    own = file.rank(file_space(checkout), list(spoken), FILES_CONSIDERED)
    named = file.records(file_space(checkout), own.ords.tolist())
    for ord_, score, terms in zip(own.ords.tolist(), own.scores.tolist(), own.matched, strict=True):
        path = named[ord_][0]
        scores[path] += score
        matched[path].update(terms)
    for path, score, terms in _from_commits(file, project, list(spoken), history, until):
        past[path] += COMMIT_SHARE * score
        matched[path].update(terms)
    known = file.numbers(file_space(checkout), list(matched))
    total = {path: round(scores[path] + past[path], 4) for path in matched if path in known}
    best = sorted(total, key=lambda path: (-total[path], path))
    return tuple(
        TextMatch(
            path,
            total[path],
            tuple(dict.fromkeys(word for term, word in spoken.items() if term in matched[path])),
            round(past[path], 4),
        )
        for path in best[:limit]
    )


def _from_commits(
    file: InvertedFile, project: str, words: list[str], history: Snapshot, until: datetime | None
) -> Iterable[tuple[str, float, tuple[str, ...]]]:
    space = commit_space(project)
    table = np.frombuffer(file.view(space).facets, dtype=facets.COMMIT)
    allowed = None if until is None else table["committed"] <= facets.micros(until)
    newest = int(table["seq"].max(where=allowed if allowed is not None else True, initial=0))
    found = file.rank(space, words, COMMITS_CONSIDERED, allowed)
    records = file.records(space, found.ords.tolist())
    for ord_, score, terms in zip(found.ords.tolist(), found.scores.tolist(), found.matched, strict=True):
        numbers = [int(number) for number in records[ord_][1].split()]
        age = newest - int(table["seq"][ord_])
        part = score * 0.5 ** (age / AGE_HALF_LIFE) / math.log2(1 + len(numbers))
        for number in numbers:
            if number < len(history.paths) and history.live[number]:
                yield history.paths[number], part, terms
