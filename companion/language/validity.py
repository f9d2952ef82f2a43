"""How long a statement says that it holds: "until the end of March", "through Q2", "this week only", "from Monday".

An end is read only where it is sure. A time that comes round again ("until Friday", with "every week"), one of many
("the end of the month"), a guess ("at least until"), and what goes on afterwards ("until May, then") say no end; a day
that is merely named ends only what passes by itself, such as an absence, what is on that day alone, such as a wedding,
and what is to be done by then. What is told as past, in quotation marks or in names of code ends nothing. Where other
sentences stand beside the one with the end, they must speak of the same: else the statement outlives it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time
from functools import cache
from itertools import pairwise

from msgspec import Struct

from companion.language.times import Span, Word, ends_there, spans, text_at, without_dots, words_of
from companion.language.word_lists import listed, word_set

TEXT_CHARACTERS = 2_000
"""Longer texts are documents: what one sentence of them says is not the validity of all."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\W*[A-Z0-9`])|[;\n]+")
_PASSING = ("passing", "absent", "makeshift")
_DENIED = ("denials", "refusals")
EVENT_WORDS = 8
"""Words of what a statement holds until, up to the time of that."""
FAR_DAYS = 183
"""What is told as past, and would be further ahead than half a year, was last year."""
_PAST_LETTERS = 5
"""From here on a word in -ed is a past form, and no `need` or `feed`."""


class Validity(Struct, frozen=True):
    """From when and until when (not included) a text says that it holds; None where it does not say."""

    first: datetime | None = None
    after: datetime | None = None


class _Dated(Struct, frozen=True):
    """A sentence with the end that it names (None: none), the start, and whether it goes on after the end."""

    end: date | None = None
    start: date | None = None
    goes_on: bool = False


def validity(text: str, said: datetime) -> Validity:
    """When a statement holds by its own words, counted from when it was said."""
    if len(text) > TEXT_CHARACTERS:
        return Validity()
    sentences = [words for part in _SENTENCE_END.split(without_dots(text)) if (words := words_of(part))]
    dated = [_read(words, said.date()) for words in sentences]
    whole = all(one.end or one.start or _has(words, "same") for one, words in zip(dated, sentences, strict=True))
    if not whole or any(one.goes_on for one in dated):
        return Validity()
    starts = [one.start for one in dated if one.start is not None]
    ends = [one.end for one in dated if one.end is not None]
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
    ended = 0
    for at, span in spans(words, said):
        named = _Named(words, at, span, said)
        if named.lead in _signs("since") and not named.several:
            goes_on |= end is not None
            start = span.first
        elif (found := _end(named, before)) is not None and (start is None or found > start):
            exact = named.word(-1) == "(" and before is not None and before.after == at - 1
            end, ended = found if exact or end is None else max(end, found), ended or named.after
        before = named
    later = [word.text for word in words[ended:] if word.text.isalnum()]
    goes_on |= end is not None and not _signs("after").isdisjoint(later[:-1])
    over = end is not None and end <= said and (_is_past(words) or not _has(words, "until"))
    return _Dated(None if over or _has(words, "unsure") else end, start, goes_on)


