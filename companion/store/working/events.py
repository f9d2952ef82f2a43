"""What was observed in a checkout, and which contexts were served meanwhile: written first, acted on after.

The newest events of each checkout are kept; older ones have no interest left. Contexts served are kept
beside them, not among them, so that asking changes nothing that the next ask depends on. All of it is
quiet: no memory depends on an event, so caches stay.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.records import Event, Happening, Serving
from companion.store.bulk import insert_rows
from companion.store.texts import clean

if TYPE_CHECKING:
    from companion.store.database import Database

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

_INSERT = """
insert into events (
    checkout_id, number, noted_at, what, path, symbol, line, unindexed, errors, warnings, exit_code, branch, people
)
values (
    $checkout, $number, $noted_at, $what, $path, $symbol, $line, $unindexed, $errors, $warnings, $exit_code,
    $branch, $people
)
"""

_COLUMNS = (
    "checkout_id",
    "number",
    "noted_at",
    "what",
    "path",
    "symbol",
    "line",
    "unindexed",
    "errors",
    "warnings",
    "exit_code",
    "branch",
    "people",
)

_LAST = """
select coalesce(max(number), 0)
from events
where checkout_id = $checkout
"""

_PRUNE = """
delete from events
where checkout_id = $checkout
    and number <= $upto
"""

_NEWEST = """
select number, noted_at, what, path, symbol, line, unindexed, errors, warnings, exit_code, branch, people
from events
where checkout_id = $checkout
order by number desc
limit $limit
"""

_SERVE = """
insert into servings (checkout_id, after_event, noted_at, path, items, files)
values ($checkout, $after, $noted_at, $path, $items, $files)
"""

_SERVED = """
select after_event, noted_at, path, items, files
from servings
where checkout_id = $checkout
order by after_event desc, noted_at desc, rowid desc
limit $limit
"""

_COUNT_SERVED = """
select count(*)
from servings
where checkout_id = $checkout
"""

_PRUNE_SERVED = """
delete from servings
where checkout_id = $checkout
    and rowid not in (
        select rowid
        from servings
        where checkout_id = $checkout
        order by after_event desc, noted_at desc, rowid desc
        limit $kept
    )
"""

_COUNT_PREFETCH = """
insert into prefetches (checkout_id, prepared, served, wasted, prepared_ms, wasted_ms)
values ($checkout, $prepared, $served, $wasted, $prepared_ms, $wasted_ms)
on conflict (checkout_id) do update set
    prepared = prefetches.prepared + excluded.prepared,
    served = prefetches.served + excluded.served,
    wasted = prefetches.wasted + excluded.wasted,
    prepared_ms = prefetches.prepared_ms + excluded.prepared_ms,
    wasted_ms = prefetches.wasted_ms + excluded.wasted_ms
"""

_PREFETCHES = """
select prepared, served, wasted, prepared_ms, wasted_ms
from prefetches
where checkout_id = $checkout
"""


@dataclass(frozen=True, slots=True)
class Prefetches:
    """How often contexts were made beforehand, and what came of it. Times are in milliseconds."""

    prepared: int = 0
    served: int = 0
    wasted: int = 0
    prepared_ms: float = 0.0
    wasted_ms: float = 0.0


def append(database: Database, checkout: str, seen: Sequence[Event], *, after: int | None = None) -> tuple[Event, ...]:
    """Write events down in one transaction; returns them with their numbers.

    `after` is the newest number where the caller knows it; without it the store is asked.
    """
    if not seen:
        return ()
    with database.write(quiet=True) as connection:
        if after is None:
            row = connection.execute(_LAST, {"checkout": checkout}).fetchone()
            after = int(row[0]) if row else 0
        numbered = tuple(replace(event, number=after + place) for place, event in enumerate(seen, start=1))
        rows = [_row(checkout, event) for event in numbered]
        if len(rows) == 1:  # the common case: plain values are bound twice as fast as columns
            connection.execute(_INSERT, dict(zip(_NAMES, rows[0], strict=True)))
        else:
            insert_rows(connection, "events", _COLUMNS, rows)
        newest = numbered[-1].number
        if after // PRUNE_EVERY != newest // PRUNE_EVERY:
            connection.execute(_PRUNE, {"checkout": checkout, "upto": newest - EVENTS_KEPT})
    return numbered


_NAMES = ("checkout", *_COLUMNS[1:])


def newest(database: Database, checkout: str, limit: int) -> tuple[Event, ...]:
    """The newest events of a checkout, oldest first."""
    rows = database.rows(_NEWEST, {"checkout": checkout, "limit": limit})
    return tuple(_event(row) for row in reversed(rows))


def serve(database: Database, checkout: str, serving: Serving) -> None:
    """Note a context that was served; from time to time the oldest are forgotten."""
    given = {
        "checkout": checkout,
        "after": serving.after,
        "noted_at": serving.at,
        "path": clean(serving.path)[:TEXT_CHARACTERS],
        "items": json.dumps(dict(serving.items)),
        "files": None if serving.files is None else [clean(path) for path in serving.files],
    }
    with database.write(quiet=True) as connection:
        connection.execute(_SERVE, given)
        row = connection.execute(_COUNT_SERVED, {"checkout": checkout}).fetchone()
        if row is not None and row[0] >= 2 * SERVINGS_KEPT:
            connection.execute(_PRUNE_SERVED, {"checkout": checkout, "kept": SERVINGS_KEPT})


def servings(database: Database, checkout: str, limit: int) -> tuple[Serving, ...]:
    """The newest served contexts of a checkout, oldest first."""
    rows = database.rows(_SERVED, {"checkout": checkout, "limit": limit})
    return tuple(
        Serving(
            *(after, at, path),
            {id_: tuple(about) for id_, about in json.loads(items).items()},
            None if files is None else tuple(files),
        )
        for after, at, path, items, files in reversed(rows)
    )


def count_prefetches(database: Database, checkout: str, more: Prefetches) -> None:
    """Add to what is counted of contexts made beforehand."""
    given = {
        "checkout": checkout,
        "prepared": more.prepared,
        "served": more.served,
        "wasted": more.wasted,
        "prepared_ms": more.prepared_ms,
        "wasted_ms": more.wasted_ms,
    }
    database.change(_COUNT_PREFETCH, given, quiet=True)


def prefetches(database: Database, checkout: str) -> Prefetches:
    """What is counted of contexts made beforehand."""
    row = database.row(_PREFETCHES, {"checkout": checkout})
    return Prefetches() if row is None else Prefetches(*row)


def _event(row: tuple[Any, ...]) -> Event:
    number, noted_at, what, path, symbol, line, unindexed, errors, warnings, exit_code, branch, people = row
    return Event(
        number=number,
        at=noted_at,
        what=Happening(what),
        path=path,
        symbol=symbol,
        line=line,
        unindexed=unindexed,
        errors=errors,
        warnings=warnings,
        exit_code=exit_code,
        branch=branch,
        people=tuple(people),
    )


def _row(checkout: str, event: Event) -> tuple[object, ...]:
    return (
        checkout,
        event.number,
        event.at,
        event.what.value,
        clean(event.path)[:TEXT_CHARACTERS],
        clean(event.symbol)[:TEXT_CHARACTERS],
        event.line,
        event.unindexed,
        event.errors,
        event.warnings,
        event.exit_code,
        clean(event.branch)[:TEXT_CHARACTERS],
        [clean(name)[:TEXT_CHARACTERS] for name in event.people[:PEOPLE_MOST]],
    )
