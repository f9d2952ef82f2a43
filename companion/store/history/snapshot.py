"""The present of a project's history in memory: who changes with whom, and what changed lately.

Read from the tables in a few tens of milliseconds and kept until a commit is added; after that a
question costs a tenth of a millisecond, where DuckDB takes five or ten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from companion.ports import FileOwner, Neighbour, Recent
from companion.store.by_columns import rows_where
from companion.store.database import Database
from companion.store.history.changes import Changes, read_changes
from companion.store.history.past import SIGNIFICANT_DIGITS, shares
from companion.store.keeping import VersionedCache
from companion.store.rows import As, Table, tuples
from companion.store.statements import execute

NEIGHBOURS_KEPT = 256
"""Files whose neighbours are kept, those of forty contexts: at most 200 each, 20 kB."""

_EXTENT = """
select coalesce(max(seq), 0), count(*), count(*) filter (where gone), any_value(s.half_life)
from commits
left join (select half_life from history_state where project_id = $project) s on true
where project_id = $project
"""

_PAIRS = """
select file_a, file_b, weight, together, last_seq
from cochange
where project_id = $project
order by file_a, file_b
"""

_SUBJECTS = """
select seq, sha, subject
from commits
where project_id = $project
    and seq in (select last_seq from cochange where project_id = $project)
"""

_OWNERS = Table(FileOwner, "ownership", {"person": As.SHARED, "email": As.SHARED, "share": "weight"}, many=True).select(
    """
join history_files f on f.project_id = ownership.project_id and f.file_id = ownership.file_id
where ownership.project_id = $project and f.alive
""",
    "f.path",
)


class Snapshot(Struct, frozen=True, eq=False):
    """One project's present. `paths`, their `order` and `live` are by file number; pairs are sorted by `file_a`."""

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
    """The newest snapshot of each project, made when first asked for and when history has grown."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept = VersionedCache()

    def of(self, project: str) -> Snapshot:
        """The project's history as it stands."""
        return self._kept(("now", project), self._database.revision, lambda: self._as_of_its_extent(project))

    def _as_of_its_extent(self, project: str) -> Snapshot:
        (extent,) = tuples(self._database, _EXTENT, project=project)
        return self._kept(("snapshot", project), extent, lambda: self._load(project, extent[0]))

    def cochanged(self, project: str, paths: Sequence[str], limit: int) -> tuple[Neighbour, ...]:
        """At most `limit` other files that changed together with any of `paths`, of greatest decayed weight first."""
        snapshot = self.of(project)
        neighbours = self._kept(("neighbours", project), snapshot, lambda: self._neighbours(project, snapshot))
        return neighbours(tuple(paths), max(0, limit))

    def owners(self, project: str, path: str, limit: int) -> tuple[FileOwner, ...]:
        """Who has worked on a file, by their share of its decayed commits."""
        owned = self._kept(
            ("owners", project), self.of(project), lambda: _OWNERS.by(self._database, "path", project=project)
        )
        return shares(owned.get(path, ()))[: max(0, limit)]

    def changes(self, project: str) -> Changes:
        """The newest commits, each with what it belongs to and what it changed."""
        snapshot = self.of(project)
        return self._kept(
            ("changes", project), snapshot, lambda: read_changes(self._database, project, snapshot.newest)
        )

    def _neighbours(self, project: str, snapshot: Snapshot) -> Callable[[tuple[str, ...], int], tuple[Neighbour, ...]]:
        """What answers `cochanged` as of a snapshot; the last answers are kept."""
        named = {seq: (sha, subject) for seq, sha, subject in tuples(self._database, _SUBJECTS, project=project)}

        @lru_cache(maxsize=NEIGHBOURS_KEPT)
        def neighbours(paths: tuple[str, ...], limit: int) -> tuple[Neighbour, ...]:
            return tuple(
                Neighbour(path, weight, together, *named.get(last, ("", "")))
                for path, weight, together, last in snapshot.partners_of(paths, limit)
            )

        return neighbours

    def _load(self, project: str, newest: int) -> Snapshot:
        with self._database.read() as connection:
            pairs = execute(connection, _PAIRS, {"project": project}).fetchnumpy()
            columns = "file_id, path, alive, last_seq, commits"  # after the pairs: who writes meanwhile adds files
            files = rows_where(connection, "history_files", columns, order="file_id", project_id=project)
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
