"""One clause of the user's as the rules read it: the first that finds something has it."""

from __future__ import annotations

import re
from dataclasses import replace

from companion.language.sentences import Clause
from companion.talk.items.blockers import blocker
from companion.talk.items.decisions import decision
from companion.talk.items.figures import figure
from companion.talk.items.found import Found, Rule
from companion.talk.items.insights import insight
from companion.talk.items.priorities import priority
from companion.talk.items.questions import question
from companion.talk.items.tasks import task
from companion.talk.items.waiting import waiting

RULES: tuple[Rule, ...] = (insight, blocker, waiting, question, priority, decision, task, figure)
"""Who reads a clause; one clause is one thing, so the first that finds something has it."""

_TOPIC = re.compile(r"^[^\W_][^:\"`\x00]{1,90}:\s+(?=\w)")


def read(clause: Clause) -> Found | None:
    """What the rules find in a clause, in it as it stands or after the topic that is put first; None if nothing."""
    return _first(clause) or _first(_after_topic(clause))


def _first(clause: Clause | None) -> Found | None:
    """What the first rule that finds something finds."""
    if clause is None:
        return None
    return next((found for rule in RULES if (found := rule(clause)) is not None), None)


def _after_topic(clause: Clause) -> Clause | None:
    """What is said of a topic that is put first: `node size: we stay on 8 GB`; None where there is none."""
    match = None if clause.label or clause.asked else _TOPIC.match(clause.masked)
    if match is None:
        return None
    return replace(clause, text=clause.text[match.end() :], masked=clause.masked[match.end() :])
