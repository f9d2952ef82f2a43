"""Which of a model's claims are believed: those whose quotation was said and meant, and that add nothing to it.

The quotation must stand, white space aside, in what the user or the assistant wrote by hand in the named turn; so
pasted text, our own context and orders to a program never count. The clause it rests on must be meant, as the rules
see that. The statement's numbers, names and identifiers must stand in the turn, its negations in the sentence. What
the assistant said is no more than an offer: whether the user agreed is for `dialogue` to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import unescape
from itertools import groupby

from companion.judge.faithfulness import OWN_WORDS
from companion.language import dates
from companion.language.orders import steers_a_model
from companion.language.phrases import names
from companion.language.sentences import Clause
from companion.language.subjects import covered, subject
from companion.records.readings import DialogueAct
from companion.records.talk import DECIDED, Item, ItemType, Role
from companion.talk.consulted.asking import own_text
from companion.talk.consulted.borne_out import is_borne_out
from companion.talk.consulted.claims import ModelClaim
from companion.talk.hearing import Heard
from companion.talk.items.extract import read
from companion.talk.items.found import FoundItem, telling, tidy

SURE_MOST = 0.75
"""A model's find is worth no more than the weakest form that rules know."""
SURE_LEAST = 0.5
"""What the model itself doubts is left out."""
QUOTE_WORDS = 2
"""A single word stands in many places and means nothing by itself."""

_PLAIN = str.maketrans("’‘“”", "''\"\"")


def believed(claims: Iterable[ModelClaim], said: Sequence[Heard]) -> tuple[FoundItem, ...]:
    """The claims that rest on what was said, one a clause, in the order in which they were named."""
    messages: dict[int, list[list[Heard]]] = {}
    for (turn, _), heard in groupby(said, key=lambda one: (one.clause.turn, one.clause.message)):
        messages.setdefault(turn, []).append(list(heard))
    kept: dict[int, FoundItem] = {}
    for claim in claims:
        for message in messages.get(claim.turn, ()):
            if (found := _believed(claim, message)) is not None:
                kept.setdefault(found.clause.place, found)
                break
    return tuple(kept.values())


def unborne(claims: Iterable[ModelClaim], items: Sequence[Item]) -> tuple[ModelClaim, ...]:
    """The claims that no item stands for: none of their type in their turn rests on the words they quote."""
    return tuple(
        claim
        for claim in claims
        if not any(
            one.type is claim.type and one.turn == claim.turn and _overlap(claim.quote, one.quote) for one in items
        )
    )


def _overlap(one: str, other: str) -> bool:
    """Whether the longer of two quotations has the shorter one, or most of its words."""
    left, right = (" ".join(unescape(quote).split()).translate(_PLAIN) for quote in (one, other))
    return left in right or right in left or covered(left, right) >= OWN_WORDS


def _believed(claim: ModelClaim, message: Sequence[Heard]) -> FoundItem | None:
    """The find that a claim makes in a message, None if it stands not there or may not stand at all."""
    own = own_text([one.clause for one in message])
    quote = _quoted(claim.quote, own)
    if not quote or claim.confidence < SURE_LEAST:
        return None
    heard = _rests_on(claim, quote, own, message)
    if heard is None or not _is_meant(claim, heard) or not _is_borne_out(claim, quote, heard.clause, own):
        return None
    text = claim.text if claim.type is ItemType.QUESTION else tidy(claim.text)
    if not telling(text):
        return None
    return FoundItem(claim.type, text, heard.clause, min(SURE_MOST, claim.confidence), quote=quote).with_details(
        **_details(claim, heard.clause, own)
    )


def _quoted(quote: str, own: str) -> str:
    """The words of a message that a quotation repeats, as they stand there; empty if they do not."""
    plain = own.translate(_PLAIN)
    for words in (quote, unescape(quote)):
        wanted = " ".join(words.split()).translate(_PLAIN)
        at = plain.find(wanted)
        if at >= 0 and len(wanted.split()) >= QUOTE_WORDS and subject(wanted):
            return own[at : at + len(wanted)]
    return ""


def _rests_on(claim: ModelClaim, quote: str, own: str, message: Sequence[Heard]) -> Heard | None:
    """The clause of a quotation that a claim is about: one that is heard so, else the one with most of its words."""
    start = own.index(quote)
    touched = [heard for heard, first, last in _places(message, own) if first < start + len(quote) and start < last]
    sentences = {heard.clause.sentence for heard in touched}
    for heard in message:
        mine = heard.clause.role is Role.USER and heard.clause.sentence in sentences
        if mine and (found := read(heard)) is not None and found.type is claim.type:
            return heard
    return max(touched, key=lambda heard: covered(claim.text, heard.clause.text), default=None)


def _places(message: Sequence[Heard], own: str) -> Iterable[tuple[Heard, int, int]]:
    """The clauses of a message with the characters of its text that they stand in."""
    at = 0
    for heard in message:
        words = " ".join(heard.clause.text.split())
        first = own.find(words, at)
        if first >= 0:
            at = first + len(words)
            yield heard, first, at


def _is_meant(claim: ModelClaim, heard: Heard) -> bool:
    """Whether a clause is put so that it can be what is claimed; what the assistant says is an offer at most."""
    if heard.clause.role is Role.ASSISTANT:
        return claim.type in {ItemType.DECISION, ItemType.TASK}
    if claim.type is ItemType.QUESTION:
        return True
    weighed = heard.is_one_of(DialogueAct.WEIGHED, DialogueAct.QUESTION)
    return not (weighed or heard.clause.asked or (claim.type is ItemType.TASK and heard.clause.ticked))


def _is_borne_out(claim: ModelClaim, quote: str, clause: Clause, own: str) -> bool:
    """Whether a statement adds nothing to what was said, and turns nothing round."""
    if any(steers_a_model(words) for words in (clause.sentence, quote, claim.text)):
        return False
    sentence = clause.sentence if quote in clause.sentence else f"{clause.sentence} {quote}"
    if not subject(claim.text) & subject(sentence) or not is_borne_out(
        claim.text, sentence, own, asks=claim.type is ItemType.QUESTION
    ):
        return False
    return not claim.who or names(own, claim.who)


def _details(claim: ModelClaim, clause: Clause, own: str) -> dict[str, str]:
    """What is known of a claim; a day only if it was named, and as the rules count it."""
    named = dates.due(f"by {claim.due}", clause.at) if claim.due and names(own, claim.due) else None
    found = {"due": named.day if named is not None else ""}
    if claim.type is ItemType.TASK:
        found["status"] = DECIDED
    elif claim.type is ItemType.WAITING_ON:
        found |= {"who": claim.who, "since": dates.since(clause.sentence, clause.at)}
    return found
