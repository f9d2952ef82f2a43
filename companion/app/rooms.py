"""The rooms of one open store, put together once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, Protocol, TypeVar, cast, runtime_checkable

from companion.adapters import clock as clocks
from companion.app.consolidation.judges import LazyRules
from companion.app.talks import heard
from companion.app.talks.heard import TalkRules
from companion.app.working.session import Sessions
from companion.config import Settings
from companion.errors import CompanionError
from companion.ports import Clock, Embedder, LanguageModel, Redactor, TokenCounter
from companion.store import projects
from companion.store.backup import backup, copy_is_due
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

T = TypeVar("T")
P = ParamSpec("P")


@runtime_checkable
class Closing(Protocol):
    """What is let go of with the store."""

    def close(self) -> None:
        """Let go of it."""


@dataclass
class Rooms:
    """A store and what works on it. Everything outside (clock, models) is handed in."""

    database: Database
    settings: Settings
    clock: Clock
    counter: TokenCounter
    redactor: Redactor
    embedder: Embedder | None
    make_embedder: Callable[[str], Embedder | None] = lambda _: None
    """Makes the embedder that a value of the setting `embeddings` names; None if it cannot be run here."""
    make_language_model: Callable[[], LanguageModel | None] = lambda: None
    """Makes the language model that the settings name, with its calls of one run; None where there is none."""
    unloads: tuple[Callable[[], None], ...] = ()
    """Have models and vocabularies let go of what they load again when they are needed."""
    talk_rules: Callable[[], TalkRules] = heard.rules
    """Gives the rules that read conversations."""
    shared: bool = False
    """Whether threads ask these rooms at once, as in a daemon: then nobody may let go of the store for a while."""
    backs_up: bool = False
    """Whether a copy of the store that is due is made when these rooms are closed: by who works with it and leaves."""
    sessions: Sessions = field(default_factory=Sessions)
    """What goes on in each checkout, as the events in the store say."""

    notices: tuple[str, ...] = ()
    """What the user should know of the settings, in sentences."""

    on_the_wall: Callable[[datetime], datetime] = clocks.on_the_wall
    """Tells of a moment in UTC what the clock on the wall shows: days and runs are the user's."""

    _ones: dict[Callable[..., object], object] = field(default_factory=dict, init=False, repr=False)
    _making: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def one(self, kind: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """The one of a kind that all who ask this store share; made when somebody asks for it first.

        What has to let go of something when the store is closed has a method `close`.
        """
        with self._making:
            if kind not in self._ones:
                self._ones[kind] = kind(*given, **named)
            return cast("T", self._ones[kind])  # what a kind made stands under it

    @property
    def home(self) -> Path:
        """The user's data folder, which holds the store and its indexes."""
        return self.database.home

    @cached_property
    def user(self) -> str:
        """The id of the store's user, and of the space of memories that belong to no project."""
        return projects.user_id(self.database)

    @cached_property
    def memories(self) -> Memories:
        """The memories of the store: learned, kept by hand, found by id."""
        from companion.store.memories.memories import Memories

        return Memories(self.database, self.counter, self.redactor, self.user, LazyRules())

    @cached_property
    def history(self) -> CommitHistory:
        """Commits and what is counted from them."""
        from companion.store.history.commits import CommitHistory

        return CommitHistory(self.database, self.redactor)

    @cached_property
    def code(self) -> Code:
        """Files, symbols and links of each checkout."""
        from companion.store.code.tables import Code

        return Code(self.database, self.counter, self.redactor)

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

    def furnish(self) -> None:
        """Make every room now, so that threads which come later share one of each."""
        _ = (self.memories, self.history, self.code, self.text_index, self.vectors, self.readings)
        _ = (self.passages, self.passage_vectors, self.line_origins)

    def unload(self) -> None:
        """Forget what was read of the store and is read again when it is asked for; models are loaded again too.

        For a daemon, while nobody asks: libraries made before go on with what they have read.
        """
        self.readings = Readings(self.database, self.text_index)
        if "passages" in self.__dict__:
            self.passages.unload()
        for unload in self.unloads:
            unload()

    def resting(self) -> AbstractContextManager[None]:
        """The store is not needed for the length of a block; others may have it, unless threads here ask it."""
        if self.shared:
            return nullcontext()
        if "passages" in self.__dict__:
            self.passages.rest()
        if "text_index" in self.__dict__:
            self.text_index.rest()
        return self.database.released()

    def close(self) -> None:
        """Let go of the indexes and the store; a copy of it that is due is made if anything was written."""
        if self.backs_up and self.database.revision and copy_is_due(self.database, time.time()):
            with suppress(
                CompanionError, OSError
            ):  # damage was noted for `companion doctor`; the command itself went well
                backup(self.database, None)
        for one in self._ones.values():
            if isinstance(one, Closing):
                one.close()
        if "text_index" in self.__dict__:
            self.text_index.close()
        if "passages" in self.__dict__:
            self.passages.close()
        self.database.close()
