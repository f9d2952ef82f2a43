"""Whether a message points backwards, and to when: only then is more looked up than the last turns.

It does where somebody speaks of what was said, decided or tried before ("as we agreed", "what did we settle on",
"remember the parser?"), asks to go on where it was left, or names somebody from an open item. A day in the past alone
does not: "the build broke yesterday" is news. What is quoted or pasted is not read.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime, timedelta

from msgspec import Struct

from companion.language.phrases import names as stands
from companion.language.phrasing import stretches

READ_CHARS = 2_000
"""Characters read from each end of a message: what is between is pasted."""

_PASTED = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|^\s*>[^\n]*$|\"[^\"\n]{20,400}\"|“[^”\n]{20,400}”", re.DOTALL | re.MULTILINE
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
_MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october"]
_MONTHS += ["november", "december"]
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "a couple of": 2, "couple of": 2, "three": 3, "a few": 4, "four": 4,
            "five": 5, "six": 6, "several": 6}  # fmt: skip
_AGO = re.compile(
    r"\b(\d{1,3}|an?|one|two|three|four|five|six|several|(?:a )?couple of|a few) (day|week|month|year)s? ago\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:(yesterday)|last (night|week|month|year)|(this morning|earlier today)"
    rf"|(?:last|on) ({'|'.join(_DAYS)})|(?:in|last|back in) ({'|'.join(_MONTHS)}))\b", re.IGNORECASE
)  # fmt: skip
_SPAN = {"day": 1, "week": 7, "month": 30, "year": 365}


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
    """The moments between which a text says that something was; None where it names no time."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if (ago := _AGO.search(text)) is not None:
        count = int(ago.group(1)) if ago.group(1).isdigit() else _NUMBERS[ago.group(1).lower()]
        days = count * _SPAN[ago.group(2).lower()]
        slack = max(1, days // 3)
        return midnight - timedelta(days=days + slack), midnight - timedelta(days=max(0, days - slack - 1))
    if (named := _NAMED.search(text)) is not None:
        return _named_span(named, now, midnight)
    return None, None


def _named_span(named: re.Match[str], now: datetime, midnight: datetime) -> tuple[datetime, datetime]:
    """The moments between which a day, week, month or year lies that is named."""
    yesterday, last, today, weekday, month = (part.lower() if part else "" for part in named.groups())
    if today:
        return midnight, now
    if yesterday or last == "night":
        return midnight - timedelta(days=1), midnight + timedelta(hours=6)
    if weekday:
        days = (now.weekday() - _DAYS.index(weekday)) % 7 or 7
        return midnight - timedelta(days=days), midnight - timedelta(days=days - 1)
    if month:
        return _month(_MONTHS.index(month) + 1, now)
    monday = midnight - timedelta(days=now.weekday())
    if last == "week":
        return monday - timedelta(days=7), monday
    if last == "month":
        return _month(12 if now.month == 1 else now.month - 1, now)
    return datetime(now.year - 1, 1, 1), datetime(now.year, 1, 1)


def _month(month: int, now: datetime) -> tuple[datetime, datetime]:
    """The last such month that has begun."""
    year = now.year if month <= now.month else now.year - 1
    return datetime(year, month, 1), datetime(year + month // 12, month % 12 + 1, 1)
