"""A conversation gone through once, in order: what stands at its end.

What each sentence does was heard before (see `hearing`). What the assistant puts to the user stands only once they
agree; what they take back, replace or finish later is taken back, replaced or finished here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby, islice

from msgspec.structs import replace

from companion.language.openings import unopened
from companion.language.phrases import opens, says
from companion.language.sentences import Clause
from companion.language.subjects import covered, subject
from companion.language.unanswered import leaves_open
from companion.ports import Reader
from companion.records.readings import DialogueAct
from companion.records.talk import COMPLETED, DECIDED, ItemType, Message, Role, Turn
from companion.talk.course.ellipsis import (
    amended,
    answered,
    has_amount,
    is_elliptic,
    stands_alone,
    tells,
    with_object,
)
from companion.talk.course.proposals import (
    Proposal,
    Reply,
    agreed,
    alternatives,
    binds,
    choosing,
    picked,
    proposals,
    reply,
)
from companion.talk.course.replacing import corrects, ends, is_same, replaces
from companion.talk.hearing import Heard
from companion.talk.items.extract import question, read, settled
from companion.talk.items.found import FoundItem, telling, tidy

LOOKED_AT = 300
"""Things found last that a new one is held against: more than a day of talk leaves behind."""
SAID_BEFORE = 6
"""Clauses before a statement among which is what it points to."""
LAID_ASIDE_TURNS = 2
"""How many turns back a refusal reaches that names nothing."""
CLAIMED = 0.6
"""Share of a task's telling words that the assistant names when it says that it is done."""
CLAIMED_AT_ONCE = 0.3
"""The same of what was agreed to in the message that it replies to."""
STUCK_MESSAGES = 1
"""How far back what stood in the way was said, at most, that who is waited for is to help with."""
CORRECTED = 0.6
"""How sure another amount is that is set against the last one, whatever the model heard."""
_ACKNOWLEDGES = frozenset({DialogueAct.AGREE, DialogueAct.DONE})
"""Acts of the assistant's by which it says nothing that an `it` of the user's could be."""
_MAY_PUT_OFF = frozenset(
    {DialogueAct.QUESTION, DialogueAct.REMARK, DialogueAct.WAITING, DialogueAct.WEIGHED, DialogueAct.BLOCKED}
)
"""What a sentence does by which a question may be put off."""
_ONLY_SAYS_WHO = re.compile(r"(?:do|take|handle) (?:it|that|this|them|care of)\b", re.IGNORECASE)
_CAN_GO = (ItemType.DECISION, ItemType.TASK, ItemType.WAITING_ON, ItemType.BLOCKER, ItemType.PRIORITY)


