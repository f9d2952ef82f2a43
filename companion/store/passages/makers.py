"""The commits that made lines, as they are told: a merge by the title of its request, and a reason that is short."""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.ports import CommitSummary
from companion.store.history.changes import Changes, CommitRow
from companion.store.passages.index import PassageIndex

REASON_CHARS = 240
"""A longer paragraph is left to `companion expand`: sixty tokens are what a commit is worth beside its lines."""

_SAYS_NOTHING = re.compile(r"Merged?\b", re.IGNORECASE)
"""How the subject of a merge begins that nobody wrote."""

_OF_GIT = re.compile(r"(?:# )?Conflicts:|Merge (?:pull request|branch) \S+$")
"""What git, or a program that merges, writes below a subject: the list of conflicts, and that this was a merge."""

_OF_FORMS = re.compile(r"<!--[\s\S]*?-->|^#{1,6} .*$|^\*\*[^*\n]+\*\*:?$", re.MULTILINE)
"""What a form for requests puts into a message: its headings, and its remarks to whoever fills it in."""

_LIST = re.compile(r"[*+-] |\d+[.)] ")


def summary_of(passages: PassageIndex, changes: Changes, sha: str, *, merge: bool) -> CommitSummary | None:
    """A commit in short; None where it is not known, or is a merge that nobody wrote anything about."""
    passage = passages.of_commit(sha)
    if passage is None or passage.at is None:
        return None
    body = _OF_FORMS.sub("", passage.text.removeprefix(passage.title))
    paragraphs = [" ".join(one.split()) for one in body.split("\n\n")]
    paragraphs = [one for one in paragraphs if one and not _OF_GIT.match(one)]
    title, brought_by, brought = passage.title, *_branch(changes, sha)
    if merge and _SAYS_NOTHING.match(title):
        title = paragraphs.pop(0) if paragraphs else brought[0].subject if brought else ""
    if not title:
        return None
    reason = paragraphs[0] if paragraphs else ""
    reason = "" if len(reason) > REASON_CHARS or reason.endswith(":") or _LIST.match(reason) else reason
    return CommitSummary(sha, title, reason, passage.at, tuple(one.sha for one in brought) if merge else brought_by)


def coverage(changes: Changes, covers: Mapping[str, float]) -> dict[str, float]:
    """Return the shares of a text that commits say, by id, and for the merge that brought one the largest of them."""
    found = dict(covers)
    for sha, share in covers.items():
        seq = changes.numbers.get(sha)
        merge = changes.branch_of(seq)[0] if seq is not None else 0
        if merge:
            of_merge = changes.rows[merge].sha
            found[of_merge] = max(share, found.get(of_merge, 0.0))
    return found


def _branch(changes: Changes, sha: str) -> tuple[tuple[str, ...], tuple[CommitRow, ...]]:
    """The merge that brought a commit (or that it is), and all that it brought, newest first; none if not known."""
    seq = changes.numbers.get(sha)
    merge, members = changes.branch_of(seq) if seq is not None else (0, ())
    return ((changes.rows[merge].sha,), tuple(changes.rows[member] for member in members)) if merge else ((), ())
