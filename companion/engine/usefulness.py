"""What came of the memories that were shown: named rules over what was served and what was touched.

Cited, by the rule "edited next": a memory was shown while another file was at hand, and then a file that it
is about was edited, within `CITED_WITHIN` events. Editing the file one asked about says nothing: it would
have been edited anyway. By the rule "opened next" the same, sooner: a file that it is about was opened within
`OPENED_WITHIN` events, and it is about few enough for that to be no accident. Each serving is credited once
for a file, by whichever comes first.

Passed over, by the rule "shown and left": a memory was shown in `PASSED_OVER_AFTER` different moments in a
row, and none of the files it is about was touched in between. Asking twice in the same moment counts once.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.records import Event, Happening, Serving

CITED_WITHIN = 30
"""Events after a serving in which an edit still has to do with it: about ten files further."""
OPENED_WITHIN = 10
"""The same for opening a file, which is done in passing as well: about three files further."""
OPENED_NAMES_MOST = 5
"""A memory of more files is not credited with one being opened: a sweeping commit names half the project."""
PASSED_OVER_AFTER = 8
"""Moments in a row: shown once or twice beside something else is no sign, a working morning of it is."""
EDITED_NEXT = "edited next"
OPENED_NEXT = "opened next"

EDITS = frozenset([Happening.EDITED, Happening.SAVED])
TOUCHES = EDITS | {Happening.OPENED, Happening.SELECTED}


def cited(servings: Sequence[Serving], events: Sequence[Event], touch: Event) -> tuple[str, ...]:
    """Memories that a touch shows to have been of use, sorted. Each serving is credited once for a file.

    `servings` and `events` are oldest first; `events` may hold `touch` itself.
    """
    within = _within(touch)
    if not within:
        return ()
    earlier = [event for event in events if event.path == touch.path and event.number < touch.number]
    return tuple(
        sorted(
            {
                id_
                for serving in servings
                if touch.number - within <= serving.after < touch.number and serving.path != touch.path
                for id_, files in serving.items.items()
                if _counts(touch, files) and not any(_credits(event, serving, files) for event in earlier)
            }
        )
    )


def rule_of(touch: Event) -> str:
    """The rule by which a touch credits what was shown before it."""
    return OPENED_NEXT if touch.what is Happening.OPENED else EDITED_NEXT


def _within(touch: Event) -> int:
    """Events for which a touch has to do with what was shown before it; 0: it never has."""
    if touch.what in EDITS:
        return CITED_WITHIN
    return OPENED_WITHIN if touch.what is Happening.OPENED else 0


def _counts(touch: Event, files: Sequence[str]) -> bool:
    """Whether a touch says something for a memory of these files."""
    return touch.path in files and (touch.what is not Happening.OPENED or len(files) <= OPENED_NAMES_MOST)


def _credits(event: Event, serving: Serving, files: Sequence[str]) -> bool:
    """Whether an event has credited a serving already for a memory of these files."""
    return 0 < event.number - serving.after <= _within(event) and _counts(event, files)


def passed_over(servings: Sequence[Serving], events: Sequence[Event]) -> tuple[str, ...]:
    """Memories of the latest serving that were shown and left once too often, sorted.

    To be asked once a moment, when the first touch after the latest serving was noted.
    """
    moments: dict[int, dict[str, tuple[str, ...]]] = {}
    for serving in servings:
        moments.setdefault(serving.after, {}).update(serving.items)
    if not moments:
        return ()
    ordered = sorted(moments, reverse=True)
    touched = _touched_after(events, ordered)
    return tuple(
        sorted(
            id_
            for id_, files in moments[ordered[0]].items()
            if files and (row := _in_a_row(id_, files, ordered, moments, touched)) and row % PASSED_OVER_AFTER == 0
        )
    )


def _in_a_row(
    id_: str,
    files: Sequence[str],
    ordered: Sequence[int],
    moments: dict[int, dict[str, tuple[str, ...]]],
    touched: dict[int, set[str]],
) -> int:
    count = 0
    for after in ordered:
        if id_ not in moments[after] or touched[after] & set(files):
            break
        count += 1
    return count


def _touched_after(events: Sequence[Event], ordered: Sequence[int]) -> dict[int, set[str]]:
    """What was touched between each moment and the next; `ordered` is newest first."""
    found: dict[int, set[str]] = {after: set() for after in ordered}
    for event in events:
        if event.what in TOUCHES:
            moment = next((after for after in ordered if after < event.number), None)
            if moment is not None:
                found[moment].add(event.path)
    return found
