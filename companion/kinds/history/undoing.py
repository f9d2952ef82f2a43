"""What words of a later commit take back: what they bring back, give up, remove, rename or do otherwise.

A decision holds, and a step of a branch is part of its end, only while nothing said later speaks against it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from companion.judging.lexicon import stem
from companion.judging.words import GLUE
from companion.kinds.history import noise
from companion.kinds.history.choices import REPLACED, STATUS, SUPPORT, Choice, answered
from companion.records import Commit

LETTERS_LEAST = 3
"""Letters of a word that can be shared: shorter ones join, or stand by chance in both."""

_BRINGS_BACK = re.compile(
    r"^(?:un-?(?:deprecat|remov|drop|ban|forbid|do)\w*|re-?(?:add|introduc|instat|enabl|allow|support|expos|admit)\w*"
    r"|(?:restor|reviv|resurrect)\w*|(?:bring|put)\w* back|(?:go|switch|mov|com|chang|return)\w* back to)"
    r"\s+(?P<things>.+)$",
    re.IGNORECASE,
)
_NO_LONGER = re.compile(
    r"^(?P<things>.+?) (?:is|are) (?:no longer|not) deprecated\b|^do(?: not|n['’]t) deprecate (?P<kept>.+)$",
    re.IGNORECASE,
)
_GIVES_UP = re.compile(
    r"^(?:finally |also |- )?(?:(?P<gone>(?:remov|delet|drop|kill|discard|eliminat|retir|renam)\w*"
    r"|(?:get\w*|got) rid of|rip\w* out)|(?:abandon|ditch|replac|revert|undo|disabl)\w*|back\w* out|roll\w* back"
    r"|stop\w* using"
    r"|(?:no longer|do not|does not|don['’]t) use|(?:switch|migrat|mov|chang)\w* (?:away )?from)\s+(?P<things>.+)$",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r"\b(?:instead of|rather than|in place of)\s+(?P<things>[^,;:]+)", re.IGNORECASE)
_REVERTED = re.compile(r"^revert\w*:?\s+[\"“](?P<title>.+)[\"”]", re.IGNORECASE)
_END = re.compile(
    r"\s+(?:in favou?r of|because|since|with|to|by|so|as|when|after|before|now that)\s|[;:(]",
    re.IGNORECASE,
)
"""Where the object of a verb ends; what is removed from a place is not gone."""
_NAMES = re.compile(r"[\w$@][\w$.:@-]*")
_AROUND = re.compile(
    r"^(?:(?:the|all|a|an|our|any|old|deprecated|public|internal|legacy|support|for|of) )+"
    r"|(?: (?:class|function|method|option|argument|parameter|module|attribute|flag|setting|property|helper|api)"
    r"(?:e?s)?)+$",
    re.IGNORECASE,
)
"""What stands around a name without making it another thing: `the old `load_all` function`."""
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
"""The words of a text, and those that names of code are made of."""


@dataclass(frozen=True, slots=True)
class Undoing:
    """Things that a sentence brings back (`back`), or gives up; `sure` of a verb that can be said of nothing else.

    What is deprecated no more or removed is sure; what is restored may be its tests, what is used no more its calls.
    """

    things: str
    back: bool
    sure: bool = False

    def speaks_of(self, name: str) -> bool:
        """Whether a name stands among the words of the things."""
        last = answered(name)
        return any(last == answered(word.strip(".:")) for word in _NAMES.findall(self.things))

    def takes(self, name: str) -> bool:
        """Whether a name is one of the things itself: `Remove X tests` leaves X."""
        items = re.split(r",|\band\b|&", self.things)
        return any(answered(_AROUND.sub("", item.strip()).strip()) == answered(name) for item in items)

    def takes_platform(self, name: str) -> bool:
        """Whether a version of a platform is meant and nothing about it: `Restore Python 3.7 docs` is of documents."""
        said = [word.strip(".:").casefold() for word in _NAMES.findall(self.things)]
        versions = _versions(self.things)
        known = {name.split(maxsplit=1)[0].casefold(), "support", "for", "and", "the", *versions}
        return known >= set(said) and bool(set(versions) & set(_versions(name)))


def undoings(text: str) -> Iterator[Undoing]:
    """What a subject or a sentence takes back."""
    text = noise.bare_subject(text).text.strip().rstrip(".")
    if found := _BRINGS_BACK.match(text) or _NO_LONGER.match(text):
        things = next(group for group in found.groups() if group)
        if "deprecat" not in things.lower():  # what is brought back is the deprecation
            yield Undoing(things, back=True, sure="deprecat" in text.lower())
    elif found := _GIVES_UP.match(text):
        yield Undoing(_END.split(found["things"], maxsplit=1)[0], back=False, sure=bool(found["gone"]))
    for found in _INSTEAD.finditer(text):
        yield Undoing(found["things"], back=False)


@dataclass(frozen=True, slots=True)
class Reversal:
    """A commit that takes something back: what its subject says, or the title that it reverts."""

    commit: Commit
    undone: tuple[Undoing, ...]
    reverted_title: str = ""


def reversals_in(commits: Iterable[Commit], reverted: Collection[str]) -> tuple[Reversal, ...]:
    """The commits that take something back, in their order, without those that were reverted themselves."""
    return tuple(one for commit in commits if commit.sha not in reverted and (one := _reversal(commit)))


def _reversal(commit: Commit) -> Reversal | None:
    if title := _REVERTED.match(noise.without_number(commit.subject)):
        return Reversal(commit, (), noise.bare_subject(title["title"]).text)
    undone = tuple(undoings(commit.subject))
    return Reversal(commit, undone) if undone else None


def reverses(one: Reversal, choice: Choice, title: str) -> bool:
    """Whether a later commit takes a decision back that was stated under a title."""
    if one.reverted_title:
        return one.reverted_title == noise.bare_subject(title).text
    return any(_against(undoing, choice) for undoing in one.undone)


def _against(undoing: Undoing, choice: Choice) -> bool:
    if undoing.back and choice.attribute == SUPPORT:
        return undoing.takes_platform(choice.subject)
    if undoing.back:
        return undoing.speaks_of(choice.subject) if undoing.sure else undoing.takes(choice.subject)
    if choice.attribute == STATUS:
        return undoing.sure and undoing.takes(choice.subject)
    return choice.attribute == REPLACED and undoing.takes(choice.taken)


def _versions(text: str) -> list[str]:
    return re.findall(r"\d+(?:\.\d+)*", text)


def overtaken(subject: str, later: Iterable[str]) -> bool:
    """Whether later sentences give up what a commit of the same branch says that it did."""
    said = stems(subject)
    names = code_names(subject)
    given_up = [undoing for text in later for undoing in undoings(text) if not undoing.back]
    return any(
        (len(words := stems(undoing.things)) > 1 and words <= said) or any(map(undoing.speaks_of, names))
        for undoing in given_up
    )


def code_names(text: str) -> tuple[str, ...]:
    """The words of a title that can only be names of code: `ignore_errors`, `readAll`."""
    return tuple(name for word in _NAMES.findall(text) if _is_code(name := word.strip(".:-")))


def _is_code(word: str) -> bool:
    return "_" in word.strip("_") or re.match(r"[a-z]+[A-Z][a-z]", word) is not None


@lru_cache(maxsize=4_096)
def stems(text: str) -> frozenset[str]:
    """The stems of the words in a text, of its names of code too, but for those that only join."""
    words = (part.lower() for part in _PARTS.findall(text))
    return frozenset(stem(word) for word in words if len(word) >= LETTERS_LEAST and word not in GLUE)
