"""Errors from the moment they are seen until they are gone, with how the checkout stood at both ends."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from companion.records import Frame
from companion.store.bulk import insert_rows

if TYPE_CHECKING:
    from companion.store.database import Database

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


@dataclass(frozen=True, slots=True)
class Fix:
    """What was changed between an error and its absence. `says` is that in words; paths are of the repository.

    `lines` are changed lines that are in no commit yet, redacted.
    """

    says: str
    commit: str = ""
    paths: tuple[str, ...] = ()
    lines: str = ""
    verified: bool = False


@dataclass(frozen=True, slots=True)
class Sighting:
    """An error, seen from `first_seen_at` on in one place: a command with its folder, or a diagnosed file.

    `dirty` maps the paths that differed from `head` when it was last seen to the blob ids they had.
    """

    id: str
    project: str
    checkout: str
    fingerprint: str
    via: Via
    place: str
    first_seen_at: datetime
    last_seen_at: datetime
    times: int
    tool: str
    error_type: str
    message: str
    frames: tuple[Frame, ...] = ()
    symbols: tuple[str, ...] = ()
    branch: str = ""
    head: str = ""
    dirty: Mapping[str, str] = field(default_factory=dict)
    gone_at: datetime | None = None
    ending: Ending = Ending.OPEN
    fix: Fix | None = None


_COLUMNS = (
    *("id", "project_id", "checkout_id", "fingerprint", "via", "place", "first_seen_at", "last_seen_at", "times"),
    *("tool", "error_type", "message", "frames", "symbols", "branch", "head", "dirty"),
)

_READ = (
    *("id", "project", "checkout", "fingerprint", "via", "place", "first_seen_at", "last_seen_at", "times"),
    *("tool", "error_type", "message", "frames", "symbols", "branch", "head", "dirty", "gone_at", "ending"),
)
"""Fields of a sighting in the order of `_SELECT`; its fix follows."""

_SEEN_AGAIN = """
update sightings
set
    last_seen_at = $now,
    times = times + 1,
    branch = $branch,
    head = $head,
    dirty = $dirty,
    frames = $frames,
    message = $message
where id = $id
"""

_GONE = """
update sightings
set
    gone_at = $now,
    outcome = $ending,
    fix = $fix,
    fix_commit = $fix_commit,
    fix_paths = $fix_paths,
    fix_lines = $fix_lines,
    verified = $verified
where id = $id
"""

_DROP = "delete from sightings where id = $id"

_SELECT = """
select
    id, project_id, checkout_id, fingerprint, via, place, first_seen_at, last_seen_at, times,
    tool, error_type, message, frames::varchar, symbols::varchar, branch, head, dirty::varchar,
    gone_at, outcome, fix, fix_commit, fix_paths::varchar, fix_lines, verified
from sightings
"""

_OPEN_AT = f"""{_SELECT}
where checkout_id = $checkout
    and via = $via
    and place = $place
    and gone_at is null
    and last_seen_at >= $since
order by first_seen_at, id
"""

_OPEN_LATELY = f"""{_SELECT}
where checkout_id = $checkout
    and gone_at is null
    and last_seen_at >= $since
    and (via = 'command' or first_seen_at <= $stood_at)
order by last_seen_at desc, id
limit $limit
"""

_OF_ERROR = f"""{_SELECT}
where project_id = $project
    and fingerprint = $fingerprint
order by last_seen_at desc, id
limit $limit
"""


def sighting_id(checkout: str, fingerprint: str, place: str, first_seen_at: datetime) -> str:
    """The id of a sighting that begins at a moment."""
    said = "\x1f".join((checkout, fingerprint, place, first_seen_at.isoformat()))
    return "s1" + hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:30]


def open_at(database: Database, checkout: str, via: Via, place: str, now: datetime) -> tuple[Sighting, ...]:
    """The errors of a place that are not gone yet, oldest first."""
    asked = {"checkout": checkout, "via": via.value, "place": place, "since": now - OPEN_FOR}
    return tuple(_sighting(row) for row in database.rows(_OPEN_AT, asked))


def open_lately(
    database: Database, checkout: str, since: datetime, stood_at: datetime, limit: int
) -> tuple[Sighting, ...]:
    """Errors seen since a moment and not gone, newest first; diagnostics only if they stood at `stood_at` already."""
    asked = {"checkout": checkout, "since": since, "stood_at": stood_at, "limit": limit}
    return tuple(_sighting(row) for row in database.rows(_OPEN_LATELY, asked))


def of_error(database: Database, project: str, fingerprint: str) -> tuple[Sighting, ...]:
    """When an error was seen, newest first."""
    asked = {"project": project, "fingerprint": fingerprint, "limit": KEPT}
    return tuple(_sighting(row) for row in database.rows(_OF_ERROR, asked))


def begin(database: Database, one: Sighting) -> None:
    """Keep an error that was not there before."""
    row = (
        *(one.id, one.project, one.checkout, one.fingerprint, one.via.value, one.place),
        *(one.first_seen_at, one.last_seen_at, one.times, one.tool, one.error_type, one.message),
        *(_frames_text(one.frames), json.dumps(one.symbols), one.branch, one.head, json.dumps(dict(one.dirty))),
    )
    with database.write(quiet=True) as connection:
        connection.execute(_DROP, {"id": one.id})
        insert_rows(connection, "sightings", _COLUMNS, [row])


def seen_again(database: Database, one: Sighting) -> None:
    """An open error was met once more: `one` is how the checkout stands now."""
    given = {
        "id": one.id,
        "now": one.last_seen_at,
        "branch": one.branch,
        "head": one.head,
        "dirty": json.dumps(dict(one.dirty)),
        "frames": _frames_text(one.frames),
        "message": one.message,
    }
    database.change(_SEEN_AGAIN, given, quiet=True)


def end(database: Database, id_: str, ending: Ending, fix: Fix, now: datetime) -> None:
    """An error is gone."""
    given = {
        "id": id_,
        "now": now,
        "ending": ending.value,
        "fix": fix.says,
        "fix_commit": fix.commit,
        "fix_paths": json.dumps(fix.paths),
        "fix_lines": fix.lines,
        "verified": fix.verified,
    }
    database.change(_GONE, given, quiet=True)


def drop(database: Database, id_: str) -> None:
    """An error was none: it stood for a moment while somebody typed."""
    database.change(_DROP, {"id": id_}, quiet=True)


def _frames_text(frames: Sequence[Frame]) -> str:
    return json.dumps([[frame.path, frame.line, frame.symbol, frame.inside] for frame in frames])


def _sighting(row: tuple[Any, ...]) -> Sighting:
    fix = None
    if row[17] is not None:
        fix = Fix(row[19], row[20], tuple(json.loads(row[21] or "[]")), row[22], bool(row[23]))
    given = dict(zip(_READ, row[:19], strict=True))
    return Sighting(
        **given
        | {
            "via": Via(row[4]),
            "frames": tuple(Frame(*frame) for frame in json.loads(row[12])),
            "symbols": tuple(json.loads(row[13])),
            "dirty": json.loads(row[16]),
            "ending": Ending(row[18]),
            "fix": fix,
        }
    )
