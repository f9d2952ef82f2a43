"""Figures and days that the user sets without saying that they decide: "results within 80 ms".

The figure must be a bound, and the clause must not tell of something measured, seen or gone wrong. In doubt between
a demand and a report there is nothing.
"""

from __future__ import annotations

import re

from companion.language.form import Form
from companion.language.phrases import LEAD
from companion.language.sentences import Clause
from companion.language.stance import Stance
from companion.records.talk import ItemType
from companion.talk.items.found import Found, telling, tidy

MOST_WORDS = 18
"""A demand with a figure is short; in a longer clause the figure is a part of a story."""
_BOUND = re.compile(
    r"\b(?:within|under|below|at most|max(?:imum)?|over|above|beyond|(?:shorter|longer|more|fewer|less|older"
    r"|newer|bigger|larger|smaller|higher|lower)"
    r" than|every|each|up to|at least|no later than|between|fit(?:s)? in(?:to)?|capped at|limited to|covers?"
    r"|moves? to|starts? (?:at|on)"
    r"|ends? (?:at|on)|is set to|(?:is|are) (?:on|at|due)|complete by|ready by|due (?:on|by)?|until"
    r"|by(?! [\d.,]+ ?(?:mm|cm|m|km|ms|s|kb|mb|gb|%|percent|x|times|points?|rows|lines)\b)|cap is"
    r"|cap of|limit is|floor is)\s+"
    r"(?:the |a )?(?:[$€£]?\d|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|ten\b|twelve\b|(?:mon"
    r"|tues|wednes|thurs|fri)days?\b"
    r"|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d)",
    re.IGNORECASE,
)
_REPORTS = re.compile(
    r"\b(?:takes?|took|taking|gives?|gave|drops?|dropped|fails?|failed|failing|returns?|returned|shows?|showed"
    r"|was|were|got|went|came|is (?:down|up|now at|back)"
    r"|faster|slower|since|ago|on average|average|currently|right now|measured|says?|said|crash\w*|hangs?"
    r"|times? out|timed out|leaks?|errors?|bugs?"
    r"|saw|see|seen|has|had|have (?:been|seen|got|had)|there (?:is|are)|found|noticed|happens?|grew|grows|rose"
    r"|fell|went|used to|already|last (?:week|month|year|night)"
    r"|looks?|seems?|feels?|think|guess|around|about|roughly|approximately|hopefully|usually|normally|sometimes"
    r"|often|read|heard|wrote|why|what|how|would|could|might|'d)\b",
    re.IGNORECASE,
)
_VAGUE = Form(
    rf"^{LEAD}(?:it|that|this|he|she|they|you|i'll|i'm|i am|i|thanks|see|talk|back|give me|wait)\b(?! want)",
    re.IGNORECASE,
)


def figure(clause: Clause) -> Found | None:
    """The demand with a figure or day that a clause of the user's makes, None if it makes none."""
    if clause.asked or clause.label or clause.document or clause.stance is not Stance.MEANT:
        return None
    masked = clause.masked
    if len(masked.split()) > MOST_WORDS or _BOUND.search(masked) is None:
        return None
    if _REPORTS.search(masked) or _VAGUE.match(masked):
        return None
    lead = re.match(LEAD, masked, re.IGNORECASE)
    text = tidy(clause.text[lead.end() if lead else 0 :])
    return Found(ItemType.DECISION, text, clause, 0.65) if telling(text) and len(text.split()) >= 3 else None
