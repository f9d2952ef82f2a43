"""Whether a message points backwards, and to when: only then is more looked up than the last turns.

It does where somebody speaks of what was said, decided or tried before ("as we agreed", "what did we settle on",
"remember the parser?"), asks to go on where it was left, or names somebody from an open item. A day in the past alone
does not: "the build broke yesterday" is news. What is quoted or pasted is not read.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date, datetime, time, timedelta

from msgspec import Struct

from companion.language.phrases import names as stands
from companion.language.phrasing import stretches
from companion.language.times import later, number_of, spans, text_at, words_of
from companion.language.word_lists import meanings

READ_CHARS = 2_000
"""Characters read from each end of a message: what is between is pasted."""

_PASTED = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]*>[^\n]*$|\"[^\"\n]{20,400}\"|“[^”\n]{20,400}”", re.DOTALL | re.MULTILINE
)
_SAID = (
    "said|say|told|tell|talk(?:ed)?|discuss(?:ed)?|decid(?:e|ed)|agree(?:d)?|mention(?:ed)?|settle(?:d)?|chose|choose"
    "|pick(?:ed)?|plan(?:ned)?|promis(?:e|ed)|suggest(?:ed)?|propos(?:e|ed)|recommend(?:ed)?|tr(?:y|ied)|ask(?:ed)?"
    "|conclude(?:d)?|figure(?:d)? out|find out|found|sp(?:eak|oke)|explain(?:ed)?|call(?:ed)?|name(?:d)?|fix(?:ed)?"
    "|d(?:o|id)|land(?:ed)? on|end(?:ed)? up|work(?:ed)? on|use(?:d)?|write|wrote|want(?:ed)?|set(?: up)?|leave|left"
)
_PAST = (
    "said|told|talked|discussed|decided|agreed|mentioned|settled|chose|picked|planned|promised|suggested|proposed"
    "|recommended|tried|asked|concluded|figured out|found out|spoke|explained|landed on|ended up"
)
_WHEN = (
    r"earlier|before|previously|back then|the other day|yesterday|last (?:time|night|week|month|year|session|chat"
    r"|conversation|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?|(?:\w+ ){1,3}ago|this morning|in (?:january|february"
    r"|march|april|may|june|july|august|september|october|november|december)|on (?:mon|tues|wednes|thurs|fri"
    r"|satur|sun)day"
)
_US = "we|you|i"
_CUES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:as|like|than|what|the (?:one|thing|way|plan|idea|thing|reason|name|number|fix) (?:that )?) ?(?:{_US})"
        rf"(?:'d|'ve| had| have)? (?:already )?(?:{_PAST})\b(?! (?:to do|for|be(?:fore)?)\b)",
        rf"\b(?:{_US})(?:'d|'ve| had| have)? (?:\w+ )?(?:{_PAST})\b[^.!?\n]{{0,60}}\b(?:{_WHEN})\b",
        rf"\b(?:{_WHEN}),? (?:{_US})(?:'d|'ve| had| have)? (?:\w+ )?(?:{_PAST}|had|did|was|were|went|got)\b",
        rf"\b(?:what|which|where|when|why|how|who)(?: \w+){{0,3}} (?:did|had|have|were|was) (?:{_US}) (?:\w+"
        rf" )?(?:{_SAID})\b"
        r"(?! (?:i|we|you) (?:wrong|miss))",
        rf"\bwhat (?:was|were) (?:{_US}) (?:last )?\w+ing\b[^.!?\n]{{0,40}}\b(?:{_WHEN})\b",
        rf"\bdid(?:n't)? (?:{_US}) (?:not )?(?:ever |already |also )?(?:{_SAID})\b",
        rf"\bha(?:ve|d)(?:n't)? (?:{_US}) (?:ever |already )(?:{_PAST}|seen|done|had)\b",
        r"\b(?:do|did|can|could|don't) you (?:still )?(?:remember|recall)\b|\b(?:as|if) i (?:remember|recall)\b"
        r"|^\W*remember (?:when|that|what|how|where|why|the|our|my|me|us|[\w-]+\?)(?!\w)(?! to\b)",
        r"\b(?:remind me|refresh my memory|come back to what|back to (?:what|the \w+) we)\b(?! (?:to|in|at|on"
        r"|tomorrow|later)\b)",
        r"\b(?:where|what) (?:did|were|was|had)? ?(?:we|i|you) (?:leave|left|stop(?:ped)?|at)(?: off)?\b"
        r"|\b(?:continue|pick(?: it)?"
        r" up|go on|carry on|resume|start)(?: again)? (?:from )?where (?:we|i|you)\b",
        r"\b(?:our|the|my|your) (?:last|previous|earlier|first) (?:talk|chat|conversation|session|discussion"
        r"|message|question"
        r"|answer|plan|decision|suggestion|idea)s?\b",
        r"\b(?:you|we) (?:told|promised|suggested|proposed|recommended|mentioned|advised) (?:me|us|to|that|the"
        r"|it|using|a|an)\b",
        r"\b(?:what|which|who|where|when)(?:'s| is| was| were)(?: \w+){1,5} again\?|\bsame (?:\w+ )?as (?:last"
        r" time|before)\b",
        r"\b(?:long|some time|weeks?|months?|days?) ago (?:we|you|i)\b|\bback when (?:we|you|i)\b|\bback in"
        r" (?:january|february"
        r"|march|april|may|june|july|august|september|october|november|december)\b",
        r"\bearlier (?:in (?:this|our)|today)\b|\b(?:mentioned|discussed|said|as) (?:earlier|above|before)\b",
    )
)
_NOT = re.compile(
    r"\b(?:remember to|don't forget|forget (?:what|that)|never ?mind what|ignore what|not what|unlike)\b",
    re.IGNORECASE,
)
_LAST_NIGHT = re.compile(r"\blast night\b", re.IGNORECASE)
AGO_MOST = 1_000
"""More years ago than that nobody spoke."""
_VAGUE = {"few": 4, "several": 6}
"""Numbers of days, weeks or months ago that are a guess."""
_COMES_AGAIN = {"weekday": "week", "number": "month"}
"""After what a named time comes again; all others after a year."""
_NIGHT = timedelta(hours=6)
"""What is said in the night after a day is said on that day."""


class Back(Struct, frozen=True):
    """Why a message is taken to point backwards, and between which moments, where it says so."""

    why: str
    since: datetime | None = None
    until: datetime | None = None


def points_back(message: str, names: Collection[str], now: datetime) -> Back | None:
    """Whether a message points backwards. `names` are those of open items of before, in lower case."""
    text = message if len(message) <= 2 * READ_CHARS else f"{message[:READ_CHARS]}\n{message[-READ_CHARS:]}"
    text = _PASTED.sub(" ", text.replace("’", "'"))
    for sentence in stretches(text):
        if _NOT.search(sentence):
            continue
        for cue in _CUES:
            if (found := cue.search(sentence)) is not None:
                return Back(f"it says “{' '.join(found.group().split())}”", *_span(text, now))
    if (name := _name_in(text, names)) is not None:
        return Back(f"it names {name}, of whom something is open", *_span(text, now))
    return None


def _name_in(text: str, names: Collection[str]) -> str | None:
    """The first open name that stands in a text as words of its own."""
    lowered = text.lower()
    return next((name for name in sorted(names) if name in lowered and stands(text, name)), None)


def _span(text: str, now: datetime) -> tuple[datetime | None, datetime | None]:
    """The moments between which a text says that something was; None where it names no time that has begun."""
    today, words = now.date(), words_of(_LAST_NIGHT.sub("yesterday", text))
    for at in (at for at, word in enumerate(words) if word.text == "ago"):
        unit, told = meanings("times", "units").get(text_at(words, at - 1)), text_at(words, at - 2)
        told = text_at(words, at - 3) if told == "of" else told
        count = _VAGUE.get(told) or number_of(told)
        if unit is not None and count is not None and count < AGO_MOST:
            day = later(today, unit, -count)
            slack = timedelta(days=max(1, (today - day).days // 3))
            return _midnight(day - slack), _midnight(min(today, day + slack + timedelta(days=1)))
    for at, span in spans(words, today):
        led = text_at(words, at - 1) in {"on", "in", "last"}
        first, after = span.first, span.after
        if led and (first > today or (first == today and span.sort == "weekday")):
            first, after = (later(day, _COMES_AGAIN.get(span.sort, "year"), -1) for day in (first, after))
        begun = first < today or text_at(words, at) == "this" or text_at(words, at - 1) == "earlier"
        if (led or span.said) and begun:
            return _midnight(first), _midnight(after) + (_NIGHT if span.days == 1 else timedelta())
    return None, None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min)
