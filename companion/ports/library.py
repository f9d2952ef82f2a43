"""What the engine reads: one checkout's project as a library, and the rows that its indexes give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from msgspec import Struct

from companion.records import (
    CodeForms,
    Contradiction,
    FileChange,
    Hit,
    Link,
    Memory,
    PassageHit,
    PassageKind,
    SearchQuery,
    Span,
)
from companion.records.talk import Item


class Neighbour(Struct, frozen=True):
    """A file that changed together with the asked ones.

    `weight` is the decayed co-change weight (not normalised); `together` counts the commits;
    `last_subject` is what the latest one says.
    """

    path: str
    weight: float
    together: int
    last_subject: str


class Recent(Struct, frozen=True):
    """A file and how many commits ago it last changed (0: in the newest commit)."""

    path: str
    commits_ago: int
    commits: int


class TextMatch(Struct, frozen=True):
    """A file whose names, symbols, documentation or past commit subjects match a text.

    `score` is a BM25 value, larger is better; `matched` the words that did; `past` is the part of
    the score that comes from the subjects of commits which touched the file.
    """

    path: str
    score: float
    matched: tuple[str, ...]
    past: float = 0.0


class PastChange(Struct, frozen=True):
    """A commit that a text speaks of; where a merge brought it, with all else that the branch changed.

    `sha`, `subject` and `at` are those of the commit that speaks of the text most, `commits` the ids of all that make
    up the change (the merge too), `files` what they changed, by path, as the files are called today. `alike` says
    how nearly the subject says the same sort of thing, 0 to about 1.3; `words` are the words of the text that it says,
    and `same_lead` that the same word leads both. `commits_ago` is 0 for the newest commit; `request` the number of
    the pull request, empty if none is named.
    """

    sha: str
    subject: str
    at: datetime
    commits: tuple[str, ...]
    files: tuple[FileChange, ...]
    alike: float
    words: tuple[str, ...] = ()
    commits_ago: int = 0
    request: str = ""
    same_lead: bool = False


class LineMaker(Struct, frozen=True):
    """A commit that made `lines` lines of a piece of a file, or the merge that brought it."""

    sha: str
    lines: int


class CommitSummary(Struct, frozen=True):
    """A commit in short: `title` is its subject, of a merge that of its request.

    `reason` is the first paragraph below it, empty where that is long or a list; `branch` the ids of the commits that a
    merge brought, newest first, or of the merge that brought the commit, as far as they are known.
    """

    sha: str
    title: str
    reason: str
    at: datetime
    branch: tuple[str, ...] = ()


class FileOwner(Struct, frozen=True):
    """How many of the commits that changed a file are a person's."""

    person: str
    email: str
    commits: int


class Standing(Struct, frozen=True):
    """Memories that are wanted whatever the file: read once, cached until something is written.

    `rules` are what documents tell people who work on the project to do; `talked` is the last conversation that was
    closed and kept, if there is one.
    """

    foundation: tuple[Memory, ...]
    conventions: tuple[Memory, ...]
    workflows: tuple[Memory, ...]
    decisions: tuple[Memory, ...]
    contradictions: tuple[Contradiction, ...]
    rules: tuple[Memory, ...] = ()
    talked: tuple[Memory, ...] = ()


class Topic(Struct, frozen=True):
    """Something one can ask about: a name, and how many memories speak of it."""

    name: str
    memories: int


class Readiness(Struct, frozen=True):
    """How far the derived indexes are: how many texts have vectors, and what is missing."""

    memories: int
    embedded: int
    to_embed: int
    missing: tuple[str, ...] = ()


