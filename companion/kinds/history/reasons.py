"""Which sentences of a message give a reason, and which speak of their author, their day or something not there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, takewhile

from companion.kinds.prose import LEFT_OUT, stopped
from companion.language.phrases import opens, says
from companion.language.reasons import explains
from companion.language.sentences import split_sentences

EXPLAINED_CHARS = 150
"""Characters of prose, some two sentences, from which a message explains what was done: BENCHMARKS-HISTORY, "Junk"."""
STORY_CHARS = 900
"""Characters told of a message: some 200 tokens, since what was done stands behind what was wrong; the whole is found
as a passage."""

_REFERS = re.compile(
    r"(?<![\w&])(?:#|GH-|[\w.-]+/[\w.-]+#)\d+\b|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b|^\W*\.\.\.|@\w+\b(?!\()|[:,]$|\?\W*$"
    r"|^(?!.*\(1\)).*(?<!\w)\([2-9]\)",
    re.IGNORECASE,
)
"""The number of a request or of an item, the name of a commit or account; what asks, goes on elsewhere or is cut."""
_PASTED = re.compile(r"[{};=]$|\s//\s|\);|\$ \w|^\W*\||```|>>> |File \"|Traceback|~~")
_UNFINISHED = re.compile(r":$|\b(?:is|are|was|were|includes?|including)$")


def contrasts(sentence: str) -> bool:
    """Whether a sentence says what was before, or what something takes the place of."""
    return says(sentence, "written.contrast", "words.bygone")


def gives_ground(sentence: str) -> bool:
    """Whether a sentence gives a reason, a condition or what something is not: what a choice may rest on."""
    return explains(sentence) or contrasts(sentence) or says(sentence, "written.limits")


def is_aside(sentence: str) -> bool:
    """Whether a sentence is its author's word to somebody, a guess, pasted code, or leans on what is not there."""
    return says(sentence, "written.aside") or _leans(sentence)


def _leans(sentence: str) -> bool:
    """Whether a sentence says nothing without what it points to, or is none."""
    leans = says(sentence, "written.elsewhere") or _REFERS.search(sentence)
    return bool(leans or _PASTED.search(sentence)) or not _closed(sentence)


def _ends_badly(sentence: str) -> bool:
    """Whether a paragraph had better not end so: with an aside that says neither why nor what there was before."""
    return _leans(sentence) or (says(sentence, "written.aside") and not (explains(sentence) or contrasts(sentence)))


def _closed(sentence: str) -> bool:
    pairs = all(sentence.count(first) == sentence.count(last) for first, last in ("()", "[]", "“”"))
    return pairs and sentence.count('"') % 2 == 0 and sentence.count("`") % 2 == 0


def opening(story: str) -> str:
    """The paragraphs that a story begins with, up to what was left out, within `STORY_CHARS`.

    What follows that may lean on it; so may asides at the end of a paragraph on what is not there. A list is told where
    it is announced, with its paragraphs and as far as there is room, else nothing from it on. An item that the story
    begins with is the subject of the first of several squashed commits: it is told where its paragraphs lean on it, and
    nothing is of those that a later one of them took back.
    """
    kept: list[str] = []
    room = STORY_CHARS
    first, *others = _from_the_last_revert(story.split("\n"))
    heads = _is_item(first) and not (others and opens(others[0], "written.leaning"))
    for said in _parts(others if heads else (first.removeprefix("- "), *others)):
        fitting = [one for one in said if (room := room - len(one) - 1) >= 0]
        kept += fitting
        if len(fitting) < len(said):
            kept += [LEFT_OUT] if fitting and not _announces(fitting[-1]) else []
            break
    return " ".join(kept[:-1] if kept and _announces(kept[-1]) else kept)


def _from_the_last_revert(lines: list[str]) -> list[str]:
    """The lines of squashed commits from the last one on that took others back; all lines of any other message."""
    taken = [number for number, line in enumerate(lines) if line.startswith("- Revert ")] if _is_item(lines[0]) else []
    return lines[taken[-1] :] if taken else lines


def _parts(lines: Iterable[str]) -> Iterator[list[str]]:
    """The sentences of each paragraph, and the items of each list with what announces it and a mark where it is cut."""
    announced, lists, passed = "", False, False
    for listed, block in groupby(lines, _is_item):
        if listed:
            lists = lists or bool(announced)
            items = [stopped(line.removeprefix("- ")) for line in block]
            whole = list(takewhile(lambda item: LEFT_OUT not in item, items))
            if not lists or not whole:
                return
            yield [*filter(None, [announced]), *whole, *([LEFT_OUT] if len(whole) < len(items) else ())]
            if len(whole) < len(items):
                return
            announced = ""
            continue
        for line in block:
            if announced or (passed and opens(line, "written.leaning")) or (LEFT_OUT in line and not lists):
                return  # what is announced is no prose, or what this leans on is not told
            said = [] if LEFT_OUT in line else split_sentences(line)
            announced = said.pop() if said and _announces(said[-1]) else ""
            while said and not announced and _ends_badly(said[-1]):
                said.pop()
            passed = not said and not announced
            if said:
                yield [*said[:-1], stopped(said[-1])]


def _announces(sentence: str) -> bool:
    """Whether a sentence is unfinished: what follows it belongs to it."""
    return _UNFINISHED.search(sentence) is not None


def _is_item(line: str) -> bool:
    return line.startswith("- ")
