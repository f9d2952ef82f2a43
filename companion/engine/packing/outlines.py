"""The names in a file, those first that the words of a task speak of.

An outline is kept with a file and lists its largest definitions, whatever is asked. Where a task speaks of others,
their names say better why the file is shown; they take the place of the last ones, so that it becomes no longer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, takewhile

from msgspec import Struct

from companion.engine.lasting import Lasting
from companion.ports import TokenCounter
from companion.records import CodeForms, Symbol, SymbolKind

COMMON_SHARE = 0.34
"""A word that more of a file's names have tells none of them from the others: `test` in a file of tests."""
WORD_CHARS = 3
"""Shorter parts of names, `is` or `id`, are in too many to mean what a task means."""
MEMBERS_SHOWN = 3
"""Members named behind their class: with more, one class would fill the outline."""
JOINT = ", "
_JOINING = "and are but can does for from has have into its not the this that then was when which with"
_GLUE = frozenset(_JOINING.split())
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_BETWEEN = re.compile(r", (?![^(]*\))")
"""What stands between two names, and not between the members of one."""
_LEFT = re.compile(r"… (\d+) more")
_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})


class FileNames(Struct, frozen=True):
    """What a file defines, for a task to be held against.

    `shown` is its outline in parts, `left` how many names that leaves out; `places` are all names, public ones first,
    each as the outermost one and its member, which is empty for the outermost itself; `having` gives for each word
    which of them have it.
    """

    shown: tuple[str, ...]
    left: int
    places: tuple[tuple[str, str], ...]
    having: Mapping[str, tuple[int, ...]]


def words_of(text: str) -> frozenset[str]:
    """The words of a task or the parts of a name, in lower case and without the mark of a plural."""
    parts = (part.lower() for part in _PART.findall(text))
    return frozenset(_single(part) for part in parts if len(part) >= WORD_CHARS and part not in _GLUE)


def names_of(code: CodeForms) -> FileNames:
    """The names of a file as its outline shows them, and as a task may speak of them."""
    *shown, last = _BETWEEN.split(code.outline)
    left = _LEFT.fullmatch(last)
    places = tuple(dict.fromkeys(_places(sorted(code.symbols, key=lambda symbol: not symbol.public))))
    having: dict[str, list[int]] = {}
    for at, (outer, member) in enumerate(places):
        for word in words_of(member or outer):
            having.setdefault(word, []).append(at)
    telling = {word: tuple(of) for word, of in having.items() if len(of) <= max(1, COMMON_SHARE * len(places))}
    return FileNames(tuple(shown) if left else (*shown, last), int(left[1]) if left else 0, places, telling)


def _spelling(code: CodeForms) -> str:
    return " ".join(symbol.name for symbol in code.symbols).lower()


NAMED_KEPT = 800
"""Files whose names are kept by their words: those of some thirty contexts, at about 10 kB each."""
SPELLED_KEPT = 8_000
"""Files whose names are kept as they are spelled, to see at once that a task speaks of none: 1 kB each."""
_named: Lasting[CodeForms, FileNames] = Lasting(names_of, NAMED_KEPT)
_spelled: Lasting[CodeForms, str] = Lasting(_spelling, SPELLED_KEPT)


def outline_for(code: CodeForms, words: Iterable[str], counter: TokenCounter) -> str:
    """The outline of a file for a task of these words: of no more characters and tokens than without a task.

    Names that have most of the words come first, the shortest before others, then the largest definitions as ever.
    """
    asked = [word for word in words if word in _spelled.of(code)]
    names = _named.of(code) if asked else None
    spoken = Counter(at for word in asked for at in names.having.get(word, ())) if names else Counter[int]()
    if names is None or not spoken:
        return code.outline
    members: dict[str, list[str]] = {}
    for _, _, at in sorted((-many, sum(map(len, names.places[at])), at) for at, many in spoken.items()):
        outer, member = names.places[at]
        members.setdefault(outer, []).extend([member] if member else [])
    heads = [part.partition(" (")[0] for part in names.shown]
    whole = dict(zip(heads, names.shown, strict=True))
    if not names.left:
        members = {outer: [] for outer in members if outer in whole}
    told = [_with(outer, inner) if inner else whole.get(outer, outer) for outer, inner in members.items()]
    told += [part for head, part in whole.items() if head not in members]
    return _fitted(told, len(heads) + names.left, counter, code)


def _fitted(told: list[str], every: int, counter: TokenCounter, code: CodeForms) -> str:
    """The first names that take no more characters and tokens than the outline that is kept, or that one."""
    most_chars, most_tokens = len(code.outline), code.outline_tokens
    ends = accumulate(len(name) + len(JOINT) for name in told)
    told = told[: sum(1 for _ in takewhile(lambda end: end <= most_chars + len(JOINT), ends))]
    while told:
        left = every - len(told)
        text = JOINT.join(told) + (f"{JOINT}… {left} more" if left > 0 else "")
        if len(text) <= most_chars and counter.count(text) <= most_tokens:
            return text
        told.pop()
    return code.outline


def _with(outer: str, members: list[str]) -> str:
    more = ", …" if len(members) > MEMBERS_SHOWN else ""
    return f"{outer} ({', '.join(members[:MEMBERS_SHOWN])}{more})"


def _places(symbols: Sequence[Symbol]) -> Iterable[tuple[str, str]]:
    """Each definition that an outline may name: what no other one holds, and the public members of types."""
    kinds = {symbol.qualname: symbol.kind for symbol in symbols}
    for symbol in symbols:
        owner, _, _ = symbol.qualname.rpartition(".")
        around, _, outer = owner.rpartition(".")
        if symbol.kind is SymbolKind.MODULE or kinds.get(owner) in _CALLABLE or kinds.get(around) in _CALLABLE:
            continue
        if kinds.get(owner, SymbolKind.MODULE) is SymbolKind.MODULE:
            yield symbol.name, ""
        elif symbol.public and kinds.get(around, SymbolKind.MODULE) is SymbolKind.MODULE:
            yield outer, symbol.name


def _single(word: str) -> str:
    return word[:-1] if len(word) > WORD_CHARS and word.endswith("s") and not word.endswith("ss") else word
