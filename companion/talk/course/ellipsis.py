"""The object of a statement that leaves it out: "12 then" is of what was asked, "bump it to 12" of what was set.

What is kept is read without its talk, months later: a statement that does not stand alone is told with what it answers
or points to, in the words of the talk.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from companion.language.openings import unopened
from companion.language.quantities import quantities
from companion.language.sentences import Clause
from companion.language.subjects import covered, subject
from companion.talk.items.found import FoundItem, telling, tidy

ALONE_WORDS = 4
"""Telling words from which a statement with a "that" or "it" in it says what it is about."""
ASKING_WORDS = 2
"""Telling words of a question that says what it is about; "which do you prefer?" does not."""
REPEATED = 0.6
"""Share of a question's telling words in an answer that repeats the question."""
TOPIC_WORDS, QUESTION_CHARS = 9, 160
"""Words that tell what an earlier statement is about; a longer question is cut to its end."""
_FIGURE = re.compile(r"^\W*\d[\w.,:%/-]*\W*$")
_FIGURE_BEGINS = re.compile(r"(?<!\S)\W*\d")
_POINTS = re.compile(
    r"\b(?:it|its|them|they|that|this|these|those|one|ones|there|both|same|he|she|him|her)\b", re.IGNORECASE
)
_WORD = re.compile(r"\S+")


def is_elliptic(text: str) -> bool:
    """Whether a statement has its object elsewhere: a value alone, or a value that an `it` is given."""
    telling = _telling(text)
    gives = has_amount(text) and _POINTS.search(text) is not None
    return not telling or (telling == 1 and gives)


def has_amount(text: str) -> bool:
    """Whether a text gives a number, in figures or in words: "5", "twice", "every minute"."""
    return any(character.isdigit() for character in text) or bool(quantities(text))


def begins_with_amount(text: str) -> bool:
    """Whether a number is the first that a statement says: "90 days, compliance wants that"."""
    said = unopened(text)
    return _first_amount(said) == 0 and bool(said)


def answered(text: str, asked: Sequence[str]) -> str:
    """The question that an answer is to: one with words of it, or the first if it does not stand alone; else none."""
    able = [one for one in asked if len(subject(one)) >= ASKING_WORDS]
    best = max(able, key=lambda one: covered(text, one), default="")
    alone = stands_alone(text) and not begins_with_amount(text)
    return "" if alone and not covered(text, best) else best


def with_object(found: FoundItem, asked: str, earlier: Sequence[str]) -> FoundItem:
    """The statement with what it is of: the question that it answers, unless it repeats it, else what it may point to.

    `asked` is that question, empty for none; `earlier` are statements before it, the nearest last.
    """
    if asked and covered(asked, found.text) < REPEATED:
        mark = "?" if asked.rstrip().endswith("?") else ":"
        return replace(found, text=f"{tidy(asked)[-QUESTION_CHARS:]}{mark} {found.text}")
    if stands_alone(found.text):
        return found
    whole = not has_amount(found.text)
    about = next((topic for one in reversed(earlier) if (topic := _topic(one, whole=whole))), "")
    return replace(found, text=f"{about}: {found.text}") if about else found


def amended(found: FoundItem, old: str) -> FoundItem:
    """Another amount with what the one that it takes the place of was said of, unless it says so itself."""
    if not has_amount(found.text) or subject(found.text) & subject(old):
        return found
    about = _topic(old, whole=False)
    return replace(found, text=f"{about}: {found.text}") if about else found


def stands_alone(text: str) -> bool:
    """Whether a statement says what it is about: no word alone, no figure first, no little with a "that"."""
    telling, words = _telling(text), text.split()
    if not telling or len(words) == 1 or _FIGURE.match(words[0]):
        return False
    return telling >= ALONE_WORDS or _POINTS.search(text) is None


def tells(clause: Clause) -> bool:
    """Whether a clause says what it is about: no yes, no "wow"."""
    said = tidy(unopened(clause.text))
    return " " in said and telling(said)


def _telling(text: str) -> int:
    """How many words of a text tell something, figures aside."""
    return sum(not _FIGURE.match(word) for word in subject(text))


def _topic(text: str, *, whole: bool) -> str:
    """The first words of a statement that tell what it is about; only those before its first amount if not `whole`."""
    before, colon, _ = text.partition(": ")
    if colon:
        return before
    kept = _WORD.findall(text if whole else text[: _first_amount(text)])[:TOPIC_WORDS]
    while kept and not subject(kept[-1]):
        kept.pop()
    return tidy(" ".join(kept))


def _first_amount(text: str) -> int:
    """Where the first amount of a clause begins; its end where there is none."""
    figure = _FIGURE_BEGINS.search(text)
    return min([one.place for one in quantities(text)] + ([figure.start()] if figure else []), default=len(text))
