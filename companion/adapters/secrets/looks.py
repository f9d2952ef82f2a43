"""How a value looks: its letters, words and runs, and how much chance is in it."""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections import Counter
from itertools import pairwise

LONGEST_NUMBER = 4
"""A run of digits up to this length belongs to an identifier (`oauth2`, `web2026`)."""
MOST_NUMBERS = 3
"""Runs of digits in an identifier (`oauth2_v1_x509`)."""
COMMON_PAIRS = 4.2
"""Pairs of letters are as common as this on average in all but 2 of 1,000 words of twelve letters or more, and in
8 of 1,000 texts of as many random letters."""
COMMON_PAIRS_OF_SHORT = 3.8
"""The same for shorter words, of which many are abbreviations."""
MANY_PAIRS = 11
FEWEST_PAIRS = 3
"""Two or three letters may be any abbreviation."""
LONGEST_ABBREVIATION = 3
SHORT_PIECE = 2
UNCOMMON = 2
"""What a piece of one or two letters counts for: identifiers have few, random letters many."""
SHORTEST_RUN = 3
"""Characters that follow one another, from which on they were typed and not drawn."""
RUN_SHARE = 0.7
"""A value of which so much is runs was typed; of random ones less than a tenth is."""

SHORTEST_STRONG = 10
STRONG_ENTROPY = 2.8
LONGEST_PIECE = 3
"""Letters and digits of one sort in a row, on average: in names and sentences they are four and more."""

_FOLLOWS = {
    "a": "15550241413656040656431232", "b": "63336212631622520553510130", "c": "61316106505511711436410020",
    "d": "62247311610412620442521120", "e": "42553331312546142765232422", "f": "61236521701522611534501030",
    "g": "52217244612434520653511021", "h": "72127111601433631535401031", "i": "43545440002547531555040214",
    "j": "62237223423333633362533223", "k": "52237232622523532365513132", "l": "61247221601631620144420050",
    "m": "74127110601441660042400030", "n": "51566461503323420156431021", "o": "33552331313557440654534111",
    "p": "60226214501621650645401040", "q": "32233222322522323232823222", "r": "62347231603344620455421030",
    "s": "51526224602332552157512030", "t": "61327205700331520654402041", "u": "44435330501556250656120222",
    "v": "71218111601212610321321111", "w": "62337325611325621553222211", "x": "52646413612342362237322441",
    "y": "63445341522545561355333152", "z": "62347232621432422343523234",
}  # fmt: skip
"""How common each letter from a to z is after a letter, in words and identifiers of fifteen projects in ten
languages: 9 always, and one less for half as often."""

_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NOT_OF_WORDS = re.compile(r"[^\w\-. :/|,&]")
_HEX = re.compile(r"(?:0x)?[0-9a-fA-F]+")
_CLASSES = tuple(re.compile(one) for one in (r"[a-z]", r"[A-Z]", r"\d", r"[^A-Za-z0-9]"))
_PLAIN_NAME = re.compile(r"_*(?:[a-z]{1,5}|[A-Z]{1,4}|[A-Z]{1,2}[a-z]{1,5})\d{0,2}_*")
_ROWS = ("0123456789", "1234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm")
_STEPS: dict[str, frozenset[int]] = {
    a + b: frozenset(
        direction
        for number, row in enumerate(_ROWS, start=1)
        for direction in ((number if a + b in row else 0), (-number if b + a in row else 0))
        if direction
    )
    for row in _ROWS
    for one, other in pairwise(row)
    for a, b in ((one, other), (other, one))
}
"""Two letters side by side -> the rows they stand in, negative where they run backwards."""
_ANY_ROW: frozenset[int] = frozenset[int]().union(*_STEPS.values())


def entropy(value: str) -> float:
    """Shannon entropy in bits a character."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values()) if value else 0.0


def character_classes(value: str) -> int:
    """How many of lower case, upper case, digits and marks occur."""
    return sum(1 for of in _CLASSES if of.search(value))


def from_base64(value: str) -> bytes:
    """What base64 holds; nothing where it is none."""
    try:
        return base64.b64decode(value, validate=True)
    except binascii.Error:
        return b""


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
    numbers = [part for part in parts if part.isdigit()]
    if not parts or len(parts) > max(3, sum(map(len, parts)) / 3) or len(numbers) > MOST_NUMBERS:
        return False
    return all(len(number) <= LONGEST_NUMBER for number in numbers) and not is_odd(parts)


def is_name(value: str) -> bool:
    """Whether the value could be the name of a variable, nothing included: few pieces, and those of words."""
    if not value or _PLAIN_NAME.fullmatch(value):
        return True
    return is_wordy(value) and len(pieces(value)) <= 1 + len(value) / 3


def is_strong(value: str) -> bool:
    """Whether so many sorts of characters change so often that no words, names or numbers are left."""
    if len(value) < SHORTEST_STRONG or character_classes(value) < 3 or is_wordy(value):
        return False
    parts = pieces(value)
    return len(parts) > sum(map(len, parts)) / LONGEST_PIECE and entropy(value) >= STRONG_ENTROPY


def is_odd(parts: list[str], common_pairs: float = COMMON_PAIRS) -> bool:
    """Whether letters stand side by side as they do in no language. Short capitals count as abbreviations."""
    pairs = common = 0
    for part in parts:
        if part.isdigit() or (part.isupper() and 1 < len(part) <= LONGEST_ABBREVIATION):
            continue
        lower = part.lower()
        pairs += len(lower) - 1
        common += sum(int(_FOLLOWS[a][ord(b) - ord("a")]) for a, b in pairwise(lower))
        if len(part) <= SHORT_PIECE:
            pairs += 1
            common += UNCOMMON
    return pairs >= FEWEST_PAIRS and common < pairs * (common_pairs if pairs >= MANY_PAIRS else COMMON_PAIRS_OF_SHORT)


def is_typed_in_order(value: str) -> bool:
    """Counting up or along the keyboard, or the same again: `12345678`, `asdfqwer1234`, `aaaabbbb`, `a1b2c3d4`."""
    lower = "".join(letter for letter in value.lower() if letter.isalnum())
    return _goes_in_order(lower) or (
        len(lower) > 2 * SHORTEST_RUN and all(map(_goes_in_order, (lower[::2], lower[1::2])))
    )


def _goes_in_order(lower: str) -> bool:
    if not lower:
        return True
    covered, run = 0, 1
    along: frozenset[int] = _ANY_ROW
    for a, b in pairwise(lower):
        step = _ANY_ROW if a == b else _STEPS.get(a + b, frozenset())
        if along & step:
            run, along = run + 1, along & step
        else:
            run, along = (2, step) if step else (1, _ANY_ROW)
        covered += 1 if run > SHORTEST_RUN else SHORTEST_RUN if run == SHORTEST_RUN else 0
    return covered >= RUN_SHARE * len(lower)


def is_repeated(value: str) -> bool:
    """One short text again and again: `abcabcabc`, `deadbeefdeadbeef`."""
    doubled = (value + value).find(value, 1)
    return doubled < len(value) and doubled <= max(4, len(value) // 3)
