"""What the assistant puts to the user, and which of it an answer takes: all of it, one by number, place or name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.language.echo import without_echo
from companion.language.openings import opening
from companion.language.phrases import opens
from companion.language.sentences import Clause
from companion.language.subjects import likeness, subject
from companion.records.readings import DialogueAct
from companion.records.talk import ItemType, Message, Role
from companion.talk.hearing import Heard
from companion.talk.items.extract import settled, work
from companion.talk.items.found import FoundItem, telling, tidy

NEAR = 0.5
"""Share of telling words from which an answer names an option."""
CHOICE_CHARS = 300
"""Who lays out options asks for a choice at the end, in a sentence or two."""
OPTIONS_MOST = 9
"""Options of one message: nobody chooses among more."""
PICKING_WORDS = 9
"""An answer of more words says something of its own."""

_OPTION = re.compile(
    r"^\s*(?:#{1,5}\s*)?(?:[-*]\s+)?(?:\*\*)?(?:(?:\w+\s+)?(?P<word>option|approach|variant|alternative)\s+)?"
    r"(?P<mark>\d|[A-Da-d])(?:\*\*)?\s?[.):–—-](?:\*\*)?\s+(?P<what>\S.*)$",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"(?<![\w.,/-])(?:#|no\.? ?)?"
    r"(?P<mark>[1-9]|[a-dA-D](?=\W*(?:$|[).:;,]|(?:and|or|please|then|it)\b)))(?![\w%/-]|[.,]\d)"
)
"""A figure, or a letter that is no article."""
_ORDINALS = {"first": 0, "1st": 0, "former": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "last": -1}
_ORDINAL = re.compile(rf"\b(?P<ordinal>latter|{'|'.join(_ORDINALS)})\b", re.IGNORECASE)
_EITHER = re.compile(r"(?:^|[,:–—]\s*)(?P<options>[^,:?]+(?:, [^,:?]+)*,? or [^?]+)\?\s*$")
_LEAD = re.compile(r"[^,:?]*\b(?:prefer|want|use|be|is it|go with|rather)\s+")
"""What a question says before its first option."""
_ARTICLE = re.compile(r"^(?:an?|the) ")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_STATED = re.compile(r"\b(?:either|(?:options|choices)\b[^:?]{0,40}:)\s+(?P<options>[^?]+)$", re.IGNORECASE)
_COULD = re.compile(
    r"(?:^|[:;]\s*)(?:we|you|I|one) (?:could|can|might)(?: also| either)? (?P<options>[^?]+, or [^?]+)$", re.I
)
_BETWEEN = re.compile(r",?\s+or\s+|,\s+", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|no|except|without|but not|skip)\s+(?:the |number |option )*$", re.IGNORECASE)
_PUTS = ("offer", "proposal", "decision")
"""How a sentence begins that puts something to somebody, to be agreed to in its own words."""


class Proposal(Struct, frozen=True):
    """What was put to the user: something to agree to, or `options` to choose among; `asked` if as a question."""

    found: FoundItem | None
    clause: Clause
    asked: bool
    options: tuple[FoundItem, ...] = ()


class Reply(Struct, frozen=True):
    """What the assistant's last message was besides: an answer `to` the user's one question, an offer, a report.

    It `offers` wherever it opens so, however that was heard; it `reports` if its last words say that something is done.
    """

    to: tuple[FoundItem, ...] = ()
    offers: bool = False
    reports: bool = False


def reply(said: Sequence[Heard], asked: Sequence[FoundItem]) -> Reply:
    """What a message of the assistant's was, after the user had asked some questions."""
    offers = any(opening(one.clause.text, "offer") for one in said)
    return Reply(tuple(asked) if len(asked) == 1 else (), offers, said[-1].act is DialogueAct.DONE)


def proposals(heard: Sequence[Heard], message: Message) -> list[Proposal]:
    """What a message of the assistant's puts to the user, in order."""
    put = [
        one
        for told in heard
        if told.is_one_of(DialogueAct.WEIGHED, DialogueAct.QUESTION) and (one := _proposal(told)) is not None
    ]
    listed = _listed(message, heard[-1].clause) if heard else ()
    if len(listed) > 1:
        put.append(Proposal(None, heard[-1].clause, True, listed))
    return put


def picked(answer: Clause, proposal: Proposal) -> list[FoundItem]:
    """The options that an answer names by number or place, or else by its own words; none where it names none."""
    if not proposal.options or len(answer.text.split()) > PICKING_WORDS:
        return []
    by_words = _in_full(answer, proposal.options) or _by_name(answer, proposal.options)
    return _by_place(answer.masked, proposal.options) or by_words


