"""Which sentences of a message give a reason, and which speak of their author, their day or something not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from companion.language.phrases import opens, says
from companion.language.reasons import explains
from companion.language.sentences import split_sentences

REASON_CHARS = 60
"""Characters of a sentence below which it is a remark."""
STORY_CHARS = 900
"""Characters told of a message: some 200 tokens, since what was done stands behind what was wrong; the whole is found
as a passage."""

_REFERS = re.compile(
    r"(?<![\w&])(?:#|GH-)\d+\b|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b|^\W*\.\.\.|@\w+\b(?!\()|[:,]$|\?\W*$",
    re.IGNORECASE,
)
"""The number of a request, the name of a commit or of an account; what asks, goes on elsewhere or is cut."""
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


def told_of(story: str) -> Iterator[str]:
    """The sentences of a story's paragraphs that say something of the change."""
    for paragraph in _paragraphs(story):
        yield from (sentence for sentence in paragraph if not is_aside(sentence))


def opening(story: str) -> str:
    """The first paragraphs that say something of the change, as they were written, within `STORY_CHARS`."""
    kept: list[str] = []
    room = STORY_CHARS
    for sentence in chain.from_iterable(_paragraphs(story)):
        if (room := room - len(sentence) - 1) < 0:
            break
        kept.append(sentence)
    return " ".join(kept)


def _paragraphs(story: str) -> Iterator[list[str]]:
    """The paragraphs that are told, by sentences; lists are steps of the work, and left out.

    A paragraph is told whole but for asides at its end, since its sentences lean on each other; one that leans on a
    list, code or talk that is left out is left out too.
    """
    whole = True
    for line in story.split("\n"):
        paragraph = [] if line.startswith("- ") else split_sentences(line)
        while paragraph and is_aside(paragraph[-1]):
            paragraph.pop()
        whole = bool(paragraph) and (whole or not opens(line, "written.leaning", "written.going_on"))
        if whole:
            yield paragraph
