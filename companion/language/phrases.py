"""Phrases of a list in a text: whether one stands in it or opens it, what stands on either side, what says it plainly.

A list is named by where it stands among the word lists: `written.cause` is the list `cause` of `data/written.toml`. Its
phrases are plain words, with a few signs:

- `caus*` any ending (`*n't`: any beginning, `*`: any letters), `is|are` either word, `_` one word that is no number,
  `#` a number, `####` a year, `Aa` a word with a capital, `"` any quotation mark, `<names.roles>` one of that list;
- `the?` a word that may be missing, `!bare` one that may not stand there;
- `..` some words in between, of the same sentence; `^` and `$` the beginning and the end of the text;
- `[since] .. is` the part that counts, of a phrase that is known by what stands beside it.

Between two words a hyphen is as good as a space. A word in capitals ("I", "PR") is meant so, and as a word of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, partial, reduce
from typing import Any

from companion.language.word_lists import at

GAP_WORDS = 6
"""Words that `..` may stand for: what is further apart does not belong together."""

Lists = tuple[str, ...]

_SIGNS = {"*": r"\w+", "_": r"(?!v?\d)[^\s,;()]+", "#": r"v?\d[\w.]*", "####": r"(?:19|20)\d\d"}
_LETTERS = ((r"\*", r"\w*"), ("Aa", r"(?-i:[A-Z])[\w-]+"), ("'", "['’]"), ('"', "[\"'`“”’]"))
_MARKS = ':,=/"'
"""What a phrase may end with and another word follow at once."""
_END = r"(?=[^\w)]*$)"
_BETWEEN = r"[\s-]+"
_GAP = rf"(?:[.'/-]\w+)*(?:[^\w.!?;]+\w+(?:[.'/-]\w+)*){{0,{GAP_WORDS}}}?[^\w.!?;]*"
_WHOLE = r"(?<!\w)"
"""Behind some words in between, the next one begins where a word does."""


def says(text: str, *lists: str) -> bool:
    """Whether a phrase of the lists stands in a text."""
    return _compiled(lists).search(text) is not None


def opens(text: str, *lists: str, between: str = "") -> int:
    """Where a text goes on behind a phrase of the lists that it begins with; 0 where it begins with none.

    Words of the list `between` may stand between those of a phrase.
    """
    found = _compiled(lists, between).match(text)
    return found.end() if found else 0


def governs(text: str, verbs: Lists, objects: Lists) -> bool:
    """Whether some words behind a phrase of the one lists, in the same sentence, stands one of the others."""
    return _governing(verbs, objects).search(text) is not None


def places(text: str, *lists: str) -> Iterator[tuple[int, int]]:
    """Where the phrases of the lists stand in a text, from and to, in order."""
    return (found.span(found.lastindex or 0) for found in _compiled(lists).finditer(text))


def parted(text: str, *lists: str) -> tuple[str, str, str]:
    """A text at its first phrase of the lists: what stands before it, the phrase, what stands behind it.

    Without one all of it stands before. No part begins or ends in a space.
    """
    start, end = next(places(text, *lists), (len(text), len(text)))
    return text[:start].strip(), text[start:end], text[end:].strip()


def rewritten(text: str, table: str) -> str:
    """A text in the words of a table of pairs, one after the other: of a phrase, its parts in brackets are replaced."""
    for pattern, plainer in _rewriting(table):
        text = pattern.sub(partial(_replaced, plainer=plainer), text)
    return text


def names(text: str, name: str) -> bool:
    """Whether a name, or any other text, stands in another as whole words, in small or capital letters.

    "Don't" names no Don.
    """
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w|['’]t\b)", text, re.IGNORECASE) is not None


@cache
def either(*lists: str, between: str = "") -> str:
    """One expression for the phrases of some lists, the longest first, to be a part of another."""
    phrases = sorted({phrase for name in lists for phrase in _phrases(name)}, key=lambda one: (-len(one), one))
    joint = rf"{_BETWEEN}(?:{either(between)}{_BETWEEN})*" if between else _BETWEEN
    return rf"(?<!\w)(?:{'|'.join(_expression(phrase, joint) for phrase in phrases)})"


@cache
def _compiled(lists: Lists, between: str = "") -> re.Pattern[str]:
    return re.compile(either(*lists, between=between), re.IGNORECASE)


@cache
def _governing(verbs: Lists, objects: Lists) -> re.Pattern[str]:
    return re.compile(f"{either(*verbs)}{_GAP}{either(*objects)}", re.IGNORECASE)


@cache
def _rewriting(table: str) -> list[tuple[re.Pattern[str], list[str]]]:
    rows = [(_expression(phrase), plainer) for phrase, *plainer in _phrases(table)]
    return [(re.compile(rf"(?<!\w){expression}", re.IGNORECASE), plainer) for expression, plainer in rows]


def _replaced(found: re.Match[str], plainer: Sequence[str]) -> str:
    """A phrase with other words for its parts in brackets; before a semicolon stands no space."""
    text, begin = found[0], found.start()
    for number, words in reversed(list(enumerate(plainer, start=1))):
        start, end = found.span(number)
        before = text[: start - begin]
        text = f"{before.rstrip() if words.startswith(';') else before}{words}{text[end - begin :]}"
    return text


def _phrases(path: str) -> Any:
    """The phrases of a list: words on their own are written as one text."""
    found = at(path)
    return found.split() if isinstance(found, str) else found


def _expression(phrase: str, joint: str = _BETWEEN) -> str:
    """One phrase as an expression."""
    begins, ends = phrase.startswith("^"), phrase.endswith("$")
    written, between = "", ""
    for word in phrase.strip("^$ ").split():
        if word.startswith("[") and word != "..]":
            written, between = f"{written}{between}(", ""
        expression, between = _part(word.strip("[]"), between, joint, opening=not written)
        written += expression + ")" * word.endswith("]")
    closed = "" if phrase[-1] in _MARKS else r"(?!\w)"
    return f"{'^' if begins else ''}{written}{closed}{_END if ends else ''}"


def _part(word: str, between: str, joint: str, *, opening: bool) -> tuple[str, str]:
    """One word of a phrase as an expression, with what stands before it, and what stands before the next word."""
    if word == "..":
        return _GAP, _WHOLE
    if word.startswith("!"):
        forbidden = _word(word[1:])
        return (rf"(?<!\b{word[1:]} )", "") if opening else (rf"(?!{joint}{forbidden}(?!\w))", between)
    if word.endswith("?"):
        one = _word(word[:-1])
        return (f"(?:{between}{one})?", joint) if between == joint else (f"(?:{between}{one}{joint})?", between)
    return (between + _word(word), joint) if word else ("", "")


def _word(word: str) -> str:
    if word in _SIGNS:
        return _SIGNS[word]
    before, list_of, name = word.partition("<")
    if list_of:
        return _signed(before) + either(name.rstrip(">"))
    one = "|".join(map(_signed, word.split("|")))
    return rf"(?-i:(?<![\w/.])(?:{one})(?![\w/]))" if word.isupper() else f"(?:{one})"


def _signed(letters: str) -> str:
    return reduce(lambda text, sign: text.replace(*sign), _LETTERS, re.escape(letters))
