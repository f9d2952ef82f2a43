"""Commits whose subject only says that something was merged, and fixes of weaknesses that were reported in private.

A request that was squashed keeps its story in the body, and a fix that was prepared in a private fork has no other
title than `Merge commit from fork`. What such a commit did is its body's first sentence; a fix is told with the number
of its advisory, or as a security fix, so that it is known for what it is.
"""

from __future__ import annotations

import re
from dataclasses import replace

from companion.kinds.history import noise
from companion.kinds.history.branches import is_sync
from companion.kinds.prose import narrative, split_sentences
from companion.records import Commit

TITLE_CHARS = 200
"""Characters up to which a sentence below a merge can be its title."""

FORK = re.compile(r"^merge (?:commit from fork$|pull request from (?:GHSA-|an advisory))", re.IGNORECASE)
"""How a fix is merged that was prepared in private."""
_GENERIC = re.compile(
    r"^merged? (?:commit|pull request|PR|branch(?:es)?|remote-tracking|#\d+|request|in \S+ \(pull request)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<!\s)\s++\(#\d+\)$")
"""The number of a request behind a title."""


def retitled(commit: Commit) -> Commit:
    """A commit with the title that it should have had.

    The first telling sentence of its body stands for a subject that only says that something was merged into a commit
    with one parent; a fix of a weakness has its number, or says what it is.
    """
    if len(commit.parents) <= 1 and _GENERIC.match(commit.subject) and not is_sync(commit):
        title, body = _title_below(commit.body)
        commit = replace(commit, subject=titled(title, commit), body=body) if title else commit
    return replace(commit, subject=titled("" if FORK.match(commit.subject) else commit.subject, commit))


def titled(title: str, commit: Commit) -> str:
    """The title of a commit with the advisory that it answers; the files it touched where it has no title."""
    number = noise.advisory_in("\n".join((commit.subject, commit.body, *(change.path for change in commit.changes))))
    fork = FORK.match(commit.subject) is not None
    if not title and (number or fork):
        source = [path for path in (c.path for c in commit.changes) if not noise.quiet_path(path)]
        told = [path for path in source if not noise.test_path(path)] or source
        title = f"Security fix in {told[0]}" if told else "Security fix"
    if number and not fork and noise.noise_subject(title):
        return title
    mark = number or (noise.SECURITY_FIX if fork else "")
    return f"{_NUMBER.sub('', title)} ({mark})" if title and mark.lower() not in title.lower() else title


def _title_below(body: str) -> tuple[str, str]:
    """The first sentence of a body that can be a title, and the lines with what is left."""
    lines = narrative(body).split("\n")
    for place, line in enumerate(lines):
        first, *more = split_sentences(line.removeprefix("- ")) or [""]
        if first and len(first) <= TITLE_CHARS and not noise.noise_subject(first):
            return first.rstrip("."), "\n".join((*lines[:place], " ".join(more), *lines[place + 1 :])).strip()
    return "", body
