"""A project's history in memory, as it stands or was known at a moment: who changes with whom, what changed lately.

The present is read from the tables in a few tens of milliseconds and kept until a commit is added; after that a
question costs a tenth of a millisecond, where DuckDB takes five or ten. An earlier moment is counted from its commits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from companion.ports import FileOwner, Neighbour, Recent
from companion.ports.composing import composed
from companion.store.database import Database
from companion.store.history.changes import Changes, read_changes
from companion.store.history.counting import COUNTED_OWNERS, COUNTED_PAIRS
from companion.store.keeping import VersionedCache
from companion.store.rows import As, Query, tuples
from companion.store.statements import execute

SIGNIFICANT_DIGITS = 9
"""Weights are compared to so many digits: sums in parallel differ in the last ones from run to run."""
READINGS_KEPT = 64
"""What is kept of projects and earlier moments, five of each: a store has a few, and a look back is at one moment."""
NEIGHBOURS_KEPT = 256
"""Files whose neighbours are kept, those of forty contexts: at most 200 each, 20 kB."""

_EXTENT = """
select coalesce(max(seq), 0), count(*), count(*) filter (where gone), any_value(s.half_life)
from commits
left join (select half_life from history_state where project_id = $project) s on true
where project_id = $project
    and ($until::timestamp is null or committed_at <= $until::timestamp and not gone)
"""


_KEPT = {
    "cochange": "(from cochange where project_id = $project)",
    "ownership": composed("({counted})", counted=composed(COUNTED_OWNERS, which="seq > 0")),
    "history_files": "(from history_files where project_id = $project)",
}
"""What is kept of the present; owners are counted in as many milliseconds as reading them would take."""

_UNTIL = {
    "which": "committed_at <= $until",
    "reference": "(select max(seq) from commits where project_id = $project and committed_at <= $until)",
}

_COUNTED = {
    "cochange": composed("({counted})", counted=composed(COUNTED_PAIRS, **_UNTIL)),
    "ownership": composed("({counted})", counted=composed(COUNTED_OWNERS, which=_UNTIL["which"])),
    "history_files": """(
    select
        t.file_id, arg_max(t.path, t.seq) as path, arg_max(t.status, t.seq) <> 'D' as alive, max(t.seq) as last_seq,
        count(*) as commits
    from touches t
    join commits c on c.project_id = t.project_id and c.seq = t.seq
    where t.project_id = $project
        and not c.gone
        and c.committed_at <= $until
    group by t.file_id
)""",
}
"""The same of the commits that were known at a moment."""

_PAIRS = """
select file_a, file_b, weight, together, last_seq
from {cochange}
order by file_a, file_b
"""

_FILES = """
select file_id, path, alive, last_seq, commits
from {history_files}
order by file_id
"""

_OWNERS = """
select f.path, o.person, o.email, o.commits
from {ownership} o
join {history_files} f on f.file_id = o.file_id
where f.alive
order by o.commits desc, o.email
"""

_SUBJECTS = """
select seq, subject
from commits
where project_id = $project
    and seq in (select last_seq from {cochange})
"""


class _Asked(NamedTuple):
    """The questions that a snapshot is made of, to be asked of some tables."""

    pairs: str
    files: str
    subjects: str
    owners: Query[FileOwner]

    @classmethod
    def of(cls, tables: Mapping[str, str]) -> _Asked:
        """The questions to these tables."""
        pairs, files, subjects, owners = (composed(one, **tables) for one in (_PAIRS, _FILES, _SUBJECTS, _OWNERS))
        shared = {"person": As.SHARED, "email": As.SHARED}
        return cls(pairs, files, subjects, Query(FileOwner, owners, shared, many=True))


_NOW, _THEN = _Asked.of(_KEPT), _Asked.of(_COUNTED)


class Snapshot(Struct, frozen=True, eq=False):
    """One project's history. `paths`, their `order` and `live` are by file number; pairs are sorted by `file_a`."""

    newest: int
    paths: tuple[str, ...]
    order: npt.NDArray[np.int64]
    live: npt.NDArray[np.bool_]
    ids: dict[str, int]
    recent: tuple[Recent, ...]
    starts: npt.NDArray[np.int64]
    partners: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    together: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]

    def partners_of(self, paths: Sequence[str], limit: int) -> list[tuple[str, float, int, int]]:
        """Path, weight, common commits and latest common commit of what changed with any of `paths`."""
        asked = sorted({self.ids[path] for path in paths if path in self.ids})
        spans = [np.arange(self.starts[file_id], self.starts[file_id + 1]) for file_id in asked]
        if not spans:
            return []
        rows = np.concatenate(spans)
        others, place = np.unique(self.partners[rows], return_inverse=True)
        weights = np.bincount(place, self.weights[rows], minlength=len(others))
        together = np.bincount(place, self.together[rows], minlength=len(others))
        last = np.zeros(len(others), dtype=np.int64)
        np.maximum.at(last, place, self.last[rows])
        wanted = self.live[others] & ~np.isin(others, asked)
        top = float(weights[wanted].max()) if wanted.any() else 0.0
        if not top:
            return []
        keys = np.round(weights / top, SIGNIFICANT_DIGITS)
        best = np.flatnonzero(wanted)
        best = best[np.lexsort((self.order[others[best]], -keys[best]))][:limit]
        named = [self.paths[other] for other in others[best].tolist()]
        return list(
            zip(
                named,
                weights[best].tolist(),
                together[best].astype(np.int64).tolist(),
                last[best].tolist(),
                strict=True,
            )
        )


