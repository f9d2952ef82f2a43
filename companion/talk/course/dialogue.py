"""A conversation gone through once, in order: what stands at its end.

The user's clauses are read by each rule. What the assistant puts to them stands only once they agree; what they take
back, replace or finish later is taken back, replaced or finished here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from companion.language.form import Form
from companion.language.phrases import DONE, LEAD, NEGATED
from companion.language.sentences import Clause
from companion.language.stance import Stance
from companion.language.subjects import covered, likeness, subject
from companion.records.talk import ItemType, Message, Role, Turn
from companion.talk.course.agreeing import Proposal, Reply, amended, is_firm, offers, picked, reply, told
from companion.talk.course.outdating import (
    SAME,
    clears,
    ends,
    is_contrast,
    is_of_it_alone,
    replaces,
    said_in,
    takes_back,
    was_just_said,
)
from companion.talk.course.takingback import withdrawal
from companion.talk.items.decisions import corrected
from companion.talk.items.found import Found
from companion.talk.items.questions import is_stated, leaves_open, puts_off
from companion.talk.items.tasks import COMPLETED, DECIDED, IN_PROGRESS
from companion.talk.reading import read

NAMED_TURNS = 12
"""How many turns back `scratch that table name` reaches, where only a part of the old words is named."""
LOOKED_AT = 300
"""Things found last that a new one is held against: more than a day of talk leaves behind."""
SHORT_WORDS = 8
"""An answer of so many words only picks an option; what is longer says something of its own."""
FIRM_WORDS = 14
"""A mere suggestion is agreed to in a short sentence; a longer one has its own matter."""
_CAN_GO = (
    ItemType.DECISION,
    ItemType.TASK,
    ItemType.WAITING_ON,
    ItemType.BLOCKER,
    ItemType.PRIORITY,
    ItemType.QUESTION,
)
_POINTS_BACK = re.compile(r"\b(?:it|them|that|this|there)\b", re.IGNORECASE)
_ALL = re.compile(r"\b(?:both|all of|all (?:three|four)|do all)\b", re.IGNORECASE)
_CLAIMS = Form(
    rf"^{LEAD}(?:✅\s*)?(?:all set|all done|done|(?:i|i've|i have|we've)(?: just| now| also"
    rf"| gone ahead and)* (?:{DONE}|made|changed|moved|switched|applied|put|marked|introduced)\b|(?:{DONE}"
    r"|changed|moved|switched)\b|(?:that|it|this|everything)(?:'s| is| has been) (?:done|in place|fixed|merged"
    r"|updated|now))",
    re.IGNORECASE,
)
_STILL_BROKEN = re.compile(
    r"\b(?:still (?:fails?|failing|broken|not working|doesn'?t|the same|getting|crash\w*|red)|(?:doesn'?t"
    r"|didn'?t|does not|did not) work|same error|not fixed|now it (?:fails|breaks|crashes)|that broke)\b",
    re.IGNORECASE,
)


class Dialogue:
    """What has been found so far; `found` is what stands, `over` what was answered or ended within the talk.

    `also` are finds from elsewhere, each of a clause: they stand behind what the rules find in it.
    """

    def __init__(self, turns: Sequence[Turn], clauses: Sequence[Clause], also: Sequence[Found] = ()) -> None:
        self.found: list[Found] = []
        self.over: list[Found] = []
        self._pending: list[Proposal] = []
        self._own: list[Proposal] = []
        self._asked: list[Found] = []
        self._by_assistant: set[str] = set()
        self._also = {one.clause.place: one for one in also}
        messages = [message for turn in turns for message in turn.messages]
        for number, group in groupby(clauses, key=lambda clause: clause.message):
            said = list(group)
            if said[0].role is Role.USER:
                self._user(said)
            else:
                self._assistant(said, messages[number - 1])
        for one in self._asked:
            self._add(one)

    def _user(self, said: Sequence[Clause]) -> None:
        """A message of the user's: first what it answers, then what it says itself."""
        answered = self._answer(said[0])
        self._pending = []
        self._own = [one for one in offers(list(said), None) if one.options]
        self._reopen(said[0])
        contrast = False
        for clause in said:
            if clause is said[0] and answered:
                continue
            contrast = contrast or is_contrast(clause)
            self._take_back(clause)
            self._read(clause, contrast)
            self._put_off(clause)

    def _read(self, clause: Clause, contrast: bool) -> None:
        """The first rule that finds something in a clause; a lone word says nothing by itself."""
        if " " not in clause.text and not clause.label:
            return
        found = _completed(read(clause), self._also.get(clause.place))
        if found is not None:
            self._keep(found, contrast)
            return
        for old in [old for old in self._latest_of(ItemType.BLOCKER) if clears(clause, old)]:
            self._end(old)
        if contrast and (figure_only := corrected(clause)) is not None:
            self._correct(figure_only)

    def _keep(self, found: Found, contrast: bool = False) -> None:
        """Takes in what was found, and lets go what it replaces or ends."""
        if found.type is ItemType.QUESTION and found.clause.asked and not is_stated(found.clause):
            self._asked.append(found)
        elif found.type is ItemType.TASK and found.details["status"] == COMPLETED:
            self._finish(found)
        elif found.type is ItemType.DECISION:
            found = self._in_place(found, contrast)
            self._settle_questions(found)
            self._add(found)
        else:
            if found.type is ItemType.TASK:
                self._withdraw(old for old in self._latest_of(ItemType.TASK) if _says_more(found, old))
            self._add(found)

    def _add(self, found: Found) -> None:
        """Adds it, or joins it to what says the same."""
        for old in self._latest_of(found.type):
            if _is_same(old, found):
                details = {**found.details, **old.details}
                self._put(old, old.but(details=details, confidence=max(old.confidence, found.confidence)))
                return
        self.found.append(found)

    def _answer(self, first: Clause) -> bool:
        """Takes up what the assistant put to the user, as far as they agree; whether nothing else is said in it."""
        for offer in reversed(self._pending):
            choice = picked(first, first.sentence, offer) if offer.options else None
            if choice is not None:
                self._accept(choice, first)
                return choice.clause.role is Role.USER or len(first.sentence.split()) <= SHORT_WORDS
        if self._pending and (change := amended(first)) is not None:
            found = self._pending[-1].found
            self._keep(change.with_details(replaces=found.text if found is not None else ""))
            return True
        if reply(first, first.sentence) is Reply.AGREES:
            for found in self._agreed(first.sentence):
                self._accept(found, first)
        return False

    def _agreed(self, sentence: str) -> list[Found]:
        """What a yes is a yes to: the last question; a mere suggestion needs a firm and short one."""
        asked = [offer.found for offer in self._pending if offer.found is not None and offer.asked]
        every = [offer.found for offer in self._pending if offer.found is not None]
        if _ALL.search(sentence):
            return asked or every
        if asked and _POINTS_BACK.search(asked[-1].text):
            return every[-2:]
        if asked:
            return asked[-1:]
        return every[-1:] if is_firm(sentence) and len(sentence.split()) <= FIRM_WORDS else []

    def _accept(self, found: Found, answer: Clause) -> None:
        """A proposal that the user agreed to, with the turn they did; it overrides what they wanted before it."""
        if found.clause.role is not Role.USER:
            if found.type is ItemType.DECISION:
                asked_for = [old for old in self._latest_of(found.type) if old.clause.turn == found.clause.turn]
                self._withdraw(old for old in asked_for if subject(old.text) & subject(found.text))
            found = found.with_details(agreed=str(answer.turn))
        self._keep(found)

    def _assistant(self, said: list[Clause], message: Message) -> None:
        """A reply: what it did of what was asked, what it answered, what it puts to the user."""
        put = [*self._own, *offers(said, message)] or told(said)
        named = [one for clause in said if (one := self._also.get(clause.place)) is not None]
        known = {offer.clause.place for offer in put}
        self._pending = [
            *(Proposal(one, one.clause, one.clause.asked) for one in named if one.clause.place not in known)
        ]
        self._pending += put
        for clause in said:
            meant = clause.stance is Stance.MEANT and not clause.asked and not NEGATED.search(clause.masked)
            if meant and _CLAIMS.match(clause.masked):
                self._claimed(clause)
        text = " ".join(clause.text for clause in said)
        for one in [one for one in self._asked if one.clause.turn == said[0].turn]:
            self._asked.remove(one)
            if leaves_open(text):
                self._add(one)
            else:
                self.over.append(one)

    def _claimed(self, clause: Clause) -> None:
        """The assistant says that it did something: what the user asked for in this turn or the last is done."""
        asked = [
            one
            for one in self._latest_of(ItemType.TASK)
            if one.details["status"] == DECIDED and one.confidence <= 0.8 and one.clause.turn >= clause.turn - 1
        ]
        near = [one for one in asked if covered(one.text, clause.text) >= 0.4]
        if not near and len(asked) == 1 and len(subject(clause.text)) <= 1:
            near = asked
        for one in near:
            self._by_assistant.add(one.text)
            self._put(one, one.with_details(status=COMPLETED))

    def _put_off(self, clause: Clause) -> None:
        """The user says that the answer to what they just asked comes later."""
        if not clause.asked and puts_off(clause.masked):
            for one in [one for one in self.over if one.clause.turn == clause.turn - 1]:
                if one.type is ItemType.QUESTION:
                    self._add(one)

    def _settle_questions(self, choice: Found) -> None:
        """A decision answers the questions that ask for it."""
        asked = [one for one in (*self.found, *self.over, *self._asked) if one.type is ItemType.QUESTION]
        for one in asked:
            if "answer" in one.details or not _answers(choice, one):
                continue
            for place in (self.found, self.over, self._asked):
                if one in place:
                    place.remove(one)
            self.found.append(one.with_details(answer=choice.text))

    def _in_place(self, choice: Found, contrast: bool) -> Found:
        """A decision, once those that it replaces are withdrawn; one of `it` alone says what it replaces."""
        decided = self._latest_of(ItemType.DECISION)
        newest = self._newest()
        olds = [old for old in decided if replaces(choice, old, contrast=contrast, newest=old is newest)]
        self._withdraw(olds)
        return choice.with_details(replaces=olds[-1].text) if olds and is_of_it_alone(choice.text) else choice

    def _correct(self, found: Found) -> None:
        """A figure alone, after a `no`, stands in the place of the one decided just before."""
        last = self._newest()
        if last is None or last.type is not ItemType.DECISION or found.clause.turn - said_in(last) > 1:
            return
        if any(character.isdigit() for character in last.text):
            self._withdraw([last])
            self._add(found.with_details(replaces=last.text))

    def _take_back(self, clause: Clause) -> None:
        """What a clause takes back: what it names, else what was said last."""
        taken = withdrawal(clause)
        if taken is None:
            return
        able = self._latest_of(*_CAN_GO)
        if taken.named:
            named = [old for old in able if takes_back(taken, old)]
            if not named and taken.vague:
                near = [old for old in able if clause.turn - old.clause.turn <= NAMED_TURNS]
                named = [old for old in near if subject(old.text) & subject(taken.named)][-1:]
            self._withdraw(named)
        elif (last := self._newest()) is not None and was_just_said(last, clause):
            self._withdraw([last])

    def _finish(self, done: Found) -> None:
        """Something is done: the task, the wait or the blocker it speaks of is over; else it is a task completed."""
        known = False
        for old in self._latest_of(ItemType.TASK, ItemType.WAITING_ON, ItemType.BLOCKER):
            if old.clause.place == done.clause.place or not ends(done, old):
                continue
            if old.type is not ItemType.TASK:
                self._end(old)
                known = known or clears(done.clause, old)
            elif old.details["status"] != COMPLETED:
                self._put(old, old.with_details(status=COMPLETED))
                known = True
        if not known:
            self._add(done)

    def _reopen(self, first: Clause) -> None:
        """What the assistant called done is not if the user says it still fails."""
        if _STILL_BROKEN.search(first.sentence):
            for one in self._latest_of(ItemType.TASK):
                if one.text in self._by_assistant and one.clause.turn >= first.turn - 1:
                    self._put(one, one.with_details(status=IN_PROGRESS))

    def _latest_of(self, *types: ItemType) -> list[Found]:
        """What was found last of some types, in order."""
        return [one for one in self.found[-LOOKED_AT:] if one.type in types]

    def _newest(self) -> Found | None:
        """The newest thing that can be taken back."""
        return max(self._latest_of(*_CAN_GO), key=lambda one: (said_in(one), one.clause.place), default=None)

    def _end(self, old: Found) -> None:
        self.found.remove(old)
        self.over.append(old)

    def _put(self, old: Found, new: Found) -> None:
        self.found[self.found.index(old)] = new

    def _withdraw(self, olds: Iterable[Found]) -> None:
        for old in list(olds):
            self.found.remove(old)


def _completed(found: Found | None, also: Found | None) -> Found | None:
    """What the rules found, with details that the other find of the same type has; that one where they found none."""
    if found is None or also is None or found.type is not also.type:
        return found or also
    return found.but(details={**also.details, **found.details})


def _is_same(old: Found, new: Found) -> bool:
    """Whether two things of one type say the same: by their words, a question by what it is about."""
    if " ".join(old.text.lower().split()) == " ".join(new.text.lower().split()):
        return True
    return new.type is ItemType.QUESTION and subject(old.text) == subject(new.text)


def _says_more(new: Found, old: Found) -> bool:
    """Whether a task is an earlier one, told more fully."""
    fuller = len(subject(old.text)) <= len(subject(new.text))
    return fuller and old.details["status"] != COMPLETED and likeness(old.text, new.text) >= SAME


def _answers(choice: Found, asked: Found) -> bool:
    """Whether a decision answers a question: it names most of it, or follows at once and names some."""
    if covered(asked.text, choice.clause.sentence) >= 0.5:
        return True
    shared = subject(asked.text) & subject(choice.text)
    at_once = choice.clause.turn - asked.clause.turn <= 1
    return at_once and bool(shared) and len(shared) >= 0.3 * len(subject(asked.text))
