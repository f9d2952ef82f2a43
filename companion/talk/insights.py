"""Insights, only where the user marks them as such: "lesson learned", "turns out", "note to self"."""

from __future__ import annotations

import re

from companion.records.talk import ItemType
from companion.talk.finding import Found, telling, tidy
from companion.talk.form import Form
from companion.talk.phrases import LEAD
from companion.talk.sentences import Clause
from companion.talk.stance import Stance

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


def insight(clause: Clause) -> Found | None:
    """The insight a clause of the user's marks, None if it marks none."""
    if clause.asked or clause.stance is not Stance.MEANT:
        return None
    if clause.label == "insight":
        return Found(ItemType.INSIGHT, tidy(clause.text), clause, 0.9)
    match = None if clause.label else _MARKED.match(clause.masked)
    if match is None:
        return None
    what = tidy(clause.text[match.start("what") : match.end("what")])
    return Found(ItemType.INSIGHT, what, clause, 0.8) if telling(what) else None
