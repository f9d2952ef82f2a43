"""Private texts for tests, of every sort that a store keeps, and what may be shared beside them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from pathlib import Path

from msgspec.structs import replace

from companion.api import Companion, Note
from companion.ports import NoProgress
from companion.records import Draft, Episode, Evidence, EvidenceKind, Kind, Levels, Source, Visibility
from companion.records.live import Ran
from companion.store.memories.memories import Memories

MARKER = re.compile(rb"hidden\d{4}qx")
KEY = re.compile(rb"AKIAJ7QZ4WX2NBVL[A-Z]{4}")
"""What no redactor should miss."""


def declared(value: str) -> Draft:
    """A memory that may be shared."""
    levels = Levels(f"indent is {value}", f"indent is {value}", value, value)
    return Draft(
        *(Kind.FACT, "fact", "indent", "is", value, levels, ""),
        visibility=Visibility.PROJECT_SHARED,
        source=Source.BY_HAND,
    )


class Privates:
    """Plants texts, each with a marker of its own; `planted` says how many. What is shared says `openly`."""

    def __init__(self, memories: Memories, project: str, now: datetime) -> None:
        self._memories, self._project, self._now = memories, project, now
        self._numbers = count()
        self.planted = 0
        self.shared = 0

    def text(self) -> str:
        """One more private text."""
        self.planted += 1
        return f"hidden{next(self._numbers):04}qx"

    def plant_memories(self) -> None:
        """540 in memories: those that stay, and what of those that may leave does not leave."""
        self._keep(100, visibility=Visibility.USER_PRIVATE)
        self._keep(60, visibility=Visibility.SYSTEM)
        self._keep(60, persona="mira")
        self._keep(60, source=Source.SCAN)
        self._keep(40, source=Source.SEEDED)
        self._keep(40, evidence=(Evidence(EvidenceKind.COMMAND, "make"),))
        for _ in range(60):
            quote = Evidence(EvidenceKind.CONVERSATION, self.text(), 1, self.text())
            self.share(evidence=(quote,), entities=(f"person:{self.text()}",))

    def plant_elsewhere(self, folder: Path) -> None:
        """60 more in what may leave: files outside of the repository, people, secrets; and folders of this machine."""
        for number in range(20):
            evidence = Evidence(EvidenceKind.FILE, f"/etc/{self.text()}", 1), Evidence(EvidenceKind.PERSON, self.text())
            body = Episode("A deployment", self._now, (self.text(),))
            key = "AKIAJ7QZ4WX2NBVL" + "".join(chr(ord("A") + (number + step) % 26) for step in (0, 7, 3, 11))
            self.share(f"Deploy with {key} from {folder}/deploy.sh", evidence=evidence, body=body, kind=Kind.EPISODE)

    def plant_in(self, asks: Companion, root: Path, log: Path) -> None:
        """60 more in what a user types: notes, commands in a shell, a talk with an assistant whose log is imported."""
        for _ in range(5):
            asks.remember(Note(f"Remember {self.text()}."))
        asks.observe([Ran(f"deploy {self.text()}", str(root), 0, 1.0, self._now) for _ in range(20)])
        log.write_text("".join(f"{one}\n" for one in self._talk(root)), "utf-8")
        asks.import_talk(NoProgress(), file=log)

    def share(self, says: str = "", **given: object) -> str:
        """A memory that may be shared; its id."""
        self.shared += 1
        value = f"openly{self.shared:04} {says}".strip()
        one = replace(declared(value), attribute=f"a{self.shared}", **given)  # type: ignore[arg-type]  # fields of it
        return self._memories.keep(self._project, "talk", [one], self._now)[0].id

    def _keep(self, many: int, **given: object) -> None:
        drafts = [replace(declared(word), subject=word, **given) for word in (self.text() for _ in range(many))]  # type: ignore[arg-type]  # fields of it
        self._memories.keep(self._project, "facts", drafts, self._now)

    def _talk(self, root: Path) -> Iterator[str]:
        for number in range(35):
            yield json.dumps(
                {
                    "type": "user",
                    "uuid": str(number),
                    "sessionId": "5e551000-0000-4000-8000-000000000001",
                    "cwd": str(root),
                    "timestamp": f"2026-01-04T10:{number:02}:00.000Z",
                    "message": {"role": "user", "content": f"We decided to use {self.text()}."},
                }
            )
