"""What contradicts what: two statements side by side with their evidence, settled by a person and reopened by one."""

from __future__ import annotations

from companion.api import Companion, Verdict
from companion.errors import UsageError
from companion.records import Contradiction, Resolution, Scope
from companion.surfaces.page.room import PageRequest, PageView, Room
from companion.surfaces.rows import of_contradiction
from companion.surfaces.wording import judged_by

SHOWN = 20
"""Open contradictions on one page: nobody settles more in one go, and the next come when these are settled."""
SETTLED_SHOWN = 50
"""Settled ones listed: those one may still want to take back."""
NOTE_MAX, MERGED_MAX = 2_000, 20_000
"""Characters of a note, and of a text that takes the place of both sides: as long as a note by hand may be."""
PARTS = ("path", "environment", "language", "version", "branch")
"""What separates two scopes, most often by path."""
DONE = {
    Resolution.A_WINS: "A holds; B is kept as an earlier version.",
    Resolution.B_WINS: "B holds; A is kept as an earlier version.",
    Resolution.BOTH_VALID: "Both hold, each in its place.",
    Resolution.MERGED: "One text has taken the place of both.",
}


def show(companion: Companion, ask: PageRequest) -> PageView:
    """Those that are open, or (`settled`) those that were settled."""
    settled = bool(ask.text("settled"))
    everything = companion.contradictions(settled=True)
    opened = [one for one in everything if one.resolution is None]
    over = sorted(
        (one for one in everything if one.resolution is not None),
        key=lambda one: (one.resolved_at, one.id),
        reverse=True,
    )
    values = {
        "settled": settled,
        "shown": over[:SETTLED_SHOWN] if settled else opened[:SHOWN],
        "open_total": len(opened),
        "settled_total": len(over),
        **CARD,
    }
    return PageView("contradictions/room.html", values)


def settle(companion: Companion, ask: PageRequest) -> PageView:
    """Settle one as the form says; if that was done elsewhere meanwhile, nothing is changed and it is shown."""
    one = _named(companion, ask.text("id", 100))
    if one.resolution is not None and ask.text("again") != "1":
        return _card(companion, one, f"It had been resolved already: {DONE[one.resolution]} Nothing was changed.")
    resolution = ask.choice("resolution", Resolution)
    if resolution is None:
        raise UsageError("How should it be resolved?", "Say which holds.")
    done = companion.settle(one.id, _verdict(ask, resolution))
    return _card(companion, done, DONE[done.resolution or resolution])


def reopen(companion: Companion, ask: PageRequest) -> PageView:
    """Take back how one was settled."""
    one = _named(companion, ask.text("id", 100))
    if one.resolution is None:
        return _card(companion, one, "It is open already.")
    return _card(companion, companion.unsettle(one.id), "It is open again; both sides are kept.")


def judge(companion: Companion, ask: PageRequest) -> PageView:
    """What the judges say of it now; nothing is changed."""
    one = _named(companion, ask.text("id", 100))
    return PageView("contradictions/ruling.html", {"ruling": companion.judge_again(one.id), "judged_by": judged_by})


def _verdict(ask: PageRequest, resolution: Resolution) -> Verdict:
    """What a person says; fields of other ways to settle it are passed over."""
    note = ask.text("note", NOTE_MAX)
    if resolution is Resolution.MERGED:
        return Verdict(resolution, note, merged=ask.text("merged", MERGED_MAX))
    if resolution is Resolution.BOTH_VALID:
        return Verdict(resolution, note, _scope(ask, "a"), _scope(ask, "b"))
    return Verdict(resolution, note)


def _scope(ask: PageRequest, side: str) -> Scope | None:
    found = Scope(**{part: ask.text(f"{part}_{side}") for part in PARTS})
    return found if found != Scope() else None


def _named(companion: Companion, id_: str) -> Contradiction:
    found = [one for one in companion.contradictions(settled=True) if id_ and one.id.startswith(id_)]
    if len(found) != 1:
        raise UsageError("This contradiction is gone: one of its sides was deleted.", "Reload the page.")
    return found[0]


def _card(companion: Companion, one: Contradiction, says: str) -> PageView:
    """One contradiction as it stands now, and how many there are of either sort."""
    everything = companion.contradictions(settled=True)
    opened = sum(other.resolution is None for other in everything)
    totals = (opened, len(everything) - opened)
    values = {"one": one, "fresh": True, "totals": totals, **CARD}
    return PageView("contradictions/card.html", values, says=says)


def places_of(one: Contradiction) -> str:
    """Where either may hold, as a judge proposes; empty if none does."""
    sides = (("A", one.scope_a), ("B", one.scope_b))
    return ", ".join(f"{letter} in {scope.label()}" for letter, scope in sides if scope and scope.label())


CARD = {"parts": PARTS, "row_of": of_contradiction, "places_of": places_of, "judged_by": judged_by}
"""What every card needs beside the contradiction itself."""

ROOM = Room(
    "contradictions",
    "Contradictions",
    "What cannot both be true, for you to resolve",
    show,
    parts={"judge": judge},
    deeds={"settle": settle, "reopen": reopen},
    slow=frozenset({"judge"}),
)
