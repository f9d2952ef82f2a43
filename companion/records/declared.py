"""What a file of settings declares: a row of a table that one asks, no memory."""

from __future__ import annotations

from msgspec import Struct


class Declaration(Struct, frozen=True):
    """One thing that a manifest, an owners' file, a task file or a CI file says: what of, and what.

    `line` is 1-based; 0 where a whole file (a lock file) or git says it. `path` is empty for git. `told` is the
    sentence in which people say it and a search finds it; empty where subject and value do.
    """

    path: str
    line: int
    subject: str
    value: str
    told: str = ""

    @property
    def is_dependency(self) -> bool:
        """Whether it says what the project depends on, in which version."""
        return self.value.startswith("dependency")

    @property
    def says(self) -> str:
        """Both on one line, as people read it."""
        return f"{self.subject}: {self.value}"

    @property
    def place(self) -> str:
        """`pyproject.toml:12`, the form in which a source is shown."""
        return f"{self.path}:{self.line}" if self.line else self.path or "git"
