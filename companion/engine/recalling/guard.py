"""A library that never raises: a part that fails costs its own answer, and is named as missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TypeVar

from companion.ports import (
    CommitSummary,
    Library,
    LineMaker,
    Neighbour,
    Owner,
    PastChange,
    Readiness,
    Recent,
    Standing,
    TextMatch,
    Topic,
)
from companion.records import CodeForms, Hit, Link, Memory, PassageHit, PassageKind, SearchQuery, Span

DOCTOR = "see `companion doctor`"
REBUILD = "try `companion rebuild`"
INIT = "try `companion init`"

T = TypeVar("T")


class Guarded:
    """A `Library` around another one. Each question that fails is answered with nothing.

    `missing` then holds a line for people, with the command that mends it; the lines that the
    library's own `readiness` gives come first.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._missing: dict[str, None] = {}
        nothing: tuple[str, ...] = ()
        for line in self.attempt("the state of the indexes", DOCTOR, library.missing, nothing):
            self.lack(line)

    def missing(self) -> tuple[str, ...]:
        """What is missing so far, in the order it was noticed."""
        return tuple(self._missing)

    def lack(self, line: str) -> None:
        """Note that something is missing; each line once."""
        self._missing.setdefault(line)

    def attempt(self, part: str, mend: str, question: Callable[[], T], otherwise: T) -> T:
        """The answer to a question, or `otherwise` if it raises anything at all."""
        try:
            return question()
        except Exception as wrong:  # whatever a part does, the rest of the context is still wanted
            self.lack(f"{part} ({type(wrong).__name__}): {mend}")
            return otherwise

    def commit_count(self) -> int:
        """See Library."""
        return self.attempt("history", INIT, self._library.commit_count, 0)

    def paths(self) -> Mapping[str, CodeForms]:
        """See Library."""
        return self.attempt("the code index", INIT, self._library.paths, {})

    def cochanged(self, paths: Sequence[str], limit: int) -> tuple[Neighbour, ...]:
        """See Library."""
        return self.attempt("co-change", INIT, lambda: self._library.cochanged(paths, limit), ())

    def recent(self, limit: int) -> tuple[Recent, ...]:
        """See Library."""
        return self.attempt("recent work", INIT, lambda: self._library.recent(limit), ())

    def links(self, paths: Sequence[str]) -> tuple[Link, ...]:
        """See Library."""
        return self.attempt("links between files", INIT, lambda: self._library.links(paths), ())

    def match_files(self, text: str, limit: int) -> tuple[TextMatch, ...]:
        """See Library."""
        return self.attempt("text match of files", REBUILD, lambda: self._library.match_files(text, limit), ())

    def passages(
        self,
        text: str,
        kinds: Sequence[PassageKind],
        limit: int,
        *,
        paths: Sequence[str] = (),
        meaning: bool = False,
    ) -> tuple[PassageHit, ...]:
        """See Library."""
        asked = partial(self._library.passages, text, kinds, limit, paths=paths, meaning=meaning)
        return self.attempt("passages", REBUILD, asked, ())

    def past_changes(self, text: str, limit: int) -> tuple[PastChange, ...]:
        """See Library."""
        return self.attempt("past changes", REBUILD, lambda: self._library.past_changes(text, limit), ())

    def makers(self, path: str, spans: Sequence[Span]) -> tuple[tuple[LineMaker, ...], ...]:
        """See Library."""
        nothing = tuple(() for _ in spans)
        return self.attempt("makers of lines", INIT, lambda: self._library.makers(path, spans), nothing)

    def messages(self, text: str, limit: int) -> Mapping[str, float]:
        """See Library."""
        return self.attempt("messages of commits", REBUILD, lambda: self._library.messages(text, limit), {})

    def commit_summary(self, sha: str) -> CommitSummary | None:
        """See Library."""
        return self.attempt("messages of commits", REBUILD, lambda: self._library.commit_summary(sha), None)

    def owners(self, path: str, limit: int) -> tuple[Owner, ...]:
        """See Library."""
        return self.attempt("owners", INIT, lambda: self._library.owners(path, limit), ())

    def about(self, entities: Sequence[str], limit: int) -> tuple[Memory, ...]:
        """See Library."""
        return self.attempt("memories of the files", DOCTOR, lambda: self._library.about(entities, limit), ())

    def within(self, path: str, limit: int) -> tuple[Memory, ...]:
        """See Library."""
        return self.attempt("memories of the folder", DOCTOR, lambda: self._library.within(path, limit), ())

    def declared(self, text: str, paths: Sequence[str], limit: int) -> tuple[Memory, ...]:
        """See Library."""
        return self.attempt("declared facts", INIT, lambda: self._library.declared(text, paths, limit), ())

    def failures(self, fingerprints: Sequence[str], since: datetime | None) -> tuple[Memory, ...]:
        """See Library."""
        return self.attempt("past errors", DOCTOR, lambda: self._library.failures(fingerprints, since), ())

    def expect(self, text: str) -> None:
        """See Library."""
        self.attempt("search", REBUILD, lambda: self._library.expect(text), None)

    def search(self, query: SearchQuery) -> tuple[Hit, ...]:
        """See Library."""
        return self.attempt("search", REBUILD, lambda: self._library.search(query), ())

    def get(self, ids: Sequence[str]) -> tuple[Memory, ...]:
        """See Library."""
        return self.attempt("memories by id", DOCTOR, lambda: self._library.get(ids), ())

    def standing(self) -> Standing:
        """See Library."""
        nothing = Standing((), (), (), (), ())
        return self.attempt("decisions and conventions", DOCTOR, self._library.standing, nothing)

    def topics(self, limit: int) -> tuple[Topic, ...]:
        """See Library."""
        return self.attempt("topics", DOCTOR, lambda: self._library.topics(limit), ())

    def weights(self, name: str) -> Mapping[str, float]:
        """See Library."""
        return self.attempt("learned weights", INIT, lambda: self._library.weights(name), {})

    def readiness(self) -> Readiness:
        """See Library."""
        return self.attempt("the state of the indexes", DOCTOR, self._library.readiness, Readiness(0, 0, 0))
