"""Which lines of a file a later commit changes, by git's own comparison without context."""

from __future__ import annotations

import re
from collections import defaultdict

from companion.records import RepoState, Span
from companion.signals.git.running import ask, folder_of, names_commit
from companion.signals.paths import shown_path

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+")
_FLAGS = (
    "--unified=0",
    "--find-renames",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)


def old_spans(state: RepoState, older: str, newer: str) -> dict[str, tuple[Span, ...]]:
    """The lines of commit `older` that `newer` changes or removes, by path in `older`; new files have none.

    Where lines are only added, the line before them stands for them (the first line at the top of a file). Files
    whose names git must quote are left out. Empty where a commit is not there.
    """
    if not (names_commit(older) and names_commit(newer)):
        return {}
    shown = ask(
        folder_of(state), "-c", "core.quotePath=false", "diff-tree", "-r", "-p", *_FLAGS, older, newer, fails=True
    )
    found: defaultdict[str, list[Span]] = defaultdict(list)
    path, left = "", 0
    for line in shown.split(b"\n"):
        if left:
            left -= 1
        elif line.startswith(b"--- "):
            name = line[4:].rstrip(b"\t")
            path = shown_path(name[2:]) if name.startswith(b"a/") else ""
        elif (hunk := _HUNK.match(line)) and path:
            first, count = int(hunk[1]), int(hunk[2] or 1)
            left = count
            found[path].append((first, first + count - 1) if count else (max(first, 1), max(first, 1)))
    return {path: tuple(spans) for path, spans in found.items()}
