"""What a rule finds in a clause, before it is an item: words of the clause itself, and how surely."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from companion.language.sentences import Clause
from companion.language.word_lists import word_set
from companion.records.talk import Item, ItemType

QUOTE_CHARS = 200
"""As long as the quotation of any other evidence."""
TEXT_CHARS = 300
"""A statement longer than this is a paragraph; none of the rules' readings is."""

_EDGES = ' \t,;:.!?…–—-*_"“”'
_FILLER = re.compile(
    r"^(?:(?:just|then|so|and|but|also|please|pls|actually|instead|definitely|basically|simply|probably|really"
    r"|now|first|well|ok|okay)[\s,]+)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?<![\s,])[\s,]++(?:then|please|pls|though|i think|i guess|ok|okay|right|now|for now|thanks|thank you|too|as well"
    r"|instead|i suppose|you know|yes|yeah|tbh|imo"
    r"|haha|lol|:\)|;\)|(?:please )?don'?t let me forget|(?:please )?remind me)$",
    re.IGNORECASE,
)
_EMPTY = word_set("talk", "empty")
_ONLY_IT = re.compile(
    r"^\w+(?: (?:for|to|with|about|on|of))? (?:it|that|this|them|those|these)(?: (?:there|here|too|now|again"
    r"|away|out|up|in|back))*$"
    r"|^(?:that|this|it)(?:'s| is) (?:the |our |a )?(?:rule|plan|decision|deal|way|final|settled|policy)$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_][\w./#@+-]*")


class FoundItem(Struct, frozen=True):
    """A reading of a clause: `text` and `details` are words of it, `confidence` what the rule is worth."""

    type: ItemType
    text: str
    clause: Clause
    confidence: float
    details: Mapping[str, str] = field(default_factory=dict)
    quote: str = ""

    @property
    def spoken(self) -> str:
        """Everything that was said of it: its words, the quotation and the details."""
        return " ".join((self.text, self.quote or self.clause.sentence, *self.details.values()))

    def with_details(self, **more: str) -> FoundItem:
        """What was found, with more details; empty ones are left out."""
        return replace(self, details={**self.details, **{name: value for name, value in more.items() if value}})


def tidy(text: str) -> str:
    """A statement without the words around it that say nothing, its own words untouched."""
    text = " ".join(text.split()).replace(" ,", ",")
    while True:
        shorter = _TAIL.sub("", _FILLER.sub("", text.strip(_EDGES)))
        lead, colon, said = shorter.partition(": ")
        shorter = said if colon and not telling(lead) else shorter
        shorter = _unpaired(shorter.strip(_EDGES))
        if shorter == text:
            return text
        text = shorter


def _unpaired(text: str) -> str:
    """Without a bracket or quotation mark whose partner was cut off."""
    if text.count("(") != text.count(")"):
        text = text.replace("(", "", 1).strip() if text.startswith("(") else text.rstrip(")(").strip()
    before, tick, after = text.rpartition("`")
    return f"{before}{after}" if tick and before.count("`") % 2 == 0 else text


def telling(text: str) -> bool:
    """Whether a statement names anything: more than pronouns and the like."""
    if _ONLY_IT.match(text):
        return False
    return any(word.lower() not in _EMPTY for word in _WORD.findall(text))


def item_of(found: FoundItem, conversation: str, entities: tuple[str, ...]) -> Item:
    """The item, its id made of conversation, type and words, so that the same talk gives the same items."""
    plain = " ".join(found.text.lower().split())
    named = hashlib.sha256(f"{conversation}\x1f{found.type.value}\x1f{plain}".encode("utf-8", "surrogatepass"))
    return Item(
        id=f"i-{named.hexdigest()[:16]}",
        type=found.type,
        text=found.text[:TEXT_CHARS],
        turn=found.clause.turn,
        quote=(found.quote or found.clause.sentence)[:QUOTE_CHARS],
        details=dict(found.details),
        entities=entities,
        confidence=found.confidence,
        conversation=conversation,
    )
