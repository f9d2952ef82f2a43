"""What a commit message says beside its text: co-authors, reviewers, reverts, branches, requests.

The wordings are those that git, GitHub, GitLab, Bitbucket, Azure DevOps and Gerrit write by
themselves; free prose ("undoes yesterday's change") is left to whoever reads the text.
"""

from __future__ import annotations

import re

from msgspec import Struct

from companion.records import Person

MESSAGE_MAX_CHARS = 20_000
"""Longer messages are generated (squashed logs, pasted files); what follows says nothing of its own."""

_TRAILER = re.compile(
    r"^[ \t]*(co-authored-by|co-author|reviewed-by)[ \t]*:[ \t]*([^<>\r\n]*?)[ \t]*<([^<>\r\n]*)>",
    re.IGNORECASE | re.MULTILINE,
)
_REVERTS = re.compile(r"\bthis (?:commit )?reverts (?:the )?(?:commit )?([0-9a-f]{7,64})\b", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")

_REQUESTS = tuple(
    re.compile(text, flags)
    for text, flags in (
        (r"^Merge pull request #(\d+)\b", 0),
        (r"^Merged in .{1,250}? \(pull request #(\d+)\)", 0),
        (r"^Merged PR (\d+):", 0),
        (r"^Merge PR #(\d+)\b", re.IGNORECASE),
        (r"\((?:pull request |PR )?[#!](\d+)\)\s*$", re.IGNORECASE),
    )
)
_REQUEST_IN_BODY = re.compile(r"^See merge request [^\s!]*!(\d+)\s*$", re.MULTILINE)
_BRANCHES = tuple(
    re.compile(text)
    for text in (
        r"^Merge pull request #\d+ from [^\s/]+/(\S+)",
        r"^Merge remote-tracking branch(?:es)? '(?:origin/|upstream/)?([^']+)'",
        r"^Merge branch(?:es)? '([^']+)'",
        r"^Merge branch \"([^\"]+)\"",
        r"^Merge branch ([^\s'\"]+)(?: into | of |$)",
        r"^Merged in (\S+) \(pull request",
    )
)


class MessageParts(Struct, frozen=True):
    """What a message says. Everything is empty where it says nothing of the kind.

    `reverts` is the commit id as it was written, at least seven digits of it.
    """

    co_authors: tuple[Person, ...] = ()
    reviewers: tuple[Person, ...] = ()
    reverts: str = ""
    merged_branch: str = ""
    pull_request: str = ""


def understand(subject: str, body: str, is_merge: bool) -> MessageParts:
    """People, revert, merged branch (of merges alone) and request number of a message."""
    co_authors: list[Person] = []
    reviewers: list[Person] = []
    reverts = ""
    if body:
        for key, name, email in _TRAILER.findall(body):
            people = reviewers if key.lower() == "reviewed-by" else co_authors
            person = Person(name.strip(), email.strip())
            if person not in people:
                people.append(person)
        found = _REVERTS.search(body)
        reverts = found.group(1).lower() if found else ""
    return MessageParts(
        co_authors=tuple(co_authors),
        reviewers=tuple(reviewers),
        reverts=reverts,
        merged_branch=_first(_BRANCHES, subject) if is_merge else "",
        pull_request=_request(subject, body),
    )


def cleaned(text: str) -> str:
    """The text without control characters (a terminal must not obey a commit message), cut to its limit."""
    cut = text[:MESSAGE_MAX_CHARS].replace("\r\n", "\n")
    return _CONTROL.sub("", cut).strip()


def _request(subject: str, body: str) -> str:
    if number := _first(_REQUESTS, subject):
        return number
    found = _REQUEST_IN_BODY.search(body) if body else None
    return found.group(1) if found else ""


def _first(patterns: tuple[re.Pattern[str], ...], text: str) -> str:
    for pattern in patterns:
        if found := pattern.search(text):
            return next((group for group in found.groups() if group), "")
    return ""
