"""What a search filters and sorts memories by, packed: one fixed-size record for each document.

Held as one array, 100,000 memories are filtered in well under a millisecond. Names (persona,
branch, path, language) are kept as 64-bit hashes, where two of a store meeting is out of the question.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import PurePosixPath

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from companion.records import Episode, Kind, Memory, SearchQuery, Status, Visibility
from companion.records.search import State

Table = npt.NDArray[np.void]
Flags = npt.NDArray[np.bool_]

_EPOCH = datetime(1970, 1, 1)
EVER = np.iinfo(np.int64).max
NEVER = np.iinfo(np.int64).min

MEMORY = np.dtype(
    [
        ("created", "<i8"),
        ("ended", "<i8"),
        ("about", "<i8"),
        ("valid_from", "<i8"),
        ("valid_to", "<i8"),
        ("persona", "<u8"),
        ("branch", "<u8"),
        ("checkout", "<u8"),
        ("path", "<u8"),
        ("language", "<u8"),
        ("texts", "<u8", 2),
        ("state", "<i8"),
        ("confidence", "<f4"),
        ("cited", "<u4"),
        ("kind", "u1"),
        ("visibility", "u1"),
        ("importance", "u1"),
        ("pinned", "u1"),
        ("active", "u1"),
    ]
)
"""Times in microseconds since 1970; `ended` is when it was archived or superseded; `texts` are the keys
of what is embedded of it, 0 for none; `state` is the document's: what was read at another one is no more true."""

_PACKED = struct.Struct("<5q7QqfI5B")
"""The same layout, written much faster than numpy writes one row."""

_KINDS = {kind: number for number, kind in enumerate(Kind)}
_VISIBILITIES = {visibility: number for number, visibility in enumerate(Visibility)}


class Viewer(Struct, frozen=True):
    """Who reads: memories of another persona, branch or checkout, or of later than `as_of`, do not exist."""

    branch: str = ""
    persona: str = ""
    as_of: datetime | None = None
    checkout: str = ""

    def sees(self, memory: Memory) -> bool:
        """Whether a memory's persona, branch and checkout let it be seen."""
        draft = memory.draft
        return (
            draft.persona in {"", self.persona}
            and draft.scope.branch in {"", self.branch}
            and memory.checkout in {"", self.checkout}
        )


def pack(memory: Memory, state: int, ended_at: datetime | None, texts: Sequence[int]) -> bytes:
    """The facets of a memory; `ended_at` is when it was archived or superseded, if it was.

    `texts` are the keys of at most two texts.
    """
    draft = memory.draft
    active = memory.status is Status.ACTIVE and not memory.superseded_by
    ended = EVER if active else NEVER if ended_at is None else micros(ended_at)
    return _PACKED.pack(
        micros(memory.created_at),
        ended,
        micros(about(memory)),
        NEVER if draft.valid_from is None else micros(draft.valid_from),
        EVER if draft.valid_to is None else micros(draft.valid_to),
        name_hash(draft.persona),
        name_hash(draft.scope.branch),
        name_hash(memory.checkout),
        name_hash(draft.scope.path),
        name_hash(draft.scope.language.lower()),
        *(*texts, 0, 0)[:2],
        state,
        draft.confidence,
        memory.usage.cited,
        _KINDS[draft.kind],
        _VISIBILITIES[draft.visibility],
        int(draft.importance),
        draft.pinned,
        active,
    )


def about(memory: Memory) -> datetime:
    """The time a memory is about: when it happened, else since when it is true, else when it was learned.

    What begins to hold later is about the day that it was told on.
    """
    if isinstance(memory.draft.body, Episode):
        return memory.draft.body.occurred_at
    return min(memory.draft.valid_from or memory.created_at, memory.created_at)


def visible(table: Table, reader: Viewer, *, archived: bool = False) -> Flags:
    """Which memories a reader sees; archived and superseded ones only if asked for."""
    seen = _one_of(table["persona"], reader.persona) & _one_of(table["branch"], reader.branch)
    seen &= _one_of(table["checkout"], reader.checkout)
    if reader.as_of is not None:
        moment = micros(reader.as_of)
        seen &= table["created"] <= moment
        return seen if archived else seen & (table["ended"] > moment)
    return seen if archived else seen & (table["active"] == 1)


def matching(table: Table, query: SearchQuery) -> Flags | None:
    """Which memories a query's filters allow, other than who reads and entities; None: all."""
    tests: list[Flags] = []
    if query.kinds:
        tests.append(np.isin(table["kind"], [_KINDS[kind] for kind in query.kinds]))
    if query.visibility:
        tests.append(np.isin(table["visibility"], [_VISIBILITIES[one] for one in query.visibility]))
    if query.scope_path:
        names = [name_hash(path) for path in ("", *ancestors(query.scope_path))]
        tests.append(np.isin(table["path"], np.array(names, dtype=np.uint64)))
    if query.scope_language:
        tests.append(_one_of(table["language"], query.scope_language.lower()))
    if query.since is not None:
        tests.append(table["about"] >= micros(query.since))
    if query.until is not None:
        tests.append(table["about"] <= micros(query.until))
    if query.valid_at is not None:
        moment = micros(query.valid_at)
        tests.append((table["valid_from"] <= moment) & (table["valid_to"] > moment))
    if query.state is State.PINNED:
        tests.append(table["pinned"] == 1)
    if query.state is State.ARCHIVED:
        tests.append(table["active"] == 0)
    return np.logical_and.reduce(tests) if tests else None


def ancestors(path: str) -> tuple[str, ...]:
    """The path itself and the folders above it, nearest first, the root left out."""
    plain = PurePosixPath(path)
    return tuple(p for p in (str(plain), *(str(parent) for parent in plain.parents)) if p not in {".", "/"})


def name_hash(name: str) -> int:
    """64 bits of a name, 0 for the empty one."""
    if not name:
        return 0
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def micros(moment: datetime) -> int:
    """Microseconds since 1970 of a naive UTC time."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def _one_of(column: npt.NDArray[np.uint64], name: str) -> Flags:
    """Rows for everyone, and those of one name."""
    everyone: Flags = column == 0
    if not name:
        return everyone
    theirs: Flags = column == np.uint64(name_hash(name))
    return everyone | theirs
