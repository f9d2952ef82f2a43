"""Which sentences of a message give a reason, and which speak of their author, their day or something not there.

All lists are closed classes of English: what joins a clause with its cause, what stands for the speaker, what takes a
statement back half. No list of examples.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from companion.kinds.prose import split_sentences

REASON_CHARS = 60
"""Characters of a sentence below which it is a remark."""
STORY_CHARS = 900
"""Characters told of a message: some 200 tokens, since what was done stands behind what was wrong; the whole is found
as a passage."""

_CAUSE = re.compile(
    r"\b(?:because|since(?! v?\d)|so that|so as to|due to|otherwise|in order to|as a result|caus(?:e[sd]?|ing)"
    r"|therefore|which means|leads? to|led to)\b",
    re.IGNORECASE,
)
_CONTRAST = re.compile(r"\b(?:instead of|rather than|previously|formerly|no longer|used to|breaking)\b", re.IGNORECASE)
_JOINED = re.compile(
    r"\b(?:unless|until|without|when(?:ever)?|if|before|even|no|not|never|only|cannot|must|should|would|but|however"
    r"|although|while|which|instead)\b|n['’]t\b",
    re.IGNORECASE,
)
_SPEAKER = re.compile(
    r"(?<![\w/.])I(?![\w/.])|\b(?:my|me|mine|thanks|sorry|please|let['’]?s|w?oops|btw)\b|\?\W*$", re.IGNORECASE
)
_GUESS = re.compile(
    r"\b(?:maybe|perhaps|probably|apparently|hopefully|seems?|presumably|guess|not sure|for now|wip|todo|fixme)\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"(?<![\w&])(?:#|GH-)\d+\b|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b|\b(?:above|below|following|aforementioned)\b|\bhere\W*$|^\W*\.\.\."
    r"|@\w+\b(?!\()|[:,]$|\btest(?:s|ed|ing)?\b",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"(?:then|for (?:example|instance)|this|that|these|those|it|its|they|their|such|so|thus|therefore|hence|however|but"
    r"|and|or|also|otherwise|instead|moreover|additionally|furthermore|similarly|likewise|here|there|both|neither"
    r"|as (?:such|a result)|in (?:this|that|these|those|such|both|other words)|with (?:this|that)|after (?:this|that)"
    r"|because of (?:this|that))\b",
    re.IGNORECASE,
)
"""How a sentence begins that goes on from the one before it."""
_PASTED = re.compile(r"[{};=]$|\s//\s|\);|\$ \w|^\W*\||```|>>> |File \"|Traceback|~~")


def explains(sentence: str) -> bool:
    """Whether a sentence joins a thing with its cause, its purpose or its consequence."""
    return _CAUSE.search(sentence) is not None


def contrasts(sentence: str) -> bool:
    """Whether a sentence says what was before, or what something takes the place of."""
    return _CONTRAST.search(sentence) is not None


def gives_ground(sentence: str) -> bool:
    """Whether a sentence gives a reason, a condition or what something is not: what a choice may rest on."""
    return explains(sentence) or contrasts(sentence) or _JOINED.search(sentence) is not None


def is_aside(sentence: str) -> bool:
    """Whether a sentence is its author's word to somebody, a guess, pasted code, or leans on what is not there."""
    return any(pattern.search(sentence) for pattern in (_SPEAKER, _GUESS, _ELSEWHERE, _PASTED)) or not _closed(sentence)


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
        whole = bool(paragraph) and (whole or _LEANS.match(line) is None)
        if whole:
            yield paragraph
