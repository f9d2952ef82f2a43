"""How long a statement says that it holds: "until the end of March", "through Q2", "this week only", "from Monday".

An end is read only where it is sure. A time that comes round again ("until Friday", with "every week"), one of many
("the end of the month"), a guess ("at least until"), and what goes on afterwards ("until May, then") say no end; a day
that is merely named ends only what passes by itself, such as an absence. Where other sentences stand beside the one
with the end, they must speak of the same: else the statement outlives it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache
from itertools import pairwise

from companion.language.times import Span, Word, span_at, words_of
from companion.language.word_lists import DENIALS, listed

TEXT_CHARACTERS = 2_000
"""Longer texts are documents: what one sentence of them says is not the validity of all."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\W*[A-Z0-9`])|[;\n]+")
_DENIALS = DENIALS | {"don't", "won't", "can't", "isn't", "aren't", "shouldn't", "mustn't", "nobody"}
_AT = frozenset({"on", "in", "at", "the"})
_BEFORE = frozenset({"before"})
_IF = frozenset({"if", "when", "once", "after", "until", "who"})
EVENT_WORDS = 8
"""Words of what a statement holds until, up to the time of that."""
_PAST_LETTERS = 5
"""From here on a word in -ed is a past form, and no `need` or `feed`."""


@dataclass(frozen=True, slots=True)
class Validity:
    """From when and until when (not included) a text says that it holds; None where it does not say."""

    first: datetime | None = None
    after: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Dated:
    """A sentence with the end that it names (None: none), the start, and whether it goes on after the end."""

    end: date | None = None
    start: date | None = None
    goes_on: bool = False


def validity(text: str, said: datetime) -> Validity:
    """When a statement holds by its own words, counted from when it was said."""
    if len(text) > TEXT_CHARACTERS:
        return Validity()
    sentences = [words for part in _SENTENCE_END.split(text) if (words := words_of(part))]
    dated = [_read(words, said.date()) for words in sentences]
    whole = all(one.end or one.start or _has(words, "back") for one, words in zip(dated, sentences, strict=True))
    if not whole or any(one.goes_on for one in dated):
        return Validity()
    starts = [one.start for one in dated if one.start is not None]
    ends = [one.end for one in dated if one.end is not None and one.end > said.date()]
    return Validity(
        datetime.combine(min(starts), time()) if starts else None,
        datetime.combine(max(ends), time()) if ends else None,
    )


def _read(words: Sequence[Word], said: date) -> _Dated:
    """What one sentence says of its time."""
    end: date | None = None
    start: date | None = None
    goes_on = False
    before: _Named | None = None
    at = 0
    while at < len(words):
        span = span_at(words, at, said)
        if span is None or not span.words:
            goes_on |= end is not None and _goes_on(words, at)
            at += 1
            continue
        named = _Named(words, at, span)
        if named.lead in _joint("since") and not named.several:
            goes_on |= end is not None
            start = span.first
        elif (found := _end(named, before)) is not None:
            end = max(end or found, found)
        before, at = named, named.after
    return _Dated(None if _has(words, "unsure") else end, start, goes_on)


@dataclass(frozen=True, slots=True)
class _Named:
    """A time that a sentence names: all its words, the place of the first that names it, and the time."""

    words: Sequence[Word]
    at: int
    span: Span

    @property
    def after(self) -> int:
        """The place behind it."""
        return self.at + self.span.words

    @property
    def lead(self) -> str:
        """The word before it that says how it lies to the sentence; "on", "about" and the like say nothing more."""
        before, further = self.word(-1), self.word(-2)
        if before in {"on", "at", "the", "in", "of", "about", "around", "after", ":"}:
            if further in _joint("until") | _joint("ends") | {"only", "just", "not"}:
                return further
            return "since" if further == "as" else before
        return before

    @property
    def several(self) -> bool:
        """Whether it is several days that are named: such a time is no date from which on something is."""
        return self.span.sort == "day" and (self.span.after - self.span.first).days > 1

    def word(self, away: int) -> str:
        """The word so many places from its first one; empty where there is none."""
        return _word(self.words, self.at + away)

    @property
    def clause(self) -> Sequence[Word]:
        """The words around it up to the next commas; all, where nothing else stands between them."""
        marks = [place for place, word in enumerate(self.words) if word.text in {",", ":", "("}]
        first = max((place for place in marks if place < self.at), default=-1) + 1
        last = min((place for place in marks if place >= self.after), default=len(self.words))
        alone = last - first <= self.span.words + 1
        return self.words if alone else self.words[first:last]

    def event(self, joints: frozenset[str]) -> bool:
        """Whether it is the time of what the sentence holds up to: "until Bob is back on Monday"."""
        near = [word.text for word in self.words[max(0, self.at - EVENT_WORDS) : self.at]]
        since = max((place for place, text in enumerate(near) if text in joints), default=None)
        return since is not None and not {",", ":", ".", "("} & set(near[since:])

    def closes(self, before: _Named | None) -> bool:
        """Whether it closes a range: "from 3 May until 9 May", "Sat 19 Sep 22:00 - Sun 20 Sep"."""
        if before is None or self.span.sort != "day" or self.lead not in _joint("to"):
            return False
        between = self.words[before.after : self.at - 1]
        return all(not word.text.isalpha() or word.text in {"am", "pm"} for word in between)


