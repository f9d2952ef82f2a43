"""What a night proposes: changes, each with its reason, over memories in short."""

from __future__ import annotations

from dataclasses import dataclass

from companion.records.memory import Kind


@dataclass(frozen=True, slots=True)
class Brief:
    """A memory as a pass sees it: enough to decide by, without its body.

    `active_days` counts the days on which the project was worked on since the memory was learned or last
    used; `tokens` are those of its full, summary, compressed and index text.
    """

    id: str
    kind: Kind
    type: str
    title: str
    text: str
    tokens: tuple[int, int, int, int]
    active_days: int
    importance: int
    uses: int


@dataclass(frozen=True, slots=True)
class Merge:
    """Several memories say the same: one stays, with the evidence of all."""

    keep: str
    drop: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Shorten:
    """An old episode is offered at a shorter level; `expand` still reaches all of it."""

    id: str
    level: str
    tokens_saved: int
    reason: str


@dataclass(frozen=True, slots=True)
class Retire:
    """A memory that nothing has asked for is archived; explicit search still finds it."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Oppose:
    """Two memories cannot both hold: `id` is the contradiction's."""

    id: str
    reason: str


Change = Merge | Shorten | Retire | Oppose
"""What a pass may propose; the store alone carries it out."""
