"""Which files a text speaks of: by their own words, and by the past commits whose subjects match.

A file's own words are its path, its names and their descriptions. A matching commit lends its score
to the files it changed, shared among them and fading with age: what was done before under such words
is where such work is done.

A report of many lines says in the first what it is about, and says again what matters: a word of the later
lines counts half, one of several lines more, though never twice.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Container, Sequence
from datetime import datetime

from msgspec.structs import replace

from companion.ports import TextMatch
from companion.records import PassageHit, PassageKind
from companion.store.history.changes import Changes
from companion.store.history.snapshot import Snapshot
from companion.store.passages.asking import PassageQuery
from companion.store.passages.index import PassageIndex
from companion.store.text import analysis

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
    index: PassageIndex,
    files: PassageQuery,
    subjects: PassageQuery,
    snapshot: Snapshot,
    changes: Changes,
    there: Container[str],
) -> tuple[TextMatch, ...]:
    """The files for a text, best first, equal ones by path.

    Those that `files` asks for, and what the commits changed whose `subjects` fit; of both, what is `there`.
    """
    wide = max(FILES_CONSIDERED, 2 * files.limit)
    own = {one.path: one for one in index.files(replace(files, weights=weighed(files.text), limit=wide))}
    commits = index.search(replace(subjects, limit=COMMITS_CONSIDERED))
    past = _lent(commits, snapshot, changes, changes.newest_until(subjects.until))
    total = {path: (own[path].score if path in own else 0.0) + past.get(path, (0.0, ()))[0] for path in {**own, **past}}
    living = {path: round(score, 4) for path, score in total.items() if path in there}
    ordered = sorted(sorted(living), key=living.__getitem__, reverse=True)[: max(0, files.limit)]
    spoken = analysis.spoken(files.text)
    matches = []
    for path in ordered:
        lent, words = past.get(path, (0.0, ()))
        terms = own[path].terms if path in own else ()
        said = [term for term, word in spoken.items() if term in terms or word in words]
        matched = analysis.as_asked(said, spoken)
        matches.append(TextMatch(path, living[path], matched, round(lent, 4)))
    return tuple(matches)


def weighed(text: str) -> dict[str, float]:
    """How much each term of a text counts: 1 for one of the first line, up to twice that where others have it too.

    All of a text of one line count 1.
    """
    first, *later = (analysis.spoken(line) for line in text.strip().splitlines() or [""])
    lines = Counter(term for line in (first, *later) for term in line)
    return {term: 2 * times / (times + 1) * (1.0 if term in first else LATER_LINES) for term, times in lines.items()}


def subjects_of(
    spaces: Sequence[str], text: str, limit: int, branch: str = "", until: datetime | None = None
) -> PassageQuery:
    """A question to the subjects of commits."""
    kinds = [PassageKind.COMMIT]
    return PassageQuery(spaces, text, kinds, limit, (), branch, until, weights=weighed(text), titles=True)


def _lent(
    found: tuple[PassageHit, ...], snapshot: Snapshot, changes: Changes, newest: int
) -> dict[str, tuple[float, tuple[str, ...]]]:
    """What the matching commits lend each living file, and the words of the best of them."""
    lent: defaultdict[int, float] = defaultdict(float)
    best: dict[int, tuple[str, ...]] = {}
    for sha, hit in {hit.passage.ref: hit for hit in reversed(found)}.items():
        seq = changes.numbers.get(sha)
        files = changes.files_of(seq) if seq is not None else ()
        for number in files:
            share = COMMIT_SHARE * hit.score / math.log2(1 + len(files))
            lent[number] += share * 0.5 ** ((newest - (seq or 0)) / AGE_HALF_LIFE)
            best[number] = hit.words
    return {snapshot.paths[n]: (lent[n], best[n]) for n in sorted(best) if n < len(snapshot.paths) and snapshot.live[n]}
