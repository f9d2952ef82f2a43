"""What somebody means to take out later: "drop the shim once 3.8 is gone", "take the banner down on Friday".

An order to take something away, and what that waits for: a day, or something that is to happen first. What is done time
and again ("delete the branch after merging", "always remove it") is a way of working and waits for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from companion.language.times import Word, span_at, words_of
from companion.language.word_lists import DENIALS, word_set

PARTICLE_WITHIN = 8
"""Words between "take" and "down": a name with its article and what it is a name of."""
ORDER_WITHIN = 12
"""Words before the order, where what it waits for comes first: "once 3.8 is gone, drop the shim"."""
TEXT_CHARACTERS = 500
"""As long as a to-do may be; a longer note is no single one."""


@dataclass(frozen=True, slots=True)
class DueRemoval:
    """Something to take out: the whole of the note, and the day it is due in ISO form, empty where none is named."""

    text: str
    due: str


def taken_out_later(text: str, said: datetime) -> DueRemoval | None:
    """The to-do that a note is; None for any other."""
    plain = " ".join(text.split())
    words = words_of(plain)
    order = _order(words)
    if order is None or len(plain) > TEXT_CHARACTERS or _comes_round(words):
        return None
    for at, word in enumerate(words):
        if word.text in word_set("times", "taking_out.later") and at != order:
            span = span_at(words, at + 1, said.date())
            if span is not None and span.words:
                return DueRemoval(plain, span.first.isoformat() if span.first >= said.date() else "")
            if _waits(words, at):
                return DueRemoval(plain, "")
    return None


def _order(words: Sequence[Word]) -> int | None:
    """The place of the verb that orders something to be taken out; None where nothing is."""
    for at, word in enumerate(words[:ORDER_WITHIN]):
        if word.text in word_set("times", "taking_out.verbs") and _leads(words, at) and _goes_off(words, at):
            return at
    return None


def _leads(words: Sequence[Word], at: int) -> bool:
    """Whether a verb is an order: it opens the note, or what is told before is a prompt or what it waits for."""
    prompts = word_set("times", "taking_out.prompts")
    before = [word.text for word in words[:at] if word.text.isalpha() or "'" in word.text or "-" in word.text]
    if prompts.issuperset(before):
        return True
    waits = before[0] in word_set("times", "taking_out.later")
    return waits and (words[at - 1].text == "," or words[at - 1].text in prompts)


def _goes_off(words: Sequence[Word], at: int) -> bool:
    """Whether "take", "turn" and the like have the word behind them that makes them mean taking away."""
    if words[at].text not in word_set("times", "taking_out.phrasal"):
        return True
    near = words[at + 1 : at + 1 + PARTICLE_WITHIN]
    return any(word.text in word_set("times", "taking_out.particles") for word in near)


def _waits(words: Sequence[Word], at: int) -> bool:
    """Whether what follows is to happen first, once: "once 3.8 is gone", "after the launch", "when v2 ships"."""
    if words[at].text not in {"once", "when", "after", "until", "as"} or at + 1 >= len(words):
        return False
    if words[at].text == "as":
        return words[at + 1].text == "soon"
    return not words[at + 1].text.endswith("ing")


def _comes_round(words: Sequence[Word]) -> bool:
    texts = {word.text for word in words}
    recurring = word_set("times", "signs.recurring")
    return bool(texts & (recurring | (DENIALS - {"no", "not"}))) or words[0].text in DENIALS
