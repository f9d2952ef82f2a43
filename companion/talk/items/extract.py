"""From a clause that was heard to what it leaves behind: its own words, and the details that its sort has."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from companion.language.dates import due, since
from companion.language.marks import MarkKind, marks_of
from companion.language.openings import opening, unopened
from companion.language.reasons import reason_alone, reasoned
from companion.language.sentences import Clause
from companion.records.readings import DialogueAct
from companion.records.talk import COMPLETED, DECIDED, ItemType
from companion.talk.hearing import Heard
from companion.talk.items.found import FoundItem, telling, tidy

LEAST_CHARS = 2
_PRIORITY = re.compile(r"\b(p[0-4]|urgent|asap|(?:top|high|highest|low|lowest) priority|critical)\b", re.IGNORECASE)


def read(heard: Heard) -> FoundItem | None:
    """What a clause leaves behind, None if nothing: what it says is too little, or nothing that lasts."""
    make = _MADE.get(heard.act)
    return make(heard) if make is not None else None


def settled(clause: Clause, share: float, *kinds: str) -> FoundItem | None:
    """A decision in the words of a clause, whoever said it, without what opens it (see `phrases`)."""
    said, cause = _led(clause.text)
    what, why = reasoned(unopened(said, "decision", *kinds))
    what = tidy(what)
    if len(what) < LEAST_CHARS or not any(character.isalnum() for character in what):
        return None
    why = tidy(why or cause) or (reason_alone(clause.after) if clause.sentence.endswith(clause.text) else "")
    return FoundItem(ItemType.DECISION, what, clause, round(share, 2)).with_details(why=why)


def _led(text: str) -> tuple[str, str]:
    """What was decided and what led to it, of "A, so we decided B"; in any other "A, so B" the effect is no reason."""
    cause, so, effect = text.partition(" so ")
    return (effect, cause) if so and opening(effect, "decision") else (text, "")


def work(clause: Clause, share: float, *kinds: str, status: str = DECIDED) -> FoundItem | None:
    """Something to do in the words of a clause, without its day and what opens it."""
    said, _ = reasoned(unopened(clause.text, *kinds))
    when = due(said, clause.at) if status != COMPLETED else None
    if when is not None:
        said = f"{said[: when.start]} {said[when.end :]}" if said[: when.start].strip() else said[when.end :]
    text = tidy(said)
    if not telling(text):
        return None
    level = _PRIORITY.search(clause.masked)
    return FoundItem(ItemType.TASK, text, clause, round(share, 2), {"status": status}).with_details(
        due=when.day if when else "", priority=level[1].lower() if level else ""
    )


def question(clause: Clause, share: float) -> FoundItem | None:
    """A question, with its mark if it has one."""
    text = tidy(unopened(clause.text))
    if not telling(text):
        return None
    return FoundItem(
        ItemType.QUESTION, text + "?" * clause.text.rstrip("\"')*_ ").endswith("?"), clause, round(share, 2)
    )


def _done(heard: Heard) -> FoundItem | None:
    """What is over; nothing that a "not" or "haven't" stands in, however surely it was heard."""
    if any(mark.kind == MarkKind.NEGATION for mark in marks_of(heard.clause.masked)):
        return None
    return work(heard.clause, heard.share, status=COMPLETED)


def _waiting(heard: Heard) -> FoundItem | None:
    """Who is waited for is named later, by `extract`, which knows the people of the conversation."""
    clause = heard.clause
    found = _plain(ItemType.WAITING_ON, heard, "waiting")
    when = due(clause.text, clause.at)
    return found.with_details(since=since(clause.text, clause.at), due=when.day if when else "") if found else None


def _plain(sort: ItemType, heard: Heard, *kinds: str) -> FoundItem | None:
    text = tidy(unopened(heard.clause.text, *kinds))
    return FoundItem(sort, text, heard.clause, round(heard.share, 2)) if telling(text) else None


_MADE: Mapping[DialogueAct, Callable[[Heard], FoundItem | None]] = {
    DialogueAct.DECISION: lambda heard: settled(heard.clause, heard.share),
    DialogueAct.RULE: lambda heard: settled(heard.clause, heard.share),
    DialogueAct.TODO: lambda heard: work(heard.clause, heard.share, "todo"),
    DialogueAct.DONE: _done,
    DialogueAct.QUESTION: lambda heard: question(heard.clause, heard.share),
    DialogueAct.WAITING: _waiting,
    DialogueAct.BLOCKED: lambda heard: _plain(ItemType.BLOCKER, heard),
    DialogueAct.INSIGHT: lambda heard: _plain(ItemType.INSIGHT, heard, "insight"),
    DialogueAct.PRIORITY: lambda heard: _plain(ItemType.PRIORITY, heard, "decision"),
}
