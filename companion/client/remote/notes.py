"""Notes and the preamble, asked of an owner."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from companion.client.remote.asker import Asker, result_of
from companion.records.notes import NotePage, Preamble


class Notes(Asker):
    """See `companion.api.notes.Notes` for the verbs."""

    def notes(self, name: str = "") -> tuple[NotePage, ...]:
        """The notes that are there, or the one of a name."""
        return result_of(tuple[NotePage, ...], self._read("/notes", name=name))

    def update_status(self, fields: Mapping[str, str]) -> NotePage:
        """Set fields of the status."""
        return result_of(NotePage, self._write("/update-status", fields=dict(fields)))

    def preamble(self) -> Preamble:
        """What an assistant is told first."""
        return result_of(Preamble, self._read("/preamble"))

    def place_note(self, name: str) -> Path:
        """Where a note lies; it is made if it is not there yet."""
        return result_of(Path, self._write("/notes/place", name=name))

    def use_repository_notes(self, *, on: bool) -> tuple[NotePage, ...]:
        """Agree to notes in the repository, or no more."""
        return result_of(tuple[NotePage, ...], self._write("/notes/repository", on=on))
