"""What a model says a conversation leaves behind, as records: read strictly, nothing of it believed yet."""

from __future__ import annotations

import json
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from companion import wire
from companion.records.talk import ItemType
from companion.wire import WHOLE_MAX, Among, Between

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

_Word = Annotated[str, Between(0, WORD_CHARS)]


class ModelClaim(Struct, frozen=True):
    """An item as the model names it; `who` and `due` are words of the talk, empty where there are none.

    The quote comes before the statement: who has to quote first states what was said.
    """

    type: Annotated[ItemType, Among(TYPES)]
    turn: Annotated[int, Between(1, WHOLE_MAX)]
    quote: Annotated[str, Between(1, QUOTE_CHARS)]
    text: Annotated[str, Between(1, TEXT_CHARS)]
    who: _Word = ""
    due: _Word = ""
    confidence: Annotated[float, Between(0, 1)] = 1.0


class ClaimsForm(Struct, frozen=True):
    """How a model is asked for items."""

    items: Annotated[tuple[ModelClaim, ...], Between(0, ITEMS_MOST)]


class Told(Struct, frozen=True):
    """All that a model said of a conversation; `passes` counts its replies, `notes` say what went wrong."""

    claims: tuple[ModelClaim, ...] = ()
    narrative: str = ""
    model: str = ""
    passes: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()


def claims(reply: str) -> tuple[ModelClaim, ...] | None:
    """The items a reply names that have the form asked for, at most so many; None where it has not, or none has."""
    try:
        told = json.loads(reply) if len(reply) <= REPLY_CHARS else None
    except (ValueError, RecursionError):
        return None
    listed = told["items"] if isinstance(told, dict) and told.keys() == {"items"} else None
    if not isinstance(listed, list):
        return None
    found = tuple(claim for one in listed[:ITEMS_MOST] if (claim := _claim(one)) is not None)
    return found if found or not listed else None


def _claim(told: object) -> ModelClaim | None:
    claim = wire.filled_from(ModelClaim, told)
    if claim is None or not claim.quote.strip() or not claim.text.strip():
        return None
    quote, text, who, due = (" ".join(said.split()) for said in (claim.quote, claim.text, claim.who, claim.due))
    return replace(claim, quote=quote, text=text, who=who, due=due)
