"""What the nights changed: by what they did, each change with its reason, before and after, and the way back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.api import AskedBy, Companion, NightChange, NightReport
from companion.errors import UsageError
from companion.records import Level, Oppose, Relate, Rescope, Reword, Shorten, Unite, Warm, Weigh
from companion.records.nights import ChangeState, NightRun, RowMoved, RunState
from companion.surfaces.page.rendering import SHORT_ID
from companion.surfaces.page.room import PageRequest, PageView, Room

NIGHTS_SHOWN = 30
"""Nights listed: a month of them."""
SHOWN_A_SORT, SHOWN_OF_MANY = 12, 4
"""Changes of a sort shown at once, and of a sort that decides nothing; the rest are a click away."""
DECIDES = frozenset({"Oppose", "Merge", "Supersede", "Outdate", "Retire", "Revive", "Reword"})
"""Sorts that change what is known or how it is said; the others change how it is found."""
LENGTHS = {Level.SUMMARY: "as a summary", Level.COMPRESSED: "in a line", Level.INDEX: "by its title"}
"""How an episode is offered that a night made shorter."""
PAGE = 100
"""Changes of one page, where all are asked for in their order."""
NUMBER_MAX = 10_000_000
LATEST = "last"
SORTS = (
    ("Oppose", "For you to settle", "Both sides stay, and lead what they concern, until you say which is right."),
    ("Merge", "Said twice, kept once", "One of each stays, with the sources, names and uses of all."),
    ("Supersede", "Overtaken by time", "The same source said something newer about the same thing."),
    ("Outdate", "No longer holds", "What it speaks of is gone, or a later commit took it back."),
    ("Retire", "Forgotten", "In the archive, not deleted: search finds it, and what is asked for comes back."),
    ("Revive", "Came back", "Asked for again, put away unasked by an earlier version, or there once more."),
    ("Reword", "In better words", "The full text stays as it is."),
    ("Shorten", "Told shorter", "Old episodes are offered in fewer words; all of each can still be opened."),
    ("Unite", "One name for many", "Who looks for one spelling finds all."),
    ("Rescope", "Followed a rename", "What hung on a file that moved hangs on it where it is now."),
    ("Weigh", "Worth more or less", "What was used ranks higher, what was shown and passed over lower."),
    ("Warm", "Nearer and further", "What was used lately stands nearer; nothing is hidden by it."),
    ("Relate", "Found to belong together", "What has to do with what."),
    ("Unrelate", "No longer belong together", "What has nothing to do with one another any more."),
)
"""Sorts of changes in the order in which a person wants to see them, with their headings."""
STATES = {
    RunState.PLANNING: "being planned",
    RunState.PLANNED: "only planned: nothing was changed",
    RunState.APPLYING: "under way, or cut short",
    RunState.APPLIED: "done",
    RunState.UNDONE: "taken back",
    RunState.DISCARDED: "discarded",
}
ASKED_BY = {
    AskedBy.COMMAND: "asked for by you",
    AskedBy.HTTP: "asked for by an editor or assistant",
    AskedBy.SCHEDULE: "on schedule",
    AskedBy.IDLE: "while nobody worked",
}
"""Why a night came about."""
_ID = re.compile(r"[a-z]1[0-9a-f]{30}")
_MOMENT = re.compile(r"\A(\d{4}-\d\d-\d\d[ T]\d\d:\d\d):\d\d(?:\.\d+)?\Z")
HIDDEN = frozenset(
    {"archived_at", "memory_key", "importance_floor", "tokens_summary", "tokens_compressed", "tokens_index"}
)
"""Columns of a row that tell a person nothing beside the others."""


@dataclass(frozen=True, slots=True)
class _Sort:
    """The changes of one sort, and what heads them."""

    name: str
    title: str
    says: str
    changes: tuple[NightChange, ...]

    @property
    def shown(self) -> int:
        """How many of them are shown at once."""
        return SHOWN_A_SORT if self.name in DECIDES else SHOWN_OF_MANY


def show(companion: Companion, ask: PageRequest) -> PageView:
    """The nights, and the one that is looked at: that named, or the newest that did something."""
    nights = [one for one in companion.nights() if one.state is not RunState.DISCARDED]
    chosen = _chosen(nights, ask.text("run", 100))
    values: dict[str, object] = {"nights": nights[:NIGHTS_SHOWN], "states": STATES, "chosen": chosen}
    if chosen is not None:
        values |= _told(companion.night(chosen.id))
    return PageView("nights/room.html", values)


def changes(companion: Companion, ask: PageRequest) -> PageView:
    """Every change of a night in order, a page at a time."""
    run = ask.text("run", 100)
    report = companion.night(run, after=ask.number("after", 0, 0, NUMBER_MAX), limit=PAGE)
    values = {"report": report, "changes": report.changes, "more": len(report.changes) == PAGE, "says": says_of}
    return PageView("nights/changes.html", values)


def rows(companion: Companion, ask: PageRequest) -> PageView:
    """What one change found and what it left."""
    found = companion.before_after(ask.text("run", 100), ask.number("change", 0, 1, NUMBER_MAX))
    return PageView("nights/rows.html", {"rows": [one for one in map(moved, found) if one[1]]})


def undo(companion: Companion, ask: PageRequest) -> PageView:
    """Take back one change, or all of a night."""
    run, number = ask.text("run", 100), ask.number("change", 0, 1, NUMBER_MAX)
    if not run:
        raise UsageError("Which night is to be taken back?", "Choose one.")
    done = companion.undo(run, number or None)
    if number:
        (found,) = companion.night(run, after=number - 1, limit=1).changes or (None,)
        why_not = done.kept[0].why_not if done.kept else ""
        says = "It was taken back." if done.undone else "It was back already, or never done."
        if why_not:
            says = f"It stays as it is: {why_not}."
        return PageView("nights/change.html", {"one": found, "run": run, "says": says_of}, says=says)
    says = f"{done.undone:,} changes were taken back." if done.undone else "There was nothing left to take back."
    values = {**_told(companion.night(run)), "kept": done.kept, "states": STATES}
    return PageView("nights/report.html", values, says=says)


def _named(entity: str) -> str:
    """What an entity is called, without its sort."""
    return entity.partition(":")[2] or entity


def says_of(one: NightChange) -> str:
    """What a change comes to beside the memory it is about, in a few words; empty where its heading says it."""
    tell = _SAYS.get(type(one.change))
    return "" if tell is None else tell(one.change)


_SAYS: Mapping[type, Callable[[Any], str]] = {
    Warm: lambda change: f"is {change.warmth.value} now",
    Weigh: lambda change: f"use {change.usefulness:+.2f}, importance {int(change.importance)}",
    Rescope: lambda change: f"{change.path} → {change.to}",
    Shorten: lambda change: f"{LENGTHS.get(change.level, change.level.value)}, {change.tokens_saved:,} tokens less",
    Reword: lambda change: f"by {change.by}, {change.tokens_saved:,} tokens less",
    Relate: lambda change: f"{change.relation.value}, {change.score:.2f}",
    Oppose: lambda change: f"{change.confidence:.0%} sure",
    Unite: lambda change: f"{_named(change.entity)} → {_named(change.stands_for)}",
}


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
    return value[:SHORT_ID] if _ID.fullmatch(value) else _MOMENT.sub(r"\1", value)


def _told(report: NightReport) -> dict[str, object]:
    """A report with its changes by sort; refused ones stand apart."""
    made = [one for one in report.changes if one.state is not ChangeState.REFUSED]
    sorts = [
        _Sort(name, title, says, tuple(one for one in made if type(one.change).__name__ == name))
        for name, title, says in SORTS
    ]
    return {
        "report": report,
        "counts": _counts(report),
        "sorts": [one for one in sorts if one.changes],
        "refused": [one for one in report.changes if one.state is ChangeState.REFUSED],
        "says": says_of,
        "seconds": _seconds(report),
        "undoable": report.state in (RunState.APPLIED, RunState.APPLYING),
        "kept": (),
        "asked_by": ASKED_BY,
    }


def _seconds(report: NightReport) -> float:
    """How long the night took, planning included; 0 before it is over."""
    if report.ended_at is None or report.started_at is None:
        return 0.0
    return (report.ended_at - report.started_at).total_seconds() + sum(one.seconds for one in report.passes)


def _counts(report: NightReport) -> list[tuple[str, int]]:
    """The night in numbers, without those that are nothing."""
    told = [
        ("contradictions found", report.contradictions_found),
        ("folded into another", report.deduped),
        ("overtaken", report.superseded),
        ("forgotten", report.forgotten),
        ("came back", report.revived),
        ("told shorter", report.compressed + report.reworded),
        ("tokens saved", report.tokens_saved),
        ("ranked anew", report.moved),
        ("links", report.linked),
        ("names united", report.united),
        ("refused", report.refused),
        ("taken back", report.undone),
    ]
    return [(name, number) for name, number in told if number]


def _chosen(nights: list[NightRun], wanted: str) -> NightRun | None:
    """The night that is named, or the newest that has changed something, or the newest."""
    if wanted and wanted != LATEST:
        return next((one for one in nights if one.id.startswith(wanted)), None)
    done = (RunState.APPLIED, RunState.APPLYING, RunState.UNDONE)
    return next((one for one in nights if one.state in done), nights[0] if nights else None)


ROOM = Room(
    "nights",
    "Nights",
    "What last night changed, and the way back",
    show,
    parts={"changes": changes, "rows": rows},
    deeds={"undo": undo},
    slow=frozenset({"undo"}),
)
