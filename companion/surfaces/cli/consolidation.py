"""Commands of consolidation: run it, read its reports, undo it, and empty for good what was archived long ago."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated

from msgspec.structs import replace

from companion.api import AskedBy, RunChange, RunOrder, RunReport
from companion.records.runs import ConsolidationRun, RowMoved, RunState, Undone
from companion.records.wording import counted
from companion.surfaces.cli.commands import CommandAnswer, Companion, command
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.options import AsJson, Repo, agree, companion_for
from companion.surfaces.cli.output import MarkdownPage, Shown, TextTable, print_answer, progress
from companion.surfaces.wording import ID_SHOWN

PURGED_SHOWN = 20
"""Memories that a purge names: a screen."""


Run = Annotated[str, Positional(metavar="RUN", help="A run's id, its start, or `last`.")]
LAST = "last"
"""The newest run, where one is named."""


def consolidate(
    dry_run: Annotated[bool, Option("--dry-run", help="Keep the plan and change nothing.")] = False,
    passes: Annotated[
        list[str] | None, Option("--pass", metavar="PASS", help="Only this pass; may be repeated.")
    ] = None,
    run: Annotated[str, Option("--run", metavar="RUN", help="Make exactly the changes of a dry run.")] = "",
    scheduled: Annotated[bool, Option("--scheduled", hidden=True)] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Tidy what is remembered: merge what is said twice, shorten what is old, find what disagrees, forget.

    Prints the report of the run: what was forgotten and merged, and what is for you to decide. Every change has its
    reason and can be undone: `companion reports` lists the runs. A run that was interrupted is finished first.

    Example: `companion consolidate --dry-run`, then `companion consolidate --run n1a2b3c4`
    """
    with _logged(repo) if scheduled else nullcontext([]) as log:
        with companion_for(repo) as companion, progress(quiet=as_json) as bars:
            asked_by = AskedBy.SCHEDULE if scheduled else AskedBy.COMMAND
            told = companion.consolidate(RunOrder(dry_run, tuple(passes or ()), run, asked_by), bars)
        log.extend(_in_short(told))
    # whoever keeps what a job prints keeps no word of a memory, which may be erased
    print_answer(told, "\n".join(log) if scheduled else _page(told), as_json)


def _logged(repo: Path) -> AbstractContextManager[list[str]]:
    """The log of the runs that the system starts, for `companion doctor`."""
    from companion.client import schedule_log

    return schedule_log(str(repo.absolute())).run()


def _in_short(told: RunReport) -> list[str]:
    """A run in lines that say nothing of what memories say."""
    from companion.surfaces.reporting import headline, troubles

    return [headline(told), *troubles(told), f"`companion reports {told.run[:ID_SHOWN]}` shows its report."]


@command()
def reports(
    companion: Companion,
    run: Annotated[str, Positional(metavar="[RUN]", help="Show this run; `last` is the newest.")] = "",
    change: Annotated[
        int | None, Option("--change", metavar="N", help="Show one change of it: before and after.")
    ] = None,
    everything: Annotated[bool, Option("--all", help="Show every change, links and warmth too.")] = False,
) -> CommandAnswer:
    """List the consolidation runs, newest first, or show the report of one: what it did, why, and how to undo it.

    With --change N it shows what that change found and what it left.

    Example: `companion reports last`
    """
    named = "" if run == LAST else run
    if change is not None:
        rows = companion.before_after(named, change)
        return CommandAnswer(rows, _moved(rows))
    if not run:
        found = companion.reports()
        return CommandAnswer(found, _listed(found))
    told = companion.report(named)
    if everything:
        told = _whole(companion, told)
    return CommandAnswer(told, _page(told, everything=everything))


def _moved(rows: Sequence[RowMoved]) -> Shown:
    """What a change moved, column by column."""
    told = [
        (one.title or " ".join(one.key), name.replace("_", " "), (one.was or {}).get(name, "-"), became)
        for one in rows
        for name, became in ((name, (one.became or {}).get(name, "-")) for name in (one.became or one.was or {}))
    ]
    return TextTable("", ("what", "of it", "before", "after"), told) if told else "It has moved nothing (yet)."


def _undone(done: Undone) -> str:
    run = done.run[:ID_SHOWN]
    were = f"change of run {run} was" if done.undone == 1 else f"changes of run {run} were"
    undone = f"{done.undone:,} {were} undone." if done.undone else f"Nothing of run {run} was left to undo."
    return "\n".join([undone, *(f"Change {one.number} stays as it is: {one.why_not}." for one in done.kept)])


@command(_undone)
def undo(
    companion: Companion,
    run: Run,
    change: Annotated[int | None, Positional(metavar="[CHANGE]", help="Only this change of it.")] = None,
) -> Undone:
    """Undo a run, or one change of it; what has changed since stays as it is and is named.

    Example: `companion undo last` or `companion undo n1a2b3c4 17`
    """
    return companion.undo(companion.report("").run if run == LAST else run, change)


@command()
def purge(
    companion: Companion,
    as_json: bool,
    dry_run: Annotated[bool, Option("--dry-run", help="Only say what would go.")] = False,
    yes: Annotated[bool, Option("--yes", "-y", help="Do not ask.")] = False,
) -> CommandAnswer:
    """Empty for good what was archived long ago and can be learned again; asks first.

    What was noted by hand, transcripts, decisions, and what a memory in force cites stay.

    Example: `companion purge --dry-run`
    """
    told = companion.purge(dry_run=True)
    if not dry_run and told.memories:
        if not yes:
            agree(f"Empty {counted(told.memories, 'memory')} for good? This cannot be undone.", as_json=as_json)
        told = companion.purge(dry_run=False)
    verb = "would be" if dry_run else "was" if told.memories == 1 else "were"
    emptied = (
        f"{counted(told.memories, 'memory')} archived more than {told.grace_days} days ago {verb} emptied, "
        f"{told.size_bytes / 1e3:,.1f} kB of text."
    )
    rows = [(one.id[:ID_SHOWN], f"{one.archived_at:%Y-%m-%d}", one.title) for one in told.shown[:PURGED_SHOWN]]
    return CommandAnswer(
        told, [emptied, TextTable("", ("id", "archived", "what"), rows)] if dry_run and rows else emptied
    )


def _whole(companion: Companion, told: RunReport) -> RunReport:
    """The same with every change."""
    changes: list[RunChange] = []
    after = 0
    while found := companion.report(told.run, after=after).changes:
        changes += found
        after = found[-1].number
    return replace(told, changes=tuple(changes))


def _listed(found: Sequence[ConsolidationRun]) -> Shown:
    if not found:
        return "There has been no run yet. `companion consolidate --dry-run` shows what one would do."
    rows = [
        (
            *(one.id[:ID_SHOWN], f"{one.planned_at:%Y-%m-%d %H:%M}", one.state.value, one.asked_by),
            *(one.applied, one.planned, one.refused, one.undone),
        )
        for one in found
        if one.state is not RunState.DISCARDED
    ]
    return [
        TextTable("", ("run", "when (UTC)", "state", "by", "made ", "waiting ", "refused ", "undone "), rows),
        "`companion reports RUN` shows the report of one, `companion undo RUN` undoes it.",
    ]


def _page(told: RunReport, *, everything: bool = False) -> MarkdownPage:
    from companion.surfaces.cli.run_report import page

    return MarkdownPage(page(told, everything=everything))