def choosing(heard: Heard, offers: Iterable[Proposal]) -> Heard | None:
    """What may take an option of some offers; None for what does not.

    An answer may, an option's own words, and what follows from a reason, by its words and no number: "three of us, so
    the job".
    """
    if heard.is_one_of(DialogueAct.AGREE, DialogueAct.REQUEST, DialogueAct.DECISION):
        return heard
    if heard.clause.asked or not heard.is_one_of(DialogueAct.REMARK, DialogueAct.WEIGHED):
        return None
    if any(_in_full(heard.clause, offer.options) for offer in offers):
        return heard
    _, so, effect = heard.clause.text.rpartition(" so ")
    return replace(heard, clause=replace(heard.clause, text=effect, masked="")) if so else None


def binds(clause: Clause) -> bool:
    """Whether a clause goes on from a yes with what it is bound to."""
    said = clause.sentence[len(clause.before) :].lstrip(" ,")
    return bool(clause.before) and opens(said, "sentences.joints.but.by") > 0


def agreed(proposal: Proposal, said: str) -> FoundItem | None:
    """What a yes lets stand: the words it was put in; of what was only stated, with what the yes says beside."""
    found = proposal.found
    if found is None or opening(proposal.clause.text, *_PUTS) or not subject(said) - subject(found.text):
        return found
    return replace(found, text=f"{found.text}: {said}")


def _proposal(told: Heard) -> Proposal | None:
    clause = told.clause
    asked = clause.asked or told.act is DialogueAct.QUESTION
    if len(options := alternatives(clause)) > 1:
        return Proposal(None, clause, True, options)
    if opening(clause.text, "offer", "proposal") == "offer":
        made = work(clause, told.share, "offer", "proposal")
    else:
        made = settled(clause, told.share, "proposal", "offer")
    if made is None or (asked and not opening(clause.text, *_PUTS)):
        return Proposal(None, clause, asked)
    return Proposal(replace(made, text=made.text.rstrip("?")), clause, asked)


def _by_place(said: str, options: Sequence[FoundItem]) -> list[FoundItem]:
    chosen: list[FoundItem] = []
    for match in _MARK.finditer(said):
        mark = match["mark"].lower()
        at = int(mark) - 1 if mark.isdigit() else "abcd".find(mark)
        if 0 <= at < len(options) and not _NOT.search(said[: match.start()]):
            chosen.append(options[at])
    if not chosen and (placed := _ORDINAL.search(said)) is not None:
        at = _ORDINALS.get(placed["ordinal"].lower(), -1)
        chosen = [options[at]] if at < len(options) else []
    return chosen


def _in_full(answer: Clause, options: Sequence[FoundItem]) -> list[FoundItem]:
    """The option whose words the answer is, and no more, articles aside."""
    said = _bare(answer.text)
    return [replace(one, quote=answer.sentence) for one in options if said and _bare(one.text) == said][:1]


def _bare(text: str) -> str:
    return _ARTICLE.sub("", tidy(text).casefold())


def _by_name(answer: Clause, options: Sequence[FoundItem]) -> list[FoundItem]:
    """The option that shares the answer's words, if no other does as much."""
    said = tidy(answer.text)
    if not subject(said):
        return []
    near = sorted(((likeness(said, one.text), -at) for at, one in enumerate(options)), reverse=True)
    if near[0][0] < NEAR or near[0][0] == near[1][0]:
        return []
    return [replace(options[-near[0][1]], quote=answer.sentence)]


def alternatives(clause: Clause) -> tuple[FoundItem, ...]:
    """What a question with an "or" lets choose among, or a sentence that lays it out: "we could A, or B"."""
    masked = _IN_BRACKETS.sub(lambda found: " " * len(found[0]), clause.masked)
    match = _EITHER.search(masked) or _STATED.search(masked) or _COULD.search(masked)
    if match is None:
        return ()
    first = _BETWEEN.split(match["options"])[0]
    start = match.start("options") + (lead.end() if (lead := _LEAD.match(first)) else 0)
    parts, at = [], start
    for between in _BETWEEN.finditer(masked, start, match.end("options")):
        parts.append((at, between.start()))
        at = between.end()
    parts.append((at, match.end("options")))
    texts = [tidy(_OPTION.sub(r"\g<what>", clause.text[first:last].strip(" ("))) for first, last in parts]
    return tuple(FoundItem(ItemType.DECISION, text, clause, NEAR) for text in texts[:OPTIONS_MOST] if telling(text))


def _listed(message: Message, last: Clause) -> tuple[FoundItem, ...]:
    """The numbered or lettered options of a message, if it asks to choose among them."""
    lines = [match for line in without_echo(message.text).split("\n") if (match := _OPTION.match(line)) is not None]
    named = [match for match in lines if match["word"]]
    if not named and "?" not in message.text[-CHOICE_CHARS:]:
        return ()
    made: list[FoundItem] = []
    for match in (named or lines)[:OPTIONS_MOST]:
        text = re.split(r"(?<=\w)[.:;]\s|\s[–—-]\s|\*\*", match["what"].strip("* "))[0]
        said = match.group().strip()
        clause = Clause(text, text, said, last.turn, last.at, Role.ASSISTANT, place=last.place, message=last.message)
        if (found := settled(clause, NEAR)) is not None:
            made.append(found)
    return tuple(made)
