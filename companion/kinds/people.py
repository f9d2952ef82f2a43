"""People: who owns what by declaration, and where somebody has lately worked.

Ownership comes from CODEOWNERS, OWNERS and MAINTAINERS files, which the project has made public.
Who works where is drawn from history, concerns people, and is for this user alone; e-mail addresses
are never part of it. How much of a file is whose is kept by the store in a table of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import PurePosixPath

from companion.kinds.facts.located import yaml
from companion.kinds.facts.places import is_book, speaks_for_project
from companion.kinds.facts.prose_blocks import plain
from companion.kinds.facts.statement import Statement, draft_of
from companion.kinds.levels import ladder
from companion.ports import World
from companion.records import (
    Commit,
    Draft,
    Evidence,
    EvidenceKind,
    FactType,
    FileSeen,
    Kind,
    Visibility,
    entity,
)

MAX_RULES = 80
"""Rules of one CODEOWNERS file: larger ones are generated, and their last rules are the ones that hold."""

MAX_MAINTAINERS = 30
"""Names of one MAINTAINERS file: a longer list thanks contributors."""

RECENT_DAYS = 180
"""How far back, from the newest commit, work counts as recent: half a year."""

LEAST_COMMITS = 10
"""New commits of a person from which where they work can be told; fewer say nothing of habit."""

LEAST_SHARE = 0.3
"""Share of a person's recent commits that an area needs."""

MAX_PEOPLE = 20
"""People told of in one run, most active first."""

OBSERVED = 0.7
"""Confidence in an area drawn from commits."""

PATTERNS = ("CODEOWNERS", "OWNERS", "MAINTAINERS", "MAINTAINERS.md", "MAINTAINERS.txt", "MAINTAINERS.rst")

_HANDLE = re.compile(r"(?<![\w/.])@(?P<handle>[A-Za-z0-9][\w-]*(?:/[\w.-]+)?)")
_ADDRESS = re.compile(r"<?(?P<email>[\w.+-]+@[\w-]+\.[\w.-]+)>?")
_NAME = re.compile(r"^[A-Z][\w.'’-]+(?: (?:[a-z]{1,3} )?[A-Z][\w.'’-]*){1,3}$")
_BOT = re.compile(
    r"\[bot\]|\bbot\b|dependabot|renovate|github-actions|pre-commit-ci"
    r"|^(?:claude|copilot|codex|cursor|gemini|devin)\b.*(?:\d|\bagent|$)|noreply@(?:anthropic|openai)\.com",
    re.IGNORECASE,
)
"""Who keeps house or writes on command: nobody to ask."""


class People:
    """The kind of memory that ownership files and authors teach."""

    name = "people"

    def origins(self, world: World) -> Sequence[str]:
        """The changed ownership files, and the people whose recent work the new commits tell."""
        files = {file.path for file in _files(world)}
        return sorted(files | {work.origin for work in _recent_work(world.new_commits())})

    def learn(self, world: World) -> Iterator[Draft]:
        """Owners and maintainers as declared, then areas of recent work."""
        for file in _files(world):
            seen: set[tuple[str, str]] = set()
            for statement in _declared(file):
                if (statement.subject, statement.attribute) not in seen:
                    seen.add((statement.subject, statement.attribute))
                    yield draft_of(statement, file)
        for work in _recent_work(world.new_commits()):
            yield work.draft()


def _files(world: World) -> list[FileSeen]:
    found = [file for file in world.changed_texts(PATTERNS) if speaks_for_project(file.path, document=True)]
    return sorted(found, key=lambda file: file.path)


def _declared(file: FileSeen) -> Iterator[Statement]:
    name = PurePosixPath(file.path).name
    if name == "CODEOWNERS":
        yield from _codeowners(file)
    elif name == "OWNERS":
        yield from _owners(file)
    else:
        yield from _maintainers(file)


# --- declared -----------------------------------------------------------------------------------


def _codeowners(file: FileSeen) -> Iterator[Statement]:
    """Owners by path. The last rule of a path holds, so the file is read from its end."""
    rules: dict[str, tuple[int, tuple[str, ...]]] = {}
    for number, raw in enumerate(file.text.split("\n"), start=1):
        words = raw.split(" #")[0].split()
        if len(words) < 2 or words[0].startswith(("#", "[", "^[")):
            continue
        owners = tuple(word for word in words[1:] if word.startswith("@") or "@" in word)
        if owners:
            rules.pop(words[0], None)
            rules[words[0]] = (number, owners)
    for pattern, (line, owners) in list(rules.items())[-MAX_RULES:]:
        yield _owned(pattern, owners, line)


def _owned(pattern: str, owners: Sequence[str], line: int) -> Statement:
    value = ", ".join(sorted(owners))
    everything = pattern in {"*", "/", "/**", "**"}
    where = "Everything that has no other owner" if everything else f"`{pattern}`"
    path = pattern.strip("/") if not everything and not re.search(r"[*?\[]", pattern) else ""
    return Statement(
        subject="the whole repository" if everything else pattern,
        attribute="owner",
        value=value,
        says=f"{where} is owned by {value}: ask for their review.",
        line=line,
        scope_path=path,
        type=FactType.RELATIONSHIP,
        entities=(*_people(owners), *((entity("file", path),) if path else ())),
    )


def _people(owners: Sequence[str]) -> tuple[str, ...]:
    """Teams are organisations, handles are people; addresses get no key."""
    return tuple(
        sorted(
            entity("org" if "/" in owner else "person", owner.lstrip("@")) for owner in owners if owner.startswith("@")
        )
    )


