"""Phrases of a list in a text: whether one stands in it, whether one opens it, and what stands on either side of one.

A list is named by where it stands among the word lists: `written.cause` is the list `cause` of `data/written.toml`. Its
phrases are plain words, with a few signs:

- `caus*` any ending (`*n't`: any beginning), `is|are` either word, `_` one word that is no number, `#` a number,
  `####` a year, `<names.roles>` a phrase of that list;
- `..` some words in between, of the same sentence; `^` and `$` the beginning and the end of the text.

Between two words a hyphen is as good as a space. A word in capitals ("I", "PR") is meant so, and as a word of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, reduce

from companion.language.word_lists import listed

GAP_WORDS = 6
"""Words that `..` may stand for: what is further apart does not belong together."""

Lists = tuple[str, ...]

_SIGNS = {"_": r"(?!v?\d)[^\s,;()]+", "#": r"v?\d[\w.]*", "####": r"(?:19|20)\d\d"}
_END = r"(?=[^\w)]*$)"
_BETWEEN = r"[\s-]+"
_GAP = rf"(?:[^\w.!?;]+\w+(?:[.'/-]\w+)*){{0,{GAP_WORDS}}}?[^\w.!?;]*"


def says(text: str, *lists: str) -> bool:
    """Whether a phrase of the lists stands in a text."""
    return _either(lists).search(_plain(text)) is not None


def opens(text: str, *lists: str) -> int:
    """Where a text goes on behind a phrase of the lists that it begins with; 0 where it begins with none."""
    found = _either(lists).match(_plain(text))
    return found.end() if found else 0


def governs(text: str, verbs: Lists, objects: Lists) -> bool:
    """Whether some words behind a phrase of the one lists, in the same sentence, stands one of the others."""
    return _governing(verbs, objects).search(_plain(text)) is not None


def places(text: str, *lists: str) -> Iterator[tuple[int, int]]:
    """Where the phrases of the lists stand in a text, from and to, in order."""
    return (found.span() for found in _either(lists).finditer(_plain(text)))


def parted(text: str, *lists: str) -> tuple[str, str, str]:
    """A text at its first phrase of the lists: what stands before it, the phrase, what stands behind it.

    Without one all of it stands before. No part begins or ends in a space.
    """
    found = _either(lists).search(_plain(text))
    if found is None:
        return text.strip(), "", ""
    return text[: found.start()].strip(), found[0], text[found.end() :].strip()


def _plain(text: str) -> str:
    return text.replace("’", "'")


@cache
def _governing(verbs: Lists, objects: Lists) -> re.Pattern[str]:
    return re.compile(f"{_either(verbs).pattern}{_GAP}{_either(objects).pattern}", re.IGNORECASE)


@cache
def _either(lists: Lists) -> re.Pattern[str]:
    """One expression for the phrases of some lists, the longest first."""
    phrases = sorted({phrase for name in lists for phrase in _phrases(name)}, key=lambda one: (-len(one), one))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(_expression, phrases))})(?!\w)", re.IGNORECASE)


def _phrases(name: str) -> list[str]:
    """The phrases of a list: words on their own are written as one text."""
    file, *keys = name.split(".")
    found = reduce(lambda table, key: table[key], keys, listed(file))
    return found.split() if isinstance(found, str) else list(found)


def _expression(phrase: str) -> str:
    """One phrase as an expression."""
    begins, ends = phrase.startswith("^"), phrase.endswith("$")
    written, between = "", ""
    for word in phrase.strip("^$ ").split():
        if word == "..":
            written, between = f"{written}{_GAP}", ""
        else:
            written, between = f"{written}{between}{_word(word)}", _BETWEEN
    return f"{'^' if begins else ''}{written}{_END if ends else ''}"


def _word(word: str) -> str:
    if word in _SIGNS:
        return _SIGNS[word]
    if word.startswith("<"):
        return _either((word.strip("<>"),)).pattern
    either = "|".join(re.escape(one).replace(r"\*", r"\w*") for one in word.split("|"))
    return rf"(?-i:(?<![\w/.])(?:{either})(?![\w/]))" if word.isupper() else f"(?:{either})"
