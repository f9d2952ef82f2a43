"""Messages and notes as people mean them: paragraphs without trailers, quotes, code and templates; sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.language.sentences import split_sentences

_UNTOLD = re.compile(
    r"<!--.*?-->|^(?:--HG--|git-svn-id:|svn path=|darcs-hash:|\(?converted from ).*", re.DOTALL | re.MULTILINE
)
"""Comments of a template, and what a tool that moved a history left at the end of a message."""
_FENCED = re.compile(r"^(?P<fence>```|~~~).*?^(?P=fence)\s*$", re.DOTALL | re.MULTILINE)
_NOT_SAID = re.compile(
    r"^\s*(?:[A-Za-z][\w-]*-[\w-]+:\s|[A-Z][A-Z0-9_]{3,}=\S*(?<![,;.])(?:\s|$)|(?:cc|link|url|closes?|fix(?:es)?|refs?|see|resolves?)\b:?\s*\S+\s*$"
    r"|>|</?\w+>\s*$|\W*generated (?:with|by)\b|[#=~^*-]{1,6}\s*$|#{1,6}\s|==\d+==|#\d+ +0x"
    r"|commit [0-9a-f]{40}|merged? (?:pull request|(?:remote-tracking )?branch)\b|(?:author|date):\s"
    r"|[-*+]\s*\[[ x]?\]|\(cherry picked from|\*\*[^*]+\*\*:?\s*$)",
    re.IGNORECASE,
)
"""A line that is a trailer, a quote, a heading, a box of a template, or printed by a tool."""
_CODE = re.compile(r"^(?: {4}|\t)\s*\S")
LEFT_OUT = "…"
"""What stands for code, and for a sentence with an address in it, which speaks of what stands there."""
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+")
_LINK = re.compile(r"!?\[([^\]]{0,300})\]\([^)\s]{0,1000}\)")
_ADDRESS = re.compile(r"\b(?:https?|ftp)://\S")

NARRATIVE_CHARS = 1_600
"""Characters kept of a message body: some 400 tokens, longer ones are essays or pasted output."""


def narrative(body: str, limit: int = NARRATIVE_CHARS) -> str:
    """What a message body tells, a paragraph or list item a line, cut at a sentence to about `limit` characters.

    What is no prose is left out, and `LEFT_OUT` stays where others follow that may lean on it.
    """
    kept: list[str] = []
    room = limit
    text = _FENCED.sub(f"\n    {LEFT_OUT}\n", _UNTOLD.sub("", body[: 8 * limit]))
    for paragraph in _paragraphs(_LINK.sub(r"\1", text)):
        said: list[str] = []
        for sentence in split_sentences(paragraph):
            if len(sentence) > room:
                room = 0
                break
            said.append(LEFT_OUT if _ADDRESS.search(sentence) else sentence)
            room -= len(said[-1]) + 1
        told = " ".join(said).removesuffix(f" {LEFT_OUT}")
        if paragraph == LEFT_OUT or any(c.isalpha() for c in told):
            kept.append(told)
        if not room:
            break
    while kept and kept[-1] == LEFT_OUT:
        kept.pop()
    return "\n".join(kept)


def _paragraphs(text: str) -> list[str]:
    """Lines joined to paragraphs; a bullet begins one. Code and the sentence it stands in become `LEFT_OUT`."""
    done: list[str] = []
    lines: list[str] = []
    for raw in [*text.replace("\r\n", "\n").split("\n"), ""]:
        line = raw.rstrip()
        code = bool(_CODE.match(line)) and not (lines and lines[0].startswith("- "))
        bullet = _BULLET.match(line)
        if lines and (bullet or code or not line.strip() or _NOT_SAID.match(line)):
            done.append(" ".join(" ".join(lines).split()))
            lines = []
        if code and done and not done[-1].endswith((".", "!", "?", LEFT_OUT)):
            done[-1] = " ".join(split_sentences(done[-1])[:-1])
        if code:
            done.append(LEFT_OUT)
        elif bullet and not _NOT_SAID.match(line):
            lines = [f"- {line[bullet.end() :]}"]
        elif line.strip() and not _NOT_SAID.match(line):
            lines.append(line.strip())
    return done


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, line by line; a bullet is a sentence; empty ones left out."""
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped:
            yield from split_sentences(stripped)
