"""Which numbers are versions, of what, from where to where they reach, and which of them a statement refuses.

"Python 3.7 is no longer supported" refuses a range of versions and not Python, so it gets on with ">=3.10" and not
with "3.7 is supported". A version that something else merely has to do with ("match is not supported on 3.9",
"dropped in version 2.1") is not what is refused, and neither asks for it nor turns it down.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from msgspec import Struct

from companion.language.amounts import AT_LEAST, AT_MOST, EXACT, NEAR_CHARS, bound
from companion.language.lexicon import lexicon, stem, stems_of
from companion.language.phrases import either, opens, parted, says
from companion.language.word_lists import word_set

PRODUCTS = word_set("versions", "products")
"""Things whose bare number is a version: "Node 20", "Java 17"."""
_NAMES = "|".join(re.escape(name) for name in sorted(PRODUCTS, key=lambda name: (-len(name), name)))
_LINKS = f"is|to|on|at|from|since|{either('versions.pins')}"
"""What stands between a product and its version."""
_NAMED = re.compile(rf"(?<![\w.])({_NAMES})\b\s*(?:versions?\s*)?(?:{_LINKS}|=|:)?\s*$", re.IGNORECASE)
_ANYWHERE = re.compile(rf"(?<![\w.])({_NAMES})\b", re.IGNORECASE)
_SAID = re.compile(rf"(?:\bversions?|\bv|(?:{either('versions.said')})\W*)\s*$", re.IGNORECASE)
_OVER = ".,;:)"
_BEFORE = re.compile(
    rf"([^\W\d_][^\W_]*)(?:[-_ :='(\[]+(?:versions?|level|{_LINKS})\b){{0,2}}[-_ :='(\[]*(?:[<>=~^!]=?)?\s*$",
    re.IGNORECASE,
)


def product_of(before: str, number: str, after: str, operator: str) -> str | None:
    """What the number is a version of ("" if nothing is named); None if it is no version."""
    if "," in number or opens(after.lstrip(" -"), "versions.counted"):
        return None
    near = before[-NEAR_CHARS:]
    if says(near, "versions.moved") and (named := _ANYWHERE.search(before)):
        return named[1].lower()
    pinned = parted(near, "versions.pinned")[1]
    if (
        number.count(".") == 1
        and not number.startswith("0")
        and pinned
        and _counts_nothing(after, _OVER, "versions.over")
    ):
        return pinned.lower()
    plain = number.startswith("v") or number.count(".") >= 2 or number.endswith((".x", ".*"))
    compared = bool(operator.strip("+=")) and "." in number
    if not (plain or compared or _SAID.search(near) or _NAMED.search(near)):
        return None
    name = _BEFORE.search(near)
    return name[1].lower() if name else ""


def _counts_nothing(after: str, marks: str, words: str) -> bool:
    """Whether a number counts nothing of what stands behind it: the end, one of some marks or words of a list."""
    rest = after.lstrip()
    return rest[:1] in marks or opens(rest, words) > 0


def range_of(text: str, match: re.Match[str], number: str, operator: str, to: str = "") -> tuple[float, float, str]:
    """From which version on, up to which one (not included), and how that was said."""
    low, high = _reach(number)
    if to:
        return low, _reach(to)[1], EXACT
    kind = bound(text, match.start(), match.end(), operator)
    if kind == AT_LEAST:
        return low, math.inf, kind
    # "<4" ends where 4 begins.
    return (-math.inf, low if operator == "<" else high, kind) if kind == AT_MOST else (low, high, kind)


def _reach(number: str) -> tuple[float, float]:
    """Where a version begins, and where the next one of as many numbers does."""
    numbers = parts(number)
    return scalar(numbers), scalar([*numbers[:-1], numbers[-1] + 1])


def scalar(numbers: list[int]) -> float:
    """A version as one number that orders as versions do."""
    padded = [*numbers, 0, 0, 0][:3]
    return padded[0] * 1e6 + padded[1] * 1e3 + padded[2]


def parts(number: str) -> list[int]:
    """The numbers of a version, three at most."""
    return [min(int(part.lstrip("0")[:7] or 0), 999_999) for part in re.findall(r"\d+", number)[:3]] or [0]


# --- versions that a statement refuses ------------------------------------------------------------------

MAX_BEFORE = 60
"""Characters before a number that are looked at: a product, a bound and a preposition take fewer."""

_REACHES = {
    name: rf"{either(f'versions.{name}')}|{mark}"
    for name, mark in (("up_to", "<="), ("from", ">="), ("below", "<"), ("above", ">"))
}
"""How far a refusal reaches, by the words before its number."""
_REACH = f"(?:{'|'.join(_REACHES.values())})"
_FIGURE = re.compile(r"(?<![\w.])v?(?P<figure>\d+(?:\.\d+)*)(?:\.[x*])?(?P<plus>\+)?(?![\w])")
_LED = re.compile(
    rf"(?:(?P<role>{either('versions.roles')})\s+)?"
    rf"(?:(?P<first>{_REACH})\s*)?"
    rf"(?:(?!(?:{either('versions.below', 'versions.above', 'versions.joining')})\b)"
    r"(?<!\w)(?P<product>[a-z][\w+#-]*)[ =]*)?"
    rf"(?:(?<!\w)versions?\s*)?"
    rf"(?:(?P<second>{_REACH})\s*)?$",
    re.IGNORECASE,
)
_LISTED = re.compile(r"\s*(?:,|/|&|,?\s*(?:and|or|nor))\s*(?:versions?\s+)?", re.IGNORECASE)
_OVER_FOR_A_NAME = ".,;:)/&"
_VAGUE = word_set("versions", "vague") | {""}
_SAID_OF_VERSIONS = stems_of("words", "of_versions")
"""Stems of what is said of versions alone; with any other word a clause is about something else too."""


class Refusal(Struct, frozen=True):
    """Versions of `product` ("" if none is named) that a clause refuses: from `low` up to `high` (not included).

    `figure` is the number as written and `clause` where it stands; `words` are its stems, if it says nothing else.
    `firm` says that asking for one of them is a contradiction.
    """

    product: str
    low: float
    high: float
    figure: str
    clause: str
    words: frozenset[str]
    firm: bool


class _Said(Protocol):
    """A clause: its words, its sign and its stems."""

    @property
    def text(self) -> str: ...
    @property
    def sign(self) -> int: ...
    @property
    def stems(self) -> tuple[str, ...]: ...


def refusals(clauses: Iterable[_Said]) -> tuple[Refusal, ...]:
    """What the clauses of a text refuse."""
    return tuple(one for said in clauses if said.sign < 0 or says(said.text, "words.turned_down") for one in _of(said))


def refused(told: Iterable[Refusal], quote: str) -> bool:
    """Whether a number, as it was read, is of a version that is refused."""
    return any(one.figure in quote and quote.strip() in one.clause for one in told)


def _of(said: _Said) -> Iterator[Refusal]:
    text = said.text.replace("`", " ").replace('"', " ")
    product, aimed, last = "", True, -1
    for match in _FIGURE.finditer(text):
        before = _LED.search(text[max(0, match.start() - MAX_BEFORE) : match.start()])
        listed = last >= 0 and _LISTED.fullmatch(text, last, match.start()) is not None
        if before is None:
            continue
        if not listed:
            product = (before["product"] or "").lower()
            aimed = not before["role"] or before["role"].lower().endswith(" on")
        if not _is_version(match["figure"], product, text[match.end() :]):
            continue
        last = match.end()
        named = "" if product in _VAGUE else product
        low, high = _range(match, before["first"] or before["second"] or "", text[match.end() :])
        words = frozenset(said.stems)
        words = words if aimed and not beside(words, named) else frozenset()
        yield Refusal(named, low, high, match["figure"], text, words, bool(words) and not says(text, "words.mildly"))


def _is_version(figure: str, product: str, after: str) -> bool:
    """Whether a number is a version: of a known product, with a dot, or of a name with nothing counted behind it."""
    if product in PRODUCTS or "." in figure:
        return True
    return product not in _VAGUE and _counts_nothing(after, _OVER_FOR_A_NAME, "versions.over_for_a_name")


def beside(stems: frozenset[str], product: str) -> frozenset[str]:
    """Stems that are about something other than versions of the product."""
    return stems - _SAID_OF_VERSIONS - {stem(product), *_meanings(product)} - lexicon().silent


def _meanings(product: str) -> frozenset[str]:
    match = lexicon().same.at((stem(product),), 0) if product else None
    return frozenset((match[1],)) if match else frozenset()


def _range(match: re.Match[str], reach: str, after: str) -> tuple[float, float]:
    low, high = _reach(match["figure"])
    reaches = next((name for name, words in _REACHES.items() if re.fullmatch(words, reach, re.IGNORECASE)), "")
    if reaches == "up_to" or opens(after.lstrip(), "versions.and_less"):
        return -math.inf, high
    if match["plus"] or reaches == "from" or opens(after.lstrip(), "versions.and_more"):
        return low, math.inf
    if reaches == "below":
        return -math.inf, low
    return (high, math.inf) if reaches == "above" else (low, high)
