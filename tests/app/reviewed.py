"""Conversations that are closed, reviewed and remembered, and what is found of them afterwards."""

from __future__ import annotations

from typing import Any

from app.talks import say
from companion.api import Remembered
from companion.app.local import LocalCompanion
from companion.records import Profile, SearchQuery
from companion.records.talk import Preview
from companion.store.database import Database
from companion.store.talk import finding

CENTS = "decision: prices are integer cents"
TEST = "task: mend the rounding test by 2026-01-08"
ALEX = "waiting-on: the contract from Alex"


def closed(companion: LocalCompanion, *texts: str, title: str = "Prices") -> Preview:
    companion.runtime.adapters.clock.advance(hours=1)  # type: ignore[attr-defined]
    companion.start_conversation(title)
    say(companion, *texts)
    return companion.close_conversation()


def kept(companion: LocalCompanion, *texts: str, title: str = "Prices") -> Remembered:
    closed(companion, *texts, title=title)
    return companion.confirm_review()


def found(companion: LocalCompanion, text: str) -> list[str]:
    return [hit.memory.draft.value for hit in companion.search(SearchQuery(text, profile=Profile.MEMORY))]


def spoken(companion: LocalCompanion, text: str) -> list[str]:
    """Conversations in which something was said, by the index of turns."""
    runtime = companion.runtime
    hits = finding.turns(
        runtime.store.database, runtime.store.text_index, None, runtime.store.user, finding.TurnQuery(text), 5
    )
    return [hit.conversation for hit in hits]


def rows(database: Database, statement: str) -> list[tuple[Any, ...]]:
    with database.read() as connection:
        return connection.execute(statement).fetchall()


def everything(database: Database) -> str:
    """All that the store holds, in one text."""
    tables = [row[0] for row in rows(database, "select table_name from information_schema.tables")]
    return "".join(repr(rows(database, f'select * from "{table}"')) for table in tables)
