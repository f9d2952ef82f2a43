"""What a commit message says beside its text: co-authors, reviewers, reverts, requests.

The wordings are those that git, GitHub, GitLab, Bitbucket, Azure DevOps and Gerrit write by
themselves; free prose ("undoes yesterday's change") is left to whoever reads the text.
"""

from __future__ import annotations

import re

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


def people_in(body: str) -> tuple[tuple[Person, ...], tuple[Person, ...]]:
    """Co-authors and reviewers that the trailers of a message name, each once."""
    named = [(key.lower(), Person(name.strip(), email.strip())) for key, name, email in _TRAILER.findall(body)]
    reviewers = dict.fromkeys(person for key, person in named if key == "reviewed-by")
    return tuple(dict.fromkeys(person for key, person in named if key != "reviewed-by")), tuple(reviewers)


def reverted_in(body: str) -> str:
    """The id of the commit that a message says it reverts, as it is written: at least seven digits; else empty."""
    found = _REVERTS.search(body)
    return found.group(1).lower() if found else ""


def cleaned(text: str) -> str:
    """The text without control characters (a terminal must not obey a commit message), cut to its limit."""
    cut = text[:MESSAGE_MAX_CHARS].replace("\r\n", "\n")
    return _CONTROL.sub("", cut).strip()


def request_in(subject: str, body: str) -> str:
    """The number of the request that a message says it came by; empty where it says none."""
    found = next((match for pattern in _REQUESTS if (match := pattern.search(subject))), None)
    found = found or _REQUEST_IN_BODY.search(body)
    return found.group(1) if found else ""
