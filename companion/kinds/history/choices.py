"""Decisions that a message states: support given up, a name deprecated, one thing taken for another, `we decided …`.

Few forms of sentence count, each with something that can be named. The reason is the sentence's own, else the first
sentence of the message that gives one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from companion.kinds.history.reasons import gives_ground, is_aside
from companion.kinds.history.undoing import bare_name, last_name
from companion.kinds.prose import sentences
from companion.language.openings import unopened
from companion.language.phrases import opens, parted
from companion.language.reasons import reasoned

_LISTS = "written.deciding"
SENTENCE_CHARS = 320
"""A longer sentence is a list or a log, not a choice."""
CHOICE_LEAST = 12
"""Characters of what was decided, below which nothing is said of it."""
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


class Choice(Struct, frozen=True):
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
    told = [text for text in sentences(story) if not text.startswith("- ")]
    for place, text in enumerate((title, *told)):
        sentence = _FINAL.sub("", text.strip())
        if len(sentence) > SENTENCE_CHARS or (choice := _read(sentence, title)) is None:
            continue
        other = next((said.split()[1] for said in map(unopened, told) if opens(said, f"{_LISTS}.use_instead")), "")
        if choice.choice == "deprecated" and other:
            choice = replace(choice, choice=f"deprecated in favour of {_clean(other)}")
        after = " ".join(after for after in told[place : place + 2] if not is_aside(after))
        yield choice if choice.reason or not gives_ground(after) else replace(choice, reason=after)


def _read(sentence: str, title: str) -> Choice | None:
    plain = unopened(sentence)
    if not opens(plain, f"{_LISTS}.decides", f"{_LISTS}.ends_support", f"{_LISTS}.deprecates", f"{_LISTS}.switches"):
        return None
    if end := opens(plain, f"{_LISTS}.decides"):
        choice, why = plain[end:].strip(), reasoned(plain)[1]
        stated = why and len(choice) >= CHOICE_LEAST and opens(choice, f"{_LISTS}.chosen")
        return Choice(title, Question.DECISION, choice, why, sentence) if stated else None
    said, joint, purpose = parted(reasoned(plain)[0], f"{_LISTS}.purpose")
    why = reasoned(plain)[1] or f"{joint} {purpose}".strip()
    if end := opens(said, f"{_LISTS}.ends_support"):
        return _ended(_clean(said[end:]), why, sentence)
    if end := opens(said, f"{_LISTS}.deprecates"):
        thing, _, other = parted(said[end:], f"{_LISTS}.in_favour")
        thing, status = bare_name(thing), f"deprecated in favour of {_clean(other)}" if other else "deprecated"
        return Choice(_clean(thing), Question.STATUS, status, why, sentence) if _is_name(thing) else None
    old, _, new = said[opens(said, f"{_LISTS}.switches") :].strip().partition(" to ")
    named = len(old.split()) == len(new.split()) == 1 and (_is_name(old) or _is_name(new))
    return (
        Choice(_clean(old), Question.CHOICE, f"{_clean(new)} instead of {_clean(old)}", why, sentence)
        if named
        else None
    )


def _ended(thing: str, why: str, sentence: str) -> Choice | None:
    """The end of a platform's support: "EOL Python 3.7" gives the reason itself."""
    end = opens(thing, f"{_LISTS}.over")
    why = why or (f"It is {thing[:end].strip()}." if end else "")
    thing = thing[end:].strip()
    named = any(c.isdigit() or c.isupper() for c in thing) and not set(thing) & set(",;:")
    return Choice(thing, Question.SUPPORT, "no longer supported", why, sentence) if named else None


def _is_name(text: str) -> bool:
    """Whether a text is one name of code or of a product."""
    return len(text.split()) == 1 and (text[0].isupper() or _CODE_NAME.search(text) is not None)


def _clean(text: str) -> str:
    return _FINAL.sub("", text.strip().removeprefix("the ")).strip("`'\"")
