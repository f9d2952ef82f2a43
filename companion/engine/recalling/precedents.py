"""What was done before that is most nearly the same sort of thing as a task.

The subjects of past changes are compared with the task by `companion.syntax.alike`; files at hand weigh in, and a
change of very many files counts less. The shape of a change (which roles of files it touches) and the files that
candidates have in common added nothing beside these.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from companion.ports import Library, PastChange
from companion.records import FileRole
from companion.syntax.alike import without_request
from companion.syntax.languages import role_by_name

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


def precedents_of(
    text: str, library: Library, now: datetime, at_hand: Sequence[str] = (), limit: int = SHOWN
) -> tuple[PastChange, ...]:
    """At most `limit` changes before `now` that did most nearly the sort of thing a task asks for, best first.

    `at_hand` are the paths in front of the developer; how much alike each is, from WORTH_SHOWING to about 1.4, counts
    these too. Nothing where none is worth showing.
    """
    found = [change for change in library.past_changes(text, CONSIDERED) if change.at <= now]
    scored = [(_score(change, at_hand), change) for change in found]
    best: dict[str, PastChange] = {}
    for score, change in sorted(scored, key=lambda one: (-one[0], one[1].commits_ago, one[1].sha)):
        if score >= WORTH_SHOWING and len(best) < limit:
            same_work = without_request(change.subject).casefold()  # which may have been picked for another line
            best.setdefault(same_work, replace(change, alike=round(score, 4)))
    return tuple(best.values())


def _score(change: PastChange, at_hand: Sequence[str]) -> float:
    paths = [file.path for file in change.files]
    return change.alike + AT_HAND * _nearness(paths, at_hand) - MASS * (len(paths) > MASS_FILES)


def _nearness(paths: Sequence[str], at_hand: Sequence[str]) -> float:
    """1 for a change of a file at hand, half for one beside it."""
    if any(path in paths for path in at_hand):
        return 1.0
    folders = {path.rpartition("/")[0] for path in paths}
    return 0.5 if any(path.rpartition("/")[0] in folders for path in at_hand) else 0.0


def why_alike(change: PastChange) -> str:
    """What is alike in a change and a task, for people."""
    tested = any(role_by_name(file.path) is FileRole.TEST for file in change.files)
    sources = [file.path for file in change.files if role_by_name(file.path) is FileRole.SOURCE]
    said = [word.lower() for word in change.words]
    place = next((path for path in sources if any(word in path.lower() for word in said)), "")
    place = place or (sources[0] if sources else change.files[0].path)
    where = f", in {place.rpartition('/')[2]}{' and its tests' if sources and tested else ''}"
    sort = "did the same sort of thing" if change.same_lead else "did a similar thing"
    return f"{sort}{where}; matches {', '.join(change.words)}" if change.words else f"{sort}{where}"
