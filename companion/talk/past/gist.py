"""A turn in one sentence and a few keywords: what is left of it once it is cold, until somebody asks for it.

The sentence is the user's own, word for word: the one that says most of what lasts. Keywords are names, identifiers
and figures, the reply's as well as the user's, so that what was answered can be found by what it was about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from companion.language.word_lists import word_set
from companion.ports import Reader
from companion.records.readings import DialogueAct
from companion.records.talk import Role, Turn
from companion.talk.hearing import Heard, ends_of, hear_side

SENTENCE_CHARS = 160
"""A line; a longer sentence is cut at a word."""
KEYWORDS_MOST = 6
"""Keywords of a turn: together about as many tokens as half a sentence."""
KEYWORDS_LEAST, CHARS_A_KEYWORD = 2, 100
"""A short turn has fewer of them, or it would hardly be shorter than what was said."""
PLAIN_MOST = 3
"""Ordinary words among them: those that come most often, the longest first."""

_QUOTED = re.compile(r"`([^`\n]{2,60})`")
_SHAPED = re.compile(
    r"(?<![\w/.-])(?:[\w-]+(?:/[\w.-]+)+|\w+(?:\.\w+)+(?:\(\))?|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|\w+_\w+|[A-Z]{2,}[\w-]*"
    r"|v?\d[\d.,:]*\d(?: ?(?:%|ms|s|kb|mb|gb|min|h))?|\d+ ?(?:%|ms|s|kb|mb|gb|min|h)\b)(?![\w/-])",
)
_NAMED = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}(?: [A-Z][a-z]+)?")
_PLAIN = re.compile(r"[a-z][a-z-]{4,}")
_COMMON = word_set("talk", "past_common")


_WORTH = {DialogueAct.DECISION: 5.0, DialogueAct.RULE: 4.0, DialogueAct.TODO: 3.0, DialogueAct.BLOCKED: 3.0}


class Gist(Struct, frozen=True):
    """One sentence of a turn and its keywords."""

    sentence: str
    keywords: tuple[str, ...]


def gist(turn: Turn, reader: Reader | None) -> Gist:
    """What a turn is shown as once it is cold."""
    short = ends_of(turn)
    sentence = _sentence(short, reader)
    return Gist(sentence, _keywords(short, sentence))


def shortened(text: str, limit: int = SENTENCE_CHARS) -> str:
    """A text on one line, cut at a word."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    return flat[: limit - 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def once(lines: Iterable[str]) -> tuple[str, ...]:
    """Each line once, empty ones left out."""
    return tuple(dict.fromkeys(line for line in lines if line))


def _sentence(turn: Turn, reader: Reader | None) -> str:
    """The user's best sentence; where the user says none, the assistant's first."""
    for role in (Role.USER, Role.ASSISTANT):
        if spoken := hear_side(turn, role, reader):
            return shortened(max(spoken, key=lambda one: (_worth(one), -one.clause.place)).clause.sentence)
    return shortened(next((message.text for message in turn.messages if message.text.strip()), ""))


def _worth(heard: Heard) -> float:
    """How much of a turn a clause tells: decided, for good (kept word for word elsewhere), to be done, asked."""
    if heard.act in _WORTH:
        return _WORTH[heard.act]
    words = len(heard.clause.sentence.split())
    return (2 if heard.clause.asked else 1) * (1.0 if words >= 4 else 0.3)


def _keywords(turn: Turn, sentence: str) -> tuple[str, ...]:
    """Names, identifiers and figures that the sentence lacks; then the longer words that come most often."""
    text = "\n".join(message.text for message in turn.messages if message.role is not Role.SYSTEM)
    shaped = Counter(
        found.strip(".,:;()")
        for pattern in (_QUOTED, _SHAPED, _NAMED)
        for found in (match.group(match.lastindex or 0) for match in pattern.finditer(text))
    )
    plain = Counter(word for word in _PLAIN.findall(text.lower()) if word not in _COMMON)
    known = sentence.lower()
    most = max(KEYWORDS_LEAST, min(KEYWORDS_MOST, len(text) // CHARS_A_KEYWORD))
    often = sorted(plain, key=lambda word: (-plain[word], -len(word), word))[:PLAIN_MOST]
    ordered = [*(word for word, _ in shaped.most_common()), *often]
    kept: list[str] = []
    for word in ordered:
        if len(kept) == most:
            break
        if len(word) > 1 and word.lower() not in known and not any(word.lower() in one.lower() for one in kept):
            kept.append(shortened(word, 40))
    return tuple(kept)
