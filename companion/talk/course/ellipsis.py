"""The object of a statement that leaves it out: "12 then" is of what was asked, "bump it to 12" of what was set."""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.language.amounts import unit
from companion.language.subjects import subject
from companion.talk.items.found import Found, tidy

SHORT_WORDS = 3
"""A statement of so many words with one telling one among them may be no more than an answer."""
TOPIC_WORDS, QUESTION_CHARS = 7, 160
"""Words that tell what an earlier statement is about; a longer question is cut to its end."""
_FIGURE = re.compile(r"^\W*\d[\w.,:%/-]*\W*$")
_POINTS = re.compile(r"\b(?:it|its|them|that|this|these|those|one|ones|there|both|same)\b", re.IGNORECASE)
_WORD = re.compile(r"\S+")


def is_elliptic(text: str) -> bool:
    """Whether a statement has its object elsewhere: a value alone, or a value that an `it` is given."""
    telling = _telling(text)
    gives = any(character.isdigit() for character in text) and _POINTS.search(text) is not None
    return not telling or (telling == 1 and gives)


def with_object(found: Found, asked: Sequence[str], earlier: Sequence[Found]) -> Found:
    """The statement with what it is of: the question that it answers, else what was said last that it may point to."""
    elliptic = is_elliptic(found.text)
    if asked and (elliptic or (_telling(found.text) == 1 and len(found.text.split()) <= SHORT_WORDS)):
        question = tidy(asked[-1])[-QUESTION_CHARS:]
        return found.but(text=f"{question}{'?' if asked[-1].rstrip().endswith('?') else ':'} {found.text}")
    about = next((topic for one in reversed(earlier) if (topic := _topic(one.text))), "") if elliptic else ""
    return found.but(text=f"{about}: {found.text}") if about else found


def _telling(text: str) -> int:
    """How many words of a text tell something, figures aside."""
    return sum(not _FIGURE.match(word) for word in subject(text))


def _topic(text: str) -> str:
    """The first words of a statement that tell what it is about, figures aside."""
    before, colon, _ = text.partition(": ")
    if colon:
        return before
    kept = [word for word in _WORD.findall(text) if not _FIGURE.match(word) and not unit(word) and subject(word)]
    return " ".join(kept[:TOPIC_WORDS]).strip(" ,;:.!?")
