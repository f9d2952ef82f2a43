"""The rooms of one open store, put together once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from companion.config import Settings
from companion.ports import Clock, Embedder, Redactor, TokenCounter
from companion.store import parameters, projects
from companion.store.code import Code
from companion.store.database import Database
from companion.store.history import History
from companion.store.library import Readings
from companion.store.memories import Memories
from companion.store.text_index import TextIndex
from companion.store.vectors import Vectors


class NoRedactor:
    """Leaves text as it is: for bytes that are parsed and redacted afterwards, never for output."""

    def redact(self, text: str, path: str = "") -> str:
        """The same text."""
        return text


@dataclass
class Rooms:
    """A store and what works on it. Everything outside (clock, models) is handed in."""

    database: Database
    settings: Settings
    clock: Clock
    counter: TokenCounter
    redactor: Redactor
    embedder: Embedder | None

    @property
    def home(self) -> Path:
        """The data folder."""
        return self.database.home

    @cached_property
    def unredacted(self) -> Redactor:
        """For text that is parsed first and redacted on its way into the store."""
        return NoRedactor()

    @cached_property
    def memories(self) -> Memories:
        """What is remembered."""
        return Memories(self.database, self.counter, self.redactor, projects.user_id(self.database))

    @cached_property
    def history(self) -> History:
        """Commits and what is counted from them."""
        return History(self.database, self.redactor)

    @cached_property
    def code(self) -> Code:
        """Files, symbols and links of each checkout."""
        return Code(self.database, self.counter, self.redactor)

    @cached_property
    def text_index(self) -> TextIndex:
        """The full-text index."""
        return TextIndex(self.database)

    @cached_property
    def vectors(self) -> Vectors:
        """The vectors and their index."""
        return Vectors(self.database, self.text_index)

    @cached_property
    def readings(self) -> Readings:
        """What every library of this store reads once."""
        return Readings(self.database, self.text_index)

    def close(self) -> None:
        """Let go of the indexes and the store."""
        if "text_index" in self.__dict__:
            self.text_index.close()
        self.database.close()

    def save_weights(self, project: str, name: str, weights: Mapping[str, float], now: datetime) -> None:
        """Keep learned parameters of a project under a name."""
        parameters.save(self.database, project, name, weights, now)
