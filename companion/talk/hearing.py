"""What each sentence of a conversation does in it, as the small model hears it; without a model, what is labelled.

A clause is shown to the model with what it answers and what was said just before it; one that speaks to a program, or
is a listing of names, is a remark, and what a document is quoted to say is weighed. What somebody names themselves
("Decision: ...", a list under "To do", "we decided to") is that, unless they ask it; what the model cannot place is a
decision if it begins as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.language.marks import is_identifier
from companion.language.openings import opening
from companion.language.orders import steers_a_model
from companion.language.phrases import opens
from companion.language.sentences import Clause, clauses
from companion.language.unanswered import leaves_open
from companion.language.word_lists import DENIALS, word_set
from companion.ports import Reader
from companion.records.readings import DialogueAct
from companion.records.talk import Message, Role, Turn

LABELLED = 0.95
"""How sure what somebody labels is."""
HEARD_FROM, SURE_FROM, WEIGHED_FROM = (
    0.4,
    {DialogueAct.DECISION: 0.55, DialogueAct.REMARK: 0.5, DialogueAct.WAITING: 0.55},
    0.3,
)
"""Share from which an act counts, and from which some do; below, a sentence is weighed, if that has so much, or else a
remark. What is wrongly told as decided costs more than what is missed."""
SETTLES = (DialogueAct.DECISION, DialogueAct.AGREE)
"""Acts after which something stands: what is heard as half the one and half the other is surely one of them."""
GENERAL_FROM = 0.1
"""Share of a rule from which a statement about every case is one, whatever else it was heard as: of thirty such in
talks that the model was not taught, all but two are rules or decisions."""
_COUNTED = re.compile(r"[\w./ -]{1,60} \(\d+\)")
_DATA = re.compile(r"\"\s*:\s*[\[{\"\d]|[\[{]\s*$")
LISTED_WORDS = 3
"""Words from which a clause can be a listing; "use asyncio.run" is none."""
SEEN = 6
"""Clauses of which the end is shown: more than fit in."""
ANSWERED_CHARS, BEFORE_CHARS = 220, 140
"""Characters of the end of what the other one said, and of what the same one said just before: two sentences, one."""
READ_CHARS = 8_000
"""Characters read from each end of a message of one turn: three pages of talk, and some ten milliseconds of rules."""
UNHEARD = 0.5
"""How sure the act of a clause is that no model read: by its question mark alone."""
OF_LABELS: Mapping[str, DialogueAct] = {
    "decision": DialogueAct.DECISION,
    "task": DialogueAct.TODO,
    "done": DialogueAct.DONE,
    "question": DialogueAct.QUESTION,
    "blocker": DialogueAct.BLOCKED,
    "waiting": DialogueAct.WAITING,
    "insight": DialogueAct.INSIGHT,
    "priority": DialogueAct.PRIORITY,
}
"""What a label says of the sentences under it."""


OF_OPENINGS: Mapping[str, DialogueAct] = {"says_decision": DialogueAct.DECISION, "says_todo": DialogueAct.TODO}
"""What a sentence of the user's says that it is by how it opens: "we decided to", "remind me to"."""


class Heard(Struct, frozen=True):
    """A clause, what it does, how sure that is."""

    clause: Clause
    act: DialogueAct
    share: float

    def is_one_of(self, *acts: DialogueAct) -> bool:
        """Whether it does one of these."""
        return self.act in acts


def hear_side(turn: Turn, role: Role, reader: Reader | None) -> list[Heard]:
    """What the clauses of one side of a turn do; of a message too long to be read, its two ends."""
    own = tuple(message for message in ends_of(turn).messages if message.role is role)
    return hear(clauses((replace(turn, messages=own),)), reader)


def ends_of(turn: Turn) -> Turn:
    """A turn whose longest messages are cut to their two ends: what lies between is pasted."""
    return replace(turn, messages=tuple(map(_ends, turn.messages)))


def _ends(message: Message) -> Message:
    text = message.text
    return (
        message if len(text) <= 2 * READ_CHARS else Message(message.role, f"{text[:READ_CHARS]}\n{text[-READ_CHARS:]}")
    )


