"""How the user answers what the assistant put to them: agreed, refused, or chose one of several."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from companion.language.echo import without_echo
from companion.language.phrases import CHOOSING, PASSING, WORKING
from companion.language.sentences import Clause
from companion.language.subjects import likeness, subject
from companion.records.talk import ItemType, Message, Role
from companion.talk.items.decisions import settled
from companion.talk.items.found import Found, telling, tidy
from companion.talk.items.tasks import proposed

OWN_WORDS = 3
"""To a question of their own the user gives a name alone; more words are read as a statement."""
CHOICE_WORDS = 9
"""An answer with more words is a statement of its own and read as such."""


NEAR = 0.5
"""Share of telling words from which an answer names an option."""
SHORT_SUBJECT = 3
"""An answer about more things says something of its own."""
TOLD_WORDS = 12
MIN_WORDS = 4
"""A reply that can be agreed to as a whole is a sentence, not a report and not a mere `Done`."""


class Reply(StrEnum):
    """What the first words of an answer do with a proposal."""

    AGREES = "agrees"
    REFUSES = "refuses"
    NEITHER = "neither"


_AGREES = re.compile(
    r"^(?:(?:hm+|ah|oh|ok(?:ay)?|well|so|and|alright|right|cool|great|nice|perfect|thanks)[\s,.!]+)*"
    r"(?:yes|yep|yeah|yup|ya|sure|ok(?:ay)?|sounds? (?:good|great|right|fine|reasonable|like a plan)|go ahead"
    r"|do (?:it|that|so|both|all)|let'?s do (?:it|that|this|so|both)|let'?s go(?: with (?:it|that|this"
    r"|your \w+))?$|agreed?|i agree|perfect|please do|works for me"
    r"|lgtm|👍|\+1|exactly|correct|absolutely|definitely|fine(?: by me| with me)?|good (?:idea|call|plan|point)"
    r"|i like (?:it|that|this)|makes sense|ship it|go for it|approved|deal|love it|great|good|nice|cool"
    r"|that works|that'?s (?:fine|good|great|right|better|the one|it)|both|all of (?:them|it|the above)"
    r"|by all means|why not|of course|please|k)\b",
    re.IGNORECASE,
)
_FIRM = re.compile(
    r"\b(?:yes|yep|yeah|yup|do (?:it|that|both|all)|go ahead|let'?s do (?:it|that|this|both)"
    r"|let'?s go with (?:it|that|this)|agreed?|please do|go for it|ship it|approved|deal|sure|sounds good"
    r"|works for me|lgtm|\+1|good (?:idea|call|plan)|i like (?:it|that)|👍)(?!\w)",
    re.IGNORECASE,
)
_REFUSES = re.compile(
    r"^(?:(?:hm+|ah|oh|ok(?:ay)?|well|so|actually|thanks)[\s,.!]+)*(?:no|nah|nope|not (?:that|now|yet|really"
    r"|a fan|needed|necessary)|don'?t|please don'?t|do not|rather not|i'?d rather not|let'?s not|let'?s (?:hold"
    r"|wait)|leave (?:it|that)|skip (?:it|that)|never ?mind|stop|wait|neither|none of|i disagree"
    r"|i don'?t (?:like|think|want)|too (?:much|complex|complicated|slow|heavy|risky)|maybe (?:later|not)"
    r"|i'?m not (?:sure|convinced)|not sure)\b",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"\b(?:but|except|instead|however|only if|unless|not sure|rather|let me think|i'?ll think|maybe|though)\b|\?\s*$",
    re.IGNORECASE,
)

_AMENDS = re.compile(
    r"^(?:yes|yep|yeah|sure|ok(?:ay)?|sounds good|good)[\s,.–—-]+but (?:please |rather |only )?(?P<what>(?:with"
    r"|without|use|make|only|not|as|in|for|at|on|keep|put|set|call|do)\b.+)",
    re.IGNORECASE,
)
_OFFERS = re.compile(
    r"^(?:.{0,80}?[,.:;–—-]\s*)?(?:shall i|should i|want me to|do you want me to|would you like me to"
    r"|would you like to|do you want to|shall we|should we|may i|can i go ahead and|ok if i|okay if i"
    r"|is it ok(?:ay)? (?:if i|to)|how about (?:we |i )?|what about|(?:i can|i could|i'll"
    r"|i will) (?=.*\b(?:if you(?:'d)? (?:like|want|prefer|agree)|ok\?|okay\?|sound good\?"
    r"|alright\?)))\s*(?:then |just |also |go ahead and |instead )*(?P<what>.+)",
    re.IGNORECASE,
)
_SUGGESTS = re.compile(
    r"^(?:(?:so|then|ok(?:ay)?|good question|great|sure|in that case|given (?:that|this)[^,]*|if so|for (?:this"
    r"|that|now|your case)[^,]*|based on [^,]*|since [^,]*|because [^,]*|personally|in short|overall|tl;?dr"
    r"|to keep it simple|honestly)[\s,:–—-]+)*"
    r"(?:i(?:'d| would)? (?:strongly |also |therefore |still )*(?:suggest|recommend|propose|advise|vote for"
    r"|lean towards?|favou?r|prefer)(?: that)?(?: (?:we|you))?(?: should| to)?|i(?:'d| would) (?:just "
    r"|probably |definitely |rather |still )*(?=(?:go with|use|keep|stick|pick|choose|drop|make|set|avoid|start"
    r"|put|store|split|skip|add)\b)|my (?:recommendation|suggestion|proposal|advice|vote|pick|plan)(?: is"
    r"| would be|:)(?: to| that we| for)?"
    r"|let'?s|we should|you should|we can|we could|recommendation:|proposal:|suggestion:|plan:)\s+(?:then "
    r"|just |probably |also |instead )*(?P<what>.+)",
    re.IGNORECASE,
)
_ABLE = re.compile(r"^(?:i can|i could|i'll|i will)(?: also)? ", re.IGNORECASE)
_ABOUT_TALK = re.compile(
    r"^(?:i|i'm|i'd|it|it's|that|that's|you|you're|there|this|they|we|yes|no|done|ok|okay|noted|understood|good"
    r"|great|nice|both|all|not)\b",
    re.IGNORECASE,
)
_OPTION = re.compile(
    r"^\s*(?:#{1,5}\s*)?(?:[-*]\s+)?(?:\*\*)?(?P<word>(?:\w+\s+)?(?:option|approach|variant"
    r"|alternative)\s+)?(?P<mark>\d|[A-Da-d])(?:\*\*)?\s?[.):–—-](?:\*\*)?\s+(?P<what>\S.*)$",
    re.IGNORECASE,
)
_PICKS = re.compile(
    r"\b(?:option|number|no\.?|choice|approach|variant|plan|#)\s*(?P<mark>\d|[a-d])\b"
    r"|^(?:(?:ok(?:ay)?|yes|let'?s (?:go with|do|take|use)|go with|i'?d (?:go with|take|pick)|take|i (?:like"
    r"|prefer|vote for))[\s,]+)*"
    r"(?:the (?P<ordinal>first|second|third|fourth|last|former|latter|1st|2nd|3rd)(?: (?:one|option|approach"
    r"|way|variant|suggestion))?|(?P<bare_ordinal>first|second|third|last|former|latter)(?: (?:one|option"
    r"|approach|way|variant|suggestion)))\b(?=\s*(?:[.,!]|please|then|$|sounds|looks|is|because|since))"
    r"|^(?:(?:ok(?:ay)?|yes|let'?s (?:go with|do|take|use)|go with)[\s,]+)*(?P<bare>[1-4a-dA-D])\s*(?:[.!,]"
    r"|please|then|$)",
    re.IGNORECASE,
)
_ORDINALS = {
    "first": 0,
    "1st": 0,
    "former": 0,
    "second": 1,
    "2nd": 1,
    "latter": -1,
    "third": 2,
    "3rd": 2,
    "fourth": 3,
    "last": -1,
}
_EITHER = re.compile(
    r"^(?:.{0,120}?[,.:;–—-]\s*)?(?:should (?:we|i)|do you (?:want|prefer)(?: me)?(?: to)?|shall (?:we|i)"
    r"|would you (?:prefer|like|rather)(?: me)?(?: to)?|which (?:one )?(?:do|would"
    r"|should) \w+ \w+(?: \w+)?[:,–—-]|is it|are we)?\s*(?P<options>.+ or .+)\?\s*$",
    re.IGNORECASE,
)
_DECIDING = re.compile(rf"^(?:not )?(?:{CHOOSING})", re.IGNORECASE)
_DOING = re.compile(rf"^(?:{WORKING})\b", re.IGNORECASE)


_ASKS_TO_CHOOSE = re.compile(
    r"\b(?:which|prefer|options?|choose|pick|go with|your call|thoughts)\b[^\n]*(?:\?|\.?\s*$)", re.IGNORECASE
)
CHOICE_CHARS = 300
"""Who lays out options asks for a choice at the end, in a sentence or two."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the assistant put to the user: `options` where there are several, `asked` if as a question."""

    found: Found | None
    clause: Clause
    asked: bool
    options: tuple[Found, ...] = ()


