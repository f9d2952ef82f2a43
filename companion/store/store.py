"""One open store: its tables, and the indexes made of them, each made when it is asked for first."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from companion.ports import Judge, Redactor, TokenCounter
from companion.store import projects
from companion.store.database import Database
from companion.store.history.kept_origins import KeptOrigins
from companion.store.passages.index import PassageIndex
from companion.store.passages.vectors import PassageVectors
from companion.store.readings import Readings
from companion.store.text.index import TextIndex
from companion.store.vectors.vectors import Vectors

if TYPE_CHECKING:
    from companion.store.code.tables import Code
    from companion.store.history.commits import CommitHistory
    from companion.store.memories.memories import Memories


class Store:
    """What a database holds. Whoever asks it shares one of each; threads may, after `make_all`."""

    def __init__(
        self, database: Database, counter: TokenCounter, redactor: Redactor, rules: Callable[[], Judge]
    ) -> None:
        """`rules` makes who judges at once whether a memory that comes in contradicts another."""
        self.database = database
        self._counter = counter
        self._redactor = redactor
        self._rules = rules

    @property
    def home(self) -> Path:
        """The user's data folder, which holds the database and its indexes."""
        return self.database.home

    @cached_property
    def user(self) -> str:
        """The id of the store's user, and of the space of memories that belong to no project."""
        return projects.user_id(self.database)

    @cached_property
    def memories(self) -> Memories:
        """The memories: learned, kept by hand, found by id."""
        from companion.store.memories.memories import Memories

        return Memories(self.database, self._counter, self._redactor, self.user, self._rules)

    @cached_property
    def history(self) -> CommitHistory:
        """Commits and what is counted from them."""
        from companion.store.history.commits import CommitHistory

        return CommitHistory(self.database, self._redactor)

    @cached_property
    def code(self) -> Code:
        """Files, symbols and links of each checkout."""
        from companion.store.code.tables import Code

        return Code(self.database, self._counter, self._redactor)

    @cached_property
    def text_index(self) -> TextIndex:
        """The full-text index."""
        return TextIndex(self.database)

    @cached_property
    def passages(self) -> PassageIndex:
        """The index of passages."""
        return PassageIndex(self.home)

    @cached_property
    def line_origins(self) -> KeptOrigins:
        """Which commits made the lines of files, as of the commits that are checked out."""
        return KeptOrigins(self.home)

    @cached_property
    def vectors(self) -> Vectors:
        """The vectors and their index."""
        return Vectors(self.database, self.text_index)

    @cached_property
    def passage_vectors(self) -> PassageVectors:
        """The vectors of passages."""
        return PassageVectors(self.database, self.passages)

    @cached_property
    def readings(self) -> Readings:
        """What every library of this store reads once."""
        return Readings(self.database, self.text_index)

    def make_all(self) -> None:
        """Make everything now, so that threads which come later share one of each."""
        _ = (self.memories, self.history, self.code, self.text_index, self.vectors, self.readings)
        _ = (self.passages, self.passage_vectors, self.line_origins)

    def unload(self) -> None:
        """Forget what was read and is read again when it is asked for; libraries made before go on with theirs."""
        self.readings = Readings(self.database, self.text_index)
        if "passages" in self.__dict__:
            self.passages.unload()

    def rest(self) -> None:
        """Let go of the files of the indexes until they are asked for."""
        if "passages" in self.__dict__:
            self.passages.rest()
        if "text_index" in self.__dict__:
            self.text_index.rest()

    def close(self) -> None:
        """Let go of the indexes and the database."""
        if "text_index" in self.__dict__:
            self.text_index.close()
        if "passages" in self.__dict__:
            self.passages.close()
        self.database.close()
