"""What libraries of one store share: what is slow to read, kept until something it depends on is written."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, TypeVar

from companion.records import CodeForms
from companion.store.code.code_cache import KeptCode
from companion.store.database import Database
from companion.store.history.snapshot import Snapshots
from companion.store.text.memory_index import MemoryIndex
from companion.store.vectors.questions import Questions

if TYPE_CHECKING:
    from companion.store.text.index import TextIndex

Read = TypeVar("Read")

_CODE_REVISION = "select code_revision from checkouts where id = $checkout"


class Readings:
    """What libraries of one store share: the index of memories, history's snapshots, code."""

    def __init__(self, database: Database, text_index: TextIndex) -> None:
        self.memory_index = MemoryIndex(database, text_index)
        self.snapshots = Snapshots(database)
        self.questions = Questions()
        self.code = KeptCode(database)
        self._database = database
        self._kept: dict[Hashable, tuple[Hashable, object]] = {}
        self._revisions: dict[str, tuple[int, int]] = {}
        self._lock = threading.RLock()

    def kept(self, name: Hashable, version: Hashable, read: Callable[[], Read]) -> Read:
        """What `read` gave when it was last called for this name and version."""
        with self._lock:
            known = self._kept.get(name)
            if known is None or known[0] != version:
                known = (version, read())
                self._kept[name] = known
            return known[1]  # type: ignore[return-value]  # one name is always read the same way

    def code_revision(self, checkout: str) -> int:
        """Raised each time a checkout's indexed code changes."""
        with self._lock:
            revision = self._database.revision
            known = self._revisions.get(checkout)
            if known is None or known[0] != revision:
                known = (revision, self._database.value(_CODE_REVISION, {"checkout": checkout}, otherwise=0))
                self._revisions[checkout] = known
            return known[1]

    def forms(self, checkout: str) -> Mapping[str, CodeForms]:
        """Every indexed file of a checkout at the lengths it may be shown at, by path."""
        return self.kept(("forms", checkout), self.code_revision(checkout), lambda: self.code.forms(checkout))
