"""What becomes of notes as people type them: two months of work with a consolidation run after each day.

Each note is put in on its day, by hand or by an assistant, and the product's own runs follow. A lasting note must
stand at the end; a passing one must not be served as what holds once it is over, neither by a search for its own words
nor in a context for them. Beside it stand two simple rules: forget nothing, and forget what is older than 30 days.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from companion.api import Note, Order
from companion.app.scanning.vectors import fill_vectors
from companion.evals.statistics import wilson
from companion.ports import NoProgress, Progress
from companion.records import Format, Profile, SearchQuery, Signals, Status
from companion.store.memories import usage
from evals.ageing.lives import Life

DAYS = 60
MORNING = time(9)
SIMPLE_DAYS = 30
"""The simple rule's limit, in days of the calendar."""
SEARCHED, BUDGET_TOKENS = 10, 4_000
LASTING, ASSISTANT = "lasting", "assistant"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A note, the day it was said on, who wrote it, and from which day on it is over (None: it lasts)."""

    text: str
    said_on: date
    by_assistant: bool
    over_on: date | None

    def is_over(self, day: date) -> bool:
        """Whether it is over on a day."""
        return self.over_on is not None and self.over_on <= day


@dataclass
class _Outcome:
    """What became of the notes."""

    archived: list[Labelled] = field(default_factory=list)
    """Lasting ones that the end does not find standing."""
    served: list[Labelled] = field(default_factory=list)
    """Passing ones that were served as what holds on some day after they were over."""
    early: list[Labelled] = field(default_factory=list)
    """Passing ones that were gone, or told as over, before they were."""


def read_notes(path: Path) -> list[Labelled]:
    """The notes of a file, one JSON object a line, by their days."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    notes = [
        Labelled(
            row["note"],
            date.fromisoformat(row["said_on"]),
            row["person"] == ASSISTANT,
            None if row["kind"] == LASTING else date.fromisoformat(row["over_on"]),
        )
        for row in rows
    ]
    return sorted(notes, key=lambda one: one.said_on)


def notes_kept(notes: Sequence[Labelled], progress: Progress, *, embeddings: str = "minilm-int8") -> dict[str, Any]:
    """Shares of lasting notes archived and of passing ones served when they were over, ours and of two simple rules."""
    first = notes[0].said_on
    last = first + timedelta(days=DAYS)
    ours = _lived(notes, first, progress, embeddings)
    lasting = [one for one in notes if one.over_on is None]
    passing = [one for one in notes if one.is_over(last)]
    old = timedelta(days=SIMPLE_DAYS)
    calendar = _Outcome(
        archived=[one for one in lasting if one.said_on + old < last],
        served=[one for one in passing if one.over_on is not None and one.over_on <= min(last, one.said_on + old)],
        early=[one for one in passing if one.over_on is not None and one.said_on + old < one.over_on],
    )
    return {
        "eval": "notes-kept",
        "n": len(notes),
        "ours": _figures(ours, lasting, passing),
        "intervals": {
            "lasting_archived": _interval(len(ours.archived), len(lasting)),
            "passing_served": _interval(len(ours.served), len(passing)),
        },
        "baselines": {
            f"{SIMPLE_DAYS} calendar days": _figures(calendar, lasting, passing),
            "forget nothing": _figures(_Outcome(served=passing), lasting, passing),
        },
        "examples": {name: [one.text for one in getattr(ours, name)] for name in ("archived", "served", "early")},
        "settings": {"days": DAYS, "lasting": len(lasting), "passing": len(passing)},
    }


def _lived(notes: Sequence[Labelled], first: date, progress: Progress, embeddings: str) -> _Outcome:
    with tempfile.TemporaryDirectory(prefix="companion-notes-kept-") as folder:
        life = Life(Path(folder), embeddings)
        life.clock.moment = datetime.combine(first, MORNING)
        try:
            return _Days(life, notes, first).lived(progress)
        finally:
            life.close()


@dataclass
class _Days:
    """Day after day of one store."""

    life: Life
    notes: Sequence[Labelled]
    first: date
    ids: dict[Labelled, str] = field(default_factory=dict)
    outcome: _Outcome = field(default_factory=_Outcome)

    def lived(self, progress: Progress) -> _Outcome:
        """What became of the notes after all the days."""
        for number in range(DAYS + 1):
            progress.step("living day by day", number, DAYS)
            self._day(self.first + timedelta(days=number))
        standing = self.life.standing()
        self.outcome.archived = [
            one
            for one, id_ in self.ids.items()
            if one.over_on is None and id_ not in standing and not self._said_on(id_)
        ]
        return self.outcome

    def _said_on(self, id_: str) -> bool:
        """Whether what a note became part of stands: it was said again, and nothing is lost."""
        (memory,) = self.life.runtime.store.memories.get([id_])
        heir = self.life.runtime.store.memories.get([memory.superseded_by]) if memory.superseded_by else ()
        return memory.archived_reason == "merged" and any(one.status is Status.ACTIVE for one in heir)

    def _day(self, day: date) -> None:
        """What is said, looked up and consolidated on one day."""
        life = self.life
        life.clock.moment = datetime.combine(day, MORNING)
        told = [one for one in self.notes if one.said_on == day]
        for one in told:
            note = Note(one.text, assistant="claude" if one.by_assistant else "")
            self.ids[one] = life.companion.remember(note).id
        if told:
            fill_vectors(life.runtime, life.project, NoProgress())
        if self.ids:
            usage.record(
                life.runtime.store.database, [next(iter(self.ids.values()))], "retrieved", "", life.clock.now()
            )
        self._look(day)
        life._awake = True  # somebody worked
        life.sleep(datetime.combine(day, time(23)))

    def _look(self, day: date) -> None:
        """Which passing notes are served as what holds, by search and in a context, on the days that decide it."""
        for one, id_ in self.ids.items():
            if one.over_on is None or day not in {one.over_on - timedelta(days=1), one.over_on, self._last()}:
                continue
            served = self._serves(one.text, id_)
            if served and one.is_over(day) and one not in self.outcome.served:
                self.outcome.served.append(one)
            if not served and not one.is_over(day) and day >= one.said_on:
                self.outcome.early.append(one)

    def _last(self) -> date:
        return self.first + timedelta(days=DAYS)

    def _serves(self, text: str, id_: str) -> bool:
        companion = self.life.companion
        hits = companion.search(SearchQuery(text=text, profile=Profile.LEARNED, limit=SEARCHED))
        if any(hit.id == id_ and hit.over is None for hit in hits):
            return True
        context = companion.assemble(BUDGET_TOKENS, Signals(query=text), Format.JSON, Order.PEOPLE, count_use=False)
        return any(item.id == id_ for tier in context.tiers for item in tier.items)


def _figures(outcome: _Outcome, lasting: Sequence[Labelled], passing: Sequence[Labelled]) -> dict[str, float]:
    return {
        "lasting_archived": round(len(outcome.archived) / len(lasting), 3) if lasting else 0.0,
        "passing_served": round(len(outcome.served) / len(passing), 3) if passing else 0.0,
        "passing_early": round(len(outcome.early) / len(passing), 3) if passing else 0.0,
    }


def _interval(part: int, whole: int) -> tuple[float, float]:
    found = wilson(part, whole)
    return round(found.low, 3), round(found.high, 3)
