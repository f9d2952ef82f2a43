"""Commands that look back: why a line is as it is, what settings declare, and what happened in its order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from companion.api import is_there, split_place, why_in_full
from companion.records import EpisodeType, Status
from companion.records.declared import Declaration
from companion.records.looking import TimelinePage, TimelineQuery
from companion.surfaces.cli.commands import CommandAnswer, Companion, command
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.options import Persona, choice_of, parse_moment
from companion.surfaces.cli.output import Shown, TextTable
from companion.surfaces.documents import told_why
from companion.surfaces.rows import word_of
from companion.surfaces.wording import ID_SHOWN

LISTED = 30
"""Episodes listed unless more are asked for: a screen."""


@command()
def why(
    companion: Companion,
    place: Annotated[
        str,
        Positional(
            metavar="FILE:LINE|SYMBOL",
            help="Lines of a file, from 1 (FILE:7-9), or a definition; FILE: the file.",
        ),
    ],
) -> CommandAnswer:
    """Say why a line is as it is: the commit that wrote it, the story of its definition, decisions and errors.

    Example: `companion why src/app.py:12`
    """
    path, line = split_place(place)
    symbol = "" if line or "/" in path or is_there(Path(path)) else path
    found = why_in_full(companion, "" if symbol else _from_here(path), line, symbol)
    return CommandAnswer(found, told_why(found))


def _facts(found: Sequence[Declaration], words: str) -> Shown:
    if not found and words:
        return "No file of settings says that. `companion facts` lists all."
    if not found:
        return "No file of settings declares anything here."
    return TextTable("Declared", ("what", "is", "where"), [(one.subject, one.value, one.place) for one in found])


@command()
def facts(
    companion: Companion,
    words: Annotated[list[str] | None, Positional(help="Only what says all of these words.")] = None,
) -> CommandAnswer:
    """List what files of settings declare: dependencies, owners, plain settings, CI jobs, scripts, targets.

    Example: `companion facts pytest`
    """
    asked = " ".join(words or ())
    found = companion.facts(asked)
    return CommandAnswer(found, _facts(found, asked))


def _timeline(told: TimelinePage) -> Shown:
    if not told.happened:
        return "Nothing that fits happened."
    rows = []
    for one in told.happened:
        title = one.memory.draft.levels.compressed
        if one.memory.status is Status.ARCHIVED:
            title += f" (archived: {one.memory.archived_reason})"
        rows.append((f"{one.at:%Y-%m-%d}", word_of(one.memory.draft), title, one.memory.id[:ID_SHOWN]))
    table = TextTable("", ("when", "what", "title", "id"), rows)
    left = told.total - len(told.happened)
    last = told.happened[-1].at
    return [table, f"{left:,} more in all; `--before {last:%Y-%m-%dT%H:%M:%S}` goes on."] if left > 0 else table


@command(_timeline)
def timeline(
    companion: Companion,
    before: Annotated[
        str, Option("--before", help="Only what happened before: 2026-01-31 or 3d, 2w ago.", metavar="MOMENT")
    ] = "",
    after: Annotated[str, Option("--after", help="Only what happened after.", metavar="MOMENT")] = "",
    types: Annotated[
        list[str] | None,
        Option("--type", metavar="TYPE", help="commit, branch, debugging, conversation or error; may be repeated."),
    ] = None,
    changes: Annotated[
        list[str] | None, Option("--change", metavar="WORD", help="fix, feature, refactor, revert, …; may be repeated.")
    ] = None,
    path: Annotated[str, Option("--path", metavar="PATH", help="Only what has to do with this file or folder.")] = "",
    person: Annotated[
        str, Option("--person", metavar="NAME", help="Only what somebody of this name took part in.")
    ] = "",
    act: Annotated[str, Option("--act", metavar="ACT", help="The memories of an act, such as `Your Story`.")] = "",
    persona: Persona = "",
    archived: Annotated[bool, Option("--archived", help="Archived ones too.")] = False,
    limit: Annotated[int, Option("--limit", "-l", metavar="N", help="At most so many.")] = LISTED,
) -> TimelinePage:
    """List what happened, newest first: commits, branches, errors and their fixes, conversations.

    Example: `companion timeline --change fix --path src --before 30d`
    """
    now = companion.now()
    query = TimelineQuery(
        before=parse_moment(before, now),
        after=parse_moment(after, now),
        types=tuple(choice_of(EpisodeType, name, "type of episode").value for name in types or ()),
        changes=tuple(changes or ()),
        path=_from_here(path),
        person=person,
        act=act,
        persona=persona,
        include_archived=archived,
        limit=limit,
    )
    return companion.timeline(query)


def _from_here(path: str) -> str:
    """A path as typed: one that is there, seen from the current folder; else as the repository writes it."""
    here = Path(path).absolute()
    return str(here) if path and is_there(here) else path
