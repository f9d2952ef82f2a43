"""Which files a text speaks of: by their own words, and by the past commits whose subjects match.

A file's own words are its path, its names and their descriptions. A matching commit lends its score
to the files it changed, shared among them and fading with age: what was done before under such words
is where such work is done.

A report of many lines says in the first what it is about, and says again what matters: a word of the later
lines counts half, one of several lines more, though never twice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice

import numpy as np

from companion.ports import TextMatch
from companion.store.history.snapshot import Snapshot
from companion.store.text import analysis, facets
from companion.store.text.documents import commit_space, file_space
from companion.store.text.postings import InvertedFile

FILES_CONSIDERED = 100
"""Files whose own words match best: twice what a forecast looks at."""

COMMITS_CONSIDERED = 100
"""Past commits whose subjects match best."""

COMMIT_SHARE = 0.7
"""Weight of what past commits say beside a file's own words: 0.5 to 1 was best in replay of four repositories."""

LATER_LINES = 0.5
"""What a word below the first line counts: .35 to .7 were alike on reports of eight repositories, 1 was worse."""

AGE_HALF_LIFE = 600.0
"""Commits after which a matching commit counts half: best of 300 to 3,000 in the same replay."""


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
    worth = weighed(text)
    space = file_space(checkout)
    own = file.rank(space, list(worth), max(FILES_CONSIDERED, 2 * limit), worth=worth)
    named = file.keys(space, own.ords.tolist())
    paths = [named[ord_] for ord_ in own.ords.tolist()]
    scores = dict(zip(paths, own.scores.tolist(), strict=True))
    matched = dict(zip(paths, own.matched, strict=True))
    past = _from_commits(file, project, worth, history, until)
    total = {path: scores.get(path, 0.0) + (past[path][0] if path in past else 0.0) for path in {**scores, **past}}
    ordered = sorted(total, key=lambda path: (-round(total[path], 4), path))
    found: list[TextMatch] = []
    for path in islice(_in_checkout(file, space, ordered, scores, limit), limit):
        score, terms = past.get(path, (0.0, ()))
        said = {*matched.get(path, ()), *terms}
        names = tuple(dict.fromkeys(word for term, word in spoken.items() if term in said))
        found.append(TextMatch(path, round(total[path], 4), names, round(score, 4)))
    return tuple(found)


def _in_checkout(
    file: InvertedFile, space: str, paths: Sequence[str], known: Collection[str], at_once: int
) -> Iterator[str]:
    """Those of the paths that the checkout has, in their order; `known` ones are not looked up."""
    for start in range(0, len(paths), at_once):
        some = paths[start : start + at_once]
        there = file.numbers(space, [path for path in some if path not in known])
        yield from (path for path in some if path in known or path in there)


def weighed(text: str) -> dict[str, float]:
    """How much each term of a text counts: 1 for one of the first line, up to twice that where others have it too.

    All of a text of one line count 1.
    """
    first, *later = (analysis.spoken(line) for line in text.strip().splitlines())
    lines = Counter(term for line in (first, *later) for term in line)
    return {term: 2 * times / (times + 1) * (1.0 if term in first else LATER_LINES) for term, times in lines.items()}


def _from_commits(
    file: InvertedFile, project: str, worth: Mapping[str, float], history: Snapshot, until: datetime | None
) -> dict[str, tuple[float, tuple[str, ...]]]:
    """What the matching commits lend each live file, and the terms of the best of them."""
    space = commit_space(project)
    table = np.frombuffer(file.view(space).facets, dtype=facets.COMMIT)
    allowed = None if until is None else table["committed"] <= facets.micros(until)
    newest = int(table["seq"].max(where=True if allowed is None else allowed, initial=0))
    ranked = file.rank(space, list(worth), COMMITS_CONSIDERED, allowed, worth)
    records = file.records(space, ranked.ords.tolist())
    lent = [0.0] * len(history.paths)
    best: dict[int, tuple[str, ...]] = {}
    ages = (newest - table["seq"][ranked.ords]).tolist()
    for ord_, age, score, terms in zip(ranked.ords.tolist(), ages, ranked.scores.tolist(), ranked.matched, strict=True):
        numbers = [int(number) for number in records[ord_][1].split()]
        share = COMMIT_SHARE * score * 0.5 ** (age / AGE_HALF_LIFE) / math.log2(1 + len(numbers))
        for number in numbers:
            if number < len(lent):
                lent[number] += share
                best.setdefault(number, terms)
    return {history.paths[n]: (lent[n], best[n]) for n in sorted(best) if lent[n] > 0 and history.live[n]}
