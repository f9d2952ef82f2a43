"""The code of a checkout held in memory, and brought up to date by what changed alone.

Reading all of 3,000 files takes a quarter of a second, and a save changes one. So the store is asked
which files and which links are others than those held (a content hash for each file, a digest for
the links of each), and only these are read again. What was handed out before is never changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct, field

from companion.records import CodeForms, Link
from companion.store.code.stored_code import StoredCode
from companion.store.database import Database

PART_READ = 0.25
"""Part of all files up to which the changed ones are read by themselves: beyond, reading all is as quick."""

LinksByPath = Mapping[str, Sequence[Link]]


class _Links(Struct, frozen=True):
    """Links as held: a digest and the links of each source, and all links by the path at either end."""

    digests: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    by_source: Mapping[str, Sequence[Link]] = field(default_factory=dict)
    by_path: Mapping[str, Sequence[Link]] = field(default_factory=dict)


class KeptCode:
    """Forms and links of checkouts; one thread at a time asks (the callers hold a lock)."""

    def __init__(self, database: Database) -> None:
        self._stored = StoredCode(database)
        self._forms: dict[str, Mapping[str, CodeForms]] = {}
        self._links: dict[str, _Links] = {}

    def forms(self, checkout: str) -> Mapping[str, CodeForms]:
        """Every file at the lengths it may be shown at, by path, in order of path."""
        held = self._forms.get(checkout, {})
        known = self._stored.known(checkout)
        changed = [path for path in known if path not in held or held[path].content_hash != known[path][2]]
        if len(changed) > PART_READ * len(known):
            made = self._stored.forms(checkout)
        else:
            fresh = self._stored.forms(checkout, changed) if changed else {}
            made = {path: form for path in sorted(known) if (form := fresh.get(path) or held.get(path)) is not None}
        self._forms[checkout] = MappingProxyType(made)
        return self._forms[checkout]

    def links(self, checkout: str) -> LinksByPath:
        """All links, by the path at either end."""
        held = self._links.get(checkout, _Links())
        digests = self._stored.link_digests(checkout)
        moved = {source for source in {*digests, *held.digests} if digests.get(source) != held.digests.get(source)}
        few = len(moved) <= PART_READ * len(digests)
        before = held if few else _Links()
        fresh: defaultdict[str, list[Link]] = defaultdict(list)
        for link in self._stored.links(checkout, sorted(moved) if few else None) if moved else ():
            fresh[link.source].append(link)
        self._links[checkout] = _renewed(before, digests, moved, fresh)
        return self._links[checkout].by_path


def _renewed(
    before: _Links, digests: Mapping[str, tuple[int, int]], moved: set[str], fresh: Mapping[str, Sequence[Link]]
) -> _Links:
    """What is held, with the links of the sources that moved replaced by fresh ones."""
    by_source = {source: links for source, links in before.by_source.items() if source not in moved} | dict(fresh)
    gained: defaultdict[str, list[Link]] = defaultdict(list)
    for links in fresh.values():
        for link in links:
            gained[link.source].append(link)
            gained[link.target].append(link)
    touched = {end for source in moved for link in before.by_source.get(source, ()) for end in (source, link.target)}
    by_path = dict(before.by_path)
    for path in touched | gained.keys():
        stays = [link for link in by_path.get(path, ()) if link.source not in moved]
        by_path[path] = [*stays, *gained.get(path, ())]
    return _Links(digests, by_source, by_path)
