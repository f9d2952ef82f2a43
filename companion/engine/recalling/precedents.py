"""What was done before that is most nearly the same sort of thing as a task.

The subjects of past changes are compared with the task by `companion.syntax.alike`; files at hand weigh in, and a
change of very many files counts less. The shape of a change (which roles of files it touches) and the files that
candidates have in common added nothing beside these.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from msgspec import Struct

from companion.ports import Library, PastChange
from companion.records import FileChange, FileRole
from companion.records.roles import role_of
from companion.syntax.alike import without_request
from companion.syntax.languages import language_of

SHOWN = 3
"""Precedents that are shown."""
CONSIDERED = 60
"""Past changes that are compared."""
WORTH_SHOWING = 0.45
"""Score under which a change shares little more than a word with the task: right ones had .48 at least."""
AT_HAND = 0.1
"""What a change of a file at hand gains."""
MASS_FILES, MASS = 25, 0.2
"""A change of more files is of many sorts at once, and loses so much."""
PATHS_KEPT = 20_000
"""Paths whose role is remembered: those of a large project's past, 3 MB."""


class Precedent(Struct, frozen=True):
    """A past change of the same sort as a task.

    `commits` are the ids of all commits of the change, `sha` that of the one which says most of the task; `request` the
    number of its pull request or empty. `files` is what it changed, by path. `score` is from WORTH_SHOWING to about
    1.4; `why` says for people what is alike.
    """

    sha: str
    subject: str
    at: datetime
    files: tuple[FileChange, ...]
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
    scored = [(_score(change, at_hand), change) for change in found]
    best: dict[str, Precedent] = {}
    for score, change in sorted(scored, key=lambda one: (-one[0], one[1].commits_ago, one[1].sha)):
        if score >= WORTH_SHOWING and len(best) < limit:
            same_work = without_request(change.subject).casefold()  # which may have been picked for another line
            best.setdefault(same_work, _precedent(change, score))
    return tuple(best.values())


@lru_cache(maxsize=PATHS_KEPT)
def role_in_past(path: str) -> FileRole:
    """What a file is for, which may be long gone."""
    return role_of(path, language_of(path))


def _score(change: PastChange, at_hand: Sequence[str]) -> float:
    paths = [file.path for file in change.files]
    return change.alike + AT_HAND * _nearness(paths, at_hand) - MASS * (len(paths) > MASS_FILES)


def _nearness(paths: Sequence[str], at_hand: Sequence[str]) -> float:
    """1 for a change of a file at hand, half for one beside it."""
    if any(path in paths for path in at_hand):
        return 1.0
    folders = {path.rpartition("/")[0] for path in paths}
    return 0.5 if any(path.rpartition("/")[0] in folders for path in at_hand) else 0.0


def _precedent(change: PastChange, score: float) -> Precedent:
    tested = any(role_in_past(file.path) is FileRole.TEST for file in change.files)
    return Precedent(
        sha=change.sha,
        subject=change.subject,
        at=change.at,
        files=change.files,
        score=round(score, 4),
        why=_why(change, tested),
        commits=change.commits,
        request=change.request,
    )


def _why(change: PastChange, tested: bool) -> str:
    sources = [file.path for file in change.files if role_in_past(file.path) is FileRole.SOURCE]
    said = [word.lower() for word in change.words]
    place = next((path for path in sources if any(word in path.lower() for word in said)), "")
    place = place or (sources[0] if sources else change.files[0].path)
    where = f", in {place.rpartition('/')[2]}{' and its tests' if sources and tested else ''}"
    sort = "did the same sort of thing" if change.same_lead else "did a similar thing"
    return f"{sort}{where}; matches {', '.join(change.words)}" if change.words else f"{sort}{where}"