class _Named(Struct, frozen=True):
    """A time that a sentence names: all its words, the place of the first that names it, and the time."""

    words: Sequence[Word]
    at: int
    span: Span
    said: date

    @property
    def after(self) -> int:
        """The place behind it."""
        return self.at + self.span.words

    @property
    def lead(self) -> str:
        """The word before it that says how it lies to the sentence, or two ("up-to"); "on" and the like say nothing."""
        skipped = self.word(-1) in _signs("skipped")
        one = self.word(-1 - skipped)
        found = next((lead for lead in (f"{self.word(-2 - skipped)}-{one}", one) if lead in _leads()), "")
        return found or (one if not skipped else "since" if one == "as" else self.word(-1))

    @property
    def several(self) -> bool:
        """Whether it is several days that are named: such a time is no date from which on something is."""
        return self.span.sort == "day" and self.span.days > 1

    @property
    def far(self) -> bool:
        """Whether it is more than half a year ahead."""
        return (self.span.first - self.said).days > FAR_DAYS

    @property
    def opens(self) -> bool:
        """Whether "until" means up to its first day: "until July", "until next week"."""
        names = [word.text for word in self.words[self.at : self.after] if word.text != "the"]
        whole = self.span.days > 1 and (len(names) == 1 or names[0] in _signs("next"))
        return whole and self.lead not in _signs("whole") and self.span.first > self.said

    def word(self, away: int) -> str:
        """The word so many places from its first one; empty where there is none."""
        return text_at(self.words, self.at + away)

    @property
    def clause(self) -> Sequence[Word]:
        """The words around it up to the next commas; all, where nothing else stands between them."""
        marks = [place for place, word in enumerate(self.words) if word.text in {",", ":", "("}]
        first = max((place for place in marks if place < self.at), default=-1) + 1
        last = min((place for place in marks if place >= self.after), default=len(self.words))
        alone = last - first <= self.span.words + 1
        return self.words if alone else self.words[first:last]

    def event(self, joints: str) -> bool:
        """Whether it is the time of what the sentence holds up to: "until Bob is back on Monday"."""
        near = [word.text for word in self.words[max(0, self.at - EVENT_WORDS) : self.at]]
        since = max((place for place, text in enumerate(near) if text in _signs(joints)), default=None)
        return since is not None and not {",", ":", ".", "("} & set(near[since:])

    def closes(self, before: _Named | None) -> bool:
        """Whether it closes a range: "from 3 May until 9 May", "Sat 19 Sep 22:00 - Sun 20 Sep"."""
        if before is None or self.span.days != 1 or self.lead not in _signs("to"):
            return False
        between = self.words[before.after : self.at - 1]
        return all(not word.text.isalpha() or word.text in {"am", "pm"} for word in between)

    def is_occasion(self, before: _Named | None) -> bool:
        """Whether it is the day of something that is once: "demo on Tuesday", and not of "demo data"."""
        beside = self.words[: None if self.span.said else self.at]
        behind = [at + 1 for at, word in enumerate(beside) if word.text in _signs("occasions")]
        times = {self.at, before.at if before is not None else self.at}
        return any(at in times or ends_there(self.words, at) for at in behind) and not _has(self.words, "condition")


def _end(named: _Named, before: _Named | None) -> date | None:
    """When what a sentence says is over by one time that it names; None where that is not sure."""
    words, span, lead = named.words, named.span, named.lead
    one_of_many = span.sort in {"weekday", "number"}
    beside = (*words[: named.at], *words[named.after :])
    past = one_of_many or span.sort != "day" or named.far
    weekly = span.sort == "weekday" and named.closes(before) and lead not in _signs("until") - _signs("whole")
    yearly = _has(beside, "yearly") and not named.several
    if yearly or weekly or (past and _is_past(named.clause)) or (one_of_many and _has(words, "recurring")):
        return None
    if (_is_today(named) and _is_past(words)) or (text_at(words, named.after) == ":" and lead in _signs("records")):
        return None
    if span.said or one_of_many:
        return _sure_end(named, before)
    if lead in _signs("until"):
        return span.after if _has(words, *_PASSING) else None
    gone = _has(words, "absent") or words[0].text in _signs("holding")
    return span.after if gone and lead == "for" and not named.event("if") else None


def _sure_end(named: _Named, before: _Named | None) -> date | None:
    """The same of a time of which it is plain which one is meant; a weekday is the next of its name."""
    words, span, lead = named.words, named.span, named.lead
    if span.sort == "year" and named.word(0).isdigit() and lead not in _signs("ends"):
        return None  # four digits may be any number
    held = lead in _signs("until") or named.event("until")
    again = lead not in _signs("until") | _signs("by") and named.event("back")
    if held or (again and (_has(words, *_PASSING) or _has(words, "again"))):
        return span.first if again or (named.opens and lead in _signs("until")) else span.after
    ahead_of = lead == "before" or (lead in _signs("at") and named.event("before"))
    if ahead_of or lead in _signs("by"):
        due = span.days == 1 and _is_owed(named, ahead_of) and not _has(words, "recurring")
        return (span.first if ahead_of else span.after) if due and not _has(words, "condition") else None
    last = lead in _signs("spent") or _has(named.clause, "last_day") or named.closes(before)
    if span.days == 1 and (last or named.is_occasion(before)):
        return span.after
    if not span.said or lead == "of" or (_has(words, "presenting") and not named.several):
        return None
    ends = lead in _signs("ends") and (lead.endswith("s") or named.word(0) != "in")
    clause = named.clause
    lasts = any(_is_change(clause, at) for at in range(len(clause))) and not _has(clause, *_DENIED)
    somebody = span.sort == "month" and span.words == 1 and lead not in _signs("at")
    passing = (_has(words, *_PASSING) and not somebody) or _is_soon(named)
    passes = named.several or ends or _is_all(named) or (passing and not lasts)
    return span.after if passes else None


