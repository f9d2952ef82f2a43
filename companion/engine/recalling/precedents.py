"""What was done before that is most nearly the same sort of thing as a task, and what went along with it.

Candidates are the past changes whose subjects share words with the task. Beside the words count the sort of the change
and its shape. The sort is the word that leads a subject (`add`, `deprecate`): whatever leads several of the candidates
is one, and it says the more the fewer it leads. The shape is which roles of files a change touched and whether it made
or removed some; what is expected is the usual shape of the candidates of the sort. Files that the best candidates have
in common, files at hand and the age of a change weigh in.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from companion.ports import Library, PastChange
from companion.records import ChangeStatus, FileChange, Role
from companion.syntax.languages import language_of
from companion.syntax.roles import role_of
from companion.syntax.words import stem_of

SHOWN = 3
"""Precedents that are shown."""
CONSIDERED = 60
"""Past changes that are compared: the right one was among them for 32 of 33 tasks marked by hand.

They come by their subjects. Bodies beside them (passages) brought it among the three shown for 23 of these tasks, both
together for 24, subjects alone for 25.
"""
WORTH_SHOWING = 0.65
"""Score under which a change shares little more than a word with the task."""
COMMON_WORDS = 0.15
"""Share of the task that a precedent must say."""
SORT, SHAPE, COMPANY, YOUNG, AT_HAND = 0.2, 0.3, 0.2, 0.2, 0.1
"""Weights beside the share of the words, which counts 1: each from half to twice as much was alike on those tasks."""
LEADS_LEAST = 2
"""Candidates that a word must lead to be the name of a sort."""
ANY_SHAPE = 3.0
"""Changes of the sort that weigh as much as the shape of all candidates."""
COMPANY_OF = 20
"""Best candidates whose files say where such work is done."""
HALF_AS_YOUNG = 1_000
"""Commits after which the youth of a change counts half."""
MASS_FILES, MASS = 25, 0.3
"""A change of more files is of many sorts at once, and loses so much."""
LEAD_CHARACTERS = 200
"""Characters of a task's first line among which its leading word is looked for."""
PATHS_KEPT = 20_000
"""Paths whose role is remembered: those of a large project's past, 3 MB."""

_AREA = re.compile(r"(?:[\w./,{}*+-]+(?: [\w./,{}*+-]+){0,2}(?:\([^)]*\))?!?:\s+)+")
_REQUEST = re.compile(r"\s*\(#\d+\)$")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Precedent:
    """A past change of the same sort as a task.

    `commits` are the ids of all commits of the change, `sha` that of the one which says most of the task; `request` the
    number of its pull request or empty. `files` is what it changed, by path; `tests` and `documents` are the paths of
    those that are. `score` is from WORTH_SHOWING to about 1.8; `why` says for people what is alike.
    """

    sha: str
    subject: str
    at: datetime
    files: tuple[FileChange, ...]
    tests: tuple[str, ...]
    documents: tuple[str, ...]
    score: float
    why: str
    commits: tuple[str, ...] = ()
    request: str = ""


def precedents_of(
    text: str, library: Library, now: datetime, at_hand: Sequence[str] = (), limit: int = SHOWN
) -> tuple[Precedent, ...]:
    """At most `limit` changes before `now` that did most nearly the sort of thing a task asks for, best first.

    `at_hand` are the paths in front of the developer. Nothing where none is worth showing.
    """
    found = [change for change in library.past_changes(text, CONSIDERED) if change.at <= now]
    if not found:
        return ()
    leads = [leading_word(change.subject) for change in found]
    lead = _lead_of_task(text, leads)
    same = [bool(lead) and one == lead for one in leads]
    scores = _scores(found, same, at_hand)
    ranked = sorted(zip(scores, found, same, strict=True), key=lambda one: (-one[0], one[1].commits_ago, one[1].sha))
    best: dict[str, Precedent] = {}
    for score, change, alike in ranked:
        if score >= WORTH_SHOWING and change.covers >= COMMON_WORDS and len(best) < limit:
            best.setdefault(_subject_of(change), _precedent(change, score, alike))
    return tuple(best.values())


def leading_word(subject: str) -> str:
    """The stem of the word that says what a subject does, past the area before it; empty if there is none."""
    area = _AREA.match(subject)
    word = _WORD.search(subject, area.end() if area else 0)
    return stem_of(word[0].lower()) if word else ""


@lru_cache(maxsize=PATHS_KEPT)
def role_in_past(path: str) -> Role:
    """What a file is for, which may be long gone."""
    return role_of(path, language_of(path))


def _subject_of(change: PastChange) -> str:
    """The subject without a number: the same work that was picked for another line is no second precedent."""
    return _REQUEST.sub("", change.subject).casefold()


