"""Decisions: what the user settles, and why if they say so.

A choice counts when it is put as one ("let's go with", "we decided", "we'll use X instead of Y", "X it is") and by the
user; what the assistant proposes counts through `dialogue` alone.
"""

from __future__ import annotations

import re

from companion.language.sentences import Clause
from companion.language.stance import Stance
from companion.records.talk import ItemType
from companion.talk.items.decision_forms import FORMS, ORDERED
from companion.talk.items.found import Found, telling, tidy

_SECOND_PERSON = re.compile(
    r"^(?:make (?:it|this|that)\b(?!.*\d)|(?:use|keep|take|drop|skip|pick|limit|cap|target|pin|avoid) (?:it"
    r"|this|that|these|those|your|in mind|me|sure|going|an eye|a (?:look|break|note|guess))\b)|^(?:i'?d"
    r"|we'?d) (?:rather|prefer) (?:you|not to say|see|know|hear)",
    re.IGNORECASE,
)
_NOT_SETTLED = re.compile(
    r"\b(?:haven't|hasn't|not|never|didn't|don't|can't|couldn't) (?:we |i |yet |really |quite "
    r"|fully )*(?:decide|decided|agree|agreed|settle|settled|chosen|choose|picked)\b|\byet to decide\b"
    r"|\bstill (?:deciding|debating|discussing|undecided)\b|\bto be decided\b|\btbd\b",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"[\s,–—(-]+(?:because(?! of the)|because of|since (?=\S+ (?:\S+ ){0,4}?(?:is|are|was|has|have|had|does"
    r"|doesn't|don't|can|can't|need|needs|won't|will|would|must|should|cannot|may|gives?|makes?|already|want"
    r"|wants|only|isn't|aren't"
    r"|never|keeps?|costs?|uses?|supports?|lets?|takes?|runs?|breaks?|handles?|ships?|comes|fails?|works?|know"
    r"|knows|avoids?|saves?)\b)|as (?=(?:it|we|they|that|this|there|the \w+|our \w+)(?:'s|'re| (?:is|are|has"
    r"|have|was|does|doesn't|don't|can|can't|need|needs|already|gives|keeps|makes|won't|will)) ?)"
    r"|given (?:that|how)?|due to|so that|so (?=(?:we|i|it|they|that|users?|people|nobody|everyone"
    r"|the \w+) (?:can|don't|won't|doesn't|can't|have|has|never|only|stays?|keeps?|still)\b)"
    r"|the reason being(?: that)?|in order to|reason:|why:|mainly for|for the sake of|it'?s (?=simpler|easier"
    r"|faster|cheaper|safer|smaller|lighter|already|more|less|better|good enough|what|the (?:only|simplest"
    r"|safest)))\s*",
    re.IGNORECASE,
)
_DASH = re.compile(r"(?<!\s)\s++(?:[–—]\s*+|--?\s++)")
_ASIDE = re.compile(
    r",\s+(?=(?:we|it|they|there|our|this|too many|nobody|users?|everyone|everybody)\b)(?!it is\b)", re.IGNORECASE
)
_NEXT_WHY = re.compile(
    r"^(?:(?:mainly|mostly|simply|just|only|and that'?s)\s+)?(?:because|since|as|reason(?:s"
    r"|ing)?(?: is(?: that)?|:| being)|(?:the|my|our|main)(?: main| only)? reason(?:ing)?(?: is"
    r"| being)?(?: that)?|rationale(?: is|:)|why[:?]|that way,?|this way,?)\s+(?P<why>.{6,})",
    re.IGNORECASE,
)
_LEADING_WHY = re.compile(
    r"^(?:ok(?:ay)?|so|well|right|and|yes|yeah|hm+)?[\s,]*(?:since|because|as|given(?: that)?"
    r"|due to)\s+(?P<why>[^,]{6,160}),\s*",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"^(?:rather |better |say |use )?[$€£]?\d[\w.,]*(?: ?[a-zA-Zµ%]+){0,2}\s*[.!]*$")
