"""Taking back: "scratch that", "I changed my mind about X", "forget the Y idea"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.language.sentences import Clause
from companion.language.stance import Stance
from companion.language.subjects import subject
from companion.talk.items.found import tidy

_LEAD = (
    r"^(?:(?:ok(?:ay)?|hm+|oh|well|so|and|but|yeah|no|nah|nope|wait|actually|sorry|ah|please|you know what"
    r"|thinking about it|on second thoughts?)[\s,.:–—-]+)*"
)
_LAST = re.compile(
    _LEAD + r"(?:(?:please )?(?:scratch|strike|forget|ignore|cancel|disregard|undo|drop|revert|take back"
    r"|delete) (?:that|it|this|what i (?:just )?said|that last (?:bit|one|part|thing)|the last (?:bit|one|part"
    r"|thing)|my last \w+|all (?:of )?that)(?: last (?:bit|one|part))?\b"
    r"|never ?mind\b(?! the)|(?:i |i've )(?:just )?(?:changed my mind|take (?:that|it) back|was wrong"
    r"|misspoke)\s*[.!]*$|changed my mind\s*[.!]*$|let'?s not(?: do (?:that|it|this))?(?: after all)?\s*[.!]*$"
    r"|let'?s not after all|(?:don'?t|do not) do (?:that|it|this)\b|not that(?: one)?\s*[.!]*$"
    r"|we don'?t need (?:that|it|this)(?: after all| any ?more)?\s*[.!]*$|no longer needed)",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"^(?:(?:hm+|oh|well|ah|ok(?:ay)?)[\s,.]+)*(?:no,? wait|wait,? no|on second thoughts?|i changed my mind"
    r"|changed my mind|scratch that|no,? not that)\b[\s,.:;–—-]*",
    re.IGNORECASE,
)
_NAMED = re.compile(
    _LEAD + r"(?:(?:please )?(?:scratch|forget(?: about)?|cancel|disregard|ignore|drop|skip|never ?mind|remove"
    r"|take back|strike) (?:about )?(?:the |that |this |my |our "
    r"|what i said about (?:the )?)+(?P<a>[^,.;]{3,80}?)(?: (?:idea|plan|thing|part|bit|task|decision|stuff"
    r"|item|one|request|todo))?(?: (?:for now|i mentioned|from (?:before|earlier)|after all|entirely|completely"
    r"|altogether|please))*\s*(?:[.!]*$|,)"
    r"|i(?:'ve)? (?:changed my mind|was wrong|reconsidered)(?: about| on)? (?P<b>[^,.;]{3,80})"
    r"|(?:forget|scratch|drop|cancel) (?P<c>(?!it\b|that\b|this\b|about\b|the\b"
    r"|everything\b)[\w`][^,.;]{2,60}?)(?: (?:idea|plan|for now|after all|entirely|completely"
    r"|altogether))*\s*(?:[.!]*$|,)"
    r"|(?:we|i)(?:'re| are|'m| am)? (?:no longer|not) (?:need(?:ing)?|want(?:ing)?|doing|going to do|using"
    r"|going with|pursuing) (?P<d>[^,.;]{3,80}?)(?: (?:after all|any ?more|for now))*\s*[.!]*$"
    r"|(?:we|i) (?:don'?t|do not|won'?t) (?:need|want|do)(?: to do)? (?P<e>[^,.;]{3,80}?) (?:after all"
    r"|any ?more)\s*[.!]*$"
    r"|(?:the )?(?P<f>[^,.;]{3,60}?) (?:is|are) (?:off the table|cancelled|canceled|no longer needed"
    r"|not happening|off)(?: after all| now)?\s*[.!]*$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What is taken back: `named` in the clause's words, empty for what was said last."""

    clause: Clause
    named: str = ""
    vague: bool = False
    """Whether the words alone would do: `scratch that idea`."""


def withdrawal(clause: Clause) -> Withdrawal | None:
    """What a clause of the user's takes back, None if nothing."""
    if clause.asked or clause.stance is Stance.CONDITIONAL:
        return None
    if (match := _NAMED.match(clause.masked)) is not None:
        name = next(name for name, value in match.groupdict().items() if value)
        named = tidy(clause.text[match.start(name) : match.end(name)])
        if subject(named):
            return Withdrawal(clause, named, _LAST.match(clause.masked) is not None)
    if _LAST.match(clause.masked) or (_BARE.match(clause.masked) and _bare_only(clause)):
        return Withdrawal(clause)
    return None


def _bare_only(clause: Clause) -> bool:
    """Whether nothing else is said: what follows `wait, no` in the same breath replaces by itself."""
    match = _BARE.match(clause.masked)
    return match is not None and not clause.masked[match.end() :].strip(" .!")
