"""Which numbers are versions, of what, and from where to where they reach."""

from __future__ import annotations

import math
import re

from companion.language.bounds import AT_LEAST, AT_MOST, EXACT, NEAR_CHARS, bound

_PRODUCTS = (
    "python node node.js go golang rust rustc java jdk kotlin swift ruby php react vue angular svelte django "
    "rails laravel symfony spring postgres postgresql mysql mariadb mongodb redis kafka elasticsearch ios android "
    "macos windows ubuntu debian alpine tls http gradle maven cmake gcc clang llvm cuda safari chrome firefox "
    "explorer edge typescript ecmascript openssl kubernetes helm terraform unity unreal godot boot dotnet .net "
    "scala elixir erlang perl lua dart flutter npm pnpm yarn webpack vite eslint prettier pytest numpy pandas "
    "pytorch tensorflow protobuf glibc bootstrap tailwind next nuxt electron qt opengl vulkan api sdk interpreter "
    "compiler runtime ie ghc jvm ansible nginx bash "
)
PRODUCTS = frozenset(_PRODUCTS.split())
"""Things whose bare number is a version: "Node 20", "Java 17"."""
_NAMES = "|".join(re.escape(name) for name in sorted(PRODUCTS, key=lambda name: (-len(name), name)))
_NAMED = re.compile(rf"(?<![\w.])({_NAMES})\b\s*(?:versions?\s*)?(?:is|to|on|at|=|:)?\s*$", re.IGNORECASE)
_ANYWHERE = re.compile(rf"(?<![\w.])({_NAMES})\b", re.IGNORECASE)
_WORDS = re.compile(
    r"(?:\bversions?|\bv|requires?-python\W*|\bmsrv\W*|language version\W*|toolchain\W*)\s*$", re.IGNORECASE
)
_MOVED = re.compile(
    r"(?:upgrad|mov|migrat|bump|updat|rais|switch|stay|stuck|still)\w*(?: \w+)? (?:to|on|onto|at)\s*$", re.IGNORECASE
)
_PINNED = re.compile(
    r"([A-Za-z][\w-]*)\s+(?:must be|should be|has to be|is pinned)?\s*(?:at least|at most|below|to|at)\s*$"
)
_COUNTED = re.compile(
    r"\s*(?:-|\w+\s)?(?:columns?|characters?|lines?|workers?|threads?|replicas?|instances?|connections?|nodes?)\b"
)
_ENDS = re.compile(r"\s*(?:$|[.,;:)]|(?:or|and|for|in|on|to|because|until|since)\b)")
_BEFORE = re.compile(
    r"([^\W\d_][^\W_]*)(?:[-_ :='(\[]+(?:versions?|level|is|to|on|at)\b)?[-_ :='(\[]*(?:[<>=~^!]=?)?\s*$",
    re.IGNORECASE,
)


def product_of(before: str, number: str, after: str, operator: str) -> str | None:
    """What the number is a version of ("" if nothing is named); None if it is no version."""
    if "," in number or _COUNTED.match(after):
        return None
    if _MOVED.search(before[-NEAR_CHARS:]):
        found = _ANYWHERE.search(before)
        if found:
            return found[1].lower()
    near = before[-NEAR_CHARS:]
    pinned = _PINNED.search(near)
    if number.count(".") == 1 and not number.startswith("0") and pinned and _ENDS.match(after):
        return pinned[1].lower()
    plain = number.startswith("v") or number.count(".") >= 2 or number.endswith((".x", ".*"))
    compared = bool(operator.strip("+=")) and "." in number
    if not (plain or compared or _WORDS.search(near) or _NAMED.search(near)):
        return None
    name = _BEFORE.search(near)
    return name[1].lower() if name else ""


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