class Snapshots:
    """Snapshots of each project: of the present, made when first asked for and when history has grown, and of moments.

    `until` is the moment up to which commits are known; None: the present.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept = VersionedCache(READINGS_KEPT)

    def of(self, project: str, until: datetime | None = None) -> Snapshot:
        """The project's history."""
        extent = partial(self._as_of_its_extent, project, until)
        return self._kept(("now", project, until), self._database.revision, extent)

    def _as_of_its_extent(self, project: str, until: datetime | None) -> Snapshot:
        (extent,) = tuples(self._database, _EXTENT, project=project, until=until)
        load = partial(self._load, project, until, extent[0])
        return self._kept(("snapshot", project, until), extent, load)

    def cochanged(
        self, project: str, paths: Sequence[str], limit: int, until: datetime | None = None
    ) -> tuple[Neighbour, ...]:
        """At most `limit` other files that changed together with any of `paths`, of greatest decayed weight first."""
        snapshot = self.of(project, until)
        made = partial(self._neighbours, project, until, snapshot)
        neighbours = self._kept(("neighbours", project, until), snapshot, made)
        return neighbours(tuple(paths), max(0, limit))

    def owners(self, project: str, path: str, until: datetime | None = None) -> tuple[FileOwner, ...]:
        """Who has worked on a file, by address; who made most commits first."""
        read = partial(_asked(until).owners.by, self._database, "path", **_given(project, until))
        owned = self._kept(("owners", project, until), self.of(project, until), read)
        return tuple(owned.get(path, ()))

    def changes(self, project: str) -> Changes:
        """The newest commits, each with what it belongs to and what it changed."""
        snapshot = self.of(project)
        return self._kept(
            ("changes", project), snapshot, lambda: read_changes(self._database, project, snapshot.newest)
        )

    def _neighbours(
        self, project: str, until: datetime | None, snapshot: Snapshot
    ) -> Callable[[tuple[str, ...], int], tuple[Neighbour, ...]]:
        """What answers `cochanged` as of a snapshot; the last answers are kept."""
        found = tuples(self._database, _asked(until).subjects, **_given(project, until))
        named: dict[int, str] = dict(found)

        @lru_cache(maxsize=NEIGHBOURS_KEPT)
        def neighbours(paths: tuple[str, ...], limit: int) -> tuple[Neighbour, ...]:
            return tuple(
                Neighbour(path, weight, together, named.get(last, ""))
                for path, weight, together, last in snapshot.partners_of(paths, limit)
            )

        return neighbours

    def _load(self, project: str, until: datetime | None, newest: int) -> Snapshot:
        asked, given = _asked(until), _given(project, until)
        with self._database.read() as connection:
            pairs = execute(connection, asked.pairs, given).fetchnumpy()
            files = tuples(connection, asked.files, **given)  # after the pairs: who writes meanwhile adds files
        size = max((file_id for file_id, *_ in files), default=0) + 1
        paths = [""] * size
        live = np.zeros(size, dtype=np.bool_)
        for file_id, path, alive, _, _ in files:
            paths[file_id], live[file_id] = path, alive
        recent = sorted(
            (Recent(path, newest - last, count) for _, path, alive, last, count in files if alive),
            key=lambda one: (one.commits_ago, one.path),
        )
        order = np.empty(size, dtype=np.int64)
        order[sorted(range(size), key=paths.__getitem__)] = np.arange(size)
        first = np.asarray(pairs["file_a"], dtype=np.int64)
        return Snapshot(
            newest=newest,
            paths=tuple(paths),
            order=order,
            live=live,
            ids={path: file_id for file_id, path, alive, _, _ in files if alive},
            recent=tuple(recent),
            starts=np.searchsorted(first, np.arange(size + 1)),
            partners=np.asarray(pairs["file_b"], dtype=np.int64),
            weights=np.asarray(pairs["weight"], dtype=np.float64),
            together=np.asarray(pairs["together"], dtype=np.int64),
            last=np.asarray(pairs["last_seq"], dtype=np.int64),
        )


def _asked(until: datetime | None) -> _Asked:
    return _NOW if until is None else _THEN


def _given(project: str, until: datetime | None) -> dict[str, object]:
    return {"project": project} | ({} if until is None else {"until": until})