def reply(first: Clause, sentence: str) -> Reply:
    """What an answer's first sentence does; a yes with a but is neither."""
    if _REFUSES.match(first.masked):
        return Reply.REFUSES
    if _AGREES.match(first.masked) and not _BUT.search(sentence):
        return Reply.AGREES
    return Reply.NEITHER


def amended(first: Clause) -> Found | None:
    """What a yes changes of what it is a yes to: `yes, but with 500 users`."""
    match = _AMENDS.match(first.masked)
    return settled(first, match.start("what"), match.end("what"), 0.75) if match is not None else None


def is_firm(sentence: str) -> bool:
    """Whether an agreement is one to a mere suggestion too, not only to a question."""
    return _FIRM.search(sentence) is not None


def offers(clauses: list[Clause], message: Message | None) -> list[Proposal]:
    """What a message of the assistant's puts to the user, in order."""
    found = [offer for clause in clauses if (offer := _offer(clause)) is not None]
    listed = _listed(message, clauses[-1]) if clauses and message is not None else ()
    if len(listed) > 1:
        found.append(Proposal(None, clauses[-1], True, listed))
    return found


def told(clauses: list[Clause]) -> list[Proposal]:
    """A reply of one short sentence, which a firm yes takes for a proposal."""
    clause = clauses[0]
    if len(clauses) != 1 or clause.asked or len(clause.text.split()) > TOLD_WORDS:
        return []
    able = _ABLE.match(clause.masked)
    if able is not None:
        found = proposed(clause, able.end(), len(clause.text), 0.75)
    elif _ABOUT_TALK.match(clause.masked):
        return []
    else:
        found = settled(clause, 0, len(clause.text), 0.75)
    return [Proposal(found, clause, asked=False)] if found is not None and len(found.text.split()) >= MIN_WORDS else []


