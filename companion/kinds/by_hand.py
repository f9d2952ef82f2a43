"""What a person says, as a draft: a plain fact, a decision if it says so, or the steps of a workflow."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime

from companion.kinds.levels import ladder
from companion.language.names import Names, people_of
from companion.language.noted_todos import noted_todo
from companion.language.openings import opening, unopened
from companion.language.orders import orders_a_program
from companion.language.reasons import reasoned
from companion.language.sentences import clauses
from companion.language.spoken import LABELS
from companion.language.validity import Validity, validity
from companion.records import (
    ASSISTANT,
    Body,
    Decision,
    DecisionStatus,
    Draft,
    Episode,
    EpisodeType,
    FactType,
    Importance,
    Kind,
    Scope,
    Source,
    Visibility,
    Workflow,
    entity,
)
from companion.records.talk import Message, Role, Turn

ORIGIN = "by-hand"
_STEPS = re.compile(r"\s*(?:->|→|=>|;|\n+|\bthen\b)\s*")
_PATH = re.compile(
    r"(?<![\w/:.])((?:[\w.\-]+/)+[\w\-]*\.[\w.\-]*\w|(?:[\w.\-]+/){2,}[\w.\-]*\w|(?<=`)[\w.\-]+/[\w.\-]*\w"
    r"|[\w\-]+\.[A-Za-z]{1,5}(?![\w.]))"
)
"""Two words with a slash between them are a path only as code: "blue/green" is no file."""
_NAMED = re.compile(r"`([A-Za-z_][\w.]{2,80})`")


def draft_from_note(
    text: str,
    kind: Kind,
    scope: Scope,
    visibility: Visibility,
    pinned: bool,
    label: str,
    now: datetime,
    assistant: str = "",
) -> Draft:
    """A draft of what a person (or an assistant of that name) asked to remember, with the validity that it names.

    `text` is kept word for word at the full level. A to-do holds until it is done.
    """
    type_, body = _meaning(text, kind, now)
    holds = validity_of(text, kind, now)
    begins = max(now, holds.first or now)
    files = sorted({scope.path, *_PATH.findall(text)} - {""})
    entities = [entity("file", path) for path in files] + [entity("symbol", name) for name in _NAMED.findall(text)]
    return Draft(
        kind=kind,
        type=type_,
        subject=label or scope.path or "note",
        attribute="",
        value=text,
        levels=ladder(text),
        origin=f"{ASSISTANT}{assistant}" if assistant else ORIGIN,
        body=body,
        entities=tuple(dict.fromkeys(entities)),
        scope=scope,
        visibility=visibility,
        source=Source.BY_HAND,
        confidence=1.0,
        importance=Importance.CRITICAL if pinned else Importance.SIGNIFICANT,
        label=label,
        pinned=pinned,
        valid_from=min(begins, holds.after or begins),
        valid_to=holds.after,
    )


def people_in(text: str, known: Collection[str], now: datetime) -> tuple[str, ...]:
    """Keys of the people whom a note names, as if it were said in a conversation; `known` are names of people."""
    said = Turn("", "", 1, now, (Message(Role.USER, text),))
    return tuple(entity("person", name) for name in people_of(clauses((said,)), Names(people=known)).named)


def validity_of(text: str, kind: Kind, now: datetime) -> Validity:
    """When a note holds by its own words: what happened stays so, and a to-do is one until it is done."""
    if kind is Kind.EPISODE or noted_todo(text, now) is not None:
        return Validity()
    return validity(text, now)


def _decided(text: str) -> str:
    """What a note says was decided, without the words that say so; empty for any other, and for orders to a program."""
    if orders_a_program(text):
        return ""
    label, _, labelled = text.partition(":")
    if LABELS.get(label.strip().lower()) == "decision":
        return labelled.strip()
    return unopened(text, "says_decision") if opening(text, "says_decision") else ""


def _meaning(text: str, kind: Kind, now: datetime) -> tuple[str, Body]:
    if kind is Kind.FACT and (decided := _decided(text)):
        return FactType.DECISION, Decision("", *reasoned(decided), DecisionStatus.IN_FORCE)
    if kind is Kind.WORKFLOW:
        trigger, _, rest = text.partition(":")
        steps = tuple(step for step in _STEPS.split(rest or text) if step)
        return "", Workflow(trigger.strip() if rest else "", steps)
    if kind is Kind.EPISODE:
        return EpisodeType.DEBUGGING, Episode(text.splitlines()[0][:100], now)
    return (FactType.FACT if kind is Kind.FACT else ""), None
