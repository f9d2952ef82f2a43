"""Insights, only where the user marks them as such: "lesson learned", "turns out", "note to self"."""

from __future__ import annotations

import re

from companion.language.form import Form
from companion.language.phrases import LEAD
from companion.language.sentences import Clause
from companion.language.stance import Stance
from companion.records.talk import ItemType
from companion.talk.items.found import Found, telling, tidy

_MARKED = Form(
    rf"^{LEAD}(?:(?:the |my |our |one |a |big |key |main |important |real )*(?:insight|lesson(?: learned)?"
    r"|takeaway|learning|moral(?: of the story)?|realization)(?: here| for me| from this)?(?: is| was|:"
    r"|,)(?: that)?"
    r"|til:?(?: that)?|note to self:?|(?:so )?(?:it )?turns out:?(?: that)?|(?:i|we)(?:'ve| have)?(?: just| now"
    r"| finally)? (?:learn(?:ed|t)|reali[sz]ed|understood)(?: today| now)?(?: that)?(?! how to| a lot)"
    r"|(?:just )?(?:learn(?:ed|t)|reali[sz]ed) that|(?:i |we )?(?:learn(?:ed|t)"
    r"|found out) the hard way[:,]?(?: that)?|(?:one |a |the |another |interesting )*things? (?:i"
    r"|we) (?:learned|learnt|found out|noticed)[^:]{0,30}:"
    r"|what (?:i|we) learned(?: today| here)?(?: is|:)(?: that)?|the root cause (?:is|was"
    r"|turned out to be)(?: that)?|root cause:)\s+(?P<what>.{8,})",
    re.IGNORECASE,
)
_TO_KEEP = Form(
    rf"^{LEAD}(?P<what>\S.{{6,160}}?),? (?:please )?(?:keep (?:that|this|it) (?:somewhere|in mind|fixed|safe)"
    r"|(?:note|write) (?:that|this|it) down|(?:note|remember) (?:that|this)|for reference)\s*[.!]*$"
    rf"|^{LEAD}(?P<own>(?:our|my) (?:\w+ ){{1,4}}?(?:id|number|code|key|prefix|handle|account) is \S*\d\S*)"
    r"\s*[.!]*$",
    re.IGNORECASE,
)
"""What is asked to be kept, and the numbers that somebody or something goes by."""


def insight(clause: Clause) -> Found | None:
    """The insight a clause of the user's marks, None if it marks none."""
    if clause.asked or clause.stance is not Stance.MEANT:
        return None
    if clause.label == "insight":
        return Found(ItemType.INSIGHT, tidy(clause.text), clause, 0.9)
    match = None if clause.label else _MARKED.match(clause.masked) or _TO_KEEP.match(clause.masked)
    if match is None:
        return None
    name = match.lastgroup or "what"
    what = tidy(clause.text[match.start(name) : match.end(name)])
    return Found(ItemType.INSIGHT, what, clause, 0.8) if telling(what) else None
