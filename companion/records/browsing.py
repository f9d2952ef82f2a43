"""All that is known of one memory."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from companion.records.findings import Linked
from companion.records.memory import Contradiction, Memory


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
