"""How a value looks: its letters, words and runs, and how much chance is in it."""

from __future__ import annotations

import math
import re
from collections import Counter

LONGEST_NUMBER = 4
"""A run of digits up to this length belongs to an identifier (`oauth2`, `web2026`)."""
FEWEST_ODD_PAIRS = 2
"""One unusual pair of letters happens in any word (`adjust`, `sqlite`)."""
ODD_SHARE_OF_WORDS = 0.25
"""More of the pairs than this are unusual in no identifier; of random letters 55 in 100 are."""
SHORTEST_RUN = 3
"""Characters that follow one another, from which on they were typed and not drawn."""
RUN_SHARE = 0.7
"""A value of which so much is runs was typed; of random ones less than a tenth is."""

_FOLLOWS = {
    "a": "bcdfgiklmnprstuvwxyz", "b": "aeilorsuy", "c": "acehikloprstuy", "d": "abdefilmnorsu", "e": "abcdefghiklmnopqrstuvwxyz",
    "f": "aefilortuy", "g": "aeghilnorsu", "h": "aeilmnortuy", "i": "abcdefgklmnoprstvxyz", "j": "aeosu", "k": "aeilnostuy",
    "l": "abdefilmoprstuvy", "m": "abeilmopstuy", "n": "acdefgiklmnopstuvy", "o": "abcdefgiklmnoprstuvwxy", "p": "aehilmoprstuy",
    "q": "u", "r": "abcdefgiklmnoprstuvy", "s": "acehiklmnopqrstuvwy", "t": "abcdefhilmoprstuwyz", "u": "abcdefgilmnprstz",
    "v": "aeiory", "w": "aehilnors", "x": "aceiptmy", "y": "aceilmnopst", "z": "aeioyz",
}  # fmt: skip
"""The letters that follow a letter in words and identifiers, but for the rarest twenty-fifth of pairs."""

_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NOT_OF_WORDS = re.compile(r"[^\w\-. :/|,&]")
_UUID = re.compile(r"\{?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\}?")
_HEX = re.compile(r"(?:0x)?[0-9a-fA-F]+")
_CLASSES = tuple(re.compile(one) for one in (r"[a-z]", r"[A-Z]", r"\d", r"[^A-Za-z0-9]"))
_ROWS = ("0123456789", "1234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm")
_STEPS = frozenset(a + b for row in _ROWS for a, b in zip(row, row[1:], strict=False))


def entropy(value: str) -> float:
    """Shannon entropy in bits a character."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values()) if value else 0.0


def character_classes(value: str) -> int:
    """How many of lower case, upper case, digits and marks occur."""
    return sum(1 for of in _CLASSES if of.search(value))


def is_uuid(value: str) -> bool:
    """Whether the value is a UUID."""
    return bool(_UUID.fullmatch(value))


def is_hex(value: str) -> bool:
    """Whether the value is hexadecimal digits alone."""
    return bool(_HEX.fullmatch(value))


def pieces(value: str) -> list[str]:
    """The words and numbers a value is written of: `dbPassword2` is `db`, `Password`, `2`."""
    return _PIECES.findall(value)


def is_wordy(value: str) -> bool:
    """Whether the value reads like an identifier, a path or a list: words one can pronounce, short numbers."""
    if not value.isascii() or _NOT_OF_WORDS.search(value):
        return False
    parts = pieces(value)
    if not parts or len(parts) > max(2, sum(map(len, parts)) / 3):
        return False
    return all(len(part) <= LONGEST_NUMBER for part in parts if part.isdigit()) and not is_odd(parts)


def is_odd(parts: list[str]) -> bool:
    """Whether letters stand side by side as they do in no language. Short capitals count as abbreviations."""
    pairs = odd = 0
    for part in parts:
        if part.isdigit() or (part.isupper() and len(part) <= SHORTEST_RUN):
            continue
        lower = part.lower()
        pairs += len(lower) - 1
        odd += sum(b not in _FOLLOWS[a] for a, b in zip(lower, lower[1:], strict=False))
    return odd >= FEWEST_ODD_PAIRS and odd > ODD_SHARE_OF_WORDS * pairs


def is_typed_in_order(value: str) -> bool:
    """Counting up or along the keyboard, or the same again: `12345678`, `asdfqwer1234`, `aaaabbbb`."""
    lower = "".join(letter for letter in value.lower() if letter.isalnum())
    if not lower:
        return True
    covered, run = 0, 1
    for a, b in zip(lower, lower[1:], strict=False):
        run = run + 1 if a == b or a + b in _STEPS or b + a in _STEPS else 1
        covered += 1 if run > SHORTEST_RUN else SHORTEST_RUN if run == SHORTEST_RUN else 0
    return covered >= RUN_SHARE * len(lower)


def is_repeated(value: str) -> bool:
    """One short text again and again: `abcabcabc`, `deadbeefdeadbeef`."""
    doubled = (value + value).find(value, 1)
    return doubled < len(value) and doubled <= max(4, len(value) // 3)