def _lead_of_task(text: str, found: Sequence[str]) -> str:
    """The sort that a task names: its leading word, else the first of its words that leads several candidates."""
    line = text.strip().partition("\n")[0][:LEAD_CHARACTERS]
    leads = Counter(found)
    words = [leading_word(line), *(stem_of(word.lower()) for word in _WORD.findall(line))]
    return next((word for word in words if leads[word] >= LEADS_LEAST), "")


def _scores(found: Sequence[PastChange], same: Sequence[bool], at_hand: Sequence[str]) -> list[float]:
    telling = _telling(sum(same), len(found))
    shapes = [_shape(change) for change in found]
    usual = _usual(shapes, same)
    company = _company(found[:COMPANY_OF])
    norm = math.sqrt(sum(weight * weight for weight in company.values())) or 1.0
    scores = []
    for change, alike, shape in zip(found, same, shapes, strict=True):
        paths = [file.path for file in change.files]
        score = change.covers + SORT * telling * alike + SHAPE * _cosine(shape, usual)
        score += COMPANY * sum(company.get(path, 0.0) for path in paths) / norm / math.sqrt(len(paths))
        score += YOUNG * 0.5 ** (change.commits_ago / HALF_AS_YOUNG) + AT_HAND * _nearness(paths, at_hand)
        scores.append(score - MASS * (len(paths) > MASS_FILES))
    return scores


def _telling(alike: int, of: int) -> float:
    """How much it says that changes are of one sort: nothing if all are, 1 if hardly any is."""
    return max(0.0, -math.log((alike + 1) / (of + 1)) / math.log(of + 1)) if alike else 0.0


def _shape(change: PastChange) -> frozenset[str]:
    """The roles of the files of a change, and of those that it made or removed."""
    roles = [(role_in_past(file.path).value, file.status) for file in change.files]
    lasting = (ChangeStatus.MODIFIED, ChangeStatus.RENAMED)
    return frozenset((*(role for role, _ in roles), *(f"{role} {s.value}" for role, s in roles if s not in lasting)))


def _usual(shapes: Sequence[frozenset[str]], same: Sequence[bool]) -> dict[str, float]:
    """How often each part of a shape occurs in the changes of the sort, with a little of all the others."""
    usual: Counter[str] = Counter()
    for shape, alike in zip(shapes, same, strict=True):
        for part in shape:
            usual[part] += alike + ANY_SHAPE / len(shapes)  # type: ignore[assignment]  # a counter of weights
    return dict(usual)


def _cosine(shape: frozenset[str], usual: Mapping[str, float]) -> float:
    whole = math.sqrt(sum(weight * weight for weight in usual.values()) * len(shape))
    return sum(usual.get(part, 0.0) for part in shape) / whole if whole else 0.0


def _company(best: Sequence[PastChange]) -> dict[str, float]:
    """How much the best candidates speak for each file; mass changes have no say."""
    weights: dict[str, float] = {}
    for change in best:
        if len(change.files) <= MASS_FILES:
            share = change.covers / math.log2(1 + len(change.files))
            for file in change.files:
                weights[file.path] = weights.get(file.path, 0.0) + share
    return weights


def _nearness(paths: Sequence[str], at_hand: Sequence[str]) -> float:
    """1 for a change of a file at hand, half for one beside it."""
    if any(path in paths for path in at_hand):
        return 1.0
    folders = {path.rpartition("/")[0] for path in paths}
    return 0.5 if any(path.rpartition("/")[0] in folders for path in at_hand) else 0.0


def _precedent(change: PastChange, score: float, alike: bool) -> Precedent:
    tests = tuple(file.path for file in change.files if role_in_past(file.path) is Role.TEST)
    documents = tuple(file.path for file in change.files if role_in_past(file.path) is Role.DOC)
    return Precedent(
        sha=change.sha,
        subject=change.subject,
        at=change.at,
        files=change.files,
        tests=tests,
        documents=documents,
        score=round(score, 4),
        why=_why(change, alike, bool(tests)),
        commits=change.commits,
        request=change.request,
    )


def _why(change: PastChange, alike: bool, tested: bool) -> str:
    sources = [file.path for file in change.files if role_in_past(file.path) is Role.SOURCE]
    said = [word.lower() for word in change.words]
    place = next((path for path in sources if any(word in path.lower() for word in said)), "")
    place = place or (sources[0] if sources else change.files[0].path)
    where = f", in {place}{' and its tests' if sources and tested else ''}"
    sort = "did the same sort of thing" if alike else "did a similar thing"
    return f"{sort}{where}; says {', '.join(change.words)}" if change.words else f"{sort}{where}"
