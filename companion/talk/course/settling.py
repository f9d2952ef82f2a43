"""What a conversation settles of what earlier ones left open: the same subject, and words that say it is over.

Nothing is settled by mere likeness: somebody must say that it is done, decided, answered, arrived or off.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.escape import one_line
from companion.language.phrases import says
from companion.language.subjects import covered, is_all_of, subject
from companion.records.talk import Item, ItemState, ItemType, Settles

SURE = 0.7
"""Below this, nothing is settled."""
_ENOUGH = 0.6
"""Share of an open item's telling words that must be named; with one word less of three it is another thing."""
_SHARED = 2
"""Telling words, those of who is waited for among them, that both name: one alone is in everything of a kind."""
_QUOTE_CHARS = 80
_WORK = frozenset({ItemType.TASK, ItemType.WAITING_ON, ItemType.BLOCKER})


def settles(items: Sequence[Item], open_items: Iterable[Item]) -> tuple[Settles, ...]:
    """Each open item that one of the new ones settles, once, by the surest, with the reason in words."""
    found: list[Settles] = []
    for old in open_items:
        if old.state in {ItemState.SETTLED, ItemState.DROPPED} or old.is_done:
            continue
        best = max((_settled(old, new) for new in items), key=lambda one: one.confidence if one else 0.0, default=None)
        if best is not None and best.confidence > SURE:
            found.append(best)
    return tuple(found)


def _settled(old: Item, new: Item) -> Settles | None:
    if old.id == new.id:
        return None
    said = new.quote or new.text
    if old.type in _WORK and new.type is ItemType.TASK and new.is_done:
        return _by(old, new, _finished(old, new), "done")
    if old.type is ItemType.QUESTION and new.type is ItemType.DECISION:
        about = covered(old.text, f"{new.text} {said}")
        return _by(old, new, about, "decided")
    if old.type in {ItemType.TASK, ItemType.DECISION} and new.type is ItemType.DECISION and says(said, "talk.over"):
        return _by(old, new, covered(old.text, new.text), "called off")
    return None


def _finished(old: Item, new: Item) -> float:
    """How far what is done is what was open."""
    said = f"{new.text} {new.quote}"
    share = is_all_of(old.text, said)
    who = old.details.get("who", "")
    if old.type is ItemType.WAITING_ON and who:
        named = any(word in said.lower() for word in who.lower().split() if len(word) > 2)
        if not named and _someone_else(old, new):
            return 0.0
        return max(share, 0.5 * share + 0.5) if named and share >= 0.5 else share
    return share


def _someone_else(old: Item, new: Item) -> bool:
    theirs = {key for key in old.entities if key.startswith("person:")}
    named = {key for key in new.entities if key.startswith("person:")}
    return bool(named) and bool(theirs) and not named & theirs


def _by(old: Item, new: Item, share: float, state: str) -> Settles | None:
    said = new.quote or new.text
    named = subject(f"{old.text} {old.details.get('who', '')}")
    if share < _ENOUGH or len(named & subject(f"{new.text} {said}")) < _SHARED:
        return None
    confidence = round(min(0.98, new.confidence * 0.5 + 0.5 * share), 2)
    reason = f"“{one_line(old.text, _QUOTE_CHARS)}” is {state}: “{one_line(said, _QUOTE_CHARS)}”"
    return Settles(old.id, new.id, confidence, reason)
