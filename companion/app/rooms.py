"""The rooms of one open store, put together once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from companion.adapters import clock as clocks
from companion.app.consolidation.judges import LazyRules
from companion.app.consolidation.one_run import OneRun
from companion.app.models import SearchModels
from companion.app.talks import heard
from companion.app.talks.heard import TalkRules
from companion.app.working.session import Sessions
from companion.config import Settings
from companion.errors import CompanionError
from companion.ports import Clock, Embedder, LanguageModel, Redactor, TokenCounter
from companion.store import parameters, projects
from companion.store.backup import backup, copy_is_due
from companion.store.database import Database
from companion.store.history.kept_origins import KeptOrigins
from companion.store.passages.index import PassageIndex
from companion.store.passages.vectors import PassageVectors
from companion.store.readings import Readings
from companion.store.text.index import TextIndex
from companion.store.vectors.kept import Vectors

if TYPE_CHECKING:
    from companion.app.preambles import Preambles
    from companion.app.reasoning.advice import Adviser
    from companion.app.scanning.indexing import KnownDefinitions
    from companion.app.scanning.origins import OriginsOfLines
    from companion.app.talks.past import PastTurns
    from companion.store.code.tables import Code
    from companion.store.history.commits import History
    from companion.store.memories.kept import Memories


class NoRedactor:
    """Leaves text as it is: for bytes that are parsed and redacted afterwards, never for output."""

    def redact(self, text: str, path: str = "") -> str:
        """The text as it was given."""
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
    make_embedder: Callable[[str], Embedder | None] = lambda _: None
    """Makes the embedder that a value of the setting `embeddings` names; None if it cannot be run here."""
    make_language_model: Callable[[], LanguageModel | None] = lambda: None
    """Makes the language model that the settings name, with its calls of one run; None where there is none."""
    talk_rules: Callable[[], TalkRules] = heard.rules
    """Gives the rules that read conversations."""
    shared: bool = False
    """Whether threads ask these rooms at once, as in an owner: then nobody may let go of the store for a while."""
    backs_up: bool = False
    """Whether a copy of the store that is due is made when these rooms are closed: by who works with it and leaves."""
    sessions: Sessions = field(default_factory=Sessions)
    """What goes on in each checkout, as the events in the store say."""

    notices: tuple[str, ...] = ()
    """What the user should know of the settings, in sentences."""

    one_run: OneRun = field(default_factory=OneRun)
    """Held by whoever tidies the store, undoes it or purges."""

    writing_notes: threading.Lock = field(default_factory=threading.Lock, repr=False)
    """Held by whoever sets fields of the status."""

    on_the_wall: Callable[[datetime], datetime] = clocks.on_the_wall
    """Tells of a moment in UTC what the clock on the wall shows: days and runs are the user's."""

    taught: int = field(default=0, init=False, repr=False)
    """Raised whenever a person says what came of an answer: what outcomes have taught is made anew then."""

    hasty: dict[str, set[str]] = field(default_factory=dict, init=False, repr=False)
    """By checkout, paths that the kinds which do not wait have learned from, and the others have not."""

    @property
    def home(self) -> Path:
        """The user's data folder, which holds the store and its indexes."""
        return self.database.home

    @cached_property
    def unredacted(self) -> Redactor:
        """For text that is parsed first and redacted on its way into the store."""
        return NoRedactor()

    @cached_property
    def user(self) -> str:
        """The id of the store's user, and of the space of memories that belong to no project."""
        return projects.user_id(self.database)

    @cached_property
    def origins(self) -> OriginsOfLines:
        """Where the lines of files came from, as far as anybody asked."""
        from companion.app.scanning.origins import OriginsOfLines

        return OriginsOfLines()

    @cached_property
    def adviser(self) -> Adviser:
        """Asks the language model about requests, if there is one."""
        from companion.app.reasoning.advice import Adviser

        return Adviser()

    @cached_property
    def preambles(self) -> Preambles:
        """What assistants are told first, as it was written last."""
        from companion.app.preambles import Preambles

        return Preambles()

    @cached_property
    def memories(self) -> Memories:
        """The memories of the store: learned, kept by hand, found by id."""
        from companion.store.memories.kept import Memories

        return Memories(self.database, self.counter, self.redactor, self.user, LazyRules())

    @cached_property
    def history(self) -> History:
        """Commits and what is counted from them."""
        from companion.store.history.commits import History

        return History(self.database, self.redactor)

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
    def past(self) -> PastTurns:
        """What histories of what was said share."""
        from companion.app.talks.past import PastTurns

        return PastTurns(self)

    @cached_property
    def search_models(self) -> SearchModels:
        """Which model each project is asked with."""
        return SearchModels(self)

    @cached_property
    def readings(self) -> Readings:
        """What every library of this store reads once."""
        return Readings(self.database, self.text_index)

    def furnish(self) -> None:
        """Make every room now, so that threads which come later share one of each."""
        _ = (self.unredacted, self.memories, self.history, self.code, self.text_index, self.vectors, self.readings)
        _ = (self.search_models, self.past, self.passages, self.passage_vectors, self.line_origins)
        _ = (self.origins, self.adviser, self.preambles)

    def resting(self) -> AbstractContextManager[None]:
        """The store is not needed for the length of a block; others may have it, unless threads here ask it."""
        if self.shared:
            return nullcontext()
        if "passages" in self.__dict__:
            self.passages.rest()
        if "text_index" in self.__dict__:
            self.text_index.rest()
        return self.database.released()

    @cached_property
    def definitions(self) -> KnownDefinitions:
        """What each checkout defines, by which a change is linked."""
        from companion.app.scanning.indexing import KnownDefinitions

        return KnownDefinitions(self)

    def close(self) -> None:
        """Let go of the indexes and the store; a copy of it that is due is made if anything was written."""
        if self.backs_up and self.database.revision and copy_is_due(self.database, time.time()):
            with suppress(
                CompanionError, OSError
            ):  # damage was noted for `companion doctor`; the command itself went well
                backup(self.database, None)
        if "past" in self.__dict__:
            self.past.close()
        if "text_index" in self.__dict__:
            self.text_index.close()
        if "passages" in self.__dict__:
            self.passages.close()
        self.database.close()

    def save_weights(self, project: str, name: str, weights: Mapping[str, float], now: datetime) -> None:
        """Keep learned parameters of a project under a name."""
        parameters.save(self.database, project, name, weights, now)
