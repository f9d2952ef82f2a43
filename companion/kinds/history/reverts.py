"""Which commits were taken back, and by which: a revert that was itself reverted takes nothing back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.records import Commit


def reverted_by(commits: Sequence[Commit]) -> Mapping[str, Commit]:
    """The id of each commit that stands reverted, with the revert that did it.

    `commits` are oldest first. Read from the newest back, so that a revert which was taken back
    itself counts for nothing. Ids shorter than full ones match by their beginning.
    """
    known = {commit.sha for commit in commits}
    found: dict[str, Commit] = {}
    for commit in reversed(commits):
        if not commit.reverts or commit.sha in found:
            continue
        target = commit.reverts
        if target not in known and len(target) < 40:
            target = next((sha for sha in sorted(known) if sha.startswith(target)), target)
        found.setdefault(target, commit)
    return found
