"""The reports of the consolidation runs: what each did and why, before and after, what to decide, and the way back."""

from __future__ import annotations

import re

from companion.api import Companion, RunReport
from companion.errors import UsageError
from companion.records.headings import ReportPart
from companion.records.runs import ConsolidationRun, RowMoved, RunState
from companion.surfaces import reporting
from companion.surfaces.page.room import PageRequest, PageView, Room
from companion.surfaces.reporting import sections
from companion.surfaces.wording import ID_SHOWN

RUNS_SHOWN = 30
"""Runs listed: a month of runs."""
SHOWN_A_SECTION = 10
"""Changes of a section shown at once; the others are a click away."""
PAGE = 100
"""Changes of one page, where all are asked for in their order."""
NUMBER_MAX = 10_000_000
LATEST = "last"
_ID = re.compile(r"[a-z]1[0-9a-f]{30}")
_MOMENT = re.compile(r"\A(\d{4}-\d\d-\d\d[ T]\d\d:\d\d):\d\d(?:\.\d+)?\Z")
HIDDEN = frozenset(
    {"archived_at", "memory_key", "importance_floor", "tokens_summary", "tokens_compressed", "tokens_index"}
)
"""Columns of a row that tell a person nothing beside the others."""
LINE = {"sentence": reporting.sentence, "why": reporting.why, "reason": reporting.reason, "of": reporting.statement}
"""What puts changes and decisions into words."""


def show(companion: Companion, ask: PageRequest) -> PageView:
    """The runs, and the report that is looked at: that named, or the newest that did something."""
    runs = [one for one in companion.reports() if one.state is not RunState.DISCARDED]
    chosen = _chosen(runs, ask.text("run", 100))
    values: dict[str, object] = {"runs": runs[:RUNS_SHOWN], "chosen": chosen}
    if chosen is not None:
        values |= _shown_report(companion.report(chosen.id))
    return PageView("reports/room.html", values)


def changes(companion: Companion, ask: PageRequest) -> PageView:
    """Every change of a run in order, a page at a time."""
    run = ask.text("run", 100)
    report = companion.report(run, after=ask.number("after", 0, 0, NUMBER_MAX), limit=PAGE)
    values = {"report": report, "changes": report.changes, "more": len(report.changes) == PAGE, **LINE}
    return PageView("reports/changes.html", values)


def rows(companion: Companion, ask: PageRequest) -> PageView:
    """What one change found and what it left."""
    found = companion.before_after(ask.text("run", 100), ask.number("change", 0, 1, NUMBER_MAX))
    return PageView("reports/rows.html", {"rows": [one for one in map(moved, found) if one[1]]})


def undo(companion: Companion, ask: PageRequest) -> PageView:
    """Undo one change, or all of a run."""
    run, number = ask.text("run", 100), ask.number("change", 0, 1, NUMBER_MAX)
    if not run:
        raise UsageError("Which run is to be undone?", "Choose one.")
    done = companion.undo(run, number or None)
    if number:
        (found,) = companion.report(run, after=number - 1, limit=1).changes or (None,)
        why_not = done.kept[0].why_not if done.kept else ""
        says = "It was undone." if done.undone else "It was undone before, or never done."
        if why_not:
            says = f"It stays as it is: {why_not}."
        return PageView("reports/change.html", {"one": found, "run": run, **LINE}, says=says)
    changes = "change was" if done.undone == 1 else "changes were"
    says = f"{done.undone:,} {changes} undone." if done.undone else "There was nothing left to undo."
    values = {**_shown_report(companion.report(run)), "kept": done.kept}
    return PageView("reports/report.html", values, says=says)


def moved(row: RowMoved) -> tuple[RowMoved, tuple[tuple[str, str | None, str | None], ...]]:
    """A row with the columns that differ: name, before, after; None where there was or is no row."""
    was, became = row.was, row.became
    names = [name for name in dict.fromkeys((*(was or {}), *(became or {}))) if name not in HIDDEN]
    found = tuple(
        (
            name.replace("_", " "),
            _shown(was.get(name, "")) if was else None,
            _shown(became.get(name, "")) if became else None,
        )
        for name in names
    )
    return row, tuple(one for one in found if (one[1] or "") != (one[2] or ""))


def _shown(value: str) -> str:
    """A value as people read it: the beginning of an id, a moment to the minute."""
    return value[:ID_SHOWN] if _ID.fullmatch(value) else _MOMENT.sub(r"\1", value)


def _shown_report(report: RunReport) -> dict[str, object]:
    """A report as its template shows it: sections in the order in which people read them, links and warmth folded."""
    left = reporting.not_made(report)
    return {
        "report": report,
        "headline": reporting.headline(report),
        "started": reporting.started(report),
        "state": reporting.STATES.get(report.state, ""),
        "seconds": reporting.seconds(report),
        "troubles": reporting.troubles(report),
        "gone": sections(report, ReportPart.GONE),
        "more_to_decide": reporting.more_to_decide(report),
        "stays": (*sections(report, ReportPart.STAYS), *([left] if left else ())),
        "folded": sections(report, ReportPart.FOLDED),
        "shown": SHOWN_A_SECTION,
        "undoable": report.state in (RunState.APPLIED, RunState.APPLYING) and report.changes_total > report.refused,
        "kept": (),
        **LINE,
    }


def _chosen(runs: list[ConsolidationRun], wanted: str) -> ConsolidationRun | None:
    """The run that is named, or the newest that has changed something, or the newest."""
    if wanted and wanted != LATEST:
        return next((one for one in runs if one.id.startswith(wanted)), None)
    done = (RunState.APPLIED, RunState.APPLYING, RunState.UNDONE)
    return next((one for one in runs if one.state in done), runs[0] if runs else None)


ROOM = Room(
    "reports",
    "Consolidation",
    "What the last run changed, and the way back",
    show,
    parts={"changes": changes, "rows": rows},
    deeds={"undo": undo},
    slow=frozenset({"undo"}),
)
