"""Which sentences of a message give a reason, and which speak of their author, their day or something not there."""

from __future__ import annotations

import re

from companion.kinds.prose import LEFT_OUT
from companion.language.phrases import says
from companion.language.reasons import explains
from companion.language.sentences import split_sentences

EXPLAINED_CHARS = 150
"""Characters of prose, some two sentences, from which a message explains what was done: BENCHMARKS-HISTORY, "Junk"."""
STORY_CHARS = 900
"""Characters told of a message: some 200 tokens, since what was done stands behind what was wrong; the whole is found
as a passage."""

_REFERS = re.compile(
    r"(?<![\w&])(?:#|GH-)\d+\b|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b|^\W*\.\.\.|@\w+\b(?!\()|[:,]$|\?\W*$"
    r"|^(?!.*\(1\)).*(?<!\w)\([2-9]\)",
    re.IGNORECASE,
)
"""The number of a request or of an item, the name of a commit or account; what asks, goes on elsewhere or is cut."""
_PASTED = re.compile(r"[{};=]$|\s//\s|\);|\$ \w|^\W*\||```|>>> |File \"|Traceback|~~")


def contrasts(sentence: str) -> bool:
    """Whether a sentence says what was before, or what something takes the place of."""
    return says(sentence, "written.contrast", "words.bygone")


def gives_ground(sentence: str) -> bool:
    """Whether a sentence gives a reason, a condition or what something is not: what a choice may rest on."""
    return explains(sentence) or contrasts(sentence) or says(sentence, "written.limits")


def is_aside(sentence: str) -> bool:
    """Whether a sentence is its author's word to somebody, a guess, pasted code, or leans on what is not there."""
    leans = says(sentence, "written.aside", "written.elsewhere") or _REFERS.search(sentence)
    return bool(leans or _PASTED.search(sentence)) or not _closed(sentence)


def _closed(sentence: str) -> bool:
    pairs = all(sentence.count(opens) == sentence.count(closes) for opens, closes in ("()", "[]", "“”"))
    return pairs and sentence.count('"') % 2 == 0 and sentence.count("`") % 2 == 0


def opening(story: str) -> str:
    """The paragraphs that a story begins with, up to a list or what was left out, within `STORY_CHARS`.

    What follows those may lean on them; so may asides at the end of a paragraph on what is not there. An item that the
    story begins with is the subject of the first of several squashed commits, and heads its paragraphs.
    """
    kept: list[str] = []
    room = STORY_CHARS
    first, *others = story.split("\n")
    for line in others if first.startswith("- ") else (first, *others):
        paragraph = [] if line.startswith("- ") or LEFT_OUT in line else split_sentences(line)
        while paragraph and is_aside(paragraph[-1]):
            paragraph.pop()
        fitting = [one for one in paragraph if (room := room - len(one) - 1) >= 0]
        kept += fitting
        if not fitting or len(fitting) < len(paragraph):
            break
    return " ".join(kept)
