"""Whether a clause is meant: said as so, or only supposed, wished, wondered at, or told of somebody else's opinion."""

from __future__ import annotations

import re
from enum import StrEnum


class Stance(StrEnum):
    """How a clause is meant; only what is meant becomes an item."""

    MEANT = "meant"
    SUPPOSED = "supposed"
    CONDITIONAL = "conditional"
    REPORTED = "reported"


_SUPPOSED = re.compile(
    r"\b(?:what if|suppose|supposing|imagine|hypothetically|in theory|theoretically|let'?s say (?!\d)"
    r"|let'?s pretend|let'?s assume|pretend"
    r"|could(?! you\b)|might|(?<!in )(?<!until )(?<!by )(?<!since )(?<!of )(?-i:may)(?!\s+\d)|maybe|perhaps"
    r"|possibly|probably|thinking (?:about|of)"
    r"|thought (?:about|of)|considering|considered|wonder(?:ing)?"
    r"|toying with|not sure|unsure|eventually|some ?day|one day|in an ideal world|ideally|would (?:be|have|it"
    r"|you|we|mean|need)"
    r"|we'd (?:have|need|be|probably|end)|it'd|i'd (?:have|need)|if we were|had we|were to|wish|hope(?:fully)?"
    r"|tempted|one option|another option|option would|alternatively|either .{1,60} or"
    r"|as an example|for example|for instance|e\.g\.|jok(?:e|ing)|kidding|just curious|as a thought experiment"
    r"|long[- ]term we)\b",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(
    r"(?<!even )(?<!as )(?<!see )(?<!check )(?<!sure )(?<!know )(?<!decide )\bif\b(?! possible| you (?:can"
    r"|could|don't mind|like|want|have time)| needed| necessary| at all possible)|\bunless\b|\bin case\b"
    r"|\bassuming\b|\bprovided that\b|\bdepending on\b|\bwhenever\b",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"(?:^|[,;]\s*|\b(?:and|but|because|so)\s+)(?!(?:i|we|on second)\b)(?:[\w'-]+\s){0,3}?(?:think|thinks"
    r"|thought|says"
    r"|said|suggests|suggested|argues|argued|claims|claimed|proposes"
    r"|proposed|recommends?|recommended|believes|insists(?!\s*[.!]*$)|insisted(?!\s*[.!]*$)|complains|complained|advises|advised"
    r"|keeps saying|wants us to|wanted us to|wanted to|mentioned|wrote|writes|according to)\b"
    r"|\baccording to\b|\b(?:docs?|readme|documentation|article|blog post|stack ?overflow|tutorial|video"
    r"|post) (?:says?|suggests?|recommends?|claims?)\b"
    r"|^(?:they|people|some people|everyone else|others|he|she|most (?:people|teams))\b(?!'ll| will| promised"
    r"| is going| are going| sent| has| have| still)",
    re.IGNORECASE,
)


def stance(sentence: str, clause: str) -> Stance:
    """How a clause of a sentence is meant; a condition anywhere in the sentence holds for all of it."""
    if _CONDITIONAL.search(sentence):
        return Stance.CONDITIONAL
    if _SUPPOSED.search(clause):
        return Stance.SUPPOSED
    if _REPORTED.search(clause):
        return Stance.REPORTED
    return Stance.MEANT
