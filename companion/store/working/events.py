"""What was observed in a checkout, and which contexts were served meanwhile: written first, acted on after.

The newest events of each checkout are kept; older ones have no interest left. Contexts served are kept
beside them, not among them, so that asking changes nothing that the next ask depends on. All of it is
quiet: no memory depends on an event, so caches stay.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.records import Event, Serving
from companion.store.by_columns import keep_first, value_where
from companion.store.database import Database
from companion.store.rows import Table

EVENTS_KEPT = 2_000
"""Events of a checkout that are kept: a few days of work. What they say has decayed long before (see `interest`)."""
SERVINGS_KEPT = 100
"""Served contexts of a checkout that are kept, up to twice as many: use is looked for in far fewer."""
PRUNE_EVERY = 200
"""So many more may lie there before the oldest are removed: a removal costs as much as ten insertions."""
TEXT_CHARACTERS = 400
"""Names longer than this are cut: a path or a qualified name that is used by people is shorter."""
PEOPLE_MOST = 20
"""People noted with one arrival: more than that is a sync of the whole company."""

EVENTS = Table(Event, "events", {"at": "noted_at"})
SERVINGS = Table(Serving, "servings", {"after": "after_event", "at": "noted_at"})

_NEWEST_FIRST = "after_event desc, noted_at desc, rowid desc"


def append(database: Database, checkout: str, seen: Sequence[Event], *, after: int | None = None) -> tuple[Event, ...]:
    """Write events down in one transaction; returns them with their numbers.

    `after` is the newest number where the caller knows it; without it the store is asked.
    """
    if not seen:
        return ()
    with database.write(quiet=True) as connection:
        if after is None:
            after = int(value_where(connection, "events", "coalesce(max(number), 0)", checkout_id=checkout))
        numbered = tuple(_fit(event, after + place) for place, event in enumerate(seen, start=1))
        EVENTS.insert(connection, numbered, checkout_id=checkout)
        newest = numbered[-1].number
        if after // PRUNE_EVERY != newest // PRUNE_EVERY:
            keep_first(connection, "events", EVENTS_KEPT, order="number desc", checkout_id=checkout)
    return numbered


def newest(database: Database, checkout: str, limit: int) -> tuple[Event, ...]:
    """The newest events of a checkout, oldest first."""
    return EVENTS.where(database, order="number desc", limit=limit, checkout_id=checkout)[::-1]


def serve(database: Database, checkout: str, serving: Serving) -> None:
    """Note a context that was served; from time to time the oldest are forgotten."""
    with database.write(quiet=True) as connection:
        fit = replace(serving, path=serving.path[:TEXT_CHARACTERS])
        SERVINGS.insert(connection, [fit], checkout_id=checkout)
        count = value_where(connection, "servings", "count(*)", checkout_id=checkout)
        if count >= 2 * SERVINGS_KEPT:
            keep_first(connection, "servings", SERVINGS_KEPT, order=_NEWEST_FIRST, checkout_id=checkout)


def servings(database: Database, checkout: str, limit: int) -> tuple[Serving, ...]:
    """The newest served contexts of a checkout, oldest first."""
    return SERVINGS.where(database, order=_NEWEST_FIRST, limit=limit, checkout_id=checkout)[::-1]


def _fit(event: Event, number: int) -> Event:
    """An event with its number, as far as it is kept."""
    return replace(
        event,
        number=number,
        path=event.path[:TEXT_CHARACTERS],
        symbol=event.symbol[:TEXT_CHARACTERS],
        branch=event.branch[:TEXT_CHARACTERS],
        people=tuple(name[:TEXT_CHARACTERS] for name in event.people[:PEOPLE_MOST]),
    )
