"""One tree of errors. Each says what happened, to what, and the next command to type.

CompanionError
├── UsageError            the request itself is off: unknown kind, negative budget, missing file
│   ├── NotARepository    no git repository here
│   ├── NotReadYet        a repository that was never read; reading it needs consent
│   ├── RunUnderWay     another run is at work in the store
│   ├── PlaceTaken        another conversation holds the one place
│   ├── WrongState        a conversation cannot do that in the state it is in
│   ├── UnknownConversation  no conversation has that id
│   ├── UnknownMemory     no memory has that id
│   └── UnknownAnswer     no answer of this project has that id
├── StoreError            the store cannot be used as it is
│   ├── StoreHeld         another process holds it
│   ├── StoreTooNew       written by a newer program
│   ├── StoreDamaged      the file cannot be opened, and what can be done
│   └── StoreUnwritable   read-only, or the disk is full
├── DaemonGone             the daemon of the store ended, or never answered
├── AlreadyKept           a write that is asked for again was kept the first time
├── SourceError           a repository or file could not be read
├── ModelMissing          a model package or endpoint is not there; everything else goes on
├── ModelUnavailable      the configured language model did not answer; rules go on without it
│   └── ModelSpent        it was asked as often as a run may
├── ModelTalkedNonsense   what it answered is no answer; nothing of it is used
├── TeamServerUnreachable the team's server does not answer, or cannot write now; local work goes on
└── TeamServerRefused     the team's server answers, and says no
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class CompanionError(Exception):
    """What happened, and `next_step`: the command or act that helps. Exit code 2 on the command line."""

    exit_code = 2

    def __init__(self, what: str, next_step: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.next_step = next_step

    def __str__(self) -> str:
        return f"{self.what} {self.next_step}".strip()


class UsageError(CompanionError):
    """The request itself is off."""


def the_one(found: Sequence[T], begun: str, noun: str, next_step: str, error: type[CompanionError] = UsageError) -> T:
    """What was found by the beginning of an id, if that is one. Raises the error for none and for several."""
    if len(found) != 1:
        what = f"Several {noun}s begin with {begun!r}." if found else f"No {noun} begins with {begun!r}."
        raise error(what, next_step)
    return found[0]


class NotARepository(UsageError):
    """There is no git repository at the path."""


class NotReadYet(UsageError):
    """The repository was never read, so nothing is known of it."""


def not_read(root: object) -> NotReadYet:
    """The error for a repository, by its folder."""
    return NotReadYet(f"{root} has not been read yet.", "Run `companion init` in it first.")


class RunUnderWay(UsageError):
    """Another run is at work in the store, and there is one at a time."""


class PlaceTaken(UsageError):
    """Another conversation is going on or waits for review, and a user has one at a time."""


class WrongState(UsageError):
    """The conversation is in a state in which this cannot be done."""


class UnknownConversation(UsageError):
    """No conversation has the id that was given, or several begin with it."""


class UnknownMemory(UsageError):
    """No memory has the id that was given, or several begin with it."""


class UnknownAnswer(UsageError):
    """No answer of this project has the id that was given, or several begin with it."""


class StoreError(CompanionError):
    """The store cannot be used as it is."""


class StoreHeld(StoreError):
    """Another process holds the store; `holder_pid` is its process id where it is known."""

    def __init__(self, what: str, next_step: str = "", holder_pid: int | None = None) -> None:
        super().__init__(what, next_step)
        self.holder_pid = holder_pid


class StoreTooNew(StoreError):
    """The store was written by a newer program."""


class StoreDamaged(StoreError):
    """The store cannot be opened; nothing has been deleted."""


class StoreUnwritable(StoreError):
    """The folder is read-only or the disk is full."""


class DaemonGone(CompanionError):
    """The daemon ended, or never answered."""


class AlreadyKept(CompanionError):
    """The write was kept when it was asked for first; nothing is done twice. No failure, though the answer is lost."""

    exit_code = 0


class SourceError(CompanionError):
    """A repository or a file could not be read."""


class ModelMissing(CompanionError):
    """A model package or endpoint is not there."""


class ModelUnavailable(CompanionError):
    """The language model that is configured did not answer, or not in time."""


class ModelSpent(ModelUnavailable):
    """The language model was asked as often as it may be in one run."""


class ModelTalkedNonsense(CompanionError):
    """What a language model answered is no answer."""


class TeamServerUnreachable(CompanionError):
    """The team's server did not answer, or cannot do now what was asked: asking again later is right."""


class TeamServerRefused(CompanionError):
    """The team's server said no: asking again changes nothing before somebody does something about it."""