def _end(named: _Named, before: _Named | None) -> date | None:
    """When what a sentence says is over by one time that it names; None where that is not sure."""
    words, span, lead = named.words, named.span, named.lead
    passing = _passes(words)
    beside = (*words[: named.at], *words[named.after :])
    if (_has(beside, "yearly") and not named.several) or (_has(words, "recurring") and span.sort == "weekday"):
        return None
    sure = span.said or span.sort == "weekday"
    if passing and (lead in _joint("back") or (lead in _AT and named.word(-2) in _joint("back"))):
        return span.first if sure else None
    if lead in _joint("until") or (sure and named.event(_joint("until"))):
        return span.after if sure or passing else None
    if not span.said:
        gone = lead == "for" and _has(words, "absent") and not named.event(_IF)
        return span.after if gone else None
    if _denied(words) and span.sort == "day" and (lead == "before" or (lead in _AT and named.event(_BEFORE))):
        return span.first
    if lead in {"by", "before", "than"}:
        return None
    whole = named.several or named.closes(before) or lead in _joint("ends") or _is_all(named)
    lasts = _changes(named.clause) and not _denied(named.clause)
    return span.after if whole or ((passing or _is_soon(named)) and not lasts) else None


def _is_all(named: _Named) -> bool:
    """Whether a sentence is said to hold for a time, or only then, or until something better comes."""
    if named.lead in {"only", "just"} or _word(named.words, named.after) in {"only", "alone"}:
        return True
    if named.lead == "during":
        return named.span.sort in {"day", "week", "weekend"}
    return (named.lead == "for" and _is_counted(named)) or _is_makeshift(named.words)


def _goes_on(words: Sequence[Word], at: int) -> bool:
    """Whether a word leads over to what is so afterwards: "until May, then ..."."""
    return words[at].text in _signs("after") and any(word.text.isalnum() for word in words[at + 1 :])


def _is_soon(named: _Named) -> bool:
    """Whether this unit or the next one is named, or tonight or tomorrow, counted from the day of saying."""
    if named.word(0) in _signs("near"):
        return True
    return named.span.sort in _signs("soon") and _is_counted(named)


def _is_counted(named: _Named) -> bool:
    """Whether this one or the next is said, and not which one by its name: "this week", "the rest of this quarter"."""
    return any(word.text in _which() for word in named.words[named.at : named.after])


def _is_makeshift(words: Sequence[Word]) -> bool:
    """Whether something is told to be for now."""
    return _has(words, "makeshift") or any((one.text, other.text) == ("for", "now") for one, other in pairwise(words))


def _passes(words: Sequence[Word]) -> bool:
    """Whether a sentence tells of what passes by itself."""
    return _has(words, "passing") or _has(words, "absent") or _is_makeshift(words)


def _has(words: Sequence[Word], sign: str) -> bool:
    return any(word.text in _signs(sign) for word in words)


def _denied(words: Sequence[Word]) -> bool:
    return any(word.text in _DENIALS for word in words)


def _changes(words: Sequence[Word]) -> bool:
    """Whether it tells of a change that lasts, or of what is past."""
    return any(_is_change(words, at) for at in range(len(words)))


def _is_change(words: Sequence[Word], at: int) -> bool:
    word = words[at].text
    if word in _signs("passing") | _signs("absent"):
        return False
    state = _signs("being") & {_word(words, at - 1), _word(words, at - 2)}
    past = len(word) >= _PAST_LETTERS and word.endswith("ed") and not state
    return past or word.startswith(tuple(_signs("changing")))


def _word(words: Sequence[Word], at: int) -> str:
    return words[at].text if 0 <= at < len(words) else ""


@cache
def _signs(name: str) -> frozenset[str]:
    return frozenset(listed("times")["signs"][name].split())


@cache
def _joint(name: str) -> frozenset[str]:
    return frozenset(listed("times")["joints"][name].split())


@cache
def _which() -> frozenset[str]:
    which = listed("times")["which"]
    return frozenset(f"{which['this']} {which['next']}".split())
