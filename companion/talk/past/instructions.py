"""What is to be held on to when memory fades: a file that the user or the assistant writes, read by rules and models.

Three kinds of lines mean something to the rules, wherever they stand: `Keep: WORDS, WORDS` (lines that name them stay
longest), `Leave out: WORDS` (lines that name them go first) and `Tokens: NUMBER` (how long a block may be). A language
model is given the whole text.
"""

from __future__ import annotations

import re

from msgspec import Struct

FILE = "compaction.md"
"""Its name in the folder of notes."""
FILE_CHARS = 8_000
"""Characters of it that are read: two pages of instructions."""
TOKENS, TOKENS_LEAST, TOKENS_MOST = 3_000, 200, 20_000
"""Tokens of a block: document B's figure, and what can be set instead."""
WORDS_MOST = 50
"""Words to keep or leave out that are looked for."""

DEFAULT = """\
# When memory fades

This is read when older turns are made into a summary. Change it as you like.

Keep the course of the talk: what it was about, how it went, what was promised and what is still open. What was said
recently matters more than what was said long ago. Figures and settings belong in notes and decisions; the course of
the talk does not need them again.

Keep:
Leave out: thanks, good morning
Tokens: 3000
"""

_LINE = re.compile(r"^[^\w\n]*(keep|leave out|tokens)[ \t]*:[ \t]*(.*?)\W*$", re.IGNORECASE | re.MULTILINE)


class Instructions(Struct, frozen=True):
    """The text and what the rules take from it; words in lower case."""

    text: str = DEFAULT
    keep: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    tokens: int = TOKENS


def read(text: str) -> Instructions:
    """Instructions as somebody wrote them; the default where the text is empty. Never raises."""
    said = text[:FILE_CHARS].strip() or DEFAULT
    words: dict[str, list[str]] = {"keep": [], "leave out": []}
    tokens = TOKENS
    for match in _LINE.finditer(said):
        name, value = match.group(1).lower(), match.group(2)
        if name == "tokens":
            digits = re.sub(r"[,_ .]", "", value)
            tokens = (
                min(TOKENS_MOST, max(TOKENS_LEAST, int(digits))) if digits.isascii() and digits.isdigit() else TOKENS
            )
        else:
            words[name] += [word for part in value.split(",") if (word := " ".join(part.lower().split()))]
    return Instructions(said, tuple(words["keep"][:WORDS_MOST]), tuple(words["leave out"][:WORDS_MOST]), tokens)
