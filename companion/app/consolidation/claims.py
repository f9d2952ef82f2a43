"""What a plan may hold: each memory goes once, and (where a moment was asked for) only what is new since is touched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.records import Change, Merge, Oppose, Outdate, Relate, Retire, Supersede, Unite, Unrelate, touched


@dataclass(frozen=True)
class Limit:
    """What was learned or changed since the moment that was asked for."""

    memories: frozenset[str]
    entities: frozenset[str]

    def lets(self, change: Change) -> bool:
        """Whether a change is about any of it."""
        if isinstance(change, Unite):
            return change.entity in self.entities or change.stands_for in self.entities
        return not self.memories.isdisjoint(touched(change))


class Claims:
    """Which memories of a plan are spoken for: each goes once, and what goes takes no other change."""

    def __init__(self) -> None:
        self.gone: set[str] = set()
        """What is merged away, superseded or archived."""
        self._kept: set[str] = set()
        """What others were merged into: it stays this run."""
        self._opposed: set[str] = set()
        """What stands in a contradiction: it is not merged away, superseded or forgotten."""
        self._heirs: set[str] = set()
        """What supersedes another: it may be superseded in turn, never forgotten."""

    def take(self, change: Change) -> bool:
        """Whether a change may stand in the plan; if so, what it claims is claimed."""
        if not self.gone.isdisjoint(touched(change)):
            return False
        match change:
            case Merge(keep, drop):
                if keep in drop or not drop or self._stay(drop):
                    return False
                self.gone.update(drop)
                self._kept.add(keep)
            case Supersede(old, new):
                if old == new or old in self._kept or old in self._opposed:
                    return False
                self.gone.add(old)
                self._heirs.add(new)
            case Retire(id_) | Outdate(id_):
                if self._stay((id_,)):
                    return False
                self.gone.add(id_)
            case Oppose(a, b):
                if a == b:
                    return False
                self._opposed.update((a, b))
            case Relate(_, a, b) | Unrelate(_, a, b):
                return a != b
            case Unite(entity, stands_for):
                return entity != stands_for
            case _:
                pass
        return True

    def _stay(self, ids: Sequence[str]) -> bool:
        """Whether any of these is to stay this run."""
        return not all(held.isdisjoint(ids) for held in (self._kept, self._opposed, self._heirs))
