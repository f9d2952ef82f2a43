"""One checkout with an open store: what every verb needs, and no verb itself."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.app.given import did_you_mean, inside, scope_inside
from companion.app.runtime import Runtime
from companion.app.working.session import Session
from companion.encoding import decoded
from companion.errors import SourceError, UsageError, not_read
from companion.records import Activity, ErrorReport, Learned, RepoState, Signals
from companion.records.search import QUERY_CUT, QUERY_MAX_CHARACTERS
from companion.signals import git
from companion.signals.files import CommitTree, WorkTree, blob_id
from companion.store import projects
from companion.store.library import StoreLibrary
from companion.store.store import Store
from companion.store.texts import clean

if TYPE_CHECKING:
    from companion.api import Companion

LINES_BEFORE = 5
"""Lines above those that are shown, read for the name that a value in them was given to."""
MANY_LINES = ("PRIVATE KEY", "Static key", "PuTTY-User-Key", "kind: Secret", 'kind: "Secret"')
"""What tells of secrets that go over many lines, or are known by a line far above: the whole file is looked at then."""


@dataclass
class OpenCheckout:
    """A checkout, the runtime with its store, and what was said to whoever asked.

    Cheap to make: a server makes one for each request, so that nothing said to one reaches another.
    """

    runtime: Runtime
    state: RepoState
    project: str
    checkout: str
    tree: WorkTree | CommitTree | None = None
    """Where files are read from; None: the work tree, or the newest commit of a bare repository."""
    owns_runtime: bool = True
    """Whether closing this closes the store; not where others ask the same one."""
    go_on: Callable[[], bool] = lambda: True
    """Whether a run may go on; asked while it is at work, and may wait: where others ask it makes way for them."""
    later: Callable[[Callable[[], None]], None] | None = None
    """Who writes down behind the answer what was served; None: it is written at once."""
    looked: bool = False
    """Whether git was asked just now where the repository stands: a refresh asks it no more."""
    unread: str = ""
    """What has changed and was not read before this is asked, in a sentence; answers name it as missing."""
    _read: bool = field(default=False, init=False, repr=False)
    _notices: list[str] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        """Whatever is kept and shown of the checkout has no secret in it; a branch may be named by one."""
        self.state = replace(self.state, branch=self.fit(self.state.branch))

    @property
    def store(self) -> Store:
        """The store that is open."""
        return self.runtime.store

    def now(self) -> datetime:
        """The clock's time, naive UTC."""
        return self.runtime.adapters.clock.now()

    def close(self) -> None:
        """Let go of the store, if it was opened for this."""
        if self.owns_runtime:
            self.runtime.close()

    def notices(self) -> tuple[str, ...]:
        """What the user should know beside the answers since this was asked last, and of the store, in sentences."""
        database = self.store.database
        hindered = [database.hindered] if database.hindered and database.unwritable is None else []
        said = tuple(dict.fromkeys((*database.notices, *hindered, *self.runtime.notices, *self._notices)))
        self._notices.clear()
        return said

    def session(self) -> Session:
        """What goes on in this checkout while someone works; the same for all who ask."""
        return self.runtime.sessions(self.checkout, "", lambda: Session(self.store.database, self.checkout))

    def work_folder(self) -> Path | None:
        """Where the files lie on disk; None where they are read from a commit."""
        return None if isinstance(self.tree, CommitTree) or self.state.bare else git.folder_of(self.state)

    def holds(self, path: str) -> bool:
        """Whether a file is there on disk, indexed or not."""
        folder = self.work_folder()
        try:
            return bool(path) and folder is not None and (folder / path).is_file()
        except (OSError, ValueError):
            return False

    def library(self, signals: Signals | None = None) -> StoreLibrary:
        """What the engine may ask for these signals (their branch, persona and moment)."""
        signals = signals or Signals()
        library = StoreLibrary(
            self.store,
            self.project,
            self.checkout,
            embedder=self.runtime.adapters.embedder,
            read_lines=self._read_lines,
            branch=signals.branch or self.state.branch,
            persona=signals.persona,
            as_of=signals.at,
        )
        library.unread = self.unread
        return library

    def behind(self, note: Callable[[], None]) -> None:
        """Have something noted that the answer does not need; at once, where nobody does it behind the answer.

        Nothing is noted in a store that is only read, which a notice says.
        """
        if self.later is not None:
            self.later(note)
        elif self.store.database.unwritable is None:
            note()

    def say(self, notice: str) -> None:
        """Tell whoever asked something beside the answer, in a sentence."""
        self._notices.append(notice)

    def source(self) -> WorkTree | CommitTree:
        """Where files are read from."""
        if self.tree is None:
            self.tree = CommitTree(self.state, self.state.head) if self.state.bare else WorkTree(self.state)
        return self.tree

    @cached_property
    def name(self) -> str:
        """The project's name, as people know it."""
        return projects.project_name(self.store.database, self.project)

    def fit(self, text: str) -> str:
        """What a person typed, as it may be kept and said back: no secret, no undecodable sign."""
        return self.runtime.adapters.redactor.redact(clean(text))

    def inside(self, given: str, *, new: bool = False) -> str:
        """A path as the repository knows it, without a secret, and so are the words it is refused with."""
        try:
            return self.fit(inside(given, self.state, lambda: self.library().paths(), new=new))
        except UsageError:
            pass
        try:
            return inside(self.fit(given), self.state, lambda: self.library().paths(), new=new)
        except UsageError as wrong:
            raise UsageError(self.fit(wrong.what), self.fit(wrong.next_step)) from None

    def scope(self, given: str) -> str:
        """The path of a scope; a notice says so where nothing is there."""
        path = scope_inside(given, self.state)
        if path and not os.path.lexists(git.folder_of(self.state) / path):
            known = self.library().paths()
            if not any(f"{one}/".startswith(f"{path}/") for one in known):
                self.say(f"There is no `{self.fit(path)}` in {self.state.root}. {did_you_mean(path, known)}")
        return path

    def resolved(self, id_: str) -> str:
        """The whole id of a memory, from the beginning of it or its label."""
        return self._resolved(id_)[0]

    def own(self, id_: str) -> str:
        """The whole id of a memory that may be changed here. Raises UsageError for one of another project."""
        found, project = self._resolved(id_)
        if self.checkout and project not in (self.project, self.store.user):
            name = projects.project_name(self.store.database, project)
            at = projects.checkouts(self.store.database, project)
            where = at[0].root if at else "FOLDER"
            raise UsageError(f"{found[:12]} is a memory of {name}, not of {self.name}.", f"Name it: `-C {where}`.")
        return found

    def _resolved(self, id_: str) -> tuple[str, str]:
        return self.store.memories.resolve(self.fit(id_), (self.project, self.store.user))

    def errors(self, signals: Signals) -> tuple[ErrorReport, ...]:
        """The errors that signals give, read."""
        if not signals.errors:
            return ()
        from companion.signals.errors import parse_errors

        paths = self.library(signals).paths()
        return tuple(report for text in signals.errors for report in parse_errors(text, paths))

    def at_hand(self, signals: Signals) -> Signals:
        """Signals with paths inside the repository, for a checkout that was read."""
        self.need_reading()
        self.tell_if_cut(signals.query)
        branch = signals.branch
        if branch not in ("", self.state.branch) and not git.branch_exists(self.state, branch):
            raise UsageError(f"There is no branch `{branch}`.", "See `git branch --all`.")
        return replace(
            signals,
            query=signals.query[:QUERY_MAX_CHARACTERS],
            current_file=self.inside(signals.current_file, new=True) if signals.current_file else "",
            activity=signals.activity if signals.activity is None else Activity(signals.activity),
            assistant=self.fit(signals.assistant),
            has=tuple(map(self._held, signals.has)),
        )

    def _held(self, given: str) -> str:
        """What the asking side says it has, as the repository knows it: a path, or a pattern or id as it was given."""
        path = PurePath(given)
        if path.is_absolute():
            with suppress(ValueError):
                path = path.relative_to(git.folder_of(self.state))
        return self.fit(path.as_posix())

    def tell_if_cut(self, query: str) -> None:
        """A notice where a question is longer than what is looked at of one."""
        if len(query) > QUERY_MAX_CHARACTERS:
            self.say(QUERY_CUT)

    def need_reading(self) -> None:
        """Refuse an answer about a checkout that was never read: it would look like one about nothing."""
        if not self.was_read():
            raise not_read(self.state.root)

    def tell_if_unread(self) -> None:
        """A notice where nothing can be known yet, beside an answer that says nothing."""
        if not self.was_read():
            self.say(f"{self.state.root} has not been read yet: run `companion init` in it first.")

    def was_read(self) -> bool:
        """Whether a scan of this checkout ever came to its end; asked of the store after it was written to."""
        if not self._read:
            database, readings = self.store.database, self.store.readings
            at = readings.kept(
                ("scanned", self.checkout), database.revision, lambda: projects.scanned_at(database, self.checkout)
            )
            self._read = at is not None
        return self._read

    def learned(self) -> tuple[Learned, ...]:
        """How many memories of each kind and type stand."""
        counts = self.store.memories.counts(self.project)
        return tuple(
            Learned(kind, type_, number)
            for (kind, type_, status), number in sorted(counts.items())
            if status == "active"
        )

    def _read_lines(self, path: str, first: int, last: int, content_hash: str) -> str:
        """Lines of a file if it still is what was indexed; secrets redacted."""
        try:
            content = self.source().read(path)
        except SourceError:
            return ""
        if blob_id(content) != content_hash:
            return ""
        text = decoded(content)
        if any(mark in text for mark in MANY_LINES):
            text = self.runtime.adapters.redactor.redact(text)
        start = max(0, first - 1 - LINES_BEFORE)
        shown = self.runtime.adapters.redactor.redact("\n".join(text.splitlines()[start:last])).split("\n")
        return "\n".join(shown[first - 1 - start :])


class Service:
    """Answers verbs of one family. What they promise stands in `companion.api`."""

    def __init__(self, here: OpenCheckout, verbs: Companion) -> None:
        """`here` is the checkout that is asked about, `verbs` are those of all families, asked as anybody asks them."""
        self.here = here
        self.verbs = verbs
        self.runtime = here.runtime
        self.store = here.store
