"""How far the store is behind a checkout; a small difference is taken in before whoever asks is answered.

A daemon hears of changes from its watcher. A process that asks once looks itself: at the commit that is checked out,
and at sizes and times of files as git lists them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct

from companion.errors import CompanionError
from companion.records.wording import counted, enumerated
from companion.signals import files, git
from companion.store import projects

if TYPE_CHECKING:
    from companion.app.checkout import OpenCheckout
    from companion.app.local import LocalCompanion

FILES_AT_ONCE = 20
COMMITS_AT_ONCE = 20
"""What an answer waits for: a second or two, most of it for loading parsers. More is told and left to a scan."""
SHOWS_CODE = frozenset(
    {"assemble", "predict", "explain", "explain_last", "search", "expand", "why", "facts", "overview"}
)
"""Verbs that show how the checkout stands."""
TELLS_MISSING = frozenset({"assemble", "predict", "search"})
"""Those of them that tell by themselves what is missing."""


class UnreadChanges(Struct, frozen=True):
    """What the store has not read of a checkout: commits, and files that changed, came or went."""

    moved: bool = False
    """Whether another commit is checked out than the one that was read."""
    commits: int = 0
    paths: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.moved or bool(self.paths)

    @property
    def small(self) -> bool:
        """Whether it may be taken in while somebody waits."""
        return self.commits <= COMMITS_AT_ONCE and len(self.paths) <= FILES_AT_ONCE

    @property
    def told(self) -> str:
        """What it is, in numbers."""
        counts = [(self.commits, "commit"), (len(self.paths), "file")]
        return enumerated([counted(number, what) for number, what in counts if number]) or "another commit"

    @property
    def says(self) -> str:
        """That it is missing in an answer, with the command that ends it."""
        return f"{self.told}, changed since the repository was read: run `companion init`"


def look(here: OpenCheckout) -> UnreadChanges:
    """What the store has not read of a checkout that was read before. Raises SourceError where git cannot say."""
    head, known = here.state.head, projects.checkout_head(here.store.database, here.checkout)
    commits = git.count_commits(here.state, (known,) if known else (), head) if head and head != known else 0
    return UnreadChanges(head != known, commits, _differing(here))


def _differing(here: OpenCheckout) -> tuple[str, ...]:
    """Files that do not stand as they were read; new times of those that say the same are noted on the way."""
    tree, database, code = here.source(), here.store.database, here.store.code
    if isinstance(tree, files.CommitTree):
        return ()
    known = {path: (size, mtime, id_) for path, (mtime, size, id_) in code.known(here.checkout).items()}
    passed_over = {row.path for row in projects.skipped(database, here.checkout)}
    seem = tree.differing(known, passed_over)
    if not seem:
        return ()
    limit, names = here.runtime.settings.file_max_bytes, here.runtime.adapters.redactor
    scan = files.scan_some(tree, seem, known, limit, names=names)
    fresh = [entry.path for entry, _ in scan.changed]
    if database.unwritable is None:
        code.restamp(here.checkout, scan.restamped)
    return tuple(sorted({*fresh, *scan.gone}))


def caught_up(here: LocalCompanion, verb: str, given: dict[str, object], answer: Callable[..., object]) -> object:
    """Have a verb answered by a process of its own: what changed since is taken in first, or told."""
    if verb in SHOWS_CODE and here.checkout and here.was_read():
        here.unread = _left(here)
        if here.unread and verb not in TELLS_MISSING:
            here.say(f"{here.unread[:1].upper()}{here.unread[1:]}.")
    return answer(**given)


def _left(here: LocalCompanion) -> str:
    """What is not read and not taken in either, in a sentence; empty for nothing."""
    with suppress(CompanionError):
        behind = look(here)
        if behind and behind.small and here.store.database.unwritable is None:
            with suppress(CompanionError):
                here.verbs.refresh(behind.paths)
                return ""
        return behind.says if behind else ""
    return ""
