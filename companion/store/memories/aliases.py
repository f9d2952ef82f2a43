"""Entities under every name they go by: what is asked for by one spelling is found by all of them.

People and topics by what a run found out; files by their renames, as history tells them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct, field
from msgspec.structs import replace

from companion.ports import FileOwner
from companion.records import entity
from companion.store.database import Database
from companion.store.keeping import VersionedCache
from companion.store.memories.following import former_paths
from companion.store.rows import tuples

MOST_SPELLINGS = 50
"""Names that one entity is looked up by: a file that was moved about for years has some ten."""

MOMENTS_KEPT = 64
"""Names of projects and moments that are kept, and as many lists of former paths: a store has a few projects, and a
look back is at one moment."""

ALIASES = """
select entity, stands_for
from aliases
where project_id = $project
    and not starts_with(entity, 'file:')
order by entity
"""

_HISTORY = """
select max(seq), count(*) filter (gone), count(*) filter (branch <> '')
from commits
where project_id = $project
"""
"""What is another as soon as files may lie elsewhere."""


class Spellings(Struct, frozen=True):
    """The spellings of one project: `stands_for` by variant, `variants` by the entity that they are."""

    stands_for: Mapping[str, str] = field(default_factory=dict)
    variants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def one(self, entity: str) -> str:
        """The entity that a spelling is: one step, since no variant stands for a variant."""
        return self.stands_for.get(entity, entity)

    def paths(self, path: str) -> list[str]:
        """All paths of a file, asked for by any of them; the one that memories name it by comes first."""
        asked = entity("file", path)
        return [key.partition(":")[2] for key in dict.fromkeys((self.one(asked), *self.all([asked])))]

    def all(self, entities: Iterable[str]) -> list[str]:
        """Each of the entities under all of its names, the asked ones first."""
        asked = list(dict.fromkeys(entities))
        if not self.stands_for:
            return asked
        found = dict.fromkeys(asked)
        for key in asked:
            whole = self.one(key)
            found |= dict.fromkeys((whole, *self.variants.get(whole, ())[:MOST_SPELLINGS]))
        return list(found)


NO_NAMES = Spellings()


class Aliases:
    """The spellings of a store's projects, read anew when something was written. Threads may share it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept = VersionedCache(MOMENTS_KEPT)

    def of(self, project: str, until: datetime | None = None) -> Spellings:
        """The spellings of one project; with `until` a path is the file that had it then."""
        return self._kept((project, until), self._database.revision, lambda: self._read(project, until))

    def _read(self, project: str, until: datetime | None) -> Spellings:
        with self._database.read() as connection:
            rows = tuples(connection, ALIASES, project=project)
            (history,) = tuples(connection, _HISTORY, project=project)
            files = self._kept(("former", project, until), history, lambda: former_paths(connection, project, until))
        return named([*rows, *((entity("file", was), entity("file", path)) for was, path, _ in files)])


def named(rows: Sequence[tuple[str, str]]) -> Spellings:
    """Variants with what each stands for, as names. A variant that stands for a variant is followed to the end."""
    direct = dict(rows)
    whole = {entity: followed(entity, direct) for entity in direct}
    stands_for = {entity: found for entity, found in whole.items() if found != entity}
    variants: defaultdict[str, list[str]] = defaultdict(list)
    for key, stands in sorted(stands_for.items()):
        variants[stands].append(key)
    return Spellings(stands_for, {whole: tuple(found) for whole, found in variants.items()})


def one_each(owners: Sequence[FileOwner], names: Spellings) -> tuple[FileOwner, ...]:
    """Each person once, with all their work: under one full name, or names that are known to be one person's.

    `owners` come with most commits first, and so do those returned. A first name alone is nobody's.
    """
    found: dict[str, FileOwner] = {}
    for owner in owners:
        key = entity("person", owner.person)
        whole = names.one(key)
        known = whole != key or key in names.variants or len(owner.person.split()) > 1
        person = whole if known else f"{whole} {owner.email}"
        first = found.setdefault(person, owner)
        if first is not owner:
            found[person] = replace(first, commits=first.commits + owner.commits)
    return tuple(sorted(found.values(), key=lambda owner: (-owner.commits, owner.email)))


def followed(entity: str, stands_for: Mapping[str, str]) -> str:
    """What an entity stands for in the end; of a circle, which only damage can make, the first by letters."""
    path = [entity]
    while (other := stands_for.get(path[-1], path[-1])) not in path:
        path.append(other)
    return min(path[path.index(other) :])