class Library(Protocol):
    """What the engine may ask of one checkout's project: read-only, set-based, as known at `as_of`.

    An implementation is bound to a project, a checkout, a branch, a persona and (optionally) a past
    moment when it is made; nothing it returns lies in the future of that moment or on another
    branch. Paths are repository paths of live files. Methods never raise for a damaged derived
    index: they return nothing and name it in `missing()`.
    """

    def paths(self) -> Mapping[str, CodeForms]:
        """Every indexed file by path, at the lengths it may be shown at; the mapping is cached: do not change it."""

    def cochanged(self, paths: Sequence[str], limit: int) -> tuple[Neighbour, ...]:
        """At most `limit` other files that changed together with any of `paths`, of greatest decayed weight first."""

    def recent(self, limit: int) -> tuple[Recent, ...]:
        """The `limit` files that changed last, newest first."""

    def links(self, paths: Sequence[str]) -> tuple[Link, ...]:
        """Links from and to any of `paths`, by source, target and kind."""

    def match_files(self, text: str, limit: int) -> tuple[TextMatch, ...]:
        """At most `limit` files that a free text speaks of, best match first."""

    def worth(self, text: str) -> Mapping[str, float]:
        """How much each word of a text, in lower case, tells in this project: 1 for the one that tells most of it."""

    def passages(
        self,
        text: str,
        kinds: Sequence[PassageKind],
        limit: int,
        *,
        paths: Sequence[str] = (),
        meaning: bool = False,
    ) -> tuple[PassageHit, ...]:
        """At most `limit` passages of some kinds that a free text speaks of, best match first.

        With `paths` only those of these files, told apart among one another. With `meaning` of each how near it is,
        where that is known, and without `paths` as many more that are near it whatever they say.
        """

    def alike(
        self, paths: Sequence[str], kinds: Sequence[PassageKind], limit: int, *, among: Sequence[str]
    ) -> tuple[PassageHit, ...]:
        """At most `limit` passages of the files `among` that share most words with some others, best match first.

        Nothing of an earlier moment: files are known as they are now.
        """

    def past_changes(self, text: str, limit: int) -> tuple[PastChange, ...]:
        """At most `limit` past changes whose subjects say most nearly what a free text says, most alike first."""

    def makers(self, path: str, spans: Sequence[Span]) -> tuple[tuple[LineMaker, ...], ...]:
        """For each of some spans of a file as it is indexed the commits that made its lines, the newest first.

        None where the file differs from what is committed, where that is not known, or at an earlier moment.
        """

    def messages(self, text: str, limit: int) -> Mapping[str, float]:
        """How much of a text the messages of at most `limit` commits say, 0 to 1, by id; of a merge what it brought."""

    def commit_summary(self, sha: str) -> CommitSummary | None:
        """A commit in short; None where it is not known, or is a merge that nobody wrote anything about."""

    def owners(self, path: str, limit: int) -> tuple[FileOwner, ...]:
        """Who has worked on a file, those with the largest share first; each person once, under whatever names."""

    def about(self, entities: Sequence[str], limit: int) -> tuple[Memory, ...]:
        """Active memories that refer to any of the entities (`type:slug`), most important, then newest first."""

    def open_threads(self, paths: Sequence[str], limit: int) -> tuple[Item, ...]:
        """Open questions and blockers that name any of the files, the one spoken of last first; none of earlier."""

    def within(self, path: str, limit: int) -> tuple[Memory, ...]:
        """Active memories whose scope or evidence is the path or a folder above it, nearest first."""

    def declared(self, text: str, paths: Sequence[str], limit: int) -> tuple[Memory, ...]:
        """Rows of files of settings that a text names, without one those of these files; their ids are no memories."""

    def failures(self, fingerprints: Sequence[str], since: datetime | None) -> tuple[Memory, ...]:
        """Error episodes with one of the fingerprints, or (none given) all since a moment."""

    def expect(self, text: str) -> None:
        """This text will be searched for soon: what takes long of that may be begun. Never raises."""

    def search(self, query: SearchQuery) -> tuple[Hit, ...]:
        """Hybrid search; see SearchQuery."""

    def get(self, ids: Sequence[str]) -> tuple[Memory, ...]:
        """Memories by id, in the given order, unknown ones left out."""

    def standing(self) -> Standing:
        """Foundation, conventions, workflows, decisions in force, open contradictions."""

    def topics(self, limit: int) -> tuple[Topic, ...]:
        """What one can ask about, most spoken of first."""

    def weights(self, name: str) -> Mapping[str, float]:
        """Learned parameters kept under a name, by their own names; empty if nothing was learned."""

    def missing(self) -> tuple[str, ...]:
        """What is damaged or not there, in sentences; asked for every context, so quick."""

    def readiness(self) -> Readiness:
        """How far the indexes are, counted anew after each change, and what is missing."""
