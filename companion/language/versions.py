"""Which numbers are versions, of what, and from where to where they reach."""

from __future__ import annotations

import math
import re

from companion.language.bounds import AT_LEAST, AT_MOST, EXACT, NEAR_CHARS, bound
from companion.language.word_lists import word_set
from companion.language.wording import either, opens, parted, says

PRODUCTS = word_set("versions", "products")
"""Things whose bare number is a version: "Node 20", "Java 17"."""
_NAMES = "|".join(re.escape(name) for name in sorted(PRODUCTS, key=lambda name: (-len(name), name)))
_NAMED = re.compile(rf"(?<![\w.])({_NAMES})\b\s*(?:versions?\s*)?(?:is|to|on|at|=|:)?\s*$", re.IGNORECASE)
_ANYWHERE = re.compile(rf"(?<![\w.])({_NAMES})\b", re.IGNORECASE)
_SAID = re.compile(rf"(?:\bversions?|\bv|(?:{either('versions.said')})\W*)\s*$", re.IGNORECASE)
_OVER = ".,;:)"
_BEFORE = re.compile(
    r"([^\W\d_][^\W_]*)(?:[-_ :='(\[]+(?:versions?|level|is|to|on|at)\b)?[-_ :='(\[]*(?:[<>=~^!]=?)?\s*$",
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
        and counts_nothing(after, _OVER, "versions.over")
    ):
        return pinned.lower()
    plain = number.startswith("v") or number.count(".") >= 2 or number.endswith((".x", ".*"))
    compared = bool(operator.strip("+=")) and "." in number
    if not (plain or compared or _SAID.search(near) or _NAMED.search(near)):
        return None
    name = _BEFORE.search(near)
    return name[1].lower() if name else ""


def counts_nothing(after: str, marks: str, words: str) -> bool:
    """Whether a number counts nothing of what stands behind it: the end, one of some marks or words of a list."""
    rest = after.lstrip()
    return rest[:1] in marks or opens(rest, words) > 0


def range_of(text: str, match: re.Match[str], number: str, operator: str, to: str = "") -> tuple[float, float, str]:
    """From which version on, up to which one (not included), and how that was said."""
    numbers = parts(number)
    low, high = scalar(numbers), scalar([*numbers[:-1], numbers[-1] + 1])
    if to:
        ends = parts(to)
        return low, scalar([*ends[:-1], ends[-1] + 1]), EXACT
    kind = bound(text, match.start(), match.end(), operator)
    if kind == AT_LEAST:
        return low, math.inf, kind
    # "<4" ends where 4 begins.
    return (-math.inf, low if operator == "<" else high, kind) if kind == AT_MOST else (low, high, kind)


def scalar(numbers: list[int]) -> float:
    """A version as one number that orders as versions do."""
    padded = [*numbers, 0, 0, 0][:3]
    return padded[0] * 1e6 + padded[1] * 1e3 + padded[2]


def parts(number: str) -> list[int]:
    """The numbers of a version, three at most."""
    return [min(int(part.lstrip("0")[:7] or 0), 999_999) for part in re.findall(r"\d+", number)[:3]] or [0]
