"""What a model says a conversation leaves behind, as records: read strictly, nothing of it believed yet."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from companion.records.talk import ItemType

ITEMS_MOST = 8
"""Items of one reply: together they fit in the few hundred tokens that a reply may have."""
TEXT_CHARS, QUOTE_CHARS, WORD_CHARS = 200, 200, 60
"""Signs of a statement, of the words it rests on, and of a name or a day: a sentence, a sentence, a few words."""
REPLY_CHARS = 20_000
"""A longer reply is not read: what is asked for has a quarter of it."""
TYPES = (
    ItemType.DECISION,
    ItemType.TASK,
    ItemType.WAITING_ON,
    ItemType.QUESTION,
    ItemType.BLOCKER,
    ItemType.PRIORITY,
    ItemType.INSIGHT,
)
"""What a model may name; people and acts are known by their names, which rules find better."""

_TEXT: Mapping[str, object] = {"type": "string", "minLength": 1, "maxLength": TEXT_CHARS}
_QUOTE: Mapping[str, object] = {"type": "string", "minLength": 1, "maxLength": QUOTE_CHARS}
_WORD: Mapping[str, object] = {"type": "string", "maxLength": WORD_CHARS}
_FIELDS: Mapping[str, object] = {
    "type": {"type": "string", "enum": [one.value for one in TYPES]},
    "turn": {"type": "integer", "minimum": 1},
    "quote": _QUOTE,
    "text": _TEXT,
    "who": _WORD,
    "due": _WORD,
    "confidence": {"type": "number", "minimum": 0, "maximum": 1},
}
SCHEMA: Mapping[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["items"],
    "properties": {
        "items": {
            "type": "array",
            "maxItems": ITEMS_MOST,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": list(_FIELDS),
                "properties": _FIELDS,
            },
        }
    },
}
"""The form of a reply. The quote comes before the statement: who has to quote first states what was said."""


@dataclass(frozen=True, slots=True)
class ModelClaim:
    """An item as the model names it; `who` and `due` are words of the talk, empty where there are none."""

    type: ItemType
    turn: int
    quote: str
    text: str
    who: str = ""
    due: str = ""
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Told:
    """All that a model said of a conversation; `passes` counts its replies, `notes` say what went wrong."""

    claims: tuple[ModelClaim, ...] = ()
    narrative: str = ""
    model: str = ""
    passes: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()


def claims(reply: str) -> tuple[ModelClaim, ...] | None:
    """The items a reply names that have the form asked for, at most so many; None where it has not, or none has."""
    told = form(reply, "items")
    if not isinstance(told, list):
        return None
    found = tuple(claim for one in told[:ITEMS_MOST] if (claim := _claim(one)) is not None)
    return found if found or not told else None


def form(reply: str, name: str) -> object:
    """The one value, under its name, that a reply is an object of; None for any other reply."""
    try:
        told = json.loads(reply) if len(reply) <= REPLY_CHARS else None
    except (ValueError, RecursionError):
        return None
    return told[name] if isinstance(told, dict) and set(told) == {name} else None


def _claim(told: object) -> ModelClaim | None:
    if not isinstance(told, dict) or set(told) != set(_FIELDS):
        return None
    words = [told[name] for name in ("quote", "text", "who", "due")]
    if not all(isinstance(one, str) for one in words) or told["type"] not in [one.value for one in TYPES]:
        return None
    turn, sure = told["turn"], told["confidence"]
    if type(turn) is not int or isinstance(sure, bool) or not isinstance(sure, int | float) or not 0 <= sure <= 1:
        return None
    quote, text, who, due = (" ".join(one.split()) for one in words)
    if not (0 < len(quote) <= QUOTE_CHARS and 0 < len(text) <= TEXT_CHARS and max(len(who), len(due)) <= WORD_CHARS):
        return None
    return ModelClaim(ItemType(told["type"]), turn, quote, text, who, due, float(sure))
