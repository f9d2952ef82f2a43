"""People: where somebody has lately worked.

Who works where is drawn from history, concerns people, and is for this user alone; e-mail addresses
are never part of it. How much of a file is whose is kept by the store in a table of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import PurePosixPath

from msgspec import Struct

from companion.kinds.facts.project_files import is_book
from companion.kinds.history.drafting import evidence_of
from companion.kinds.levels import ladder
from companion.language.robots import is_robot
from companion.ports import World
from companion.records import (
    Commit,
    Draft,
    FactType,
    Kind,
    Visibility,
    entity,
)

RECENT_DAYS = 180
"""How far back, from the newest commit, work counts as recent: half a year."""

LEAST_COMMITS = 10
"""New commits of a person from which where they work can be told; fewer say nothing of habit."""

LEAST_SHARE, LEAST_LIFT = 0.3, 1.5
"""Share of a person's recent commits that an area needs, and times the share that it has of everybody's."""

COMMITS_BESIDE = 1_000
"""Newest commits of everybody that somebody's are held against."""

MAX_PEOPLE = 20
"""People told of in one run, most active first."""

OBSERVED = 0.7
"""Confidence in an area drawn from commits."""


class People:
    """The kind of memory that authors teach."""

    name = "people"

    def origins(self, world: World) -> Sequence[str]:
        """The people whose recent work the new commits tell."""
        return sorted({work.origin for work in _recent_work(world)})

    def learn(self, world: World) -> Iterator[Draft]:
        """Areas of recent work."""
        for work in _recent_work(world):
            if work.areas:
                yield work.draft()


class _Work(Struct, frozen=True):
    """Where a person has lately worked, and the commit that shows it last."""

    person: str
    key: str
    areas: tuple[tuple[str, int], ...]
    commits: int
    latest: Commit
    since: datetime

    @property
    def origin(self) -> str:
        return f"history of {self.key}"

    def draft(self) -> Draft:
        value = ", ".join(area for area, _ in self.areas)
        parts = ", ".join(f"{area} ({n} of their {self.commits} commits)" for area, n in self.areas)
        says = f"{self.person} has recently worked on {parts}, since {self.since:%Y-%m-%d}."
        return Draft(
            kind=Kind.FACT,
            type=FactType.RELATIONSHIP.value,
            subject=self.person,
            attribute="works on",
            value=value,
            levels=ladder(says, index=f"{self.person} works on {value}"),
            origin=self.origin,
            evidence=(evidence_of(self.latest),),
            entities=(self.key, *(entity("file", area.rstrip("/")) for area, _ in self.areas)),
            visibility=Visibility.USER_PRIVATE,
            confidence=OBSERVED,
            valid_from=self.since,
        )


def _recent_work(world: World) -> list[_Work]:
    """People with enough new commits, and the areas to tell of them; those with fewer keep what was said before."""
    new = _lately(world.new_commits())
    called = _called(new)
    by_person: dict[str, list[Commit]] = {}
    names: dict[str, str] = {}
    for commit in new:
        name = called.get(commit.author.email.lower(), commit.author.name)
        key = entity("person", name)
        if key != "person:" and not is_robot(commit.author.name, commit.author.email):
            by_person.setdefault(key, []).append(commit)
            names[key] = name
    enough = sorted(
        (key for key in by_person if len(by_person[key]) >= LEAST_COMMITS), key=lambda k: (-len(by_person[k]), k)
    )
    usual = _shares(_lately(world.recent_commits(COMMITS_BESIDE))) if enough else {}
    return [_work(names[key], key, by_person[key], usual) for key in enough[:MAX_PEOPLE]]


def _lately(commits: Sequence[Commit]) -> list[Commit]:
    """Those of some commits that changed something in the last half year of them."""
    work = [commit for commit in commits if not commit.is_merge and commit.changes]
    newest = max((commit.committed_at for commit in work), default=datetime.min)
    return [commit for commit in work if newest - commit.committed_at <= timedelta(days=RECENT_DAYS)]


def _called(commits: Sequence[Commit]) -> dict[str, str]:
    """The commonest name of each address: one person may write it in two ways."""
    counts: dict[str, Counter[str]] = {}
    for commit in commits:
        for person in (commit.author, *commit.co_authors):
            email = person.email.lower()
            if "@" in email and person.name.strip():
                counts.setdefault(email, Counter())[person.name] += 1
    return {email: max(sorted(names), key=lambda name: names[name]) for email, names in counts.items()}


def _work(name: str, key: str, commits: Sequence[Commit], usual: Mapping[str, float]) -> _Work:
    counts = _touched(commits)
    least = {area: max(LEAST_SHARE, LEAST_LIFT * usual.get(area, 0.0)) * len(commits) for area in counts}
    areas = sorted((pair for pair in counts.items() if pair[1] >= least[pair[0]]), key=lambda pair: (-pair[1], pair[0]))
    latest = max(commits, key=lambda commit: (commit.committed_at, commit.sha))
    since = min(commit.committed_at for commit in commits)
    return _Work(name, key, tuple(areas[:3]), len(commits), latest, since)


def _shares(commits: Sequence[Commit]) -> dict[str, float]:
    """The share of some commits that touches each area."""
    return {area: count / len(commits) for area, count in _touched(commits).items()}


def _touched(commits: Sequence[Commit]) -> Counter[str]:
    """How many of some commits touch each area."""
    counts: Counter[str] = Counter()
    for commit in commits:
        counts.update({area for change in commit.changes if (area := _area(change.path))})
    return counts


def _area(path: str) -> str:
    """The part of a project a file belongs to: up to two folders; the root and documentation are none."""
    folders = PurePosixPath(path).parts[:-1]
    if not folders or folders[0].startswith(".") or is_book(folders[0]):
        return ""
    return "/".join(folders[:2]) + "/"