class Dialogue:
    """What has been found so far: `found` is what stands, `reported` what is said to be done and was not known of.

    `also` are finds from elsewhere, each of a clause: they stand behind what is heard in it.
    """

    def __init__(
        self, turns: Sequence[Turn], heard: Sequence[Heard], reader: Reader | None, also: Sequence[FoundItem] = ()
    ) -> None:
        """Goes through the conversation; `reader` tells what replaces what."""
        self.found: list[FoundItem] = []
        self.reported: list[FoundItem] = []
        self._reader = reader
        self._pending: list[Proposal] = []
        self._reply = Reply()
        self._laid_out: list[Proposal] = []
        """The options laid out last before, by either: who asks back about them first still chooses among them."""
        self._taken: list[Proposal] = []
        """Options of which the user has just chosen: in the same breath they may choose anew."""
        self._questions: list[str] = []
        """What the assistant asked last, or else the user, and was not answered yet."""
        self._before: list[str] = []
        """What was said last, by either, the nearest last."""
        self._asked: list[FoundItem] = []
        """What the user asked and nobody has replied to yet."""
        self._accepted: FoundItem | None = None
        """What the user has just said yes to, and may yet bind: "sure, but on Sundays only"."""
        self._put_to_user: list[FoundItem] = []
        """Questions of the last exchange, of either, that the user may yet put off."""
        self._stuck: Clause | None = None
        """What was said last that stands in the way or stays open: who is waited for is to help with it."""
        self._also = {one.clause.place: one for one in also}
        messages = [message for turn in turns for message in turn.messages]
        for number, group in groupby(heard, key=lambda one: one.clause.message):
            said = list(group)
            if said[0].clause.role is Role.USER:
                self._user(said)
            else:
                self._assistant(said, messages[number - 1])
        self._leave_open(self._asked)

    def _user(self, said: Sequence[Heard]) -> None:
        """A message of the user's, sentence by sentence; what was asked before and got no reply is open."""
        self._leave_open(self._asked)
        self._taken = []
        for one in said:
            self._hear(one)
            if not one.is_one_of(DialogueAct.WEIGHED, DialogueAct.REFUSE) and tells(one.clause):
                self._before.append(one.clause.text)
        weighed = [one.clause for one in said if one.clause.asked or one.act is DialogueAct.WEIGHED]
        own = [Proposal(None, clause, True, alternatives(clause)) for clause in weighed]
        laid_out = [one for one in (*self._laid_out, *self._pending, *own) if len(one.options) > 1]
        self._laid_out = [one for one in laid_out if one not in self._taken][-1:]
        self._pending = []
        self._questions = [one.clause.text for one in said if one.act is DialogueAct.QUESTION]

    def _hear(self, heard: Heard) -> None:
        also = self._also.get(heard.clause.place)
        accepted, self._accepted = self._accepted, None
        if accepted in self.found and binds(heard.clause):
            self._put(accepted, replace(accepted, text=f"{accepted.text}, but {tidy(heard.clause.text)}"))
            return
        choice = choosing(heard, (*self._laid_out, *self._pending))
        if choice is not None and self._choose(choice):
            return
        match heard.act:
            case DialogueAct.AGREE:
                self._agree(heard)
            case DialogueAct.REFUSE:
                self._refuse(heard)
            case act if act in _MAY_PUT_OFF and not heard.clause.asked and leaves_open(heard.clause.masked):
                self._put_off()
                if (found := also if act is DialogueAct.QUESTION else _completed(read(heard), also)) is not None:
                    self._keep(found)
                return
            case DialogueAct.QUESTION:
                if (asked := question(heard.clause, heard.share)) is not None:
                    self._asked.append(asked)
            case _:
                if (found := _completed(read(self._corrected(heard)), also)) is not None:
                    self._keep(found)
                return
        if also is not None:
            self._keep(also)

    def _corrected(self, heard: Heard) -> Heard:
        """A remark or order as the decision that it is.

        It sets another amount against the last one, or tells in a word what to do about the user's own question.
        """
        clause = heard.clause
        if clause.asked or not heard.is_one_of(DialogueAct.REMARK, DialogueAct.REQUEST):
            return heard
        last = self._latest_of(ItemType.DECISION)[-1:]
        settles = heard.act is DialogueAct.REQUEST and self._reply.to and not stands_alone(clause.text)
        if (settles and not any(one.asked for one in self._pending)) or any(corrects(clause, one) for one in last):
            return replace(heard, act=DialogueAct.DECISION, share=CORRECTED)
        return heard

    def _put_off(self) -> None:
        """The question that was asked last stays open, whatever was replied."""
        asked = (self._asked or self._put_to_user)[-1:]
        self._asked = [one for one in self._asked if one not in asked]
        self._stay_open(asked)

    def _choose(self, heard: Heard) -> bool:
        """Takes the options that an answer names; whether it names any."""
        own = settled(heard.clause, heard.share)
        says_it_all = heard.act is DialogueAct.DECISION and own is not None and stands_alone(own.text)
        for offer in reversed([*self._laid_out, *self._pending]):
            chosen = [] if says_it_all and offer.clause.role is Role.USER else picked(heard.clause, offer)
            before = [said for said in self._before if said != offer.clause.text]
            for one in chosen:
                whole = len(chosen) > 1 or not offer.clause.asked
                asked = "" if whole else answered(one.text, [offer.clause.text])
                self._accept(with_object(one, asked, () if offer.clause.asked else before), heard)
            if chosen:
                self._taken.append(offer)
                self._questions = [one for one in self._questions if one != offer.clause.text]
                return True
        return False

    def _agree(self, heard: Heard) -> None:
        """A yes: to what was asked last, else to what was suggested last; one with words of its own is a decision."""
        offers = [one for one in self._pending if one.found is not None]
        own = settled(heard.clause, heard.share)
        said = own.text if own is not None and telling(own.text) else ""
        if offers:
            put = next((one for one in reversed(offers) if one.asked), offers[-1])
            self._accept(agreed(put, said), heard)
        elif own is not None and said and (self._pending or self._questions):
            asked, self._questions = self._questions[-1:], self._questions[:-1]
            self._keep(with_object(own, "".join(asked), ()), whole=True)

    def _accept(self, found: FoundItem | None, heard: Heard) -> None:
        """Something that was put to the user stands, with the turn in which they agreed."""
        if found is not None:
            self._accepted = found.with_details(agreed=str(heard.clause.turn))
            self._keep(self._accepted)
            self._before.append(found.text)
            self._withdraw(one for one in self._reply.to if one in self.found)  # they have their answer

    def _refuse(self, heard: Heard) -> None:
        """Takes back what a refusal names; where it names nothing, what was said last, not long ago."""
        able = self._latest_of(*_CAN_GO)
        shares = [(covered(old.text, heard.clause.text), old) for old in able]
        best = max((share for share, _ in shares), default=0.0)
        if best:
            self._withdraw([old for share, old in shares if share == best])
        else:
            mine = [one for one in able if one.type is not ItemType.TASK or "agreed" in one.details]
            self._withdraw([one for one in mine[-1:] if self._takes_back(heard.clause, _said_in(one))])

    def _takes_back(self, refused: Clause, turn: int) -> bool:
        """Whether a refusal that names nothing is of what was said in a turn, and not of the reply to it.

        It is if it says so in the same breath; where nothing is put to the user, also without, later too, or after a
        reply that ends in a report.
        """
        says_so = says(refused.sentence, "talk.takes_back")
        if refused.turn == turn and says_so:
            return True
        if self._pending or refused.turn - turn > LAID_ASIDE_TURNS:
            return False
        stays = self._reply.offers or opens(unopened(refused.text), "talk.stays") > 0
        return refused.turn == turn or says_so or (self._reply.reports and not stays)

    def _keep(self, found: FoundItem, *, whole: bool = False) -> None:
        """Takes in what was found, and lets go what it replaces or ends; `whole` is what has its object already."""
        if found.type is ItemType.TASK and found.details.get("status") == COMPLETED:
            self._finish(found)
            return
        if self._goes_on(found):
            return
        if not whole and "agreed" not in found.details:
            found = self._whole(found)
        if found.type is ItemType.DECISION:
            decided = self._latest_of(ItemType.DECISION)
            olds = [old for old in decided if replaces(found, old, self._reader, newest=old is decided[-1])]
            self._withdraw(olds)
            if olds:
                found = amended(found, olds[-1].text).with_details(replaces=olds[-1].text)
            self._answer(found)
        self._add(found)

    def _whole(self, found: FoundItem) -> FoundItem:
        """A statement with its object; a decision that gives an `it` another figure stands in the place of another.

        A question is asked no more once a decision answers it, the only one once anything is decided.
        """
        before = self._before[-SAID_BEFORE:]
        if found.type is ItemType.BLOCKER:
            self._stuck = found.clause
        if found.type is ItemType.WAITING_ON and self._stuck is not None:
            near = found.clause.message - self._stuck.message <= STUCK_MESSAGES
            return with_object(found, self._stuck.text if near else "", before)
        if found.type is not ItemType.DECISION:
            return with_object(found, "", before)
        if not self._questions and is_elliptic(found.text):
            decided = self._latest_of(ItemType.DECISION)
            set_before = list(islice((one for one in reversed(decided) if has_amount(one.text)), 1))
            if has_amount(found.text):
                self._withdraw(set_before)
            before += [one.text for one in set_before or decided]
        asked = answered(found.text, self._questions)
        passed_over = self._questions if len(self._questions) == 1 else [asked]
        self._questions = [one for one in self._questions if one not in passed_over]
        return with_object(found, asked, before)

    def _goes_on(self, found: FoundItem) -> bool:
        """Joins what only goes on about the to-do or wait just before it: "they said Friday", "I'll do it then"."""
        old = self.found[-1] if self.found else None
        if old is None or (old.type, old.clause.message) != (found.type, found.clause.message):
            return False
        if found.type is ItemType.WAITING_ON and not stands_alone(found.text):
            self._put(old, replace(old, text=f"{old.text}, {found.text}", details={**found.details, **old.details}))
            return True
        if found.type is ItemType.TASK and _ONLY_SAYS_WHO.match(found.text) and not stands_alone(found.text):
            self._put(old, old.with_details(**{**found.details, **old.details}))
            return True
        return False

    def _answer(self, choice: FoundItem) -> None:
        """A decision answers the questions that ask for it."""
        self._withdraw(one for one in self._latest_of(ItemType.QUESTION) if _answers(choice, one))

    def _add(self, found: FoundItem) -> None:
        """Adds it, or joins it to what says the same."""
        for old in self._latest_of(found.type):
            if is_same(old, found, self._reader):
                details = {**found.details, **old.details}
                self._put(old, replace(old, details=details, confidence=max(old.confidence, found.confidence)))
                return
        self.found.append(found)

    def _assistant(self, said: list[Heard], message: Message) -> None:
        """A reply: what it did of what was to do, what it answered, what it puts to the user."""
        self._before += [one.clause.text for one in said if one.act not in _ACKNOWLEDGES]
        self._before = self._before[-SAID_BEFORE:]
        blocked = [one.clause for one in said if one.act is DialogueAct.BLOCKED]
        self._stuck = blocked[-1] if blocked else self._stuck
        self._reply = reply(said, self._asked)
        self._pending = proposals(said, message)
        self._questions = [one.clause.text for one in self._pending if one.asked] or self._questions
        self._pending += [
            Proposal(one, one.clause, one.clause.asked)
            for heard in said
            if (one := self._also.get(heard.clause.place)) is not None
        ]
        for heard in said:
            if heard.act is DialogueAct.DONE:
                self._claimed(heard)
        unknown = any(leaves_open(one.clause.masked) for one in said)
        own = [question(one.clause, one.share) for one in said if one.act is DialogueAct.QUESTION]
        self._put_to_user = [*self._asked, *(one for one in own if one is not None)]
        self._leave_open([one for one in self._asked if unknown or _is_statement(one)])

    def _leave_open(self, asked: Iterable[FoundItem]) -> None:
        """These questions have no answer yet, and nothing else is asked."""
        self._stay_open(asked)
        self._asked = []

    def _stay_open(self, asked: Iterable[FoundItem]) -> None:
        for one in asked:
            self._add(one)
            self._stuck = one.clause

    def _claimed(self, heard: Heard) -> None:
        """The assistant says that it did something: what was to do of it is done."""
        said = heard.clause.text
        for one in self._latest_of(ItemType.TASK):
            just_agreed = one.details.get("agreed") == str(heard.clause.turn)
            enough = CLAIMED_AT_ONCE if just_agreed else CLAIMED
            if one.details.get("status") == DECIDED and covered(one.text, said) >= enough:
                self._put(one, one.with_details(status=COMPLETED))

    def _finish(self, done: FoundItem) -> None:
        """Something is done: the task, the wait or the blocker it speaks of is over; else it is a task completed."""
        known = False
        for old in self._latest_of(ItemType.TASK, ItemType.WAITING_ON, ItemType.BLOCKER):
            if not ends(done, old):
                continue
            known = True
            if old.type is ItemType.TASK:
                self._put(old, old.with_details(status=COMPLETED))
            else:
                self.found.remove(old)
        if not known:
            self.reported.append(done)

    def _latest_of(self, *types: ItemType) -> list[FoundItem]:
        """What was found last of some types, in order."""
        return [one for one in self.found[-LOOKED_AT:] if one.type in types]

    def _put(self, old: FoundItem, new: FoundItem) -> None:
        self.found[self.found.index(old)] = new

    def _withdraw(self, olds: Iterable[FoundItem]) -> None:
        for old in list(olds):
            self.found.remove(old)


def _is_statement(asked: FoundItem) -> bool:
    """Whether something is said to be open rather than asked: a reply does not answer it."""
    return not asked.clause.asked


def _completed(found: FoundItem | None, also: FoundItem | None) -> FoundItem | None:
    """What was heard, in the words of the other find of the same type, which were checked; that one where none was."""
    if found is None or also is None or found.type is not also.type:
        return found or also
    return replace(found, text=also.text, quote=also.quote, details={**also.details, **found.details})


def _answers(choice: FoundItem, asked: FoundItem) -> bool:
    """Whether a decision is about what was asked: most of its words, or of the question's, are the other's."""
    about, said = subject(asked.text), subject(f"{choice.text} {choice.clause.sentence}")
    shorter = min(len(about), len(said))
    return bool(shorter) and len(about & said) / shorter >= 0.5


def _said_in(found: FoundItem) -> int:
    """The turn in which the user said it, or agreed to it."""
    return int(found.details.get("agreed", found.clause.turn))
