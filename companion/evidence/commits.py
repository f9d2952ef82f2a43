"""A commit's message as passages: its subject and what its body says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.records import Commit, Passage, PassageKind

MAX_MESSAGE_CHARS = 4_000
"""Of one passage: about 600 words; one message in a thousand is longer and is given in parts."""

MAX_MESSAGE_PARTS = 16
"""Of one commit: a squashed branch tells some 60,000 characters; what is longer is pasted output."""

_SIGNED = re.compile(r"^[A-Za-z]+(?:-[A-Za-z]+)*\s*:.*<[^<>\s]+@[^<>\s]*>\s*$")
"""A trailer that names a person: it says who, which the commit knows, and not what."""
_TRAILER = re.compile(r"^(?:[A-Za-z]+-)+[A-Za-z]+\s*:\s*\S")
"""A trailer of tools (Change-Id, Reviewed-on), which counts as one in the last paragraph only."""


def cut_commit(commit: Commit) -> tuple[Passage, ...]:
    """One passage of subject and body, or several of one `ref` where the body is very long.

    Signatures and the trailers of tools are left out; `Fixes: #12` stays, since it is asked for by its number.
    """
    body = _without_trailers(commit.body)
    texts = _parts(f"{commit.subject}\n\n{body}" if body else commit.subject)
    return tuple(
        Passage(PassageKind.COMMIT, text, commit.subject[:MAX_MESSAGE_CHARS], ref=commit.sha, at=commit.committed_at)
        for text in texts
        if text
    )


def _without_trailers(body: str) -> str:
    lines = [line.rstrip() for line in body.strip().split("\n")]
    last = max((number for number, line in enumerate(lines) if not line), default=-1)
    kept = (
        line
        for number, line in enumerate(lines)
        if not _SIGNED.match(line[:1_000]) and not (number > last and _TRAILER.match(line))
    )
    return "\n".join(kept).strip()


def _parts(text: str) -> Iterator[str]:
    """The text in parts within the limit: at paragraphs, else at lines, else at words."""
    for _ in range(MAX_MESSAGE_PARTS):
        if len(text) <= MAX_MESSAGE_CHARS:
            yield text.strip()
            return
        window = text[:MAX_MESSAGE_CHARS]
        ends = (window.rfind(border, MAX_MESSAGE_CHARS // 2) for border in ("\n\n", "\n", " "))
        end = next((end for end in ends if end > 0), MAX_MESSAGE_CHARS)
        yield text[:end].strip()
        text = text[end:].lstrip("\n")
