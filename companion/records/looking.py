"""What people look back at: what happened in its order, and how well prediction did."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from companion.records.events import FileChange
from companion.records.memory import Memory
from companion.records.search import State
from companion.records.sorts import Kind
from companion.records.story import StoryLink


class TimelineQuery(Struct, frozen=True):
    """Which part of the timeline is wanted. Empty fields do not restrict; all times are naive UTC.

    `before` and `after` bound the time from above and below; with an id `before` is a place in it: what stands there is
    left out. `types` are types of episodes, `changes` what a commit was (`fix`, `feature`), `path` a file or folder,
    `person` somebody's name.
    With an `act` everything that was told of it comes, not episodes alone; with a `state` every memory that stands so,
    the user's own too. Without `count` months are not counted, as for the next page of the same.
    """

    before: datetime | None = None
    before_id: str = ""
    after: datetime | None = None
    kinds: tuple[Kind, ...] = ()
    types: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    path: str = ""
    person: str = ""
    act: str = ""
    persona: str = ""
    include_archived: bool = False
    state: State | None = None
    limit: int = 50
    count: bool = True


class Happened(Struct, frozen=True):
    """A memory at its place in the timeline: when what it tells of happened, or else when it was told."""

    at: datetime
    memory: Memory


class MonthCount(Struct, frozen=True):
    """How much happened in a month; `month` is its first moment."""

    month: datetime
    count: int


class TimelinePage(Struct, frozen=True):
    """A part of the timeline, newest first, and whether it goes on towards the past.

    `months` counts everything that fits the filters, wherever the page stands; months without anything are left out.
    """

    happened: tuple[Happened, ...] = ()
    more_before: bool = False
    months: tuple[MonthCount, ...] = ()

    @property
    def total(self) -> int:
        """Everything that fits the filters."""
        return sum(one.count for one in self.months)


class Rate(Struct, frozen=True):
    """How often something happened, and how often it had been foreseen."""

    times: int = 0
    hits: int = 0

    @property
    def share(self) -> float | None:
        """Hits of all times, 0 to 1; None where it never happened."""
        return self.hits / self.times if self.times else None


class WorkedWeek(Struct, frozen=True):
    """A week of work with contexts, from its Monday on.

    `opened` and `edited` count files that were new to the work and that a context before had shown; `asked` counts
    contexts that were ready before they were asked for. `memories` counts those shown, a day each, and those of them
    that were used the same day: a file they are about was opened or edited, or they were cited, opened or pinned.
    `left` of them were shown again and again and left.
    """

    week: datetime
    opened: Rate = Rate()
    edited: Rate = Rate()
    asked: Rate = Rate()
    memories: Rate = Rate()
    left: int = 0


class Measured(Struct, frozen=True):
    """One commit that was replayed before it was learned from: the share of its files that each ranker found."""

    sha: str
    committed_at: datetime
    learned: float
    usual: float
    recent: float


class Replayed(Struct, frozen=True):
    """Commits that were replayed before they were learned from: the share of their files among the first ten.

    For each file of a commit at hand, the others are what was needed. `learned` is by the weights the project had
    taught by then, `usual` by those that every project begins with, `recent` by naming what was changed last.
    """

    since: datetime
    until: datetime
    commits: int
    learned: float
    usual: float
    recent: float


class Accuracy(Struct, frozen=True):
    """How well prediction did on this project, oldest first.

    `replayed` are so many commits a point, `overall` is all of them. `learned_at` is when weights were learned last,
    `own_weights` whether those of the project beat the usual ones and hold.
    """

    project: str
    weeks: tuple[WorkedWeek, ...] = ()
    replayed: tuple[Replayed, ...] = ()
    overall: Replayed | None = None
    learned_at: datetime | None = None
    own_weights: bool = False


class PastCommit(Struct, frozen=True):
    """A commit in a line: `title` is its subject without type, scope, pictures and numbers. Times are naive UTC.

    `sort` is what sort of change it was (`fix`, `feature` ...), empty where the title names none; `files` are what it
    changed, as they are called today, where that was asked for; `links` lead to what stands behind it on the forge.
    """

    sha: str
    title: str
    author: str
    at: datetime
    sort: str = ""
    files: tuple[str, ...] = ()
    links: tuple[StoryLink, ...] = ()


class WorkedFile(Struct, frozen=True):
    """A file by the work on it: how many commits changed it, and when the last one did.

    `role` is `source`, `test`, `doc`, `config` or `other`.
    """

    path: str
    role: str
    commits: int
    changed_at: datetime


class ChangedTogether(Struct, frozen=True):
    """Two files that change together: in how many commits, and in what share of the commits of `a`, 0 to 1."""

    a: str
    b: str
    together: int
    share: float


class Overview(Struct, frozen=True):
    """A project in one look. Every list is empty before the repository was read, and without commits.

    `commits` and `people` count the whole history, which begins at `begun_at`. `files` are those most worked on, and
    `pairs` those that change together most, the less changed one first; `newest` are the commits of the last half year,
    newest first.
    """

    project: str
    commits: int = 0
    people: int = 0
    begun_at: datetime | None = None
    files: tuple[WorkedFile, ...] = ()
    pairs: tuple[ChangedTogether, ...] = ()
    newest: tuple[PastCommit, ...] = ()


class Contributor(Struct, frozen=True):
    """How many of a file's commits are somebody's."""

    person: str
    commits: int


class FilePast(Struct, frozen=True):
    """What the history knows of a file under all its names, newest first, and what is remembered about it.

    `total` counts its commits, of which `commits` are the newest; `years` has for each year from the first to the last
    how many there were. `neighbours` have it as their `a`, the surest first; `people` come by who has most commits.
    Of a file that is `gone` from the work tree only the history is left; one that was renamed is told by its new path.
    """

    path: str
    total: int = 0
    commits: tuple[PastCommit, ...] = ()
    neighbours: tuple[ChangedTogether, ...] = ()
    people: tuple[Contributor, ...] = ()
    memories: tuple[Memory, ...] = ()
    years: tuple[tuple[int, int], ...] = ()
    gone: bool = False


class CommitTold(Struct, frozen=True):
    """A commit with its whole message as it was read, what it did to which files, and the memories it taught."""

    commit: PastCommit
    message: str
    changes: tuple[FileChange, ...] = ()
    learned: tuple[Memory, ...] = ()
