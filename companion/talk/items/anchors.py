"""Anchors: what says who the user is or what was decided for good, and so stays verbatim."""

from __future__ import annotations

import re

from companion.language.openings import unopened
from companion.ports import Reader
from companion.records.readings import DialogueAct
from companion.records.talk import Role, Turn
from companion.talk.hearing import Heard, hear_side

NONE, HALF, FULL = 0.0, 0.5, 1.0
_WHO = re.compile(
    r"^(?:my name(?:'s| is)|call me [A-Z]|i(?:'m| am) (?:a|an|the|your|based in|from|vegan|vegetarian"
    r"|deaf|blind|colou?r[- ]?blind|left-handed|dyslexic|married|allergic|[A-Z]\w+\b(?=[,.]|$| from"
    r"| at))(?! (?:bit|little|lot|few|huge|big|bad|fan of that|idiot|moron))(?:[^\n]*)|i(?:'m"
    r"| am) (?:responsible for|in charge of|the one who)|i (?:work (?:at|for|as|on|in|from)|live in|own (?:the"
    r"|this)|lead the|run (?:a|the)|maintain|speak|studied|(?:have|'ve) (?:two|three|a|one) (?:kids?|child"
    r"|children|dog|son|daughter))"
    r"|my (?:job|role|title|time ?zone|pronouns|team|email|e-mail|birthday|company|native language"
    r"|working hours)(?:'s| is| are))\b",
    re.IGNORECASE,
)
_WEIGHTS = {DialogueAct.RULE: FULL, DialogueAct.DECISION: HALF}


def anchor(turn: Turn, reader: Reader | None) -> float:
    """How firmly a turn says who the user is or what was decided for good: 1, 0.5 for a decision, else 0."""
    return max((strength(one) for one in hear_side(turn, Role.USER, reader)), default=NONE)


def statements(turn: Turn, reader: Reader | None) -> tuple[str, ...]:
    """The sentences of a turn that say so most firmly, word for word; none where it is no anchor."""
    firm = ((strength(one), one.clause.sentence) for one in hear_side(turn, Role.USER, reader))
    return tuple(dict.fromkeys(sentence for found, sentence in firm if found >= FULL))


def strength(heard: Heard) -> float:
    """How firmly one clause says so; only what the user says counts."""
    if heard.clause.role is not Role.USER:
        return NONE
    if not heard.clause.asked and _WHO.match(unopened(heard.clause.masked)):
        return FULL
    return _WEIGHTS.get(heard.act, NONE)
