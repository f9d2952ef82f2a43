"""What a team shares: versions of memories, withdrawals, resolutions and verdicts, none of which is ever changed.

Each is named by the digest of its text (`companion.team.text.record_id`), so whoever has a set of them has what
everybody with that set has, in whatever order and however often they came.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct, field

from companion.records.judgements import JudgeVerdict
from companion.records.memory import Draft, Scope
from companion.records.sorts import Resolution


class SharedVersion(Struct, frozen=True):
    """A memory as one person shared it.

    `key` is what it speaks of, the same in every store; `draft` has nothing that names a store, a conversation or a
    persona. `author` is `Name <address>`, as git writes it; `replaces` are the ids of versions whose place it takes.
    """

    key: str
    draft: Draft
    author: str
    made_at: datetime
    replaces: tuple[str, ...] = ()


class Withdrawal(Struct, frozen=True):
    """A version is taken back: its text leaves every store that reads this. `version` is the id of it.

    Only its author can: of anybody else it takes nothing away.
    """

    version: str
    author: str
    made_at: datetime


class SharedResolution(Struct, frozen=True):
    """How somebody resolved a contradiction between two versions, whose ids are `a` and `b` with `a` the smaller.

    `scope_a` and `scope_b` say where each holds if both are valid; the text that replaces both is a version of its own.
    """

    a: str
    b: str
    resolution: Resolution
    author: str
    made_at: datetime
    note: str = ""
    scope_a: Scope | None = None
    scope_b: Scope | None = None


class SharedVerdict(Struct, frozen=True):
    """How two versions, whose ids are `a` and `b` with `a` the smaller, stand to one another, as somebody's judge said.

    `by_person` says whether that was the author, who prevails over any model. It has no words of its own, so that none
    stay when one of the two is withdrawn.
    """

    a: str
    b: str
    answer: JudgeVerdict
    author: str
    made_at: datetime
    by_person: bool = False


TeamRecord = SharedVersion | Withdrawal | SharedResolution | SharedVerdict


class Conflict(Struct, frozen=True):
    """Two versions of one key that nobody replaced and that say different things, by id, `a` the smaller."""

    key: str
    a: str
    b: str


class TeamState(Struct, frozen=True):
    """What a set of records amounts to, whatever the order they came in.

    `versions` are those that are not withdrawn, by id; `current` are, by key, the ids of the latest of each author
    that none of `versions` replaces; `resolutions` are the latest of each pair, `verdicts` those that count.
    """

    versions: Mapping[str, SharedVersion] = field(default_factory=dict)
    withdrawn: Mapping[str, Withdrawal] = field(default_factory=dict)
    current: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    resolutions: Mapping[tuple[str, str], SharedResolution] = field(default_factory=dict)
    verdicts: Mapping[tuple[str, str], SharedVerdict] = field(default_factory=dict)

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The contradictions that are open, in order of their keys."""
        return tuple(
            Conflict(key, a, b)
            for key, ids in sorted(self.current.items())
            for place, a in enumerate(ids)
            for b in ids[place + 1 :]
            if self.versions[a].draft.value != self.versions[b].draft.value and (a, b) not in self.resolutions
        )