def picked(answer: Clause, sentence: str, offer: Proposal) -> Found | None:
    """The option an answer names, by number, by place, or by its own words."""
    if not offer.options:
        return None
    return _by_place(answer, offer) or _by_name(answer, sentence, offer)


def _by_place(answer: Clause, offer: Proposal) -> Found | None:
    match = _PICKS.search(answer.masked)
    if match is None:
        return None
    mark = (match.group("mark") or match.group("bare") or "").lower()
    ordinal = (match.group("ordinal") or match.group("bare_ordinal") or "").lower()
    at = _ORDINALS[ordinal] if ordinal else "1234".find(mark) if mark.isdigit() else "abcd".find(mark)
    return offer.options[at] if (ordinal or at >= 0) and -1 <= at < len(offer.options) else None


def _by_name(answer: Clause, sentence: str, offer: Proposal) -> Found | None:
    """The answer's own words, if they are near to one option and to no other as much."""
    most = CHOICE_WORDS if offer.clause.role is Role.ASSISTANT else OWN_WORDS
    if len(sentence.split()) > most or answer.asked or _REFUSES.match(answer.masked):
        return None
    said = tidy(answer.text)
    words = set(said.lower().split())
    if subject(said):
        near = sorted((likeness(said, option.text) for option in offer.options), reverse=True)
    else:
        near = sorted((float(words <= set(one.text.lower().split())) for one in offer.options), reverse=True)
    if near[0] < NEAR or near[0] <= near[1] or len(subject(said)) > SHORT_SUBJECT:
        return None
    found = settled(answer, 0, len(answer.text), 0.85)
    return found.but(quote=answer.sentence) if found else None


