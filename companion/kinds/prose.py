"""Messages and notes as people mean them: paragraphs without trailers, quotes, code and templates; sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.language.phrases import says
from companion.language.sentences import split_sentences

_UNTOLD = re.compile(
    r"<!--.*?-->|^(?:--HG--|git-svn-id:|svn path=|darcs-hash:|\(?converted from ).*", re.DOTALL | re.MULTILINE
)
"""Comments of a template, and what a tool that moved a history left at the end of a message."""
_STRUCK = re.compile(
    r"(?<![^\s(*_-])(?P<mark>~~?)(?=[^\s~])(?:(?!\n[ \t]*\n)[^~]){1,400}?(?<=\S)(?P=mark)(?=[\s.,;:!?)*_]|\Z)"
)
"""What was struck out, within a paragraph; `=~` and `~/.profile` are no marks of it."""
_FENCED = re.compile(r"^[ \t]*(?P<fence>```|~~~).*?^[ \t]*(?P=fence)[ \t]*$", re.DOTALL | re.MULTILINE)
_NOT_SAID = re.compile(
    r"^\s*(?:(?!BREAKING-)[A-Za-z][\w-]*-[\w-]+:\s|[A-Z][A-Z0-9_]{3,}=\S*(?<![,;.])(?:\s|$)|(?:cc|link|url|closes?|fix(?:es)?|refs?|see|resolves?)\b:?\s*\S+\s*$"
    r"|>|</?\w+>\s*$|\W*generated (?:with|by)\b|[#=~^*_-]+\s*$|#{1,6}\s|==\d+==|#\d+ +0x"
    r"|commit [0-9a-f]{40}|merged? (?:pull request|(?:remote-tracking )?branch)\b|(?:author|date):\s"
    r"|[-*+]\s*\[[ x]?\]|\(cherry picked from|\*\*[^*]+\*\*:?\s*$)",
    re.IGNORECASE,
)
"""A line that is a trailer, a quote, a heading, a box of a template, or printed by a tool."""
_HEADING = re.compile(r"#{1,6}\s+(?P<text>.*)")
_CODE = re.compile(r"^(?: {4}|\t)\s*\S")
LEFT_OUT = "…"
"""What stands for code, and for a sentence with a picture or an address in it, which speaks of what stands there."""
_NOTHING = re.compile(r"(?:n/?a|nan|none|nothing)\W*", re.IGNORECASE)
"""What stands below a heading of a template that does not apply."""
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+")
_LINK = re.compile(r"\[([^\]]{0,300})\]\([^)\s]{0,1000}\)")
_PICTURE = re.compile(r"!\[[^\]]{0,300}\]\([^)\s]{0,1000}\)|<img\b[^>]{0,1000}>", re.IGNORECASE)
_LONE_LINK = re.compile(
    r"(?:\A|\n[ \t]*\n)[ \t]*(?:[-*+][ \t]+)?\[[^\]]{0,300}\]\([^)\s]{0,1000}\)[.:]?[ \t]*(?=\n[ \t]*(?:\n|\Z)|\Z)"
)
"""A paragraph that is a link and nothing else."""
_ADDRESS = re.compile(r"\b(?:https?|ftp)://\S")
_POINTER = r"(?:(?:https?|ftp)://[^()\s]{1,500}|#\d+)"
_SEE = re.compile(
    rf"[ \t]{{0,3}}\((?:(?:see|also|cf|e\.g|via|from|in|fix(?:es)?|closes?|refs?|issue|pr)\b[.:, ]{{0,3}}){{0,4}}"
    rf"{_POINTER}(?:,?[ ]?(?:and |or )?{_POINTER}){{0,5}}[.,]?\)(?![ \t]*$)",
    re.IGNORECASE | re.MULTILINE,
)
"""Brackets that hold nothing but where to look: the sentence says the same without them. At the end of a line they are
the number of a commit's subject."""
_HYPHENATED = re.compile(r"(?<=\w)-\n(?=[a-z])(?!(?:and|or|to)\b)")
"""A word that was parted at its hyphen, where the line ended."""

NARRATIVE_CHARS = 1_600
"""Characters kept of a message body: some 400 tokens, longer ones are essays or pasted output."""


def narrative(body: str, limit: int = NARRATIVE_CHARS) -> str:
    """What a message body tells, a paragraph or list item a line, cut at a sentence to about `limit` characters.

    What is no prose is left out, and `LEFT_OUT` stays where others follow that may lean on it.
    """
    kept: list[str] = []
    room = limit
    text = _FENCED.sub(f"\n    {LEFT_OUT}\n", _UNTOLD.sub("", body[: 8 * limit].replace("\r\n", "\n")))
    text = _PICTURE.sub(LEFT_OUT, _STRUCK.sub("", text))
    for paragraph in _paragraphs(_SEE.sub("", _LINK.sub(r"\1", _LONE_LINK.sub("\n\n", text)))):
        if _NOTHING.fullmatch(paragraph):
            continue
        said: list[str] = []
        for sentence in split_sentences(paragraph):
            if len(sentence) > room:
                room = 0
                break
            said.append(LEFT_OUT if LEFT_OUT in sentence or _ADDRESS.search(sentence) else sentence)
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
    """Lines joined to paragraphs; a bullet begins one. Code and the sentence it stands in become `LEFT_OUT`.

    The paragraph below a heading that tells how the work was tried or handed in is no part of it.
    """
    done: list[str] = []
    lines: list[str] = []
    skipped = after_heading = dropped = False
    for raw in [*text.split("\n"), ""]:
        line = raw.rstrip()
        if heading := _HEADING.match(line):
            skipped, dropped = says(heading["text"].strip(), "written.process_headings"), False
        elif not line.strip():
            skipped = skipped and after_heading
        after_heading = bool(heading) or (after_heading and not line.strip())
        code = bool(_CODE.match(line)) and not skipped and not (lines and lines[0].startswith("- "))
        bullet = _BULLET.match(line)
        told = bool(line.strip()) and not (skipped or _NOT_SAID.match(line))
        if lines and (bullet or code or not told):
            done.append(_HYPHENATED.sub("-", "\n".join(lines)))
            lines = []
        if code and done and not done[-1].endswith((".", "!", "?", LEFT_OUT)):
            done[-1] = " ".join(split_sentences(done[-1])[:-1])
        if code:
            done.append(LEFT_OUT)
        elif bullet:
            lines = [f"- {line[bullet.end() :]}"] if told else []
            dropped = not told
        elif told and not dropped:
            lines.append(line.strip())
        dropped = dropped and bool(line.strip())
    return [" ".join(one.split()) for one in done]


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, line by line; a bullet is a sentence; empty ones left out."""
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped:
            yield from split_sentences(stripped)


def stopped(sentence: str) -> str:
    """The sentence with a stop at its end, so that another one can follow."""
    ended = sentence.rstrip("\"')]*_`”").endswith((".", "!", "?", ":", LEFT_OUT))
    return sentence if ended else f"{sentence.rstrip(' ,;')}."
