"""Options that several commands share, and how their text becomes records."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, TypeVar

from companion.config import BUDGET_MAX_TOKENS, data_home, load_settings
from companion.errors import CompanionError, DaemonGone, UsageError
from companion.records import Activity, Signals
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.output import print_note, print_text

if TYPE_CHECKING:  # a command loads the family of verbs that it asks, and no other
    from companion.api import Companion

Choice = TypeVar("Choice", bound=StrEnum)

ERROR_MAX_BYTES = 1_000_000
"""A longer log is cut at its end, where the last error stands."""
MESSAGE_MARK = ": "
"""Stands in nearly every error message, as `TypeError: x`, and in hardly any file's name."""

AsJson = Annotated[bool, Option("--json", help="Print one JSON document.")]
Repo = Annotated[
    Path,
    Option(
        "--repo",
        "-C",
        metavar="FOLDER",
        help="The repository, or any folder in it; else this folder.",
        show_default=False,
    ),
]
MemoryId = Annotated[str, Positional(metavar="ID", help="A memory's id or the start of one.")]
ActNamed = Annotated[str, Positional(metavar="ACT", help="An act, by its name or the start of its id.")]
HowMany = Annotated[int, Option("--limit", metavar="N", help="How many.")]
Persona = Annotated[str, Option("--persona", metavar="NAME", help="Of one assistant alone.", show_default=False)]
Words = Annotated[
    list[str] | None,
    Positional(metavar="[FILE] [TASK]", help="What you are at: a file, the task in words, or both; no quotes needed."),
]
File = Annotated[str, Option("--file", "-f", metavar="FILE", help="The current file.")]
Query = Annotated[str, Option("--task", "--query", "-q", metavar="WORDS", help="The task in words.")]
ErrorFrom = Annotated[
    str,
    Option(
        "--error",
        "-e",
        metavar="FILE",
        help="A file with a traceback or compiler output, or its pasted lines; `-` reads standard input.",
    ),
]
Branch = Annotated[str, Option("--branch", "-b", metavar="NAME", help="Answer as on this branch.")]
ActivityIs = Annotated[
    str,
    Option("--activity", "-a", metavar="ACTIVITY", help="new-feature, debugging, review, refactoring or exploring."),
]
Collaborator = Annotated[
    list[str] | None, Option("--collaborator", metavar="WHO", help="Who else is here; may be repeated.")
]
At = Annotated[
    str, Option("--at", metavar="MOMENT", help="As of this moment: 2026-01-31, 2026-01-31T12:00 or 3d, 2w ago.")
]
Budget = Annotated[
    int | None, Option("--budget", "-n", metavar="N", help="Tokens, 0 or more; 8000 unless set.", show_default=False)
]


@contextmanager
def companion_for(repo: Path, *, anywhere: bool = False, patient: bool = True) -> Iterator[Companion]:
    """A companion for a repository, or (`anywhere`) for the user alone outside of one; closed at the end.

    Who asks once and leaves is not `patient`: no model is loaded in this process.
    """
    from companion.client import connect

    companion = connect(repo, anywhere=anywhere, patient=patient)
    silent = False
    try:
        yield companion
    except DaemonGone:  # it has nothing to add, and none is started only to say so
        silent = True
        raise
    finally:
        with suppress(CompanionError):  # what it was asked fails by itself
            for notice in () if silent else companion.notices():
                print_note(notice)
        companion.close()


def signals_from(
    *,
    repo: Path,
    words: list[str] | None,
    file: str,
    query: str,
    error: str,
    branch: str,
    activity: str,
    collaborators: list[str] | None = None,
    at: datetime | None = None,
    persona: str = "",
) -> Signals:
    """Signals as words and options give them; a wrong one raises UsageError naming what is right."""
    loose = list(words or ())
    if not file and (named := next((word for word in loose if _is_file(word, repo, alone=len(loose) == 1)), "")):
        loose.remove(named)
        file = named
    return Signals(
        current_file=_at_hand(file, repo),
        query=" ".join([query, *loose]).strip(),
        errors=(read_error(error),) if error else (),
        branch=branch,
        activity=choice_of(Activity, activity, "activity") if activity else None,
        collaborators=tuple(collaborators or ()),
        persona=persona,
        at=at,
    )


