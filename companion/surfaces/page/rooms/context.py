"""What is in the context now, at which length, and why; what would be there without an item."""

from __future__ import annotations

from msgspec import Struct

from companion.api import NOT_USEFUL, Companion
from companion.config import BUDGET_MAX_TOKENS, Settings
from companion.records import Activity, Context, Signals
from companion.records.looking import TimelineQuery
from companion.records.search import State
from companion.surfaces import groups
from companion.surfaces.page.room import PageRequest, PageView, Room

BUDGET_TOKENS = Settings().budget_tokens
PINNED_MOST = 100
"""Pinned memories that are looked through, the newest: more than anybody keeps in every context."""
NARROWEST = 0.4
"""Hundredths of a bar's width that a tier with anything in it takes at least, so that it can be seen."""


class _Asked(Struct, frozen=True):
    """What the context is for, as the page's form says it; empty where it is to be as the editor shows."""

    file: str
    task: str
    activity: Activity | None
    budget: int

    @property
    def signals(self) -> Signals:
        """What was typed into the form, as signals."""
        return Signals(current_file=self.file, query=self.task, activity=self.activity)

    @property
    def fields(self) -> dict[str, object]:
        """What was typed into the form, as fields of an address."""
        doing = self.activity.value if self.activity else ""
        return {"file": self.file, "task": self.task, "activity": doing, "budget": self.budget}


class Stretch(Struct, frozen=True):
    """One tier's part of the whole bar, in hundredths of its width."""

    tone: str
    start: str
    width: str


def show(companion: Companion, ask: PageRequest) -> PageView:
    """The whole context, for what was chosen or for what the editor shows now."""
    asked = _asked(ask)
    chosen = bool(asked.file or asked.task or asked.activity)
    values = {"chosen": chosen, "activities": tuple(Activity), "most": BUDGET_MAX_TOKENS}
    return PageView("context/room.html", {**values, **_told(companion, asked)})


def now(companion: Companion, ask: PageRequest) -> PageView:
    """The context again, for somebody who comes back to the page."""
    return PageView("context/whole.html", _told(companion, _asked(ask)))


def item(companion: Companion, ask: PageRequest) -> PageView:
    """What an item says, why it is there, and what would be in its place."""
    asked = _asked(ask)
    told = companion.explain(asked.budget, asked.signals, ask.text("id"), leave_one_out=True).items[0]
    values = {"item": told.item, "instead": told.instead, "freed": told.freed_tokens, "linked": told.linked}
    return PageView("context/inside.html", {**values, "pinned": _pinned(companion)})


def files(companion: Companion, _: PageRequest) -> PageView:
    """Files that one may mean: those that are likely needed now."""
    forecast = companion.predict(Signals())
    return PageView("context/files.html", {"files": [one.path for one in forecast.files]})


def open_file(companion: Companion, ask: PageRequest) -> PageView:
    """A whole file, as it was indexed."""
    found = companion.expand(ask.text("id"))
    return PageView("context/opened.html", {"title": found.title, "text": found.text})


def pin(companion: Companion, ask: PageRequest) -> PageView:
    """Pin a memory, or take the pin out."""
    on = bool(ask.text("on"))
    companion.pin(ask.text("id"), on=on)
    said = "Pinned: it is in every context." if on else "No longer pinned."
    return PageView("context/done.html", {"says": said}, says=said)


def pass_over(companion: Companion, ask: PageRequest) -> PageView:
    """Note that a memory was of no use here."""
    companion.pass_over([ask.text("id")], NOT_USEFUL)
    said = "Noted: it is shown less."
    return PageView("context/done.html", {"says": said}, says=said)


def stacked(context: Context) -> tuple[Stretch, ...]:
    """Each tier's tokens as a stretch of the budget, one after the other."""
    whole = max(context.budget_tokens, context.tokens, 1)
    at, found = 0.0, []
    for tier in context.tiers:
        if tier.tokens:
            width = max(100 * tier.tokens / whole, NARROWEST)
            found.append(Stretch(tier.tier.value, f"{at:.2f}", f"{width:.2f}"))
            at += width
    return tuple(found)


def _told(companion: Companion, asked: _Asked) -> dict[str, object]:
    context = companion.explain(asked.budget, asked.signals, None, leave_one_out=False).context
    file = asked.file or ("" if asked.task else companion.at_work().current_file)
    return {
        "asked": asked,
        "file": file,
        "context": context,
        "groups": groups.of_context(context, file),
        "stacked": stacked(context),
        "inferred": sorted(context.inferred.items()),
    }


def _pinned(companion: Companion) -> frozenset[str]:
    page = companion.timeline(TimelineQuery(state=State.PINNED, limit=PINNED_MOST, count=False))
    return frozenset(one.memory.id for one in page.happened)


def _asked(ask: PageRequest) -> _Asked:
    return _Asked(
        ask.text("file"),
        ask.question("task"),
        ask.choice("activity", Activity),
        ask.number("budget", BUDGET_TOKENS, 0, BUDGET_MAX_TOKENS),
    )


ROOM = Room(
    "context",
    "Context",
    "What an assistant sees now, and why",
    show,
    parts={"now": now, "item": item, "files": files, "open": open_file},
    deeds={"pin": pin, "pass": pass_over},
)
