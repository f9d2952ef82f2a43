"""What somebody notes to be done: "TODO: write the release notes by Friday", "drop the shim once 3.8 is gone".

A note is a to-do that says so itself, before a colon ("todo:", "next step:") or by how it begins ("remind me to"), or
that orders something to be taken away later: on a day, or once something has happened. What is done time and again
("delete the branch after merging", "always remove it") is a way of working and waits for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from msgspec import Struct

from companion.language.dates import due
from companion.language.openings import opening, unopened
from companion.language.spoken import LABELS
from companion.language.times import Word, span_at, spans, words_of
from companion.language.word_lists import DENIALS, word_set

PARTICLE_WITHIN = 8
"""Words between "take" and "down": a name with its article and what it is a name of."""
ORDER_WITHIN = 12
"""Words before the order, where what it waits for comes first: "once 3.8 is gone, drop the shim"."""
TEXT_CHARACTERS = 500
"""As long as a to-do may be; a longer note is no single one."""
_ANY_DAY = date(2000, 1, 1)
_ANY_TIME = ("a", "an", "you")
"""How a condition goes on that comes round: "when a column is added", "when you release"."""


class NotedTodo(Struct, frozen=True):
    """What is to be done, in the note's words, and the day it is due in ISO form, empty where none is named."""

    text: str
    due: str


def noted_todo(text: str, said: datetime) -> NotedTodo | None:
    """The to-do that a note is; None for any other."""
    plain = " ".join(text.split())
    words = words_of(plain)
    if not words or len(plain) > TEXT_CHARACTERS:
        return None
    if task := _named(plain, words):
        day = due(task, said)
        return NotedTodo(task, day.day if day else "")
    return None if _comes_round(words) else _taken_out_later(plain, words, said)


def is_todo(text: str) -> bool:
    """Whether a note calls itself a to-do, whatever day it is said on."""
    plain = " ".join(text[:TEXT_CHARACTERS].split())
    return bool(_named(plain, words_of(plain)))


def _named(plain: str, words: Sequence[Word]) -> str:
    """What is to be done, of a note that calls itself a to-do; empty for any other.

    "Don't forget to ... when ..." tells how something is done each time.
    """
    label, colon, rest = plain.lstrip("-*[] ").partition(":")
    if colon and rest.strip() and LABELS.get(label.strip(" *").lower()) == "task":
        return rest.strip(" *")
    whenever = word_set("times", "signs.condition") | word_set("times", "signs.recurring")
    if not opening(plain, "says_todo"):
        plain = _day_last(plain, words)
    if opening(plain, "says_todo") and whenever.isdisjoint(word.text for word in words):
        return unopened(plain, "says_todo")
    return ""


def _day_last(plain: str, words: Sequence[Word]) -> str:
    """The note with the first day that it names at its end: "remind me on Friday to order it"."""
    for at, span in spans(words, _ANY_DAY):
        begin = words[at - (at > 0 and words[at - 1].text in word_set("times", "joints.at"))].begin
        end = words[at + span.words - 1].end
        return f"{plain[:begin]}{plain[end:].strip(' ,.')} {plain[begin:end]}"
    return plain


def _taken_out_later(plain: str, words: Sequence[Word], said: datetime) -> NotedTodo | None:
    order = _order(words)
    for at, word in enumerate(words):
        if order is not None and word.text in word_set("times", "taking_out.later") and at != order:
            span = span_at(words, at + 1, said.date())
            if span is not None and span.words:
                return NotedTodo(plain, span.first.isoformat() if span.first >= said.date() else "")
            if _waits(words, at):
                return NotedTodo(plain, "")
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
    return words[at + 1].text not in _ANY_TIME and not words[at + 1].text.endswith("ing")


def _comes_round(words: Sequence[Word]) -> bool:
    texts = {word.text for word in words}
    recurring = word_set("times", "signs.recurring")
    return bool(texts & (recurring | (DENIALS - {"no", "not"}))) or words[0].text in DENIALS
