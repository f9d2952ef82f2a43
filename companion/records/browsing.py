"""Going through memories: a page of them at a time, and all that is known of one."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from companion.records.findings import Linked
from companion.records.memory import Contradiction, Memory
from companion.records.search import State
from companion.records.sorts import Kind


class BrowseQuery(Struct, frozen=True):
    """Which memories, newest first. `after_at` and `after_id` are the place of the last one seen; none: from the top.

    Times are naive UTC.
    """

    kinds: tuple[Kind, ...] = ()
    state: State = State.CURRENT
    persona: str = ""
    after_at: datetime | None = None
    after_id: str = ""
    limit: int = 100


class Browsed(Struct, frozen=True):
    """A page of memories, how many there are in all, and the place to go on from (no id: that was the end)."""

    memories: tuple[Memory, ...]
    total: int
    after_at: datetime | None = None
    after_id: str = ""


class Use(Struct, frozen=True):
    """One use of a memory: `retrieved`, `cited` or `ignored`; when, and for which path or by which action."""

    what: str
    at: datetime
    context: str


class Dossier(Struct, frozen=True):
    """All that is known of one memory: what was said of the same thing, its ties, contradictions and latest uses."""

    memory: Memory
    versions: tuple[Memory, ...] = ()
    linked: tuple[Linked, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    used: tuple[Use, ...] = ()
