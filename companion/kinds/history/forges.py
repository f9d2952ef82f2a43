"""Where a forge shows a commit, the request it came by, its first release, and the issues that its message names.

What kind of forge it is tells the host's name. Of an unknown one nothing is guessed: the commit is known by its id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from msgspec import Struct

from companion.records import Commit, StoryLink

ISSUES = 3
"""Issues that are named of one commit."""
SHA_SHOWN = 10
"""Digits of a commit's id that tell it from all others."""

_ISSUE = re.compile(r"(?<![\w&/])(?:#|GH-)(\d{1,7})\b")
_BROUGHT = re.compile(r"^\* .*", re.MULTILINE)
"""A commit of a squashed request, as the message lists it: it may be of a fork with numbers of its own."""
_ADDRESS = re.compile(
    r"https?://(?P<place>[^\s/]+/\S+?)/(?:-/)?(?:issues|pulls?|_workitems/edit)/(?P<number>\d{1,7})\b"
)


class Forge(Struct, frozen=True):
    """How a forge's addresses are made: `{base}` is that of the repository, `{n}` a number or id."""

    names: tuple[str, ...]
    commit: str = "{base}/commit/{n}"
    request: str = "{base}/pull/{n}"
    issue: str = "{base}/issues/{n}"
    sign: str = "#"
    release: str = "{base}/releases/tag/{n}"


FORGES = (
    Forge(("github",)),
    Forge(
        ("gitlab",),
        "{base}/-/commit/{n}",
        "{base}/-/merge_requests/{n}",
        "{base}/-/issues/{n}",
        "!",
        "{base}/-/tags/{n}",
    ),
    Forge(("bitbucket",), "{base}/commits/{n}", "{base}/pull-requests/{n}", release="{base}/src/{n}"),
    Forge(("gitea", "forgejo", "codeberg"), request="{base}/pulls/{n}"),
    Forge(
        ("azure", "visualstudio"),
        "{base}/commit/{n}",
        "{base}/pullrequest/{n}",
        "{project}/_workitems/edit/{n}",
        "!",
        "{base}?version=GT{n}",
    ),
)
"""By a word that stands in the host's name, those of companies included: `gitlab.example.org`."""
AZURE_PARTS = 4
"""`organisation/project/_git/name`, as Azure DevOps names a repository in the web."""


def links_of(remote: str, commit: Commit, merge: Commit | None = None, release: str = "") -> tuple[StoryLink, ...]:
    """What stands behind a commit of the repository at `remote` (`host/owner/name`), the request it came by first.

    `merge` is what brought it to the main line, `release` the tag of the first release that has it.
    """
    forge, base = _forge(remote)
    request = commit.pull_request or (merge.pull_request if merge is not None else "")
    found = [_link(forge, base, "pull request", request)] if request else []
    found += [_link(forge, base, "issue", number) for number in issues_of(commit, remote) if number != request][:ISSUES]
    found += [_link(forge, base, "release", release)] if release else []
    return (*found, _link(forge, base, "commit", commit.sha))


def _link(forge: Forge | None, base: str, sort: str, number: str) -> StoryLink:
    names = {"commit": number[:SHA_SHOWN], "release": number}
    name = names.get(sort, f"#{number}")
    if forge is None:
        return StoryLink(sort, name)
    if sort == "pull request":
        name = f"{forge.sign}{number}"
    shapes = {"commit": forge.commit, "pull request": forge.request, "release": forge.release}
    shape = shapes.get(sort, forge.issue)
    return StoryLink(sort, name, shape.format(base=base, project=base.partition("/_git/")[0], n=quote(number)))


def issues_of(commit: Commit, remote: str = "") -> Sequence[str]:
    """Numbers of issues that a message names, by sign or by the address of one at `remote`, the first first.

    What a squashed request lists of its commits is left out.
    """
    text = f"{commit.subject}\n{_BROUGHT.sub('', commit.body) if commit.pull_request else commit.body}"

    def named() -> Iterator[tuple[int, str]]:
        yield from ((one.start(), one[1]) for one in _ISSUE.finditer(text))
        for one in _ADDRESS.finditer(text):
            if one["place"].lower() == remote:
                yield one.start(), one["number"]

    return list(dict.fromkeys(number for _, number in sorted(named())))


def _forge(remote: str) -> tuple[Forge | None, str]:
    """The forge of a remote and the address of the repository there; None where it is not known."""
    host, _, path = remote.partition("/")
    words = re.split(r"[.-]", host)
    forge = next((one for one in FORGES if path and set(words) & set(one.names)), None)
    parts = path.split("/")
    if forge is None or ("visualstudio" not in words and "azure" not in words):
        return forge, f"https://{host}/{quote(path)}"
    if parts[0] == "v3":  # ssh.dev.azure.com/v3/organisation/project/name
        parts = [*parts[1:3], "_git", *parts[3:]]
    if "visualstudio" in words:  # organisation.visualstudio.com/project/_git/name
        parts = [words[0], *(part for part in parts if part != "defaultcollection")]
    whole = len(parts) == AZURE_PARTS
    return (forge, f"https://dev.azure.com/{quote('/'.join(parts))}") if whole else (None, "")
