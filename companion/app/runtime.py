"""What the verbs work with: an open store, what is outside of it, and the settings, put together once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import ParamSpec, Protocol, TypeVar, cast, runtime_checkable

from companion.adapters import clock as clocks
from companion.app.consolidation.judges import rules
from companion.app.talks.heard import TalkRules
from companion.config import Settings
from companion.errors import CompanionError
from companion.ports import Clock, Embedder, LanguageModel, Redactor, TokenCounter
from companion.store.backup import backup, copy_is_due
from companion.store.database import Database
from companion.store.keeping import VersionedCache
from companion.store.store import Store

T = TypeVar("T")
P = ParamSpec("P")


@runtime_checkable
class Closing(Protocol):
    """What is let go of with the store."""

    def close(self) -> None:
        """Let go of it."""


@dataclass
class Adapters:
    """The ports made real."""

    clock: Clock
    counter: TokenCounter
    redactor: Redactor
    embedder: Embedder | None
    make_language_model: Callable[[], LanguageModel | None] = lambda: None
    """Makes the language model that the settings name, with its calls of one run; None where there is none."""
    unloads: tuple[Callable[[], None], ...] = ()
    """Have models and vocabularies let go of what they load again when they are needed."""
    on_the_wall: Callable[[datetime], datetime] = clocks.on_the_wall
    """Tells of a moment in UTC what the clock on the wall shows: days and runs are the user's."""


@dataclass
class Runtime:
    """An open store and what works on it; all who ask one store share it."""

    store: Store
    settings: Settings
    adapters: Adapters
    talk_rules: Callable[[], TalkRules] = TalkRules
    """Gives the rules that read conversations."""
    shared: bool = False
    """Whether threads ask this at once, as in a daemon: then nobody may let go of the store for a while."""
    backs_up: bool = False
    """Whether a copy of the store that is due is made when this is closed: by who works with it and leaves."""
    sessions: VersionedCache = field(default_factory=VersionedCache)
    """What goes on in each checkout, as the events in the store say."""
    notices: tuple[str, ...] = ()
    """What the user should know of the settings, in sentences."""
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

    def unload(self) -> None:
        """Forget what was read of the store and is read again when it is asked for; models are loaded again too.

        For a daemon, while nobody asks.
        """
        self.store.unload()
        for unload in self.adapters.unloads:
            unload()

    def resting(self) -> AbstractContextManager[None]:
        """The store is not needed for the length of a block; others may have it, unless threads here ask it."""
        if self.shared:
            return nullcontext()
        self.store.rest()
        return self.store.database.released()

    def close(self) -> None:
        """Let go of the indexes and the store; a copy of it that is due is made if anything was written."""
        database = self.store.database
        with suppress(CompanionError, OSError):  # `companion doctor` tells of damage; the command itself went well
            if self.backs_up and database.revision and copy_is_due(database, time.time()):
                backup(database, None)
        for one in self._ones.values():
            if isinstance(one, Closing):
                one.close()
        self.store.close()


def runtime_over(database: Database, settings: Settings, adapters: Adapters) -> Runtime:
    """The runtime of a store that was opened."""
    return Runtime(Store(database, adapters.counter, adapters.redactor, rules), settings, adapters)
