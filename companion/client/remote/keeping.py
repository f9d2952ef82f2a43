"""Telling memory through an owner."""

from __future__ import annotations

from collections.abc import Sequence

from companion import wire
from companion.api import Note
from companion.client.remote.asker import Asker, result_of
from companion.records import Memory


class Keeping(Asker):
    """See `companion.api.keeping.Keeping` for the verbs."""

    def remember(self, note: Note) -> Memory:
        """Keep what a person says."""
        return result_of(Memory, self._write("/remember", note=wire.encode(note)))

    def forget(self, id_: str) -> Memory:
        """Archive a memory; explicit search still finds it."""
        return result_of(Memory, self._write("/forget", id=id_))

    def revive(self, id_: str) -> Memory:
        """Bring an archived memory back."""
        return result_of(Memory, self._write("/revive", id=id_))

    def pin(self, id_: str, *, on: bool) -> Memory:
        """Pin a memory, or take the pin out."""
        return result_of(Memory, self._write("/pin", id=id_, on=on))

    def cite(self, ids: Sequence[str], action: str) -> None:
        """Record that memories influenced an action."""
        self._write("/cite", ids=list(ids), action=action)

    def pass_over(self, ids: Sequence[str], action: str) -> None:
        """Record that memories were shown and of no use."""
        self._write("/pass-over", ids=list(ids), action=action)
