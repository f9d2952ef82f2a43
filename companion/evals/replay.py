"""A project's past, commit by commit: at each test commit the product knows what it would have known.

A commit is a test if it is no merge and changes 2 to 20 source files that were there before it;
renames are followed, and commits that repeat an earlier subject and set of files are left out. The
last `last` of them are replayed. Before each, the product has read every earlier commit and holds
the tree of the commit's parent; nothing of the commit itself but, where asked for, its subject.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from companion.engine.predicting.learn import replayed
from companion.ports import Library
from companion.records import Commit, Context, Prediction, Signals

Progress = Callable[[int, int], None]
"""Told how many of how many are done."""


class Replayable(Protocol):
    """What is measured: the product's own objects over a store of their own, or a stand-in.

    `advance` is called with commits it has not seen, oldest first, all of them earlier than the one
    in question, and with the commit whose tree the code is to be read from (empty: none). At the
    first call, which brings nearly all of history, ranking weights may be learned from it.
    """

    def advance(self, commits: Sequence[Commit], tree: str) -> None:
        """Take in commits and hold the code as it is in the tree of commit `tree`."""

    @property
    def library(self) -> Library:
        """What the engine may ask, as of the last `advance`."""

    def predict(self, signals: Signals, limit: int) -> tuple[Prediction, ...]:
        """Files likely needed, as the product answers."""

    def close(self) -> None:
        """Let go of everything."""


class WithCode(Replayable, Protocol):
    """A replay that reads code too, and so can ship whole contexts."""

    def assemble(self, budget_tokens: int, signals: Signals) -> Context:
        """The context, as the product answers."""

    def changed_names(self, commit: Commit) -> frozenset[str]:
        """Identifiers in the lines that a commit adds or removes."""


class Case(Struct, frozen=True):
    """A test commit: its place in history and the source files it changed, as called before it."""

    number: int
    commit: Commit
    files: tuple[str, ...]


def cases(commits: Sequence[Commit], last: int) -> list[Case]:
    """The last `last` test commits of a history given oldest first, in order."""
    found: dict[tuple[str, tuple[str, ...]], Case] = {}
    for number, files in replayed(commits):
        found.setdefault((commits[number].subject, files), Case(number, commits[number], files))
    return list(found.values())[-last:] if last > 0 else []


def walk(
    commits: Sequence[Commit], chosen: Sequence[Case], subject: Replayable, progress: Progress | None = None
) -> Iterator[Case]:
    """Each case in order, yielded when `subject` knows just what came before it."""
    known = 0
    for done, case in enumerate(chosen, start=1):
        parents = case.commit.parents
        subject.advance(commits[known : case.number], parents[0] if parents else "")
        known = case.number
        yield case
        if progress:
            progress(done, len(chosen))
