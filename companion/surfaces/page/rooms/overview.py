"""The project in one look: where the work is, what changes together, the last weeks, rules, and health in a line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby

from msgspec import Struct

from companion.api import Companion, TeamStanding
from companion.errors import UsageError
from companion.records import FactType, Kind, Memory
from companion.records.looking import ChangedTogether, Overview, PastCommit, TimelineQuery, WorkedFile
from companion.surfaces import groups
from companion.surfaces.page.room import PageRequest, PageView, Room, need_reading
from companion.surfaces.page.rooms.files import short_names

PAIRS_TOLD = 8
"""Pairs told in words beside the map, each file in one of them: all pairs of a group of files say the same."""
SURELY = 0.2
"""Share of the commits of a file below which another one that changes with it is not told in words."""
NAMED = 3
"""Commits of one sort that are named in a week; the others are counted."""
WEEKS_TOLD, RULES_TOLD, FOLDERS_TOLD = 6, 7, 12
"""Weeks, rules and folders of one look; behind each stands a page with all of them."""
NEWS_TOLD = 6
"""What the team shared or withdrew of late, as many as stand beside two weeks."""
FOLDERS_NAMED = 2
"""Folders that a week's work is said to be in."""
SORTS = {
    "feature": "Features",
    "fix": "Fixes",
    "removal": "Removals",
    "performance": "Performance",
    "refactor": "Refactoring",
}
"""What is said before the commits of a sort, in the order of interest: titles say `Add` and `Fix` by themselves."""


class Folder(Struct, frozen=True):
    """A folder by the work in it: how often its files were changed, all told, and when last."""

    path: str
    files: int
    changes: int
    changed_at: datetime


class TeamNews(Struct, frozen=True):
    """What somebody shared or, where it has no text, withdrew; `memory` is its id here, empty if it has none."""

    at: datetime
    author: str
    text: str = ""
    memory: str = ""


class Week(Struct, frozen=True):
    """What happened from a Monday on: how much, where, and by sort what is worth naming.

    `where` are the folders that most of the commits touched, with how many did, none where they are spread over more;
    `folders` counts those touched by any. `told` is a word, commits of different titles, and how many more such of the
    sort there were. `upkeep` counts chores and what programs commit.
    """

    monday: date
    commits: int
    people: int
    where: tuple[tuple[str, int], ...]
    folders: int
    told: tuple[tuple[str, tuple[PastCommit, ...], int], ...]
    upkeep: int
    decided: tuple[Memory, ...] = ()

    @property
    def sunday(self) -> date:
        """Its last day."""
        return self.monday + timedelta(days=6)


def show(companion: Companion, ask: PageRequest) -> PageView:
    """The whole look. What is not known yet is left out, so that no part of it is ever empty."""
    told = companion.overview()
    if not told.commits:
        need_reading(companion)
    rules, rules_total = groups.GROUPS["rules"][2](companion, RULES_TOLD)
    decided = companion.timeline(TimelineQuery(kinds=(Kind.FACT,), types=(FactType.DECISION,), count=False))
    values = {
        "told": told,
        "held": companion.stats(),
        "map": drawing(told) if len(told.files) > 1 else "",
        "areas": folders(told.files)[:FOLDERS_TOLD],
        "pairs": unexpected(told),
        "called": short_names(one.path for one in told.files),
        "weeks": weeks(told.newest, [(one.at, one.memory) for one in decided.happened])[:WEEKS_TOLD],
        "rules": rules,
        "rules_total": rules_total,
        **_team(companion),
    }
    return PageView("overview/room.html", values)


def _team(companion: Companion) -> dict[str, object]:
    """What the team shares, None where nobody does; or what is wrong with it."""
    try:
        standing = companion.team_status(NEWS_TOLD)
    except UsageError as wrong:
        return {"team": None, "team_news": (), "team_wrong": str(wrong)}
    return {"team": standing if standing.is_shared else None, "team_news": team_news(standing), "team_wrong": ""}


def team_news(standing: TeamStanding) -> tuple[TeamNews, ...]:
    """Who shared and withdrew what, the latest first."""
    shared = [TeamNews(one.shared_at, one.author, one.text, one.memory) for one in standing.shared]
    withdrawn = [TeamNews(at, author) for author, at in standing.withdrawn]
    return tuple(sorted((*shared, *withdrawn), key=lambda one: one.at, reverse=True)[:NEWS_TOLD])


