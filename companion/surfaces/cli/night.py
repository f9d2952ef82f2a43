"""Commands of the night: tidy, look at what was done, take it back, and empty for good what was archived long ago."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from companion.api import AskedBy, Companion, NightChange, NightOrder, NightReport
from companion.errors import CompanionError, UsageError
from companion.records.nights import NightRun, RowMoved, RunState
from companion.surfaces.cli.options import AsJson, Repo, agree, companion_for, parse_moment
from companion.surfaces.cli.output import counted, print_json, print_markdown, print_table, print_text, progress
from companion.surfaces.cli.told import ID_SHOWN, printable

JSON_SUFFIX = ".json"
PURGED_SHOWN = 20
"""Memories that a purge names: a screen."""


def _passes() -> list[str]:
    """Names of passes, for the shell to complete."""
    from importlib.metadata import entry_points

    return sorted(point.name.split("-", 1)[-1] for point in entry_points(group="companion.passes"))


def _runs() -> list[str]:
    """Ids of nights of the repository one stands in, for the shell to complete; none where that cannot be asked."""
    try:
        with companion_for(Path()) as companion:
            return [one.id[:ID_SHOWN] for one in companion.nights()]
    except CompanionError:
        return []


Run = Annotated[str, typer.Argument(metavar="RUN", help="A night's id, its start, or `last`.", autocompletion=_runs)]
LAST = "last"
"""The newest night, where one is named."""


def consolidate(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Keep the plan and change nothing.")] = False,
    passes: Annotated[
        list[str] | None,
        typer.Option("--pass", metavar="NAME", help="Only this pass; may be repeated.", autocompletion=_passes),
    ] = None,
    since: Annotated[str, typer.Option("--since", help="Only what was learned since: 2026-01-31 or 3d, 2w ago.")] = "",
    run: Annotated[
        str, typer.Option("--run", metavar="RUN", help="Make exactly the changes of a dry run.", autocompletion=_runs)
    ] = "",
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write the whole report: FILE.md or FILE.json.")
    ] = None,
    scheduled: Annotated[bool, typer.Option("--scheduled", hidden=True)] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Tidy what is remembered: merge what is said twice, shorten what is old, find what disagrees, forget.

    Every change has its reason and can be taken back: `companion nights` lists the nights, `companion undo`
    takes one back. A night that was broken off is finished first.

    Example: `companion consolidate --dry-run`, then `companion consolidate --run n1a2b3c4`
    """
    _need_folder(report)
    with companion_for(repo) as companion, progress(quiet=as_json) as bars:
        asked_by = AskedBy.SCHEDULE if scheduled else AskedBy.COMMAND
        since_when = parse_moment(since, companion.now())
        told = companion.consolidate(NightOrder(dry_run, tuple(passes or ()), since_when, run, asked_by), bars)
        if report is not None:
            _write(report, _whole(companion, told) if report.suffix == JSON_SUFFIX else told)
    if as_json:
        print_json(told)
    else:
        _show(told)


def nights(
    run: Annotated[
        str, typer.Argument(metavar="[RUN]", help="Tell this night; `last` is the newest.", autocompletion=_runs)
    ] = "",
    change: Annotated[
        int | None, typer.Option("--change", metavar="N", help="Tell one change of it: before and after.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Tell every change, in order.")] = False,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write the report: FILE.md or FILE.json.")
    ] = None,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """List the nights, newest first, or tell one of them: what it did, why, and how to take it back.

    With --change N it tells what that change found and what it left.

    Example: `companion nights last`
    """
    _need_folder(report)
    with companion_for(repo) as companion:
        if change is not None:
            _tell_rows(companion.before_after(_named(run), change), as_json=as_json)
            return
        if not run:
            _list(companion.nights(), as_json=as_json)
            return
        told = companion.night(_named(run))
        if everything:
            told = _whole(companion, told)
    if report is not None:
        _write(report, told)
    elif as_json:
        print_json(told)
    else:
        from companion.surfaces.cli.night_report import page

        print_markdown(page(told))


def _named(run: str) -> str:
    """A night as the verbs name it: nothing means the newest."""
    return "" if run == LAST else run


def _tell_rows(rows: Sequence[RowMoved], *, as_json: bool) -> None:
    """What a change moved, column by column."""
    if as_json:
        print_json(rows)
        return
    told = [
        (one.title or " ".join(one.key), name.replace("_", " "), (one.was or {}).get(name, "-"), became)
        for one in rows
        for name, became in ((name, (one.became or {}).get(name, "-")) for name in (one.became or one.was or {}))
    ]
    if told:
        print_table("", ("what", "of it", "before", "after"), [tuple(map(printable, row)) for row in told])
    else:
        print_text("It has moved nothing (yet).")


