"""Anchors: what says who the user is or what was decided for good, and so stays verbatim."""

from __future__ import annotations

import re
from dataclasses import replace

from companion.language.form import Form
from companion.language.long import ends_of
from companion.language.phrases import LEAD
from companion.language.sentences import Clause, clauses
from companion.language.stance import Stance
from companion.records.talk import Role, Turn
from companion.talk.items.decisions import decision

NONE, HALF, FULL = 0.0, 0.5, 1.0
_WHO = Form(
    rf"^{LEAD}(?:my name(?:'s| is)|call me [A-Z]|i(?:'m| am) (?:a|an|the|your|based in|from|vegan|vegetarian"
    r"|deaf|blind|colou?r[- ]?blind|left-handed|dyslexic|married|allergic|[A-Z]\w+\b(?=[,.]|$| from"
    r"| at))(?! (?:bit|little|lot|few|huge|big|bad|fan of that|idiot|moron))(?:[^\n]*)|i(?:'m"
    r"| am) (?:responsible for|in charge of|the one who)|i (?:work (?:at|for|as|on|in|from)|live in|own (?:the"
    r"|this)|lead the|run (?:a|the)|maintain|speak|studied|(?:have|'ve) (?:two|three|a|one) (?:kids?|child"
    r"|children|dog|son|daughter))"
    r"|my (?:job|role|title|time ?zone|pronouns|team|email|e-mail|birthday|company|native language"
    r"|working hours)(?:'s| is| are))\b",
    re.IGNORECASE,
)
_FOR_GOOD = Form(
    rf"^{LEAD}(?:i|we) (?:always|never|strongly prefer|prefer|hate|can't stand|insist on|only ever|will never"
    r"|refuse to)\b|\b(?:from now on|going forward|for good|once and for all|as a rule|no exceptions"
    r"|under no circumstances|non-?negotiable|set in stone|final decision|permanently|forever"
    r"|whatever happens)\b"
    rf"|^{LEAD}(?:please )?(?:always|never|don'?t ever|do not ever) \w+",
    re.IGNORECASE,
)
_NOT_SELF = re.compile(
    r"\bi(?:'m| am) (?:a (?:bit|little|lot)|an? (?:idiot|moron)|the (?:problem|only one)|a fan)\b"
    r"|\bnever ?mind\b|\balways (?:fails|returns|the same)\b",
    re.IGNORECASE,
)


def anchor(turn: Turn) -> float:
    """How firmly a turn says who the user is or what was decided for good: 1, 0.5 for a decision, else 0."""
    return max((strength(clause) for clause in _said(turn)), default=NONE)


def statements(turn: Turn) -> tuple[str, ...]:
    """The sentences of a turn that say so most firmly, word for word; none where it is no anchor."""
    firm = ((strength(clause), clause.sentence) for clause in _said(turn))
    return tuple(dict.fromkeys(sentence for found, sentence in firm if found >= FULL))


def strength(clause: Clause) -> float:
    """How firmly one clause says so; only what the user says and means counts."""
    if is_firm(clause):
        return FULL
    return HALF if _is_own(clause) and decision(clause) is not None else NONE


def is_firm(clause: Clause) -> bool:
    """Whether a clause says who the user is, or says something for good."""
    return _is_own(clause) and bool(_WHO.match(clause.masked) or _FOR_GOOD.search(clause.masked))


def _is_own(clause: Clause) -> bool:
    """Whether the user says it of themselves or their work, and means it."""
    meant = clause.role is Role.USER and not clause.asked and clause.stance is Stance.MEANT
    return meant and _NOT_SELF.search(clause.masked) is None


def _said(turn: Turn) -> list[Clause]:
    """The user's clauses of a turn; what an assistant says makes no anchor, and is most of the text."""
    own = tuple(message for message in turn.messages if message.role is Role.USER)
    return clauses((ends_of(replace(turn, messages=own)),))