def _is_owed(named: _Named, ahead_of: bool) -> bool:
    """Whether something is to be done by a day; or is not to be done before it."""
    first = text_at(named.words, 0)
    owed = named.lead in _signs("due") or first in _signs("tasks") or _has(named.words, "owed")
    if owed or named.word(0) in listed("times")["shortened"]:
        return named.word(0) not in {"in", "within"}
    return ahead_of and _has(named.words, *_DENIED) and (named.span.said or first in _signs("orders"))


def _is_all(named: _Named) -> bool:
    """Whether a sentence is said to hold for a time, or only then, or until something better comes."""
    only = {named.lead, text_at(named.words, 0), text_at(named.words, named.after)} & _signs("only")
    during = named.lead == "during" and named.span.sort in {"day", "week", "weekend"}
    once = named.at == 1 or _is_counted(named) or named.word(0) in _signs("near") | {"today"}
    return bool(only) or during or (named.lead == "for" and once) or _has(named.words, "makeshift")


def _is_today(named: _Named) -> bool:
    """Whether it is the day of saying, or a part of it."""
    return named.word(0) == "today" or (named.word(0) == "this" and named.word(1) in word_set("times", "hours"))


def _is_soon(named: _Named) -> bool:
    """Whether it is this unit or the next, tonight or tomorrow, or what stands before a colon as the title of all."""
    if named.word(0) == "today" and text_at(named.words, named.after) != ":":
        return text_at(named.words, 0) in _signs("orders")
    title = named.at <= 1 and text_at(named.words, named.after) == ":" and "-" not in named.word(0)
    near = title or named.span.sort == "week" or (named.span.sort in _signs("soon") and _is_counted(named))
    return named.word(0) in _signs("near") or (near and not named.far)


def _is_counted(named: _Named) -> bool:
    """Whether this one or the next is said, and not which one by its name: "this week", "the rest of this quarter"."""
    once = frozenset() if _has(named.words, "condition") else _signs("once")
    return any(word.text in _signs("this") | _signs("next") | once for word in named.words[named.at : named.after])


def _has(words: Sequence[Word], *names: str) -> bool:
    """Whether there is one of the words of some lists, or two in a row that stand there with a stroke: "has-to"."""
    texts = [word.text for word in words]
    return any(not _signs(name).isdisjoint([*texts, *map("-".join, pairwise(texts))]) for name in names)


def _is_past(words: Sequence[Word]) -> bool:
    """Whether it tells of what was: "it lasted until", "we used", and not "it is used"."""
    return any(
        (other in _signs("past") and one not in _signs("being"))
        or (one in _signs("whoever") and other.endswith("ed") and other not in _signs("reported"))
        for one, other in pairwise(["", *(word.text for word in words)])
    )


def _is_change(words: Sequence[Word], at: int) -> bool:
    """Whether a word tells of a change that lasts, or of what is past."""
    word = words[at].text
    if word in _signs("passing") | _signs("absent"):
        return False
    state = _signs("being") & {text_at(words, at - 1), text_at(words, at - 2)}
    past = len(word) >= _PAST_LETTERS and word.endswith("ed") and not state
    other = text_at(words, at - 1) in _signs("articles") or (state and text_at(words, at + 1) in {"off", "down"})
    return past or (word.startswith(tuple(_signs("changing"))) and not other)


@cache
def _signs(name: str) -> frozenset[str]:
    times = listed("times")
    lists = listed("grammar") | times["which"] | times["joints"] | times["signs"]
    return frozenset(lists[name].split())


@cache
def _leads() -> frozenset[str]:
    return frozenset().union(*(_signs(name) for name in ("until", "ends", "back", "by", "only")), {"not"})
