"""What a family looks at: one file, read and named."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from companion.records import FileRole, Reference, ReferenceKind, Symbol
from companion.syntax.captures import NameUse, ShapePart, SyntaxReading

MAX_SLOT_CHARS = 100
"""A slot shows what varies; longer parts are data."""


class Ground(Struct, frozen=True):
    """All that is known of a file when its shapes are looked for.

    `uses` and `references` run side by side: the first has arguments and positions, the second the
    definition around it. `placed` are the events, each with the definition it stands in.
    """

    language: str
    role: FileRole
    reading: SyntaxReading
    symbols: tuple[Symbol, ...]
    references: tuple[Reference, ...]
    placed: tuple[tuple[ShapePart, str], ...]

    def events(self, *labels: str) -> Iterator[tuple[ShapePart, int, str]]:
        """Events of some labels with their line and the definition they stand in."""
        for event, inside in self.placed:
            if event.label in labels:
                yield event, self.reading.line(event.start), inside

    def uses(self, kind: ReferenceKind) -> Iterator[tuple[NameUse, Reference]]:
        """Uses of a kind, each with its reference."""
        for use, reference in zip(self.reading.uses, self.references, strict=False):
            if reference.kind is kind:
                yield use, reference


def dotted(reference: Reference) -> str:
    """A reference's name with what it is reached through, the path of a module left out."""
    qualifier = reference.qualifier.rpartition("/")[2].rpartition("\\")[2]
    return f"{qualifier}.{reference.name}" if qualifier else reference.name


def short(text: str) -> str:
    """A slot's text, cut."""
    return text if len(text) <= MAX_SLOT_CHARS else f"{text[: MAX_SLOT_CHARS - 1]}…"


def unquoted(text: str) -> str:
    """A string literal's content, near enough."""
    return text.lstrip("rbfuRBFU@$").strip("\"'`")