def undo(
    run: Run,
    change: Annotated[int | None, typer.Argument(metavar="[CHANGE]", help="Only this change of it.")] = None,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Take back a night, or one change of it; what has changed since stays as it is and is named.

    Example: `companion undo last` or `companion undo n1a2b3c4 17`
    """
    with companion_for(repo) as companion:
        done = companion.undo(companion.night("").run if run == LAST else run, change)
    if as_json:
        print_json(done)
        return
    nothing = f"Nothing of {done.run[:ID_SHOWN]} was left to take back."
    print_text(f"{done.undone:,} changes of {done.run[:ID_SHOWN]} were taken back." if done.undone else nothing)
    if done.kept:
        print_table("Left as they are", ("change ", "why"), [(one.number, one.why_not) for one in done.kept])


def purge(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Empty for good what was archived long ago and can be learned again; asks first.

    What was said by hand, transcripts, decisions, and what a memory in force cites stay.

    Example: `companion purge --dry-run`
    """
    with companion_for(repo) as companion:
        told = companion.purge(dry_run=True)
        if not dry_run and told.memories:
            if not yes:
                agree(f"Empty {counted(told.memories, 'memory')} for good? This cannot be undone.", as_json=as_json)
            told = companion.purge(dry_run=False)
    if as_json:
        print_json(told)
        return
    verb = "would be" if dry_run else "was" if told.memories == 1 else "were"
    print_text(
        f"{counted(told.memories, 'memory')} archived more than {told.grace_days} days ago {verb} emptied, "
        f"{told.size_bytes / 1e3:,.1f} kB of text."
    )
    if dry_run and told.shown:
        rows = [(one.id[:ID_SHOWN], f"{one.archived_at:%Y-%m-%d}", one.title) for one in told.shown[:PURGED_SHOWN]]
        print_table("", ("id", "archived", "what"), rows)


def _whole(companion: Companion, told: NightReport) -> NightReport:
    """The same with every change."""
    changes: list[NightChange] = []
    after = 0
    while found := companion.night(told.run, after=after).changes:
        changes += found
        after = found[-1].number
    return replace(told, changes=tuple(changes))


def _need_folder(report: Path | None) -> None:
    """Refuse a report that could not be written, before the night and not after it."""
    if report is not None and (report.is_dir() or not report.absolute().parent.is_dir()):
        raise UsageError(f"{report} cannot be written.", "Name a file in a folder that is there.")


def _write(path: Path, told: NightReport) -> None:
    import json

    from companion.surfaces.cli.night_report import page
    from companion.surfaces.cli.output import plain

    if path.suffix == JSON_SUFFIX:
        text = json.dumps(plain(told), indent=2, ensure_ascii=True, allow_nan=False) + "\n"
    else:
        text = page(told)
    path.write_text(text, encoding="utf-8", errors="replace")


def _list(found: tuple[NightRun, ...], *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    if not found:
        print_text("There has been no night yet. `companion consolidate --dry-run` shows what one would do.")
        return
    rows = [
        (one.id[:ID_SHOWN], f"{one.planned_at:%Y-%m-%d %H:%M}", one.state.value, one.asked_by, *_numbers(one))
        for one in found
        if one.state is not RunState.DISCARDED
    ]
    print_table("", ("night", "when (UTC)", "state", "by", "made ", "waiting ", "refused ", "undone "), rows)
    print_text("`companion nights RUN` tells one of them, `companion undo RUN` takes it back.")


def _numbers(one: NightRun) -> tuple[int, int, int, int]:
    return one.applied, one.planned, one.refused, one.undone


def _show(told: NightReport) -> None:
    from companion.surfaces.cli.night_report import in_short

    run = told.run[:ID_SHOWN]
    for note in told.notes:
        print_text(f"Note: {printable(note)}")
    rows = [
        ("said twice, folded into one", told.deduped),
        ("overtaken by newer words or code", told.superseded),
        (f"told shorter ({told.tokens_saved:,} tokens less)", told.compressed + told.reworded),
        ("contradictions for you to settle", told.contradictions_found),
        ("forgotten (in the archive)", told.forgotten),
        ("came back", told.revived),
        ("names that are one", told.united),
        ("nearer or further", told.moved),
        ("links", told.linked),
        ("refused, changed meanwhile", told.refused),
    ]
    print_table(
        "What the night would do" if told.dry_run else "What the night did",
        ("change", "memories "),
        [row for row in rows if row[1]] or [("nothing", 0)],
    )
    for one in told.passes:
        if one.wrong:
            print_text(f"Pass {one.name}: {printable(one.wrong)}.")
    print_text(in_short(told) if not told.dry_run else "Nothing has been changed.")
    if told.dry_run:
        print_text(f"Look: companion nights {run}    Do it: companion consolidate --run {run}")
    elif told.contradictions_found:
        print_text(f"Settle: companion contradictions    Look: companion nights {run}    Undo: companion undo {run}")
    else:
        print_text(f"Look: companion nights {run}    Undo: companion undo {run}")
