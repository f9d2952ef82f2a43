"""Entities under every name they go by: what is asked for by one spelling is found by all of them."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.ports import Owner
from companion.records import entity
from companion.store.history.past import SIGNIFICANT_DIGITS

if TYPE_CHECKING:
    from companion.store.database import Database

MOST_SPELLINGS = 50
"""Names that one entity is looked up by: a file that was moved about for years has some ten."""

_ALIASES = """
select entity, stands_for
from aliases
where project_id = $project
order by entity
"""


@dataclass(frozen=True)
class Names:
    """The spellings of one project: `stands_for` by variant, `variants` by the entity that they are."""

    stands_for: Mapping[str, str] = field(default_factory=dict)
    variants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def one(self, entity: str) -> str:
        """The entity that a spelling is: one step, since no variant stands for a variant."""
        return self.stands_for.get(entity, entity)

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


NO_NAMES = Names()


class Aliases:
    """The spellings of a store's projects, read anew when something was written. Threads may share it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: dict[str, tuple[int, Names]] = {}
        self._lock = threading.Lock()

    def of(self, project: str) -> Names:
        """The spellings of one project."""
        revision = self._database.revision
        with self._lock:
            kept = self._kept.get(project)
        if kept is not None and kept[0] == revision:
            return kept[1]
        with self._database.read() as connection:
            names = named(connection.execute(_ALIASES, {"project": project}).fetchall())
        with self._lock:
            self._kept[project] = (revision, names)
        return names


def named(rows: Sequence[tuple[str, str]]) -> Names:
    """Variants with what each stands for, as names. A variant that stands for a variant is followed to the end."""
    direct = dict(rows)
    whole = {entity: followed(entity, direct) for entity in direct}
    stands_for = {entity: found for entity, found in whole.items() if found != entity}
    variants: defaultdict[str, list[str]] = defaultdict(list)
    for key, stands in sorted(stands_for.items()):
        variants[stands].append(key)
    return Names(stands_for, {whole: tuple(found) for whole, found in variants.items()})


def one_each(owners: Sequence[Owner], names: Names) -> tuple[Owner, ...]:
    """Each person once, with all their work: under one full name, or names that are known to be one person's.

    `owners` come with the largest share first, and so do those returned. A first name alone is nobody's.
    """
    found: dict[str, Owner] = {}
    for owner in owners:
        key = entity("person", owner.person)
        whole = names.one(key)
        known = whole != key or key in names.variants or len(owner.person.split()) > 1
        person = whole if known else f"{whole} {owner.email}"
        first = found.setdefault(person, owner)
        if first is not owner:
            both = round(first.share + owner.share, SIGNIFICANT_DIGITS)
            found[person] = replace(first, share=both, commits=first.commits + owner.commits)
    return tuple(sorted(found.values(), key=lambda owner: (-owner.share, -owner.commits, owner.email)))


def followed(entity: str, stands_for: Mapping[str, str]) -> str:
    """What an entity stands for in the end; of a circle, which only damage can make, the first by letters."""
    path = [entity]
    while (other := stands_for.get(path[-1], path[-1])) not in path:
        path.append(other)
    return min(path[path.index(other) :])
