"""Decisions that a message states: support given up, a name deprecated, one thing taken for another, `we decided …`.

Few forms of sentence count, each with something that can be named. The reason is the sentence's own, else the first
sentence of the message that gives one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.kinds.history.reasons import gives_ground, is_aside
from companion.kinds.history.undoing import last_name
from companion.kinds.prose import sentences

SENTENCE_CHARS = 320
"""A longer sentence is a list or a log, not a choice."""
_WHY = (
    r"(?:[,;:]? (?P<reason>(?:because|since|so that|due to|as (?:it|they|this|the|we)|in order to"
    r"|to (?:avoid|prevent|allow|reduce|keep|make))\b.*))"
)
_NAME = r"[`'\"]?(?P<{0}>[A-Z@$_a-z][\w.:/()@$*-]*)[`'\"]?"
_DROPPED = re.compile(
    rf"^(?:we )?(?:drop|remov|discontinu|end)\w* support (?:for|of) (?P<thing>[^,;:]{{2,60}}?){_WHY}?$", re.IGNORECASE
)
_DEPRECATED = re.compile(
    rf"^deprecate[sd]? (?:the )?{_NAME.format('thing')}"
    r"(?: (?:class|function|method|option|argument|parameter|property))?"
    rf"(?: in favou?r of (?P<other>[^,;]{{2,80}}?))?{_WHY}?$",
    re.IGNORECASE,
)
_SWITCHED = re.compile(
    rf"^(?:we )?(?:switch|migrat|mov)\w* (?:over )?from {_NAME.format('old')} to {_NAME.format('new')}{_WHY}?$",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    rf"^(?:\w+, )?(?:we|it was|the team)(?:'ve| have| has)? (?:decided|chose|chosen|opted|agreed|settled)"
    rf"(?P<choice> (?:to|on|for|not to|against|that)\b.{{8,200}}?{_WHY})$",
    re.IGNORECASE,
)
_USE_INSTEAD = re.compile(
    r"^(?:please )?(?:use|prefer) (?P<other>`[^`]{2,60}`|[\w.:()]{2,60}) instead\b", re.IGNORECASE
)
_ENDED = re.compile(r"^(?:eol|end-of-life|unsupported)\b", re.IGNORECASE)
"""What is said of a platform that gives the reason itself."""
_HINT = re.compile(r"support|deprecate|switch|migrat|mov|decided|chose|opted|agreed|settled", re.IGNORECASE)
_CODE_NAME = re.compile(r"[_.:()@$`]|\d|\w[A-Z]")
_OF_VERSIONS = re.compile(
    r"[\d.x<>=+]+|\b(?:and|or|below|older|than|earlier|eol|versions?|releases?|python2)\b", re.IGNORECASE
)
_FINAL = re.compile(r"(?<![.!;:\s])[.!;:\s]++$")


class Question(StrEnum):
    """What a decision answers; stands as the attribute of its memory."""

    SUPPORT = "support"
    STATUS = "status"
    CHOICE = "choice"
    DECISION = "decision"


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision as stated: what it is about, which question it answers, the answer, the reason, the sentence."""

    subject: str
    attribute: str
    choice: str
    reason: str
    sentence: str

    @property
    def taken(self) -> str:
        """What was taken instead of the subject; empty where nothing was."""
        return self.choice.partition(" instead of ")[0] if self.attribute == Question.CHOICE else ""

    @property
    def question(self) -> str:
        """The question in words."""
        match self.attribute:
            case Question.SUPPORT:
                return f"Is {self.subject} supported?"
            case Question.STATUS:
                return f"May {self.subject} still be used?"
            case Question.CHOICE:
                return f"{self.subject} or {self.taken}?"
            case _:
                return f"What was decided on: {self.subject}?"

    @property
    def answer(self) -> str:
        """The answer as a sentence."""
        if self.attribute in {Question.STATUS, Question.SUPPORT}:
            several = " and " in self.subject or "," in self.subject
            return f"{self.subject} {'are' if several else 'is'} {self.choice}."
        said = self.choice if self.attribute == Question.CHOICE else self.sentence
        return said if said.endswith(".") else f"{said}."

    @property
    def key(self) -> tuple[str, str]:
        """What two answers to one question share: a platform without its versions, the last name of a dotted one."""
        if self.attribute == Question.SUPPORT:
            return platform_of(self.subject), self.attribute
        return last_name(self.subject), self.attribute


def platform_of(thing: str) -> str:
    """A platform without its versions, in lower case."""
    return " ".join(_OF_VERSIONS.sub(" ", thing.lower()).split()) or thing.lower()


def choices_in(title: str, story: str) -> Iterator[Choice]:
    """The decisions that a title and the prose under it state, in order; at most one a sentence."""
    if not _HINT.search(title) and not _HINT.search(story):
        return
    told = [text for text in sentences(story) if not text.startswith("- ")]
    for place, text in enumerate((title, *told)):
        sentence = _FINAL.sub("", text.strip())
        if len(sentence) > SENTENCE_CHARS or (choice := _read(sentence, title)) is None:
            continue
        other = next((found["other"] for said in told if (found := _USE_INSTEAD.match(said))), "")
        if choice.choice == "deprecated" and other:
            choice = replace(choice, choice=f"deprecated in favour of {_clean(other)}")
        after = " ".join(after for after in told[place : place + 2] if not is_aside(after))
        yield choice if choice.reason or not gives_ground(after) else replace(choice, reason=after)


def _read(sentence: str, title: str) -> Choice | None:
    if found := _DROPPED.match(sentence):
        ended = _ENDED.match(thing := _clean(found["thing"]))
        thing = thing[ended.end() :].strip() if ended else thing
        named = any(c.isdigit() or c.isupper() for c in thing)
        reason = _clean(found["reason"]) or (f"It is {ended[0]}." if ended else "")
        return Choice(thing, Question.SUPPORT, "no longer supported", reason, sentence) if named else None
    if found := _DEPRECATED.match(sentence):
        thing, other = _clean(found["thing"]), _clean(found["other"])
        named = found["thing"][0].isupper() or bool(
            _CODE_NAME.search(sentence[found.start("thing") - 1 : found.end("thing")])
        )
        said = f"deprecated in favour of {other}" if other else "deprecated"
        return Choice(thing, Question.STATUS, said, _clean(found["reason"]), sentence) if named else None
    if found := _SWITCHED.match(sentence):
        old, new = _clean(found["old"]), _clean(found["new"])
        named = any(_CODE_NAME.search(name) or name[0].isupper() for name in (old, new)) or "`" in sentence
        said = f"{new} instead of {old}"
        return Choice(old, Question.CHOICE, said, _clean(found["reason"]), sentence) if named else None
    if found := _DECIDED.match(sentence):
        return Choice(title, Question.DECISION, found["choice"].strip(), _clean(found["reason"]), sentence)
    return None


def _clean(text: str | None) -> str:
    return _FINAL.sub("", (text or "").strip().removeprefix("the ")).strip("`'\"")
