"""Vectors of passages: which still want one, and which are near a question. By words all is found without them."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from companion.ports import Embedder
from companion.records import PassageHit
from companion.store import projects
from companion.store.database import Database
from companion.store.keeping import VersionedCache
from companion.store.passages.index import PassageIndex
from companion.store.passages.meaning import meaning_of
from companion.store.rows import column
from companion.store.text.documents import commit_space, file_space, text_hash, text_key
from companion.store.vectors.packed import VectorFile, file_name, keep_only
from companion.store.vectors.vector_rows import Floats

MEANINGS_MOST = 200_000
"""Vectors of one project, the most useful: 150 MB on disk, and two hours of background work."""
LOOKED_UP = 1_024
"""Texts looked up at a time: what else wants a vector meanwhile does not wait for more."""
FOLDER = "passage-vectors"

_MOST_USED = """
with linked as (
    select target as path, count(distinct source) as sources
    from links
    where checkout_id = $checkout
        and source <> target
    group by target
),
changed as (
    select path, max(last_seq) as last_seq
    from history_files
    where project_id = $project
        and alive
    group by path
)
select code_files.path
from code_files
left join linked using (path)
left join changed using (path)
where checkout_id = $checkout
order by coalesce(sources, 0) desc, last_seq desc nulls first, code_files.path
"""
"""The files of a checkout, most used first: those that most others link to, which is known before anybody has asked.
Among equals, as nearly all documents are, what changed last comes first. Which passages were shown is not recorded."""


class PassageVectors:
    """The vectors of the passages of a store, a file for each project and model."""

    def __init__(self, database: Database, index: PassageIndex) -> None:
        """Nothing is read before it is asked."""
        self._database, self._index = database, index
        self._folder = database.home / FOLDER
        self._files: dict[str, VectorFile] = {}
        self._known = VersionedCache()
        self._lock = threading.Lock()

    def of(self, project: str, model: str, dimension: int) -> VectorFile:
        """The vectors of a project by one model."""
        name = file_name(project, model)
        with self._lock:
            if name not in self._files:
                self._files[name] = VectorFile(self._folder, name, model, dimension)
            return self._files[name]

    def pending(self, project: str, model: str, limit: int, dimension: int) -> list[tuple[str, str]]:
        """Hash and text of what has no vector yet, the most useful first; not all at once."""
        there = set(self.of(project, model, dimension).keys().tolist())
        lacking = [key for key in self._wanted(project) if key not in there][: min(limit, LOOKED_UP)]
        return [(text_hash(text), text) for text in self._index.meant(lacking) if text]

    def keep(self, project: str, model: str, hashes: Sequence[str], matrix: Floats) -> None:
        """Keep the vectors of some texts, one row for each hash that `pending` gave. Raises OSError."""
        self.of(project, model, matrix.shape[1]).add(np.array([text_key(one) for one in hashes], np.uint64), matrix)

    def index_some(self, project: str, model: str, dimension: int, vectors: int) -> bool:
        """Take at most so many vectors into the index, where they are many; whether there is more to do."""
        return self.of(project, model, dimension).index_some(vectors)

    def finish(self, project: str, model: str, dimension: int) -> None:
        """All texts have a vector: drop those that nobody needs."""
        wanted, name = self._wanted(project), file_name(project, model)
        with self._lock:
            others = [one for one in self._files if one.startswith(f"{project}-") and one != name]
            for old in others:
                del self._files[old]
        keep_only(self._folder, project, name)
        self.of(project, model, dimension).retain(np.array(wanted, np.uint64))

    def extent(self, project: str, model: str, dimension: int) -> tuple[int, int]:
        """How many texts are to have a vector, and how many have one."""
        keys = np.array(self._wanted(project), np.uint64)
        return len(keys), int(np.isin(keys, self.of(project, model, dimension).keys()).sum())

    def has_any(self, project: str, embedder: Embedder) -> bool:
        """Whether any passage of a project has a vector of a model."""
        return len(self.of(project, embedder.model, embedder.dimension).keys()) > 0

    def near(self, project: str, model: str, vector: Floats, limit: int) -> list[int]:
        """Keys of the texts nearest to a question, nearest first."""
        return [key for key, _ in self.of(project, model, len(vector)).nearest(vector, limit)]

    def measured(self, project: str, model: str, vector: Floats, hits: Sequence[PassageHit]) -> tuple[PassageHit, ...]:
        """Passages with how near each is to a question, where it has a vector."""
        keys = np.array([meaning_of(hit.passage) for hit in hits], np.uint64)
        near = self.of(project, model, len(vector)).similarities(vector, keys).tolist()
        return tuple(
            PassageHit(hit.passage, hit.score, hit.covers, hit.words, one or None)
            for hit, one in zip(hits, near, strict=True)
        )

    def _wanted(self, project: str) -> tuple[int, ...]:
        """Keys of all texts of a project that are to have a vector, most useful first.

        They are read and put in order again once the index has changed, not when use alone has.
        """
        return self._known(project, self._index.version(), lambda: self._read(project))

    def _read(self, project: str) -> tuple[int, ...]:
        """The keys in order: the passages of each checkout's files, then the commits, the newest first."""
        found: list[int] = []
        for one in projects.checkouts(self._database, project):
            paths = column(self._database, _MOST_USED, project=project, checkout=one.id)
            found += self._index.meanings(file_space(one.id), {path: place for place, path in enumerate(paths)})
        found += self._index.meanings(commit_space(project), {})
        return tuple(dict.fromkeys(found))[:MEANINGS_MOST]
