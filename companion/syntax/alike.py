"""Which of the past subjects say most nearly the same sort of thing as a task.

What names the thing (`InitSpider`) is seldom said twice, and where it is, the past change made that thing rather than
showing how such work is done. So subjects are compared by what they share of a sort: plain words and the words inside
names, numbers whatever their value, the form of names (`--flag`, `call()`, `CONSTANT_NAME`), and the word that leads
them past their area (`add`, `deprecate`). No word counts more than a moderately rare one. New subjects count more.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from companion.syntax.words import NAME_PART, stem_of

COMPARED_CLOSELY = 100
"""Subjects that share most words with the task, of which all else is compared; 1,000 were no better."""
TASK_CHARACTERS = 200
"""Characters of a task's first line that are read: with the words of what follows fewer were found."""
RARE = 5.0
"""Most that a word counts, as if one subject in 150 had it: 4 to 7 were alike."""
FORM = 3.0
"""What the form of a name counts: 2 to 4 were alike, none was worse."""
WORD = 4.0
"""What each word of a past subject is taken to count, so that a long one is not alike by its length."""
LEAD = 0.3
"""What the same leading word adds: .2 to .4 were alike."""
HALF_AS_YOUNG = 1_500
"""Commits after which the half of the score that fades is halved."""

_REQUEST = re.compile(r"\s*\(?#\d+\)?")
_RUN = re.compile(r"(?:--)?\w+(?:[.-]\w+)*(?:\(\))?")
_FORMS = {
    "--flag": re.compile(r"--.+"),
    "call()": re.compile(r".+\(\)"),
    "CONSTANT_NAME": re.compile(r"(?=.*[^_]_+[^_])[^a-z]+"),
    "snake_case": re.compile(r".*[^_]_+[^_].*"),
    "dotted.name": re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+"),
    "CamelCase": re.compile(r".*[a-z][A-Z].*"),
    "1.0": re.compile(r"[\d.]*\.[\d.]*"),
}
"""The forms that a name may have; the first that fits counts."""
_DIGIT = re.compile(r"\d")
_NUMBER = "0"
"""Stands for every number."""
SUBJECTS_KEPT = 4_000
"""Subjects kept with what they count as: those of forty tasks, 1.5 kB each."""
_RUNS_KEPT = 50_000
"""Distinct words and names kept with what they count as: those of a large project's subjects, 10 MB."""


class SimilarSubject(NamedTuple):
    """A past subject: its place among those given, and how alike it is, 0 to about 1.3.

    `words` are the words of the task that it says; `same_lead` tells that the same word leads both.
    """

    at: int
    score: float
    words: tuple[str, ...]
    same_lead: bool


class PastSubjects:
    """Past subjects, newest first, laid out once to be compared with one task after the other. Threads may share it."""

    def __init__(self, subjects: Sequence[str]) -> None:
        self.said = tuple(subjects)
        lowered = [subject.lower().replace("\n", " ") for subject in self.said]
        self._joined = "\n".join(lowered)
        self._starts = list(accumulate((len(one) + 1 for one in lowered), initial=0))
        self._numbered = [at for at, one in enumerate(lowered) if _DIGIT.search(one)]
        self.youth = np.array([_youth(at) for at in range(len(self.said))])

    def having(self, feature: str) -> list[int]:
        """The subjects that hold what all words of a stem begin with, anywhere in them; of a number, any number."""
        if feature == _NUMBER:
            return self._numbered
        beginning = feature.removesuffix("i")  # the stem of `tidy` is `tidi`
        found: list[int] = []
        at = self._joined.find(beginning)
        while at >= 0 and len(found) < len(self.said):
            line = bisect_right(self._starts, at) - 1
            found.append(line)
            at = self._joined.find(beginning, self._starts[line + 1])
        return found


def most_alike(task: str, subjects: PastSubjects, limit: int) -> list[SimilarSubject]:
    """At most `limit` of `subjects`, most alike first; none that shares no word."""
    line = task.strip().partition("\n")[0][:TASK_CHARACTERS]
    asked = _features(line)
    weights: dict[str, float] = {}
    roughly = np.zeros(len(subjects.said))
    for feature in asked:
        if feature in _FORMS:
            weights[feature] = FORM
            continue
        having = subjects.having(feature)
        weights[feature] = min(RARE, math.log(1 + len(subjects.said) / (1 + len(having))))
        roughly[having] += weights[feature]
    sharing = np.flatnonzero(roughly)
    best = np.argsort(-roughly[sharing] * subjects.youth[sharing], kind="stable")[:COMPARED_CLOSELY]
    lead, whole = leading_word(line), sum(weights.values())
    found = []
    for at in sharing[best].tolist():
        said = _features(subjects.said[at])
        both = [feature for feature in asked if feature in said]
        if not both:
            continue
        share = sum(weights[feature] for feature in both) / math.sqrt(whole * WORD * max(2, len(said)))
        same = bool(lead) and leading_word(subjects.said[at]) == lead
        words = tuple(dict.fromkeys(asked[feature] for feature in both))
        found.append(SimilarSubject(at, (share + LEAD * same) * _youth(at), words, same))
    return sorted(found, key=lambda one: (-one.score, one.at))[:limit]


def area_of(subject: str) -> str:
    """What a subject names before it says what is done, with its brackets or colon; empty if it names nothing."""
    bracketed = subject[: subject.find("]") + 1] if subject.startswith("[") else ""
    area, colon, _ = subject.removeprefix(bracketed).partition(": ")
    return f"{bracketed}{area}{colon}" if colon and area.count(" ") <= 2 else bracketed


@lru_cache(maxsize=SUBJECTS_KEPT)
def leading_word(subject: str) -> str:
    """The stem of the word that says what a subject does, past the area before it; empty if a name or nothing leads."""
    runs = _RUN.findall(subject.removeprefix(area_of(subject)))
    parts = NAME_PART.findall(next((run for run in runs if not _DIGIT.match(run)), ""))
    return stem_of(parts[0].lower()) if len(parts) == 1 else ""


def without_request(subject: str) -> str:
    """A subject without the numbers of requests in it."""
    return _REQUEST.sub("", subject)


def _youth(commits_ago: int) -> float:
    return 0.5 + 0.5 * math.pow(0.5, commits_ago / HALF_AS_YOUNG)


@lru_cache(maxsize=SUBJECTS_KEPT)
def _features(subject: str) -> Mapping[str, str]:
    """What a subject counts as, each with the word that it came from."""
    found: dict[str, str] = {}
    for run in _RUN.findall(without_request(subject)):
        for feature in _features_of(run):
            found.setdefault(feature, run)
    return found


@lru_cache(maxsize=_RUNS_KEPT)
def _features_of(run: str) -> tuple[str, ...]:
    """The stems of the words in a run, numbers as one, and the form of a name."""
    stems = [_NUMBER if part.isdigit() else stem_of(part.lower()) for part in NAME_PART.findall(run)]
    form = next((form for form, like in _FORMS.items() if like.fullmatch(run)), "")
    return (*stems, form) if form else tuple(stems)
