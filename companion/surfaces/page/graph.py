"""What a memory belongs to, as a graph in three columns: memories, the files they are about, the commits behind them.

Everything is laid out here, row by row, so that it needs no script; a browser only draws the lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from msgspec import Struct

from companion.api import Companion
from companion.errors import CompanionError
from companion.records import EvidenceKind, Memory
from companion.records.looking import CommitTold, FilePast, PastCommit
from companion.surfaces import rows

Answer = TypeVar("Answer")
FILES, COMMITS, MEMORIES = 5, 5, 5
"""Rows of each column: more lines cross than an eye follows."""
ASKED = 3
"""Files and commits that are looked at for what else belongs to them."""


class GraphLine(Struct, frozen=True):
    """From a row of one column to a row of the next; `own` if it begins or ends at the memory itself."""

    start: int
    end: int
    own: bool


class MemoryGraph(Struct, frozen=True):
    """The rows of the three columns and the lines between them; the memory itself is the first of all."""

    memories: tuple[tuple[str, str], ...]
    files: tuple[str, ...]
    commits: tuple[PastCommit, ...]
    to_files: tuple[GraphLine, ...]
    to_commits: tuple[GraphLine, ...]

    @property
    def height(self) -> int:
        """Rows of the longest column."""
        return max(len(self.memories), len(self.files), len(self.commits))


def graph_of(companion: Companion, memory: Memory) -> MemoryGraph | None:
    """The graph of a memory; None where it names no file that is there, or no commit is known behind it."""
    taught = [one.ref for one in memory.draft.evidence if one.kind is EvidenceKind.COMMIT]
    told = [commit for sha in taught[:ASKED] if (commit := _known(companion.commit, sha))]
    paths = list(dict.fromkeys([*_files_of(memory), *(change.path for one in told for change in one.changes)]))
    pasts = [found for path in paths[:ASKED] if (found := _known(companion.file_past, path)) and found.commits]
    files = tuple(dict.fromkeys([one.path for one in pasts] + paths[ASKED:]))[:FILES] if pasts else ()
    commits = {one.commit.sha: one.commit for one in told}
    for past in pasts:
        commits |= {one.sha: commits.get(one.sha, one) for one in past.commits[:2]}
    if not files or not commits:
        return None
    return _laid_out(memory, files, tuple(commits.values())[:COMMITS], pasts, told)


def _laid_out(
    memory: Memory,
    files: tuple[str, ...],
    commits: tuple[PastCommit, ...],
    pasts: list[FilePast],
    told: list[CommitTold],
) -> MemoryGraph:
    others = {one.id: one for past in pasts for one in past.memories if one.id != memory.id}
    memories = (memory, *list(others.values())[: MEMORIES - 1])
    taught = {one.commit.sha for one in told}
    changed = {(one.sha, past.path) for past in pasts for one in past.commits}
    changed |= {(one.commit.sha, change.path) for one in told for change in one.changes}
    about = {one.id: set(_files_of(one)) for one in memories}
    about[memory.id] |= {path for sha, path in changed if sha in taught}
    return MemoryGraph(
        tuple((one.id, rows.of_memory(one).label) for one in memories),
        files,
        commits,
        tuple(
            GraphLine(start, end, not start)
            for start, one in enumerate(memories)
            for end, path in enumerate(files)
            if path in about[one.id]
        ),
        tuple(
            GraphLine(start, end, one.sha in taught)
            for start, path in enumerate(files)
            for end, one in enumerate(commits)
            if (one.sha, path) in changed
        ),
    )


def _files_of(memory: Memory) -> Iterable[str]:
    """The files that a memory was read from or names."""
    yield from (one.ref for one in memory.draft.evidence if one.kind is EvidenceKind.FILE)
    yield from (one.removeprefix("file:") for one in memory.draft.entities if one.startswith("file:"))


def _known(ask: Callable[[str], Answer], name: str) -> Answer | None:
    try:
        return ask(name)
    except CompanionError:  # rewritten history no longer holds it, or the name is no file of this checkout
        return None
