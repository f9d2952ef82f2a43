"""Questions that matter beyond the talk: what the user has to settle or find out, and what settled it.

A question to the assistant that it answers is over with its answer. What stays is what nobody in the talk could
answer, what the user says is open, and a choice that was asked and then made.
"""

from __future__ import annotations

import re

from companion.language.form import Form
from companion.language.phrases import LEAD
from companion.language.sentences import Clause
from companion.language.stance import Stance
from companion.records.talk import ItemType
from companion.talk.items.found import Found, telling, tidy

_STATED = Form(
    rf"^{LEAD}(?:(?:the |an |one |my |our |another |big |main |only |last |remaining )*(?:open|unresolved"
    r"|outstanding|remaining|unanswered) (?:question|issue|point|item)s?(?: is| are| remains?|:| -)(?: still)?"
    r"|(?:the |one |my |our |a |big |main |only |last )*question (?:is|remains|for later is)(?: still)?:?"
    r"|(?:it'?s |it is |that'?s )?(?:still )?(?:unclear|an open question|undecided|open|unknown|unresolved|tbd"
    r"|to be decided)(?: to (?:me|us))?:?(?= (?:whether|which|how|what|who|when|where|if|why))"
    r"|(?:i|we)(?:'re| are|'m| am)? (?:still )?(?:don'?t know|do not know|haven'?t (?:yet )?(?:decided"
    r"|figured out|worked out|settled|agreed)|have not (?:yet )?(?:decided|figured out|settled)"
    r"|not (?:yet )?(?:sure|decided)|unsure|undecided|no idea|can'?t decide)(?: yet)?(?: about"
    r"| on)?(?= (?:whether|which|how (?:to|much|many|we|long|often|the)|what to|what the|who|when|where to"
    r"|if we|if the|on)\b)"
    r"|(?:still )?not (?:yet )?(?:sure|decided|clear)(?: yet)?(?: about| on)?(?= (?:whether|which|how|what|who"
    r"|when|where|if)\b)"
    r"|(?:i|we)(?:'ll)?(?: still| also| first)* (?:need|have|want) to (?:still )?(?:figure out|find out|decide"
    r"|work out|determine|clarify|settle|agree on|investigate)(?= (?:whether|which|how|what|who|when|where|if"
    r"|why|on)\b)"
    r"|(?:(?:we|i) )?(?:still )?(?:need|have) to (?:figure out|find out|decide|work out|clarify"
    r"|settle)(?= (?:whether|which|how|what|who|when|where|if|why)\b)"
    r"|(?:something|one thing) (?:i|we) (?:still )?(?:need|have) to (?:figure out|decide|find out|settle)(?: is"
    r"|:)?)\s+(?P<what>.+)",
    re.IGNORECASE,
)
_UNCLEAR = Form(
    rf"^{LEAD}(?P<what>(?:whether|which|how|what|who|when|where)\b.{{6,160}}?) (?:is|remains"
    r"|stays) (?:still )?(?:open|unclear|undecided|unresolved|tbd|an open question|to be decided"
    r"|unknown)\s*[.!]*$",
    re.IGNORECASE,
)
_NOT_DECIDED = Form(
    rf"^{LEAD}(?:we|i)(?:'ve| have) (?:not|still not) (?:yet )?(?:decided|settled|agreed"
    rf"|chosen) (?:yet )?(?:on |about )?(?P<what>.+)|^{LEAD}(?:we|i) haven'?t (?:yet )?(?:decided|settled"
    r"|agreed|chosen|picked) (?:yet )?(?:on |about )?(?P<else>.+)",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"^(?:(?:so|and|but|ok|okay|hmm+|wait|also|well|then|btw|by the way|now|hey|hi|one (?:more )?question"
    r"|question|quick question|thanks|great|what do you think)[\s,:.!–—-]+)*"
    r"(?:should (?:we|i|the) (?!be worried|worry|care|know|feel)|do we (?:want|need(?! to worry)|keep|support"
    r"|care)|which|who(?:'s| is) going to|who (?:should|will|owns|is going to|can|has|is responsible"
    r"|takes care of|handles|signs|pays|decides|maintains|reviews|approves|is in charge)"
    r"|when (?:should|will|do we|are we|is the)|how should (?:we|i) (?!know|say|put)|how do we (?:handle|deal"
    r"|want|name|split|version|roll|charge|price|migrate|structure|bill)|how (?:long|many|much|often) (?:should"
    r"|do we|will|can|are we)"
    r"|what(?:'s| is) our\b|what (?:should|will|do we|is our|'s our|is the (?:deadline|budget|limit|policy|plan"
    r"|name)|happens (?:to|with)|(?:\w+ )?(?:\w+ )?(?:format|database|library|framework|version|name|default"
    r"|limit|value|strategy|approach|license|licence|licen[cs]e|policy|timeout|port|region|branch|provider"
    r"|tool)\b)|where (?:should|do we|will)|are we (?:going to|still|ok|fine|allowed)|is it (?:ok|fine|worth"
    r"|time)|do you think we should|can we (?:afford|drop|require|assume))\b",
    re.IGNORECASE,
)
_POSSIBLE = re.compile(
    r"\b(?:could|would it be possible|is it possible|can (?:i|you)|would you|could you|what if|how do i"
    r"|what does|what is a|what's a|how does|any idea|right\?|correct\?|ok\?|okay\?|no\?|you know\?"
    r"|make sense\?|does that|did you|have you|are you|do you (?!think we should))",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(
    r"\b(?:i (?:don'?t|do not|can'?t|cannot) (?:know|tell|say|have (?:access|enough|that|any)|see|determine"
    r"|find)|i'?m not (?:sure|certain|aware)|not sure|no way (?:to know|for me to)|hard to say|it depends"
    r"|that depends|depends on|you(?:'d| would|'ll)? (?:need|have) to (?:ask|check|decide|confirm|find out)"
    r"|up to you|your call|only (?:you|your team|they) (?:can|know)|we(?:'d| would|'ll)? (?:need"
    r"|have) to (?:ask|check|measure|find out|test|benchmark|wait)|worth (?:asking|checking with)|unclear"
    r"|open question|can'?t answer|unknown|needs? (?:a )?(?:decision|input) from|you should ask|i'd (?:need"
    r"|have) to (?:know|see|check)|there'?s no (?:information|answer)|isn'?t (?:documented|specified"
    r"|decided))\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\b(?:i'?ll (?:have to |need to )?(?:ask|check|think about it|sleep on|find out|get back|decide later"
    r"|let you know)|let me (?:ask|check with|think about|sleep)|good question|not (?:decided|sure) yet"
    r"|no idea(?: yet)?|i don'?t know(?: yet)?|to be decided|tbd|decide (?:that |this |it )?(?:later|tomorrow"
    r"|next week)|let'?s (?:leave|keep) (?:that|this|it) open|leave (?:that|this|it) open|need to (?:ask|think)"
    r"|we(?:'ll| will) (?:see|decide later)|come back to (?:that|this|it)|park (?:that|this))\b",
    re.IGNORECASE,
)


_IDLE = re.compile(r"\b(?:what|how) to (?:think|say|make|feel)\b", re.IGNORECASE)


def question(clause: Clause) -> Found | None:
    """The question that a clause of the user's asks or says is open; whether it is answered shows later."""
    if clause.label == "question":
        return Found(ItemType.QUESTION, tidy_question(clause.text), clause, 0.9)
    if clause.label:
        return None
    stated = None if _IDLE.search(clause.masked) else _said_open(clause)
    if stated is not None:
        return stated
    if (
        not clause.asked
        or clause.stance is Stance.CONDITIONAL
        or _POSSIBLE.search(clause.masked)
        or _CHOICE.match(clause.masked) is None
    ):
        return None
    text = tidy_question(clause.text)
    return Found(ItemType.QUESTION, text, clause, 0.75) if len(text.split()) >= 4 and telling(text) else None


def is_stated(clause: Clause) -> bool:
    """Whether the clause says itself that its question is open, so that nothing more is needed."""
    return clause.label == "question" or _said_open(clause) is not None


def leaves_open(text: str) -> bool:
    """Whether a reply of the assistant's says that it does not know."""
    return _UNKNOWN.search(text) is not None


def puts_off(text: str) -> bool:
    """Whether the user says that an answer comes later."""
    return _LATER.search(text) is not None


def tidy_question(text: str) -> str:
    """A question with its mark, without what leads to it."""
    asks = text.rstrip("\"')*_ ").endswith("?")
    plain = re.sub(
        r"^(?:(?:so|and|but|ok|okay|hmm+|wait|also|well|btw|by the way|one (?:more )?question|quick question"
        r"|question|hey|hi|thanks|great)[\s,:.!–—-]+)+",
        "",
        tidy(text),
        flags=re.IGNORECASE,
    )
    return plain + "?" if asks else plain


def _said_open(clause: Clause) -> Found | None:
    for pattern, confidence in ((_STATED, 0.9), (_UNCLEAR, 0.9), (_NOT_DECIDED, 0.85)):
        if (match := pattern.match(clause.masked)) is None:
            continue
        name = "what" if match.group("what") else "else"
        what = tidy_question(clause.text[match.start(name) : match.end(name)])
        if telling(what) and len(what.split()) > 1:
            return Found(ItemType.QUESTION, what, clause, confidence)
    return None
