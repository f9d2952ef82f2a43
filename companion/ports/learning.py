"""What kinds learn through: the new events of one checkout, and the kind that turns them into memories."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Protocol

from companion.records import Commit, Draft, FileSeen, ParsedFile, RepoState


class World(Protocol):
    """What kinds learn from: what is new in one project since they last looked."""

    @property
    def repo(self) -> RepoState:
        """The checkout as it stands."""

    @property
    def now(self) -> datetime:
        """The moment of learning, naive UTC."""

    def new_commits(self) -> Sequence[Commit]:
        """Commits not learned from yet, oldest first, subjects and bodies redacted."""

    def recent_commits(self, limit: int) -> Sequence[Commit]:
        """The newest `limit` commits that are known, learned from or not, oldest first."""

    def taught(self, learner: str) -> Sequence[Draft]:
        """What a way of learning taught of the project before, as far as it is still kept."""

    def lines_left(self, sha: str) -> tuple[int, int] | None:
        """How many lines of source a commit put, and how many of them are left; None where that is not known."""

    def lines_made(self, sha: str, path: str) -> Collection[int]:
        """The lines of a file, as it is now, that a commit made; none where that is not known."""

    def changed_texts(self, matching: Iterable[str]) -> Iterator[FileSeen]:
        """Changed or new files whose path matches one of the gitignore-style patterns."""

    def sample_texts(self, matching: Iterable[str], limit: int) -> Iterator[FileSeen]:
        """At most `limit` files that match, changed or not, spread evenly over the sorted paths."""

    def texts_at(self, paths: Iterable[str]) -> Iterator[FileSeen]:
        """The files at some paths, changed or not; those that cannot be read are passed over."""

    def gone_paths(self) -> Sequence[str]:
        """Paths that were there when kinds last looked and are not any more."""

    def changed_code(self) -> Sequence[ParsedFile]:
        """Parsed files that changed since the last learning."""

    def all_code(self) -> Sequence[ParsedFile]:
        """Every parsed file of the checkout, with its shapes (for patterns over the whole)."""

    def all_paths(self) -> Sequence[str]:
        """Every path of the checkout that is not ignored."""


class Extractor(Protocol):
    """A way of learning: events in, drafts out. One module and one line in `KINDS` each.

    What it yields replaces what it said before of the same origins. `origins` lists the origins that
    this run has read (so that an origin which now says nothing is emptied).
    """

    @property
    def name(self) -> str:
        """A short name, kept with each memory it taught."""

    def origins(self, world: World) -> Sequence[str]:
        """Origins this run speaks for."""

    def learn(self, world: World) -> Iterator[Draft]:
        """The memories that the new events teach."""