def hear(said: Iterable[Clause], reader: Reader | None) -> list[Heard]:
    """What every clause does, in their order."""
    heard: list[Heard] = []
    theirs: list[Clause] = []
    own: list[Clause] = []
    for clause in said:
        if own and own[-1].role is not clause.role:
            theirs, own = own, []
        heard.append(_heard(clause, theirs, own, reader))
        own.append(clause)
    return heard


def _heard(clause: Clause, theirs: Sequence[Clause], own: Sequence[Clause], reader: Reader | None) -> Heard:
    act = OF_LABELS.get(clause.label)
    if act is not None and (act is DialogueAct.QUESTION or not clause.asked):
        done = act is DialogueAct.TODO and clause.ticked
        return Heard(clause, DialogueAct.DONE if done else act, LABELLED)
    told = opening(clause.text, *OF_OPENINGS) if clause.role is Role.USER and not clause.asked else ""
    if told and not steers_a_model(clause.sentence):
        return Heard(clause, OF_OPENINGS[told], LABELLED)
    if _is_listing(clause.text) or steers_a_model(clause.sentence):
        return Heard(clause, DialogueAct.REMARK, UNHEARD)
    if opens(clause.text, "talk.quoted"):
        return Heard(clause, DialogueAct.WEIGHED, UNHEARD)
    if reader is None:
        asks = clause.role is Role.USER and clause.asked
        return Heard(clause, DialogueAct.QUESTION if asks else DialogueAct.REMARK, UNHEARD)
    shares = reader.act(*framed(_text(_put(theirs)), _text(own), clause.text, clause.role))
    act = max(shares, key=shares.__getitem__)
    if shares[DialogueAct.RULE] >= GENERAL_FROM and clause.role is Role.USER and _is_general(clause):
        return Heard(clause, DialogueAct.RULE, max(shares[act], shares[DialogueAct.RULE]))
    settles = sum(shares[one] for one in SETTLES) if act in SETTLES else 0.0
    if shares[act] < HEARD_FROM and clause.role is Role.USER and _opens_as_decision(clause):
        return Heard(clause, DialogueAct.DECISION, HEARD_FROM)
    if shares[act] < SURE_FROM.get(act, HEARD_FROM) and settles < SURE_FROM[DialogueAct.DECISION]:
        act = DialogueAct.WEIGHED if shares[DialogueAct.WEIGHED] >= WEIGHED_FROM else DialogueAct.REMARK
    return Heard(clause, act, shares[act])


def _is_listing(text: str) -> bool:
    """Whether a clause is mostly names of code (an outline, a row of them), data, or a heading with its count."""
    if _DATA.search(text) or _COUNTED.fullmatch(text.strip(' ",-')):
        return True
    words = [word.strip(".,;:()`'\"") for word in text.split()]
    return (
        len(words) >= LISTED_WORDS
        and sum(is_identifier(word) and not word.isdigit() for word in words) >= len(words) / 2
    )


def _opens_as_decision(clause: Clause) -> bool:
    """Whether a statement that the model cannot place begins as a decision does: "let's wait until the release"."""
    opened = opening(clause.text, "offer", "decision")
    return opened == "decision" and not clause.asked and not leaves_open(clause.masked)


def _is_general(clause: Clause) -> bool:
    """Whether a statement is of every case or of none."""
    words = {word.strip(".,;:!?") for word in clause.masked.lower().split()}
    return not clause.asked and not words.isdisjoint(word_set("times", "signs.recurring") | DENIALS)


def _put(said: Sequence[Clause]) -> Sequence[Clause]:
    """What is to be answered of what the other one said: from their last question on, all of it if they asked none."""
    asked = [at for at, clause in enumerate(said) if clause.asked]
    return said[asked[-1] :] if asked else said


def _text(said: Sequence[Clause]) -> str:
    return " ".join(clause.text for clause in said[-SEEN:])


def framed(answered: str, before: str, sentence: str, role: Role) -> tuple[str, str]:
    """The two texts that the reader is given: the end of what was said before, and the sentence with who says it."""
    context = " / ".join(part for part in (_end(answered, ANSWERED_CHARS), _end(before, BEFORE_CHARS)) if part)
    return context or "-", f"{'user' if role is Role.USER else 'assistant'}: {' '.join(sentence.split())}"


def _end(text: str, most: int) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else "…" + plain[-most:].partition(" ")[2]
