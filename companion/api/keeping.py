"""What a person says of memories: remember, forget, pin; and of what use they were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from companion.records import Kind, Memory, Scope, Visibility

NOT_USEFUL = "not useful"
"""The action by which `pass_over` records that a person wants no hint of a memory any more."""


SHOWN_AND_LEFT = "shown and left"
"""The rule by which a memory counts as passed over without anybody saying so."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something to remember, as a person says it."""

    text: str
    kind: Kind = Kind.FACT
    scope: Scope = field(default_factory=Scope)
    visibility: Visibility = Visibility.USER_PRIVATE
    pinned: bool = False
    label: str = ""
    assistant: str = ""
    """The name of the assistant that wrote it; empty: a person did."""


class Keeping(Protocol):
    """What is told to memory. Every verb raises CompanionError with a next step."""

    def remember(self, note: Note) -> Memory:
        """Keep what a person says."""

    def forget(self, id_: str) -> Memory:
        """Archive a memory; explicit search still finds it."""

    def revive(self, id_: str) -> Memory:
        """Bring an archived memory back, which is citing it too. Refused while another stands in its place."""

    def pin(self, id_: str, *, on: bool) -> Memory:
        """Pin a memory, so that it is in every context and stays, or take the pin out."""

    def cite(self, ids: Sequence[str], action: str) -> None:
        """Record that memories influenced an action."""

    def pass_over(self, ids: Sequence[str], action: str) -> None:
        """Record that memories were shown and of no use."""
