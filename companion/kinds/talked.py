"""What a conversation left behind, as drafts: an episode a part, a fact for each decision and the like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from companion.kinds.levels import ladder
from companion.language.validity import validity
from companion.records import (
    Decision,
    DecisionStatus,
    Draft,
    Episode,
    EpisodeType,
    Evidence,
    EvidenceKind,
    FactType,
    Importance,
    Kind,
    Source,
    Visibility,
)
from companion.records.talk import Conversation, Item, ItemType, Part

TITLE_CHARACTERS = 100
"""Characters of an episode's title, as of those kept by hand."""
STATEMENT_WORDS = 4
"""A person is worth a fact of their own if more is said of them than a name: three words are a name and a title."""

_FACTS = {
    ItemType.DECISION: FactType.DECISION,
    ItemType.INSIGHT: FactType.FACT,
    ItemType.PERSON: FactType.RELATIONSHIP,
}
PREFERENCE = "preference"
"""The sort of an insight that says how somebody wants things done."""


def drafts_of(
    conversation: Conversation, part: Part, number: int, items: Sequence[Item], at: Mapping[int, datetime]
) -> tuple[Draft, ...]:
    """The episode of a part (its number counts from 1) and the facts among its items; `at` is when each turn was.

    The episode is the persona's that it was held with; facts are everybody's.
    """
    episode = _episode(conversation, part, number, items)
    return (episode, *(_fact(conversation, one, at) for one in items if _is_fact(one)))


def _episode(conversation: Conversation, part: Part, number: int, items: Sequence[Item]) -> Draft:
    told = part.narrative.strip()
    title = (conversation.title or told.splitlines()[0])[:TITLE_CHARACTERS]
    people = tuple(dict.fromkeys(name for one in items for name in _people(one)))
    when = conversation.last_turn_at or conversation.started_at
    return Draft(
        kind=Kind.EPISODE,
        type=EpisodeType.CONVERSATION,
        subject=conversation.title or "conversation",
        attribute=f"{conversation.id} {number}",
        value=told,
        levels=ladder(f"{conversation.title} - {told}" if conversation.title else told, index=conversation.title),
        origin=conversation.id,
        evidence=_evidence(conversation, items),
        body=Episode(title, when, people),
        entities=tuple(dict.fromkeys(name for one in items for name in one.entities)),
        visibility=Visibility.USER_PRIVATE,
        source=Source.SHADOW,
        importance=Importance.SIGNIFICANT,
        persona=conversation.persona,
        valid_from=when,
    )


def _fact(conversation: Conversation, one: Item, at: Mapping[int, datetime]) -> Draft:
    decided = one.type is ItemType.DECISION
    why = one.details.get("why", "")
    preferred = one.details.get("sort") == PREFERENCE
    said = at.get(one.turn, conversation.started_at)
    return Draft(
        kind=Kind.FACT,
        type=FactType.PREFERENCE if preferred else _FACTS[one.type],
        subject=conversation.title or one.type.value,
        attribute="",
        value=one.text,
        levels=ladder(f"{_sentence(one.text)} Why: {why}" if why else one.text),
        origin=conversation.id,
        evidence=_evidence(conversation, [one]),
        body=Decision("", one.text, why, DecisionStatus.IN_FORCE) if decided else None,
        entities=one.entities,
        visibility=Visibility.USER_PRIVATE,
        source=Source.SHADOW,
        confidence=one.confidence,
        importance=Importance.SIGNIFICANT if decided else Importance.DEFAULT,
        valid_from=said,
        valid_to=validity(one.text, said).after,
    )


def _is_fact(one: Item) -> bool:
    if one.type is ItemType.PERSON:
        return bool(one.details.get("relation")) or len(one.text.split()) >= STATEMENT_WORDS
    return one.type in _FACTS


def _evidence(conversation: Conversation, items: Sequence[Item]) -> tuple[Evidence, ...]:
    """The turns that items were said in; the whole conversation where there are none."""
    said = [Evidence(EvidenceKind.CONVERSATION, conversation.id, one.turn, one.quote) for one in items]
    return tuple(dict.fromkeys(said)) or (Evidence(EvidenceKind.CONVERSATION, conversation.id),)


def _people(one: Item) -> tuple[str, ...]:
    named = one.details.get("who", "")
    found = [name.partition(":")[2].replace("_", " ").title() for name in one.entities if name.startswith("person:")]
    return (named,) if named and not found else tuple(found)


def _sentence(text: str) -> str:
    return text if text.rstrip().endswith((".", "!", "?")) else f"{text.rstrip()}."
