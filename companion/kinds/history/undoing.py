"""What the title of a later commit takes back: what it brings back, gives up, removes, renames or does otherwise."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from companion.kinds.history.titles import bare_title, shown_title
from companion.records import Commit

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
    r"^(?:finally |also )?(?:(?P<gone>(?:remov|delet|drop|kill|discard|eliminat|retir|renam)\w*"
    r"|(?:get\w*|got) rid of|rip\w* out)|(?:abandon|ditch|replac|revert|undo|disabl)\w*|back\w* out|roll\w* back"
    r"|stop\w* using"
    r"|(?:no longer|do not|does not|don['’]t) use|(?:switch|migrat|mov|chang)\w* (?:away )?from)\s+(?P<things>.+)$",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r"\b(?:instead of|rather than|in place of)\s+(?P<things>[^,;:]+)", re.IGNORECASE)
_REVERTED = re.compile(r"^revert\w*:?\s+[\"“](?P<title>.+)[\"”]", re.IGNORECASE)
_END = re.compile(
    r"\s+(?:in favou?r of|because|since|with|to|by|so|as|when|after|before|now that)\s|[;(]|:(?=\s|$)",
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


def last_name(text: str) -> str:
    """The last part of a name of code, in lower case: what two ways to write it share."""
    return re.split(r"\.|::|#", text.strip("`'\" .:").removesuffix("()").lower())[-1]


def versions_in(text: str) -> list[str]:
    """The versions that a text names."""
    return re.findall(r"\d+(?:\.\d+)*", text)


@dataclass(frozen=True, slots=True)
class Undoing:
    """Things that a title brings back (`back`), or gives up; `sure` of a verb that can be said of nothing else.

    What is deprecated no more or removed is sure; what is restored may be its tests, what is used no more its calls.
    """

    things: str
    back: bool
    sure: bool = False

    def speaks_of(self, name: str) -> bool:
        """Whether a name stands among the words of the things."""
        return any(last_name(name) == last_name(word) for word in _NAMES.findall(self.things))

    def takes(self, name: str) -> bool:
        """Whether a name is one of the things itself: `Remove X tests` leaves X."""
        items = re.split(r",|\band\b|&", self.things)
        return any(last_name(_AROUND.sub("", item.strip()).strip()) == last_name(name) for item in items)

    def takes_platform(self, name: str) -> bool:
        """Whether a version of a platform is meant and nothing about it: `Restore Python 3.7 docs` is of documents."""
        said = [word.strip(".:").casefold() for word in _NAMES.findall(self.things)]
        versions = versions_in(self.things)
        known = {name.split(maxsplit=1)[0].casefold(), "support", "for", "and", "the", *versions}
        return known >= set(said) and bool(set(versions) & set(versions_in(name)))


@dataclass(frozen=True, slots=True)
class Reversal:
    """A commit that takes something back: what its title says, or the title that it reverts."""

    commit: Commit
    undone: tuple[Undoing, ...]
    reverted_title: str = ""


def reversals_in(commits: Iterable[Commit], reverted: Collection[str]) -> tuple[Reversal, ...]:
    """The commits that take something back, in their order, without those that were reverted themselves."""
    return tuple(one for commit in commits if commit.sha not in reverted and (one := _reversal(commit)))


def _reversal(commit: Commit) -> Reversal | None:
    if title := _REVERTED.match(shown_title(commit.subject)):
        return Reversal(commit, (), bare_title(title["title"]).text)
    undone = tuple(_undoings(bare_title(commit.subject).text.strip().rstrip(".")))
    return Reversal(commit, undone) if undone else None


def _undoings(title: str) -> Iterator[Undoing]:
    if found := _BRINGS_BACK.match(title) or _NO_LONGER.match(title):
        things = next(group for group in found.groups() if group)
        if "deprecat" not in things.lower():  # what is brought back is the deprecation
            yield Undoing(things, back=True, sure="deprecat" in title.lower())
    elif found := _GIVES_UP.match(title):
        yield Undoing(_END.split(found["things"], maxsplit=1)[0], back=False, sure=bool(found["gone"]))
    for found in _INSTEAD.finditer(title):
        yield Undoing(found["things"], back=False)
