"""Makers of stores and drafts for the tests of this room."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from blank import blank_home
from fakes import PlainRedactor, WordCounter
from msgspec.structs import replace

from companion.evidence.commits import cut_commit
from companion.judge.rules import RulesJudge
from companion.records import Draft, Evidence, EvidenceKind, Kind, Levels, Visibility
from companion.store import migrate, opening
from companion.store.bulk import insert_dicts
from companion.store.code.tables import Code
from companion.store.database import Database
from companion.store.history.commits import CommitHistory
from companion.store.memories.memories import Memories
from companion.store.passages.documents import SourcePassages, whole_of
from companion.store.passages.index import PassageChange, PassageIndex
from companion.store.store import Store
from companion.store.text.documents import commit_space, file_space

PROJECT = "p1test"
NOW = datetime(2026, 1, 5, 9, 0)


def at(days: float) -> datetime:
    return NOW + timedelta(days=days)


def open_store(home: Path, **given: Any) -> Database:
    return opening.open_store(home, **{"wait_s": 1.0, "memory_limit": "200MB"} | given)


@contextmanager
def store(home: Path) -> Iterator[Database]:
    """The store in `home`, a new one where there is none."""
    database = open_store(blank_home(home))
    try:
        yield database
    finally:
        database.close()


@contextmanager
def store_of_before(home: Path, last: int) -> Iterator[Database]:
    """A new store in `home` as the version made it whose last migration was that one."""
    older = tuple(migration for migration in migrate.migrations() if migration.number <= last)
    with patch.object(migrate, "migrations", lambda: older):
        database = open_store(home)
        try:
            yield database
        finally:
            database.close()


def memories(database: Database) -> Memories:
    return Memories(database, WordCounter(), PlainRedactor(), "u1")


def parts(database: Database, **given: Any) -> Store:
    """All parts of a store, these in place of its own; its user is nobody."""
    made = Store(database, WordCounter(), PlainRedactor(), RulesJudge)
    vars(made).update({"user": "", **given})
    return made


def fact(subject: str = "ruff", value: str = "100", **given: Any) -> Draft:
    text = f"{subject} line length is {value}"
    draft = Draft(
        kind=Kind.FACT,
        type="fact",
        subject=subject,
        attribute="line length",
        value=value,
        levels=Levels(f"{text}, as the settings say.", text, f"{subject} {value}", f"{subject}"[:50]),
        origin="pyproject.toml",
        evidence=(Evidence(EvidenceKind.FILE, "pyproject.toml", 12, f"line-length = {value}"),),
        entities=("file:pyproject.toml", f"topic:{subject}"),
    )
    return replace(draft, **given)


def private(draft: Draft) -> Draft:
    return replace(draft, visibility=Visibility.USER_PRIVATE)


def passages_of(database: Database, project: str, checkout: str) -> PassageIndex:
    """The index of passages as a scan leaves it: commits by their messages, files as wholes."""
    index, history = PassageIndex(database.home), CommitHistory(database, PlainRedactor())
    files, commits = file_space(checkout), commit_space(project)
    parsed = Code(database, WordCounter(), PlainRedactor()).parsed(checkout)

    def put(change: PassageChange) -> None:
        for one in parsed:
            change.replace(files, SourcePassages(one.path, one.content_hash, (), whole=whole_of(one)))
        known = history.branches(project)
        for commit in history.commits(project, known):
            branch = known[commit.sha]
            change.replace(commits, SourcePassages(commit.sha, branch or "-", cut_commit(commit), branch))
        change.remove(commits, [sha for sha in index.states(commits) if sha not in known])

    assert index.change(put)
    index.rest()
    return index


def work(database: Database, *days: int) -> None:
    """Commits on some days, counted from `NOW`: the project is worked on."""
    some = [
        {
            **{
                "project_id": PROJECT,
                "seq": day,
                "sha": f"{day:040}",
                "parents": "",
                "subject": "Work",
                "file_count": 1,
            },
            **{
                "author_name": "Ann",
                "author_email": "ann@example.org",
                "authored_at": at(day),
                "committed_at": at(day),
            },
            "is_merge": False,
        }
        for day in days
    ]
    with database.write() as connection:
        insert_dicts(connection, "commits", some)