def _offer(clause: Clause) -> Proposal | None:
    if clause.asked and (either := _EITHER.match(clause.masked)) is not None:
        options = _alternatives(clause, either)
        if len(options) > 1:
            return Proposal(None, clause, True, options)
    if (match := _OFFERS.match(clause.masked)) is not None and (clause.asked or "if you" in clause.masked.lower()):
        return _put(clause, match, asked=True)
    if not clause.asked and (match := _SUGGESTS.match(clause.masked)) is not None:
        return _put(clause, match, asked=False)
    return None


def _put(clause: Clause, match: re.Match[str], *, asked: bool) -> Proposal | None:
    start, end = match.start("what"), match.end("what")
    what = re.split(
        r",? (?:if you(?:'d)? (?:like|want|prefer|agree)|ok(?:ay)?\?|sound good|alright\?)", match.group("what")
    )[0]
    end = min(end, start + len(what))
    if PASSING.match(what):
        return None
    work = _DOING.match(what) is not None and not re.match(
        r"(?:use|keep|drop|skip|pin|cap|limit|set|make|switch|default|adopt|replace|disable|enable)\b",
        what,
        re.IGNORECASE,
    )
    made = proposed(clause, start, end, 0.8) if work and asked else settled(clause, start, end, 0.8)
    if made is None:
        return None
    if made.type is ItemType.DECISION and asked and not _DECIDING.match(what) and not re.match(r"[\w`]", what):
        return None
    return Proposal(made, clause, asked)


def _alternatives(clause: Clause, match: re.Match[str]) -> tuple[Found, ...]:
    start = match.start("options")
    made: list[Found] = []
    for part in re.finditer(r"(?:(?!,? or |, ).)+", clause.masked[start : match.end("options")], re.IGNORECASE):
        words = re.sub(r"^(?:,\s*|or\s+)+", "", part.group().lstrip(", "))
        at = start + part.start() + part.group().find(words)
        found = settled(clause, at, at + len(words), 0.8)
        if found is not None and telling(found.text):
            made.append(found)
    return tuple(made)


def _listed(message: Message, last: Clause) -> tuple[Found, ...]:
    """The numbered or lettered options of a message, if it asks to choose among them."""
    lines = [match for line in without_echo(message.text).split("\n") if (match := _OPTION.match(line)) is not None]
    named = [match for match in lines if match.group("word")]
    if not named and _ASKS_TO_CHOOSE.search(message.text[-CHOICE_CHARS:]) is None:
        return ()
    made: list[Found] = []
    for match in named or lines:
        text = re.split(r"(?<=\w)[.:;]\s|\s[–—-]\s|\*\*", match.group("what").strip("* "))[0]
        said = match.group().strip()
        clause = Clause(text, text, said, last.turn, last.at, Role.ASSISTANT, place=last.place, message=last.message)
        if (found := settled(clause, 0, len(text), 0.85)) is not None:
            made.append(found)
    return tuple(made)