def _at_hand(file: str, repo: Path) -> str:
    """The file at hand, absolute: as seen from the current folder or, with `-C`, from the one named there."""
    if not file:
        return ""
    here, there = Path(file).absolute(), repo.absolute() / file
    if os.path.lexists(here) or (here.is_relative_to(repo.absolute()) and not os.path.lexists(there)):
        return str(here)
    return str(there)


def _is_file(word: str, repo: Path, *, alone: bool) -> bool:
    """Whether a word is a file that is there, or `alone` looks like one that is not."""
    if alone and re.fullmatch(r"\S*(?:[/\\]|\w\.\w)\S*", word):
        return True
    try:
        return Path(_at_hand(word, repo)).is_file()
    except OSError:  # a whole paragraph is too long for a name
        return False


def parse_budget(given: int | None) -> int:
    """A budget in tokens, refused if negative or absurd; none given: the setting's."""
    if given is None:
        return load_settings(data_home()).budget_tokens
    if not 0 <= given <= BUDGET_MAX_TOKENS:
        raise UsageError(
            f"A budget of {given} tokens makes no sense.", f"Give 0 to {BUDGET_MAX_TOKENS}, e.g. `--budget 8000`."
        )
    return given


_AGO = re.compile(r"(\d{1,5})\s*([hdwmy])(?:\s*ago)?")
_HOURS = {"h": 1, "d": 24, "w": 24 * 7, "m": 24 * 30, "y": 24 * 365}


def parse_moment(text: str, now: datetime) -> datetime | None:
    """A moment in ISO 8601 (no zone: UTC) or as an age such as `3d`; naive UTC. Empty: None."""
    if not text:
        return None
    try:
        if ago := _AGO.fullmatch(text.strip()):
            return now - timedelta(hours=int(ago[1]) * _HOURS[ago[2]])
        moment = datetime.fromisoformat(text.strip())
        return moment if moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        raise UsageError(f"`{text}` is not a moment.", "Write 2026-01-31, 2026-01-31T12:00 or 3d.") from None


def read_error(source: str) -> str:
    """Error text from a file or (`-`) standard input, the last megabyte of it.

    Text of several lines is the error itself, and so is a message as `TypeError: x` where no file is called that.
    """
    if "\n" in source.strip():
        return source
    try:
        if source == "-":
            return _tail(sys.stdin.buffer)
        with Path(source).open("rb") as opened:
            return _tail(opened)
    except OSError as wrong:
        if MESSAGE_MARK in source and wrong.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL):
            return source
        raise UsageError(
            f"{source} cannot be read: {wrong.strerror}.",
            "Give a readable file, the message itself, as `TypeError: no cents`, or `-` for standard input.",
        ) from wrong


def _tail(opened: BinaryIO) -> str:
    """The end of what a file or pipe holds, never more of it in memory than twice that."""
    kept = b""
    while piece := opened.read(ERROR_MAX_BYTES):
        kept = (kept + piece)[-ERROR_MAX_BYTES:]
    return kept.decode("utf-8", "replace")


def choice_of(choices: type[Choice], word: str, what: str, *but: Choice) -> Choice:
    """A choice by its word, `but` for some that cannot be made. Raises UsageError, which names those that can."""
    with suppress(ValueError):
        if (chosen := choices(word)) not in but:
            return chosen
    known = ", ".join(item.value for item in choices if item not in but)
    raise UsageError(f"There is no {what} `{word}`.", f"Choose one of: {known}.")


def agree(question: str, *, as_json: bool) -> None:
    """Go on only with a person's word. Raises UsageError where nobody can be asked."""
    if as_json or not sys.stdin.isatty():
        raise UsageError("Nobody can be asked here, so nothing was changed.", "Add `--yes` if you mean it.")
    if not confirmed(question):
        print_text("Nothing was changed.")
        raise SystemExit


def confirmed(question: str) -> bool:
    """Whether a person says yes, asked at the terminal; no is what Enter alone says."""
    import typer

    return typer.confirm(question, default=False)
