"""What a developer is doing, told from what just happened: each sign has a strength and says why.

The strongest sign wins; without a sign of `ENOUGH` nothing is claimed, and an ask is answered as for
exploring. Signs come from the newest `LOOKED_BACK` events and from the words of the branch; what a person
says (an activity, a query, an error) is not weighed here, because it always goes first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from msgspec import Struct

from companion.engine.attending.focus import activity_in, branch_words
from companion.engine.attending.interest import touched_paths
from companion.records import Activity, Event, Happening

LOOKED_BACK = 60
"""Events that tell what is being done: about a quarter of an hour of editing."""
RUNS_LOOKED_AT = 5
"""Commands that ended lately: an old failure that was followed by other work is over."""
LASTING_EVENTS = 3
"""Diagnostics that are there for so many events more are an error, not a line half typed."""
MANY_OPENED = 5
"""Files opened without editing that make a reading."""
SPREAD_FILES = 6
"""Files edited that make a change go through the code."""
SAME_SYMBOL_FILES = 3
"""Files in which a definition of one name was edited: it is being renamed or moved."""
ENOUGH = 0.4
"""The least strength that is told: below it, it would be a guess."""

_OPENINGS = frozenset([Happening.OPENED, Happening.SELECTED])
_EDITS = frozenset([Happening.EDITED, Happening.SAVED])
_REVIEW_WORDS = frozenset(["review", "pr", "pull", "merge", "mr"])


class Sign(Struct, frozen=True):
    """One thing that speaks for an activity: how strongly, 0 to 1, and in a sentence."""

    activity: Activity
    strength: float
    says: str


def infer(events: Sequence[Event], branch: str) -> Sign | None:
    """The strongest sign of what is being done, of events (oldest first) and branch; None if none is enough.

    Signs for the same activity support each other: each further one takes a third of what is left to
    certainty. Equal activities are told in the order of `_SIGNS`.
    """
    lately = tuple(events)[-LOOKED_BACK:]
    found = [sign for look in _SIGNS if (sign := look(lately, branch)) is not None]
    together: dict[Activity, list[Sign]] = defaultdict(list)
    for sign in found:
        together[sign.activity].append(sign)
    merged = [_merged(signs) for signs in together.values()]
    best = max(merged, key=lambda sign: sign.strength, default=None)
    return best if best is not None and best.strength >= ENOUGH else None


def _merged(signs: Sequence[Sign]) -> Sign:
    ordered = sorted(signs, key=lambda sign: -sign.strength)
    strength = ordered[0].strength
    for sign in ordered[1:]:
        strength += (1 - strength) * sign.strength / 3
    return Sign(ordered[0].activity, round(strength, 4), " and ".join(sign.says for sign in ordered[:2]))


def _failing(events: Sequence[Event], _branch: str) -> Sign | None:
    """Commands that failed and have not succeeded since."""
    ran = [event for event in events if event.what is Happening.RAN][-RUNS_LOOKED_AT:]
    failed = 0
    for event in reversed(ran):
        if not event.exit_code:
            break
        failed += 1
    if not failed:
        return None
    says = "the last command failed" if failed == 1 else f"the last {failed} commands failed"
    return Sign(Activity.DEBUGGING, min(0.6 + 0.1 * (failed - 1), 0.9), says)


def _diagnosed(events: Sequence[Event], _branch: str) -> Sign | None:
    """Errors that an editor shows and that stay."""
    state: dict[str, tuple[int, int]] = {}
    for event in events:
        if event.what is Happening.DIAGNOSED:
            since = state[event.path][1] if event.path in state and state[event.path][0] else event.number
            state[event.path] = (event.errors, since)
    newest = events[-1].number if events else 0
    lasting = {path: errors for path, (errors, since) in state.items() if errors and newest - since >= LASTING_EVENTS}
    if not lasting:
        return None
    count = sum(lasting.values())
    where = next(iter(lasting)) if len(lasting) == 1 else f"{len(lasting)} files"
    return Sign(Activity.DEBUGGING, 0.5, f"{count} {'error is' if count == 1 else 'errors are'} shown in {where}")


def _reviewing(events: Sequence[Event], branch: str) -> Sign | None:
    """Much opened and nothing edited, where something came in to be looked at."""
    came = [place for place, event in enumerate(events) if event.what in (Happening.ARRIVED, Happening.BRANCH)]
    words = set(branch.lower().replace("-", "/").replace("_", "/").split("/"))
    named = sorted(words & _REVIEW_WORDS)
    if not came and not named:
        return None
    since = events[came[-1] :] if came else events
    opened, edited = touched_paths(since, _OPENINGS), touched_paths(since, _EDITS)
    least = 2 if named else MANY_OPENED
    if len(opened) < least or len(edited) > len(opened) // MANY_OPENED:
        return None
    why = f" on a branch for a “{named[0]}”" if named else " since commits or a branch came in"
    return Sign(Activity.REVIEW, 0.7, f"{len(opened)} files were opened and {len(edited)} edited{why}")


def _refactoring(events: Sequence[Event], _branch: str) -> Sign | None:
    """One name edited in several files, or a change that goes through many known files."""
    files: dict[str, set[str]] = defaultdict(set)
    for event in events:
        if event.what in _EDITS and event.symbol:
            files[event.symbol.rpartition(".")[2]].add(event.path)
    name, spread = max(files.items(), key=lambda one: (len(one[1]), one[0]), default=("", set()))
    if len(spread) >= SAME_SYMBOL_FILES:
        return Sign(Activity.REFACTORING, 0.65, f"`{name}` was edited in {len(spread)} files")
    fresh = {event.path for event in events if event.unindexed}
    edited = [path for path in touched_paths(events, _EDITS) if path not in fresh]
    if len(edited) >= SPREAD_FILES and not fresh:
        return Sign(Activity.REFACTORING, 0.45, f"{len(edited)} files were edited and none is new")
    return None


def _building(events: Sequence[Event], _branch: str) -> Sign | None:
    """New files are being written."""
    fresh = list(dict.fromkeys(event.path for event in events if event.unindexed and event.what in _EDITS))
    if not fresh:
        return None
    says = f"{fresh[-1]} is new" if len(fresh) == 1 else f"{len(fresh)} files are new"
    return Sign(Activity.NEW_FEATURE, 0.55, says)


def _branch(_events: Sequence[Event], branch: str) -> Sign | None:
    """What the branch is called."""
    said = activity_in(branch_words(branch))
    return None if said is None else Sign(said[0], 0.5, f"the branch name says “{said[1]}”")


_SIGNS: tuple[Callable[[Sequence[Event], str], Sign | None], ...] = (
    _failing,
    _diagnosed,
    _reviewing,
    _refactoring,
    _building,
    _branch,
)
"""Where signs are looked for; to add one, write a function and a line."""
