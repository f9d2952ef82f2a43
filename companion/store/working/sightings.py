"""Errors from the moment they are seen until they are gone, with how the checkout stood at both ends."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum

from msgspec import Struct, field

from companion.records import ErrorReport
from companion.store.by_columns import delete_where
from companion.store.database import Database
from companion.store.rows import As, Sql, Table
from companion.store.statements import execute
from companion.store.texts import hashed_id

OPEN_FOR = timedelta(days=30)
"""An error that nobody met for so long is not waited for: whoever fixed it did so by another command."""
KEPT = 50
"""Sightings read of one error: the newest say all that is told of it."""


class Via(StrEnum):
    """Who reported an error."""

    COMMAND = "command"
    DIAGNOSTICS = "diagnostics"


class Ending(StrEnum):
    """Whether anything was changed before an error was gone; open while it is not."""

    OPEN = ""
    CHANGED = "changed"
    UNCHANGED = "unchanged"


class Fix(Struct, frozen=True):
    """What was changed between an error and its absence. `says` is that in words; paths are of the repository.

    `lines` are changed lines that are in no commit yet, redacted.
    """

    says: str
    commit: str = ""
    paths: tuple[str, ...] = ()
    lines: str = ""
    verified: bool = False


class Sighting(Struct, frozen=True):
    """An error, seen from `first_seen_at` on in one place: a command with its folder, or a diagnosed file.

    `dirty` maps the paths that differed from `head` when it was last seen to the blob ids they had.
    """

    id: str
    project: str
    checkout: str
    report: ErrorReport
    via: Via
    place: str
    first_seen_at: datetime
    last_seen_at: datetime
    times: int
    branch: str = ""
    head: str = ""
    dirty: Mapping[str, str] = field(default_factory=dict)
    gone_at: datetime | None = None
    ending: Ending = Ending.OPEN
    fix: Fix | None = None


SIGHTINGS = Table(
    Sighting,
    "sightings",
    {
        "report": "",
        "report.frames": As.PACKED,
        "ending": "outcome",
        "fix": Sql("""
    if(
        gone_at is null,
        null,
        json_object(
            'says', fix, 'commit', fix_commit, 'paths', coalesce(fix_paths, '[]'), 'lines', fix_lines,
            'verified', verified
        )
    )"""),
    },
)

_OPEN_AT = SIGHTINGS.select("""
where checkout_id = $checkout
    and via = $via
    and place = $place
    and gone_at is null
    and last_seen_at >= $since
order by first_seen_at, id
""")

_OPEN_LATELY = SIGHTINGS.select("""
where checkout_id = $checkout
    and gone_at is null
    and last_seen_at >= $since
    and (via = 'command' or first_seen_at <= $stood_at)
order by last_seen_at desc, id
limit $limit
""")


def sighting_id(checkout: str, fingerprint: str, place: str, first_seen_at: datetime) -> str:
    """The id of a sighting that begins at a moment."""
    return hashed_id("s1", checkout, fingerprint, place, first_seen_at.isoformat())


def open_at(database: Database, checkout: str, via: Via, place: str, now: datetime) -> tuple[Sighting, ...]:
    """The errors of a place that are not gone yet, oldest first."""
    return _OPEN_AT.all(database, checkout=checkout, via=via, place=place, since=now - OPEN_FOR)


def open_lately(
    database: Database, checkout: str, since: datetime, stood_at: datetime, limit: int
) -> tuple[Sighting, ...]:
    """Errors seen since a moment and not gone, newest first; diagnostics only if they stood at `stood_at` already."""
    return _OPEN_LATELY.all(database, checkout=checkout, since=since, stood_at=stood_at, limit=limit)


def of_error(database: Database, project: str, fingerprint: str) -> tuple[Sighting, ...]:
    """When an error was seen, newest first."""
    newest_first = "last_seen_at desc, id"
    return SIGHTINGS.where(database, order=newest_first, limit=KEPT, project_id=project, fingerprint=fingerprint)


def begin(database: Database, one: Sighting) -> None:
    """Keep an error that was not there before."""
    with database.write(quiet=True) as connection:
        delete_where(connection, "sightings", id=one.id)
        SIGHTINGS.insert(connection, [one])


def seen_again(database: Database, one: Sighting) -> None:
    """An open error was met once more: `one` is how the checkout stands now."""
    moved = ("last_seen_at", "branch", "head", "dirty", "report.frames", "report.message")
    with database.write(quiet=True) as connection:
        SIGHTINGS.refresh(connection, [one], *moved)
        execute(connection, "update sightings set times = times + 1 where id = $id", {"id": one.id})


def end(database: Database, id_: str, ending: Ending, fix: Fix, now: datetime) -> None:
    """An error is gone."""
    what = {"fix": fix.says, "fix_commit": fix.commit, "fix_paths": json.dumps(fix.paths), "fix_lines": fix.lines}
    with database.write(quiet=True) as connection:
        SIGHTINGS.change(connection, id_, gone_at=now, outcome=ending, verified=fix.verified, **what)


def drop(database: Database, id_: str) -> None:
    """An error was none: it stood for a moment while somebody typed."""
    with database.write(quiet=True) as connection:
        delete_where(connection, "sightings", id=id_)
