"""What a plan may hold: each memory goes once, and (where a moment was asked for) only what is new since is touched."""

from __future__ import annotations

from dataclasses import dataclass

from companion.records import Change, Supersede, ids_in


@dataclass(frozen=True)
class Limit:
    """What was learned or changed since the moment that was asked for."""

    memories: frozenset[str]
    entities: frozenset[str]

    def lets(self, change: Change) -> bool:
        """Whether a change is about any of it."""
        about, names = ids_in(change, change.about), ids_in(change, change.names)
        return not (self.memories.isdisjoint(about) and self.entities.isdisjoint(names))


class Claims:
    """Which memories of a plan are spoken for: each goes once, and what goes takes no other change."""

    def __init__(self) -> None:
        self.gone: set[str] = set()
        """What is merged away, superseded or archived."""
        self._held: set[str] = set()
        """What others were merged into, and what stands in a contradiction: it stays this run."""
        self._heirs: set[str] = set()
        """What supersedes another: it may be superseded in turn, never forgotten."""

    def take(self, change: Change) -> bool:
        """Whether a change may stand in the plan; if so, what it claims is claimed."""
        about = [*ids_in(change, change.about), *ids_in(change, change.names)]
        if len(set(about)) < len(about) or not self.gone.isdisjoint(about):
            return False
        ends, heirs = ids_in(change, change.ends), (change.new,) if isinstance(change, Supersede) else ()
        if not self._held.isdisjoint(ends) or not (heirs or self._heirs.isdisjoint(ends)):
            return False
        self.gone.update(ends)
        self._held.update(ids_in(change, change.holds))
        self._heirs.update(heirs)
        return True
