"""Whether a statement in a model's words adds nothing to what was said and turns nothing round.

Its numbers, names and identifiers stand in the turn, in the order of the sentence it rests on; a negation of that
sentence is kept and none is new. Hardly a word may be new, none that ends or forbids something, and what was
rejected in the sentence (`over Redis`, `instead of Redis`) is not what the statement is for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.judge.faithfulness import compare
from companion.language.marks import MarkKind, is_identifier, pieces
from companion.language.subjects import subject_stem
from companion.language.word_lists import GLUE, word_set

NEW_WORDS_SHARE = 4
"""One telling word in so many may be new, and one in any case: mostly the verb."""

_ENDINGS = """
    drop remove delete disable forbid stop reject refuse skip avoid kill ditch ban cancel replace revert undo
    abandon deprecate retire discard exclude prohibit deny disallow block prevent postpone defer delay leave
    erase destroy wipe revoke scrap
"""
_WORD = re.compile(r"[^\W_](?:[\w./#@+-]*\w)?")
_VERBS = word_set("talk", "verbs")
"""What a model puts before a statement that had no verb of its own."""
_ENDS = frozenset(map(subject_stem, re.findall(r"\w+", _ENDINGS)))
"""Words that end or forbid something, by their stems."""
_REJECTED = re.compile(
    r"\b(over|instead of|rather than|than|against|away from|without)\s+(?:the |a |an |our |any )?([\w.+#-]*\w)",
    re.IGNORECASE,
)


def is_borne_out(text: str, sentence: str, own: str, *, asks: bool = False) -> bool:
    """Whether a statement may stand for a sentence of a message `own`; what `asks` need not say that it is unknown."""
    near = compare(sentence, text)
    marks = near.invented if asks else (*near.lost, *near.invented)
    if near.turned or any(mark.kind == MarkKind.NEGATION for mark in marks):
        return False
    if compare(own, text).invented or opens_with_a_stranger(text, own) or ends_something(text, sentence):
        return False
    return _has_few_new_words(text, own) and _is_in_order(text, sentence) and not _is_for_the_rejected(text, sentence)


def ends_something(text: str, above: str) -> bool:
    """Whether a text says that something ends or is forbidden, and the one it is made from (`above`) does not."""
    known = set(map(subject_stem, _words(above)))
    return any(subject_stem(word) in _ENDS and subject_stem(word) not in known for word in _words(text))


def opens_with_a_stranger(text: str, above: str) -> bool:
    """Whether a part of a text begins with a capital word that was not said: there a name looks like any word."""
    known = set(map(subject_stem, _words(above)))
    firsts = (
        match.group()
        for piece in pieces(text)
        if (match := _WORD.search(piece)) is not None and match.group().lower() not in _VERBS
    )
    return any(
        word[0].isupper() and word.lower() not in GLUE and subject_stem(word.lower()) not in known for word in firsts
    )


def _has_few_new_words(text: str, own: str) -> bool:
    known = set(map(subject_stem, _words(own)))
    telling = [word for word in _words(text) if word not in GLUE]
    return sum(subject_stem(word) not in known for word in telling) <= max(1, len(telling) // NEW_WORDS_SHARE)


def _is_in_order(text: str, sentence: str) -> bool:
    """Whether names, numbers and identifiers come as they do in the sentence: `A over B` is not `B over A`."""
    plain = list(_words(sentence))
    begins_with_verb = text.partition(" ")[0].lower() in _VERBS
    shown = [word for word in _WORD.findall(text)[begins_with_verb:] if _is_name(word)]
    places = [plain.index(word.lower()) for word in shown if word.lower() in plain]
    return places == sorted(places)


def _is_name(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit() or is_identifier(word)


def _is_for_the_rejected(text: str, sentence: str) -> bool:
    """Whether it names what the sentence sets aside, without saying that it is set aside."""
    said = set(_words(text))
    return any(
        match.group(2).lower() in said and match.group(1).lower() not in text.lower()
        for match in _REJECTED.finditer(sentence)
    )


def _words(text: str) -> Iterator[str]:
    return (match.group().lower() for match in _WORD.finditer(text))
