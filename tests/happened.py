"""Commits as they are remembered, for tests of what is made of them and not of how they are learned."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from companion.app.runtime import Runtime
from companion.records import Draft, Episode, Kind, Levels, entity


def commit_told(number: int, at: datetime, change: str, *paths: str, person: str = "Ann Otter") -> Draft:
    """One commit of somebody to some files; its title has its number and a tag in it."""
    title = f"Commit {number} <b>of</b> loans of February"
    return Draft(
        Kind.EPISODE,
        "commit",
        title,
        "",
        title,
        Levels(title, title, title, title[:50]),
        "history",
        body=Episode(title, at, (person,), change=change),
        entities=(*(entity("file", path) for path in paths), entity("person", person)),
        valid_from=at,
    )


def remember_commits(runtime: Runtime, project: str, told: Sequence[Draft], now: datetime) -> None:
    """Have commits remembered, as if the history had taught them."""
    runtime.store.memories.reconcile(project, "planted", ["history"], told, now)
    runtime.store.text_index.update(project)
