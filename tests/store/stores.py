"""Makers of stores and drafts for the tests of this room."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from blank import blank_home
from fakes import PlainRedactor, WordCounter

from companion.records import Draft, Evidence, EvidenceKind, Kind, Levels, Visibility
from companion.store.database import Database
from companion.store.memories.kept import Memories

PROJECT = "p1test"
NOW = datetime(2026, 1, 5, 9, 0)


def at(days: float) -> datetime:
    return NOW + timedelta(days=days)


def open_store(home: Path, **given: Any) -> Database:
    return Database.open(home, **{"wait_s": 1.0, "memory_limit": "200MB"} | given)


@contextmanager
def store(home: Path) -> Iterator[Database]:
    """The store in `home`, a new one where there is none."""
    database = open_store(blank_home(home))
    try:
        yield database
    finally:
        database.close()


def memories(database: Database) -> Memories:
    return Memories(database, WordCounter(), PlainRedactor(), "u1")


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
