"""The server: what all features share. Who asks what is in `features`; how it is started, in `command`."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar
from urllib.parse import unquote

from lsprotocol import types
from msgspec import Struct
from pygls.exceptions import FeatureRequestError
from pygls.lsp.server import LanguageServer

from companion.__about__ import __version__
from companion.client.companions import Companions, work_tree
from companion.errors import CompanionError, NotReadYet
from companion_lsp import convert
from companion_lsp.abilities import Abilities
from companion_lsp.protocol import CompanionProtocol
from companion_lsp.reporting import Reporter
from companion_lsp.settings import EditorSettings
from companion_lsp.shifting import Shift, lines_of

if TYPE_CHECKING:
    from companion.api import Companion, News
    from companion.records import CodeLens, Observation

Answer = TypeVar("Answer")
Given = ParamSpec("Given")
log = logging.getLogger(__name__)

THREADS = 6
"""Questions asked of daemons at once: an editor sends a handful when a file is opened."""
QUESTIONS_MOST = 40
"""Questions that wait for an answer; beyond it nothing more is asked until one is answered."""
ANSWER_S = 1.0
"""Deadline of what an editor shows by itself: later than that nobody looks for it any more."""
COMMAND_S = 20.0
"""Deadline of a command: somebody asked for it and sees that it runs."""
NEWS_GATHERED_S = 0.1
"""News that come together are passed on together: a checkout brings one for each file."""
SHOWN_ANEW = {"refreshed", "contradictions"}
"""News upon which what is shown may be no longer right."""
READY = "prefetched"
"""News that a context was made: what is in it may be another one, while nothing else that is shown has changed."""
FILE_MOST_BYTES = 5_000_000
"""Larger files are not indexed, and comparing their lines would take longer than the deadline."""


class OpenDocument(Struct, frozen=True):
    """A file that an editor shows, in a repository. `lines` are those in the editor; None: as saved."""

    uri: str
    path: Path
    root: Path
    lines: tuple[str, ...] | None
    encoding: str

    def versions(self) -> tuple[list[str], Shift]:
        """The lines as they stand, and how they differ from what is on disk. Reads the file."""
        saved = lines_of(_saved(self.path))
        edited = saved if self.lines is None else list(self.lines)
        return edited, Shift.between(saved, edited)


Question = Callable[["Companion", OpenDocument], Answer]


class Occasion(list[Callable[Given, object]], Generic[Given]):
    """What is to be done when something happens: called, it does all of that, in order."""

    def __call__(self, *given: Given.args, **named: Given.kwargs) -> None:
        for act in self:
            act(*given, **named)


class CompanionServer(LanguageServer):
    """One session with one editor."""

    protocol: CompanionProtocol

    def __init__(self) -> None:
        super().__init__(
            "companion", __version__, types.TextDocumentSyncKind.Incremental, protocol_cls=CompanionProtocol
        )
        self.settings = self.wanted = EditorSettings()
        """What holds, and what the user set: in quiet these are not the same."""
        self.abilities = Abilities()
        self.companions = Companions(lost=self._lost, news=self._heard)
        self.reporter = Reporter(
            lambda root, seen: self.companions.ask(root, lambda companion: companion.observe(tuple(seen)))
        )
        self.on_news: Occasion[[]] = Occasion()
        """Called on the event loop after something changed in what is known."""
        self.on_changed: Occasion[Path, str] = Occasion()
        """Called on the event loop with the work tree in which something changed, and a word for it."""
        self.on_end: Occasion[[]] = Occasion()
        """Called when the session is over, by whatever way it ended."""
        self.on_shown: Occasion[OpenDocument] = Occasion()
        """Called on the event loop when a file was opened and is known."""
        self.on_saved: Occasion[OpenDocument] = Occasion()
        """Called on the event loop when a file was saved."""
        self.on_closed: Occasion[str] = Occasion()
        """Called on the event loop with the URI of a file that was closed."""
        self.opening: dict[str, asyncio.Future[tuple[CodeLens, ...] | None]] = {}
        """By URI, what is asked about a file that was opened, until it is answered: its lenses come of that too."""
        self.complaints: tuple[str, ...] = ()
        """What could not be used of the settings that came before the session began."""
        self.on_unread: Occasion[OpenDocument] = Occasion()
        """Called on the event loop when a file of a repository that was never read is looked at."""
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="question")
        self._asking = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self.has_views = False
        """Whether the client has views of its own that are to look again when something changes."""
        self._told_lost = False
        self._news_due = False
        self._changes: set[tuple[Path | None, str]] = set()

    # Places

    def place(self, uri: str, *, text: bool = True) -> OpenDocument | None:
        """The file of a URI, if it is a local one of a repository in the workspace.

        Without `text` its lines are left out: splitting a large file takes longer than a key may.
        """
        path = convert.path_of(uri)
        if path is None:
            return None
        path = Path(os.path.normpath(path))  # `..` leads out of a folder that it seems to lie in
        root = root_of(path) if self.in_workspace(path) else None
        if root is None:
            return None
        opened = self.workspace.text_documents.get(unquote(uri)) if text else None
        lines = None if opened is None else tuple(lines_of(opened.source))
        return OpenDocument(uri, path, root, lines, self.encoding)

    def tree(self, folder: Path | None) -> OpenDocument | None:
        """The work tree that a folder lies in, if it is one of the workspace; None too where there is no folder."""
        root = None if folder is None else root_of(Path(os.path.normpath(folder)) / "any")
        if root is None or not self.serves(root):
            return None
        return OpenDocument(convert.uri_of(root), root, root, None, self.encoding)

    @property
    def encoding(self) -> str:
        """The unit that columns are counted in: `utf-16` unless the client offers another."""
        agreed = self.workspace.position_encoding
        return str(getattr(agreed, "value", agreed))

    def in_workspace(self, path: Path) -> bool:
        """Whether a path lies in a folder that the editor has open; without any folder all do."""
        folders = self.folders()
        return not folders or any(path.is_relative_to(folder) for folder in folders)

    def folders(self) -> list[Path]:
        """The folders that the editor has open."""
        uris = [folder.uri for folder in self.workspace.folders.values()]
        if not uris and self.workspace.root_uri:
            uris = [self.workspace.root_uri]
        return [path for uri in uris if (path := convert.path_of(uri)) is not None]

    def serves(self, root: Path) -> bool:
        """Whether a work tree is one of the workspace: it lies in a folder of it, or the folder in it."""
        return root_of(root / "any") == root and (
            self.in_workspace(root) or any(folder.is_relative_to(root) for folder in self.folders())
        )

    def roots(self) -> list[Path]:
        """The work trees of the folders that the editor has open; without folders, of the open files."""
        found = [root_of(folder / "any") for folder in self.folders()]
        found += [place.root for place in self.open_places(text=False)]
        return list(dict.fromkeys(root for root in found if root is not None))

    def open_places(self, *, text: bool = True) -> list[OpenDocument]:
        """The files that are open and that we serve, without `text` without their lines."""
        uris = [document.uri for document in list(self.workspace.text_documents.values())]
        return [place for uri in uris if (place := self.place(uri, text=text))]

    # Questions

    async def answer(
        self, place: OpenDocument, question: Question[Answer], otherwise: Answer, deadline_s: float = ANSWER_S
    ) -> Answer:
        """The answer to a question about a place, or `otherwise` when there is none in time."""
        try:
            return await self.ask(place, question, deadline_s)
        except NotReadYet:
            self.on_unread(place)
        except (CompanionError, OSError) as wrong:
            log.info("no answer: %s", type(wrong).__name__)
        return otherwise

    async def ask(self, place: OpenDocument, question: Question[Answer], deadline_s: float = COMMAND_S) -> Answer:
        """The answer to a question about a place. Raises CompanionError, with what to do, if there is none."""
        self._loop = asyncio.get_running_loop()
        if self._asking >= QUESTIONS_MOST:
            raise CompanionError("Companion is busy.", "Try again in a moment.")
        self._asking += 1
        asked = self._pool.submit(self.companions.ask, place.root, lambda companion: question(companion, place))
        asked.add_done_callback(lambda _: self.soon(self._asked))
        try:
            return await asyncio.wait_for(asyncio.wrap_future(asked), deadline_s)
        except TimeoutError:
            raise CompanionError(
                "Companion did not answer in time.", "See `companion status` and `companion logs`."
            ) from None

    def _asked(self) -> None:
        self._asking -= 1

    def note(self, place: OpenDocument, seen: Observation) -> None:
        """Tell the daemon what happened, unless the user does not want it."""
        if self.settings.prefetch:
            self.reporter.note(place.root, seen)

    def touch(self, place: OpenDocument, how: str, line: int | None = None) -> None:
        """Tell the daemon what was done with a file, in the words of `companion.records.Touch`; lines from 1."""
        from companion.records import Touch, Touched

        self.note(place, Touched(str(place.path), Touch(how), line=line))

    # News

    def begin(self) -> None:
        """The session has begun: from now on other threads may hand something to its loop."""
        self._loop = asyncio.get_running_loop()

    def soon(self, act: Callable[..., object], *arguments: object) -> None:
        """Do something on the event loop, from any thread; nothing once the session is over."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            try:
                loop.call_soon_threadsafe(act, *arguments)
            except RuntimeError:
                log.debug("the loop has ended")

    def changed(self, root: Path | None = None, what: str = "settings") -> None:
        """What is known has changed, of one work tree or all: what shows it is shown anew. Several at once are one."""
        self._changes.add((root, what))
        if not self._news_due:
            self._news_due = True
            asyncio.get_running_loop().call_later(NEWS_GATHERED_S, self._pass_on)

    def _pass_on(self) -> None:
        self._news_due = False
        self.opening.clear()  # what was asked before is not the answer to what is asked from now on
        changes, self._changes = self._changes, set()
        self.on_news()
        for given, what in sorted(changes, key=str):
            for root in self.roots() if given is None else [given]:
                self.on_changed(root, what)

    def _heard(self, root: Path, told: News) -> None:
        if told.what in SHOWN_ANEW:
            self.soon(self.changed, root, told.what)
        elif told.what == READY:
            self.soon(self.on_changed, root, told.what)

    def _lost(self, why: str) -> None:
        self.soon(self._say_lost, f"{why} The next question starts another.")

    def _say_lost(self, what: str) -> None:
        self.say(what)
        if not (self._told_lost or self.has_views):  # views look again by themselves, and show what goes wrong
            self._told_lost = True
            self.window_show_message(types.ShowMessageParams(types.MessageType.Info, what))

    def say(self, what: str, level: types.MessageType = types.MessageType.Info) -> None:
        """A line in the editor's log of this server."""
        self.window_log_message(types.LogMessageParams(level, what))

    def report_server_error(self, error: Exception, source: object) -> None:
        """A fault is a line in the log; a box that pops up helps nobody. Whoever asked has the error already."""
        if source is FeatureRequestError:
            return
        log.warning("fault: %s", type(error).__name__)
        self.say(f"A message could not be handled: {type(error).__name__}.", types.MessageType.Warning)

    def release(self) -> None:
        """Say the last words and let go of everything. May wait for a moment."""
        self.on_end()
        self.reporter.close()
        self._pool.shutdown(wait=False, cancel_futures=True)
        self.companions.close()


def root_of(path: Path) -> Path | None:
    """The work tree that a path lies in, by the nearest `.git` above it."""
    return work_tree(path.parent)


def _saved(path: Path) -> str:
    """The text of a file on disk; empty if it is gone or too large to compare."""
    try:
        if path.stat().st_size > FILE_MOST_BYTES:
            return ""
        return path.read_bytes().decode("utf-8-sig", "replace")
    except OSError:
        return ""
