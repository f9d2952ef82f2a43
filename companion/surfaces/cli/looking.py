"""Commands that look back: why a line is as it is, what happened in its order, and how well prediction did."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.api import WEEKS_TOLD, why_in_full
from companion.errors import UsageError
from companion.records import Episode, EpisodeType, Status
from companion.records.looking import Accuracy, Rate, TimelinePage, TimelineQuery
from companion.surfaces.cli.options import AsJson, Persona, Repo, companion_for, parse_moment
from companion.surfaces.cli.output import print_json, print_table, print_text, wrapped
from companion.surfaces.cli.told import ID_SHOWN, printable

LINE_MAX_DIGITS = 9
"""Digits of a line's number: no file has more lines."""
LISTED = 30
"""Episodes listed unless more are asked for: a screen."""


def why(
    place: Annotated[str, typer.Argument(metavar="FILE[:LINE]", help="A line of a file, from 1; without: the file.")],
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Say why a line is as it is: the commit that wrote it, then what concerns the definition around it.

    Example: `companion why src/app.py:12`
    """
    path, _, line = place.rpartition(":")
    if not (path and line.isascii() and line.isdigit() and len(line) <= LINE_MAX_DIGITS):
        path, line = place, "0"
    with companion_for(repo) as companion:
        told = why_in_full(companion, _from_here(path), int(line))
    if as_json:
        print_json(told)
        return
    lines = f"lines {told.first_line} to {told.last_line}"
    print_text(f"{printable(place)} is part of {printable(told.symbol)}, {lines}" if told.symbol else printable(place))
    for one in told.lines:
        behind = [one.source, f"{one.at:%Y-%m-%d}" if one.at else "", one.id[:ID_SHOWN]]
        print_text(wrapped(printable(one.text), "  "))
        print_text(wrapped(printable(", ".join(filter(None, behind))), "    "))
    if not told.lines:
        print_text("Nothing is known of it.")


def facts(
    words: Annotated[list[str] | None, typer.Argument(help="Only what says all of these words.")] = None,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """List what files of settings declare: dependencies, owners, plain settings, CI jobs, scripts, targets.

    Example: `companion facts pytest`
    """
    with companion_for(repo) as companion:
        told = companion.facts(" ".join(words or ()))
    if as_json:
        print_json(told)
    elif told:
        print_table("Declared", ("what", "is", "where"), [(one.subject, one.value, one.place) for one in told])
    else:
        print_text("No file of settings says that. `companion facts` lists all.")


def timeline(
    before: Annotated[
        str, typer.Option("--before", help="Only what happened before: 2026-01-31 or 3d, 2w ago.", metavar="MOMENT")
    ] = "",
    after: Annotated[str, typer.Option("--after", help="Only what happened after.", metavar="MOMENT")] = "",
    types: Annotated[
        list[str] | None,
        typer.Option("--type", help="commit, branch, debugging, conversation or error; may be repeated."),
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--change", help="fix, feature, refactor, revert, …; may be repeated.")
    ] = None,
    path: Annotated[str, typer.Option("--path", help="Only what has to do with this file or folder.")] = "",
    person: Annotated[str, typer.Option("--person", help="Only what somebody of this name took part in.")] = "",
    act: Annotated[str, typer.Option("--act", help="All that was told of an act, such as `Your Story`.")] = "",
    persona: Persona = "",
    archived: Annotated[bool, typer.Option("--archived", help="Archived ones too.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-l", help="At most so many.")] = LISTED,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """List what happened, newest first: commits, branches, errors and their fixes, conversations.

    Example: `companion timeline --change fix --path src --before 30d`
    """
    with companion_for(repo) as companion:
        now = companion.now()
        query = TimelineQuery(
            before=parse_moment(before, now),
            after=parse_moment(after, now),
            types=tuple(_type(name) for name in types or ()),
            changes=tuple(changes or ()),
            path=_from_here(path),
            person=person,
            act=act,
            persona=persona,
            include_archived=archived,
            limit=limit,
        )
        told = companion.timeline(query)
    if as_json:
        print_json(told)
    else:
        _print_timeline(told)


def accuracy(
    weeks: Annotated[int, typer.Option("--weeks", "-w", help="Weeks of work to tell.")] = WEEKS_TOLD,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Show how well prediction did on this project: on commits before it learned from them, and at work.

    A commit is replayed with what was known before it: each of its files is taken as the one at hand, and the share
    of the others among the first ten counts. At work a file counts when work goes to it anew: had the context before
    shown it? Nothing is measured on what it was learned from.

    Example: `companion accuracy --json`
    """
    with companion_for(repo) as companion:
        told = companion.accuracy(weeks)
    if as_json:
        print_json(told)
    else:
        _print_accuracy(told)


def _type(name: str) -> str:
    try:
        return EpisodeType(name).value
    except ValueError:
        known = ", ".join(one.value for one in EpisodeType)
        raise UsageError(f"There are no episodes of type `{name}`.", f"Choose from: {known}.") from None


def _from_here(path: str) -> str:
    """A path as typed: one that is there, seen from the current folder; else as the repository writes it."""
    here = Path(path).absolute()
    return str(here) if path and here.exists() else path


def _print_timeline(told: TimelinePage) -> None:
    if not told.happened:
        print_text("Nothing that fits happened.")
        return
    rows = []
    for one in told.happened:
        body = one.memory.draft.body
        what = body.change if isinstance(body, Episode) and body.change else one.memory.draft.type
        title = printable(one.memory.draft.levels.compressed)
        if one.memory.status is Status.ARCHIVED:
            title += f" (archived: {printable(one.memory.archived_reason)})"
        rows.append((f"{one.at:%Y-%m-%d}", what or one.memory.draft.kind.value, title, one.memory.id[:ID_SHOWN]))
    print_table("", ("when", "what", "title", "id"), rows)
    left = told.total - len(told.happened)
    if left > 0:
        last = told.happened[-1].at
        print_text(f"{left:,} more in all; `--before {last:%Y-%m-%dT%H:%M:%S}` goes on.")


def _print_accuracy(told: Accuracy) -> None:
    if told.overall is None:
        print_text("No commit was measured yet: one must change 2 to 20 source files that were there before it.")
    else:
        rows = [
            (f"{one.until:%Y-%m-%d}", one.commits, _percent(one.learned), _percent(one.usual), _percent(one.recent))
            for one in (*told.replayed, told.overall)
        ]
        rows[-1] = ("all", *rows[-1][1:])
        columns = ("commits until", "commits ", "as learned ", "as usual ", "changed last ")
        print_table("Of a commit's other files, among the first ten", columns, rows)
    if not told.weeks:
        print_text("No work was watched yet: open files in a connected editor and ask for contexts.")
        return
    weeks = [
        (f"{one.week:%Y-%m-%d}", *(_rate(rate) for rate in (one.opened, one.edited, one.memories, one.asked)))
        for one in told.weeks
    ]
    columns = ("week of", "opened, shown ", "edited, shown ", "memories, used ", "contexts, ready ")
    print_table("At work", columns, weeks)


def _percent(share: float) -> str:
    return f"{share:.0%}"


def _rate(rate: Rate) -> str:
    return "-" if rate.share is None else f"{rate.share:.0%} of {rate.times:,}"
