"""What merges brought: what the commits of a branch did to lines, asked of one git that answers commit by commit."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from heapq import heappop, heappush

from msgspec.structs import replace

from companion.errors import SourceError
from companion.records import RepoState
from companion.records.line_changes import CommitLines
from companion.signals.git.changed import SHOWN, SHOWN_HEAD, commits_of
from companion.signals.git.processes import CHUNK_BYTES
from companion.signals.git.running import ask, dialogue, folder_of
from companion.signals.paths import raw_path

_END = b"="
"""Asked behind each commit: `git diff-tree --stdin` says again what names none. No line of a difference begins so."""
KEPT = 2_000
"""Commits that are not read again: a branch that merges another one again and again brings the same ones each time."""
_NAMED = 200
"""Files of a merge that are named to git; of more it shows all that differ, which is quicker than to look for each."""


class Branches:
    """The commits that merges into one line of work brought. Not for use by two threads at once; to be closed."""

    def __init__(self, state: RepoState, head: str, since: str = "") -> None:
        """Of the merges among the ancestors of `head`; what `since` names, where it does, and its ancestors are older.

        Git is asked nothing until something is.
        """
        self._root = folder_of(state)
        self._asked = (head, f"^{since}") if since else (head,)
        options = ("-r", "--root", "--always", "--ignore-all-space", SHOWN_HEAD, *SHOWN)
        self._git = dialogue(self._root, "diff-tree", "--stdin", *options)
        self._lines = lru_cache(KEPT)(self._read)

    def close(self) -> None:
        """End the process that answers."""
        self._git.close()

    def brought(self, merge: str, most: int) -> Iterator[CommitLines]:
        """What the newest `most` commits did that a merge brought along first parents, oldest first.

        Raises SourceError where git cannot tell, as where contents are not here.
        """
        for sha in reversed(self._along(merge, most)):
            yield self._lines(sha)

    def joining(self, merge: str, paths: Sequence[str]) -> CommitLines:
        """What a merge did to some files, by their paths in it, seen from the branch. Raises SourceError likewise."""
        named = [f":(literal){os.fsdecode(raw_path(path))}" for path in paths] if len(paths) <= _NAMED else []
        shown = ask(self._root, "diff-tree", "-r", "--ignore-all-space", *SHOWN, f"{merge}^2", merge, "--", *named)
        seen = next(commits_of([shown]), CommitLines("", True))
        return replace(seen, sha=merge, merge=True)

    @cached_property
    def _parents(self) -> dict[str, tuple[int, tuple[str, ...]]]:
        """By commit its number, lower than that of each commit before it, and its parents."""
        listed = ask(self._root, "rev-list", "--topo-order", "--parents", *self._asked).decode("ascii")
        lines = map(str.split, listed.splitlines())
        return {sha: (number, tuple(parents)) for number, (sha, *parents) in enumerate(lines)}

    def _along(self, merge: str, most: int) -> list[str]:
        """The newest `most` first parents of what a merge brought that it did not have before, newest first."""
        graph = self._parents
        into, tip = graph[merge][1][:2]
        known, waiting = {into}, [(graph[into][0], into)] if into in graph else []
        found: list[str] = []
        while tip in graph and len(found) < most:
            while waiting and waiting[0][0] < graph[tip][0]:
                for parent in graph[heappop(waiting)[1]][1]:
                    if parent in graph and parent not in known:
                        known.add(parent)
                        heappush(waiting, (graph[parent][0], parent))
            if tip in known:
                break
            found.append(tip)
            tip = next(iter(graph[tip][1]), "")
        return found

    def _read(self, sha: str) -> CommitLines:
        """What a commit did, as seen from its first parent."""
        parents = self._parents[sha][1]
        (told,) = commits_of(self._answer(" ".join([sha, *parents[:1]])))
        return replace(told, merge=len(parents) > 1)

    def _answer(self, asked: str) -> Iterator[bytes]:
        """What git shows of a commit, as it comes."""
        answer, last = self._git.ask(asked.encode() + b"\n" + _END).fileno(), b"\n"
        while last != b"\n" + _END + b"\n":
            chunk = os.read(answer, CHUNK_BYTES)
            if not chunk:
                self.close()
                raise SourceError(f"git stopped at commit {asked}.")
            last = (last + chunk)[-len(_END) - 2 :]
            yield chunk