def _owners(file: FileSeen) -> Iterator[Statement]:
    """Kubernetes' OWNERS: approvers and reviewers of a folder."""
    root = yaml(file.text)
    folder = str(PurePosixPath(file.path).parent).strip(".")
    for role in ("approvers", "reviewers"):
        node = root.at(role) if root is not None else None
        names = sorted(node.texts()) if node is not None else []
        if node is not None and 0 < len(names) <= MAX_MAINTAINERS:
            value = ", ".join(names)
            says = f"Changes in {folder or 'the repository'} have the {role} {value}."
            keys = tuple(sorted(entity("person", name) for name in names))
            yield Statement(
                folder or "the whole repository",
                role,
                value,
                says,
                node.line,
                type=FactType.RELATIONSHIP,
                entities=keys,
            )


def _maintainers(file: FileSeen) -> Iterator[Statement]:
    """Names of a MAINTAINERS file: a line is a person where it has a handle or an address beside a name."""
    found: list[tuple[int, str, str]] = []
    for number, raw in enumerate(file.text.split("\n"), start=1):
        if raw.lstrip().startswith(("<!--", "http")):
            continue
        line = plain(raw).strip("|-*+•# \t")
        cells = [cell.strip() for cell in re.split(r"[|,(<\[]|\s[-–—:]\s|\s{2,}|:\s", line) if cell.strip()]
        cells = [re.sub(r"^M:\s*", "", cell) for cell in cells]
        handle = _HANDLE.search(line)
        person = next((cell for cell in cells if _NAME.match(cell)), "")
        if person and (handle or _ADDRESS.search(raw)):
            found.append((number, person, f"@{handle['handle']}" if handle else ""))
    if len(found) > MAX_MAINTAINERS:
        return
    for number, name, nick in found:
        shown = f"{name} ({nick})" if nick else name
        yield Statement(
            "project",
            f"maintainer {name}",
            nick or name,
            f"{shown} maintains the project.",
            number,
            type=FactType.RELATIONSHIP,
            entities=(entity("person", name),),
        )


# --- observed -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Work:
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
        shares = ", ".join(f"{area} ({round(100 * n / self.commits)} %)" for area, n in self.areas)
        says = f"{self.person} has lately worked on {shares}, in {self.commits} commits since {self.since:%Y-%m-%d}."
        return Draft(
            kind=Kind.FACT,
            type=FactType.RELATIONSHIP.value,
            subject=self.person,
            attribute="works on",
            value=value,
            levels=ladder(says, index=f"{self.person} works on {value}"),
            origin=self.origin,
            evidence=(Evidence(EvidenceKind.COMMIT, self.latest.sha, None, self.latest.subject[:200]),),
            entities=(self.key, *(entity("file", area.rstrip("/")) for area, _ in self.areas)),
            visibility=Visibility.USER_PRIVATE,
            confidence=OBSERVED,
            valid_from=self.since,
        )


def _recent_work(commits: Sequence[Commit]) -> list[_Work]:
    """People with enough new commits; those with fewer keep what was said of them before."""
    mine = [commit for commit in commits if not commit.is_merge and commit.changes]
    if not mine:
        return []
    newest = max(commit.committed_at for commit in mine)
    recent = [commit for commit in mine if newest - commit.committed_at <= timedelta(days=RECENT_DAYS)]
    called = _called(recent)
    by_person: dict[str, list[Commit]] = {}
    names: dict[str, str] = {}
    for commit in recent:
        for person in (commit.author, *commit.co_authors):
            name = called.get(person.email.lower(), person.name)
            key = entity("person", name)
            if key != "person:" and not _BOT.search(f"{person.name} {person.email}"):
                by_person.setdefault(key, []).append(commit)
                names[key] = name
    enough = sorted(
        (key for key in by_person if len(by_person[key]) >= LEAST_COMMITS), key=lambda k: (-len(by_person[k]), k)
    )
    found = [_work(names[key], key, by_person[key]) for key in enough[:MAX_PEOPLE]]
    return [work for work in found if work is not None]


def _called(commits: Sequence[Commit]) -> dict[str, str]:
    """The commonest name of each address: one person may write it in two ways. Addresses of services are nobody's."""
    counts: dict[str, Counter[str]] = {}
    for commit in commits:
        for person in (commit.author, *commit.co_authors):
            email = person.email.lower()
            if "@" in email and not email.startswith(("noreply@", "no-reply@")) and person.name.strip():
                counts.setdefault(email, Counter())[person.name] += 1
    return {email: max(sorted(names), key=lambda name: names[name]) for email, names in counts.items()}


def _work(name: str, key: str, commits: Sequence[Commit]) -> _Work | None:
    counts: Counter[str] = Counter()
    for commit in commits:
        counts.update({area for change in commit.changes if (area := _area(change.path))})
    areas = [(area, n) for area, n in counts.items() if n >= LEAST_SHARE * len(commits)]
    areas.sort(key=lambda item: (-item[1], item[0]))
    if not areas:
        return None
    latest = max(commits, key=lambda commit: (commit.committed_at, commit.sha))
    since = min(commit.committed_at for commit in commits)
    return _Work(name, key, tuple(areas[:3]), len(commits), latest, since)


def _area(path: str) -> str:
    """The part of a project a file belongs to: up to two folders; the root and documentation are none."""
    folders = PurePosixPath(path).parts[:-1]
    if not folders or folders[0].startswith(".") or is_book(folders[0]):
        return ""
    return "/".join(folders[:2]) + "/"
