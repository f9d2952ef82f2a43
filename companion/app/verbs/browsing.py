"""Browsing: going through memories, and all that is known of one."""

from __future__ import annotations

from dataclasses import replace

from companion.api.browsing import FACTS_TOLD
from companion.app.checkout import OpenCheckout
from companion.errors import UsageError
from companion.records import Memory
from companion.records.browsing import Browsed, BrowseQuery, Dossier
from companion.records.declared import Declaration
from companion.store import declared
from companion.store.memories import browsing, contradictions, ties, usage
from companion.store.memories.browsing import Seer
from companion.store.subjects import of_id

PAGE_MOST = 500
"""Memories of one page: more than anybody reads in one go."""
VERSIONS_TOLD = 100
"""Versions of a memory that are followed back."""
USES_TOLD = 50
"""Latest uses of a memory that are told."""


class Browsing(OpenCheckout):
    """The verbs of going through. See `companion.api.Companion`."""

    def browse(self, query: BrowseQuery) -> Browsed:
        """Memories newest first, a page at a time."""
        if not 1 <= query.limit <= PAGE_MOST:
            raise UsageError(f"A limit of {query.limit} makes no sense.", f"Give 1 to {PAGE_MOST}.")
        fit = replace(query, persona=self._fit(query.persona), after_id=self._fit(query.after_id))
        seer = Seer((self.project, self.rooms.user), self.checkout, self.state.branch)
        page = browsing.page(self.rooms.database, seer, fit)
        last = page.places[-1] if len(page.places) == query.limit else None
        return Browsed(
            memories=self.library().get([id_ for id_, _ in page.places]),
            total=page.total,
            after_at=last[1] if last else None,
            after_id=last[0] if last else "",
        )

    def dossier(self, id_: str) -> Dossier:
        """All that is known of one memory; of a commit that was found, the commit."""
        if commit := of_id(self.rooms.database, self.project, id_):
            return Dossier(commit[0])
        database, found = self.rooms.database, self._resolved(id_)
        (memory,) = self.rooms.memories.get([found])
        against = contradictions.open_ones(database, memory.project, settled=True)
        return Dossier(
            memory=memory,
            versions=self._versions(memory),
            linked=ties.linked(database, memory.project, [found]).get(found, ()),
            contradictions=tuple(one for one in against if found in {side.id for side in one.members}),
            used=usage.of(database, found, USES_TOLD),
        )

    def facts(self, words: str = "") -> tuple[Declaration, ...]:
        """What files of settings declare that says all of some words, by file and line."""
        rows = declared.read(self.rooms.database, self.checkout)
        return declared.saying(rows, self._fit(words))[:FACTS_TOLD]

    def _versions(self, memory: Memory) -> tuple[Memory, ...]:
        """What was said of the same thing before and after, and what it took the place of, oldest first."""
        known = {one.id: one for one in self.rooms.memories.versions(memory.id)}
        at = memory
        while at.supersedes and at.supersedes not in known and len(known) < VERSIONS_TOLD:
            if not (before := self.rooms.memories.get([at.supersedes])):
                break
            at = known[before[0].id] = before[0]
        return tuple(sorted(known.values(), key=lambda one: (one.created_at, one.id)))
