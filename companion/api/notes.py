"""Notes: what stays in sight, and the preamble that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from companion.records.notes import NotePage, Preamble


class Notes(Protocol):
    """Plain files that the user and the assistant write. Every verb raises CompanionError with a next step."""

    def notes(self, name: str = "") -> tuple[NotePage, ...]:
        """The notes that are there, or the one of a name (`status`, `today`, `project`, `repository/NAME`)."""

    def update_status(self, fields: Mapping[str, str]) -> NotePage:
        """Set fields of the status, each with the present time; an empty value takes one out. All else stays."""

    def preamble(self) -> Preamble:
        """What an assistant is told first: the notes, whole. The same bytes until one of them changes.

        It is written anew when a note changed, when nobody asked for an hour, and after a restart.
        """

    def place_note(self, name: str) -> Path:
        """Where a note lies, for an editor; the file is made if it is not there yet."""

    def use_repository_notes(self, *, on: bool) -> tuple[NotePage, ...]:
        """Agree to notes in this repository's `.companion/notes`, or no more; gives back those that lie there."""