_OFF_COURSE = re.compile(
    r"^(?:be\b|do (?:it|that|this|so|the same)\b|have (?:a |the |another )?(?:look|call|meeting|chat|break"
    r"|think|go|discussion)\b|go\b(?! (?:with|for|back to|ahead with))|get\b|see\b"
    r"|not (?:sure|see|know|understand|look|worry|forget|get|go|be|do (?:it|that|this)|rush|panic|jump)\b"
    r"|disagree|differ|meet\b|talk\b|discuss|revisit|wait\b|look\b|think\b|sleep\b|decide\b|find out|move on\b"
    r"|take (?:a|this|that|it) (?:look|offline|break|step)|put (?:that|this|it) (?:aside|off))",
    re.IGNORECASE,
)


def decision(clause: Clause) -> Found | None:
    """The decision a clause of the user's states, None if it states none."""
    if clause.stance is not Stance.MEANT or clause.asked or is_open(clause):
        return None
    if clause.label == "decision":
        return _made(clause, 0, len(clause.text), 0.9)
    if clause.label not in {"", "priority"}:
        return None
    for pattern, confidence in FORMS:
        if (match := pattern.match(clause.masked)) is None:
            continue
        what = clause.masked[match.start("what") : match.end("what")]
        if (
            (confidence <= ORDERED and _SECOND_PERSON.match(what))
            or _OFF_COURSE.match(what)
            or (clause.document and confidence <= ORDERED)
        ):
            continue
        if (found := _made(clause, match.start("what"), match.end("what"), confidence)) is not None:
            cause = _span(clause, match, "cause")
            return found.with_details(why=cause) if cause and "why" not in found.details else found
    return None


def is_open(clause: Clause) -> bool:
    """Whether a clause says itself that nothing is decided yet."""
    return _NOT_SETTLED.search(clause.masked) is not None


def corrected(clause: Clause) -> Found | None:
    """A figure alone: `250 ms.`; what it is of was said before."""
    if clause.asked or clause.stance is not Stance.MEANT or _FIGURE.match(clause.masked) is None:
        return None
    return Found(ItemType.DECISION, tidy(clause.text), clause, 0.75)


def settled(clause: Clause, start: int, end: int, confidence: float) -> Found | None:
    """A decision in given characters of a clause, whoever said it; for proposals that were agreed to."""
    return _made(clause, start, end, confidence)


def reasoned(text: str) -> tuple[str, str]:
    """A statement and the reason given in it, which may be empty."""
    match = _WHY.search(text) or _ASIDE.search(text)
    if match is None or match.start() < 4:
        dash = _DASH.search(text)
        if (
            dash is not None
            and dash.start() >= 4
            and re.match(r"(?:it|that|this|we|they|the)\b", text[dash.end() :], re.IGNORECASE)
        ):
            return tidy(text[: dash.start()]), tidy(text[dash.end() :])
        return tidy(text), ""
    return tidy(text[: match.start()]), tidy(text[match.end() :])


def _made(clause: Clause, start: int, end: int, confidence: float) -> Found | None:
    what, why = reasoned(clause.text[start:end])
    if not telling(what) or len(what) < 3:
        return None
    if not why:
        why = _elsewhere(clause)
    return Found(ItemType.DECISION, what, clause, confidence).with_details(why=why)


def _elsewhere(clause: Clause) -> str:
    """A reason that leads the sentence or follows it."""
    if (leading := _LEADING_WHY.match(clause.text)) is not None:
        return tidy(leading.group("why"))
    if clause.sentence.endswith(clause.text) and (following := _NEXT_WHY.match(clause.after)) is not None:
        return tidy(following.group("why"))
    return ""


def _span(clause: Clause, match: re.Match[str], name: str) -> str:
    if name not in match.re.groupindex or match.group(name) is None:
        return ""
    return tidy(clause.text[match.start(name) : match.end(name)])
