"""What libraries of one store share: what is slow to read, kept until something it depends on is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.records import CodeForms
from companion.store.by_columns import value_where
from companion.store.code.code_cache import KeptCode
from companion.store.database import Database
from companion.store.history.snapshot import Snapshots
from companion.store.keeping import VersionedCache
from companion.store.text.memory_index import MemoryIndex
from companion.store.vectors.questions import Questions

if TYPE_CHECKING:
    from companion.store.text.index import TextIndex


class Readings:
    """What libraries of one store share: the index of memories, history's snapshots, code."""

    def __init__(self, database: Database, text_index: TextIndex) -> None:
        self.memory_index = MemoryIndex(database, text_index)
        self.snapshots = Snapshots(database)
        self.questions = Questions()
        self.code = KeptCode(database)
        self.kept = VersionedCache()
        self._database = database

    def code_revision(self, checkout: str) -> int:
        """Raised each time a checkout's indexed code changes."""
        database = self._database
        return self.kept(
            ("code_revision", checkout),
            database.revision,
            lambda: int(value_where(database, "checkouts", "code_revision", id=checkout, otherwise=0)),
        )

    def forms(self, checkout: str) -> Mapping[str, CodeForms]:
        """Every indexed file of a checkout at the lengths it may be shown at, by path."""
        return self.kept(("forms", checkout), self.code_revision(checkout), lambda: self.code.forms(checkout))