def drawing(told: Overview) -> str:
    """The map as the script reads it: files with their commits and age in days, and pairs by the numbers of files.

    The first pairs, which are seen while nothing is pointed at, are of source files: a changelog changes with all.
    """
    newest = max(one.changed_at for one in told.files)
    number = {one.path: place for place, one in enumerate(told.files)}
    source = {one.path for one in told.files if one.role == "source"}
    said = {
        "files": [[one.path, one.commits, (newest - one.changed_at).days] for one in told.files],
        "pairs": [
            [number[one.a], number[one.b], one.together, round(100 * one.share)]
            for one in sorted(told.pairs, key=lambda one: not {one.a, one.b} <= source)
            if one.a in number and one.b in number
        ],
    }
    return json.dumps(said, separators=(",", ":"), ensure_ascii=False)


def folders(files: Iterable[WorkedFile]) -> tuple[Folder, ...]:
    """The outermost folders, those with most work first; files that lie in none of them under an empty path."""
    found: dict[str, list[WorkedFile]] = {}
    for one in files:
        found.setdefault(_area(one.path), []).append(one)
    listed = (
        Folder(path, len(some), sum(one.commits for one in some), max(one.changed_at for one in some))
        for path, some in found.items()
    )
    return tuple(sorted(listed, key=lambda one: (-one.changes, one.path)))


def unexpected(told: Overview) -> tuple[ChangedTogether, ...]:
    """The pairs of source files that one would not guess: no file with its own test, and no file twice.

    What changed together often and for most of its commits comes first.
    """
    left = {one.path for one in told.files if one.role == "source"}
    found = []
    for one in sorted(told.pairs, key=lambda one: -one.together * one.share):
        if {one.a, one.b} <= left and one.share >= SURELY and _stem(one.a) != _stem(one.b):
            left -= {one.a, one.b}
            found.append(one)
    return tuple(found[:PAIRS_TOLD])


def weeks(commits: Sequence[PastCommit], decided: Sequence[tuple[datetime, Memory]]) -> tuple[Week, ...]:
    """The weeks in which there was more than upkeep, else all with commits, the newest first; `commits` come so."""
    by_week = groupby(commits, key=lambda one: _monday(one.at))
    found = tuple(_week(monday, list(some), decided) for monday, some in by_week)
    return tuple(one for one in found if one.told) or found


def _week(monday: date, commits: Sequence[PastCommit], decided: Sequence[tuple[datetime, Memory]]) -> Week:
    of_people = [one for one in commits if not one.author.endswith("[bot]")]
    by_hand = [one for one in of_people if one.sort != "chore"]
    areas = [{_area(path) for path in one.files} for one in by_hand]
    touched = Counter(folder for some in areas for folder in some)
    where = dict(touched.most_common(FOLDERS_NAMED))
    within = [not some.isdisjoint(where) if len(areas) > 1 else some <= set(where) for some in areas]
    by_sort: dict[str, list[PastCommit]] = {word: [] for word in (*SORTS.values(), "Also")}
    for one in sorted(by_hand, key=lambda one: -len(one.files)):
        of_its_sort = by_sort[SORTS.get(one.sort, "Also")]
        if all(other.title != one.title for other in of_its_sort):
            of_its_sort.append(one)
    return Week(
        monday,
        len(commits),
        len({one.author for one in of_people}),
        tuple(where.items()) if sum(within) > len(within) / 2 else (),
        len(touched),
        tuple((word, tuple(some[:NAMED]), len(some[NAMED:])) for word, some in by_sort.items() if some),
        len(commits) - len(by_hand),
        tuple(memory for at, memory in decided if _monday(at) == monday),
    )


def _monday(at: datetime) -> date:
    return at.date() - timedelta(days=at.weekday())


def _area(path: str) -> str:
    """The outermost folder of a file, empty for one that lies in none."""
    return path.partition("/")[0] if "/" in path else ""


def _stem(path: str) -> str:
    """The name of a file as its test has it too."""
    name = path.rpartition("/")[2].partition(".")[0].casefold()
    for word in ("tests", "test", "spec"):
        name = name.removeprefix(word).removesuffix(word)
    return name.strip("_-")


ROOM = Room("overview", "Overview", "The project in one look", show)
