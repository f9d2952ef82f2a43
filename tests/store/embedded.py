"""Memories that say a text, and the vectors of a store."""

from __future__ import annotations

from stores import NOW, PROJECT, fact, memories

from companion.records import Levels, Memory
from companion.store.database import Database
from companion.store.text.index import TextIndex
from companion.store.vectors.vectors import Vectors


def say(database: Database, subject: str, text: str, **given: object) -> Memory:
    levels = Levels(f"{text} in full", text, text[:20], text[:20])
    return memories(database).remember(PROJECT, fact(subject, text, levels=levels, **given), NOW)


def among_mails(database: Database, mails: int = 6) -> Memory:
    """A memory about a config file, the only one that is not about mails."""
    wanted = say(database, "a", "parse the config file")
    for number in range(mails):
        say(database, f"s{number}", f"send mail number {number}")
    return wanted


def made(database: Database, *, exact: int = 20_000) -> Vectors:
    return Vectors(database, TextIndex(database), indexed_from=exact)
