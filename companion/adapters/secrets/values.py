"""Whether a value given to a telling name is the secret itself, by how it looks.

Four bars, from low to high: a value in quotes or on a line of settings; a bare one, which may be code; a loose one,
which only stands beside the name in prose; and a stray one, with nothing but a blank between. Passwords are made by people, so words with a number count; keys and
tokens are drawn by chance, so words never do.
"""

from __future__ import annotations

import re
from enum import IntEnum

from companion.adapters.secrets import harmless, looks, words
from companion.adapters.secrets.expressions import is_expression
from companion.adapters.secrets.names import SecretName

LONGEST_VALUE = 4_000
"""Characters: a longer one is data."""
LOOKED_AT = 256
"""Characters that tell how a value looks; the rest is like them."""
MIN_ENTROPY = 2.8
"""Bits a character: eight different characters have three; words of English have 2.2 to 2.9."""
MIN_PASSWORD_ENTROPY = 2.5
"""People repeat letters more than chance does."""
MIN_LOOSE_ENTROPY = 3.2
"""In prose a random value must be told from a name, a commit and a measure."""
SHORTEST_PASSWORD = 6
SHORTEST_SIMPLE_PASSWORD = 8
"""Shorter ones need three of small letters, capitals, digits and marks: else they are words or numbers."""
SHORTEST_TOKEN = 8
SHORTEST_SIMPLE_TOKEN = 16
"""64 bits in hexadecimal: no issuer gives less."""
COMMON_PAIRS = 4.5
"""What letters given to a telling name must reach to be words: 2 of 1,000 random ones do, and of long words 985."""
SHORTEST_CHOSEN_WORD = 4
"""Letters of a word in a password: shorter ones are abbreviations (`sha256`, `v12`)."""
SHORTEST_LOOSE_HEX = 32
"""In prose shorter ones are commits."""
SHORTEST_PHRASE = 4
"""Words of a passphrase: three words are a name."""
LONGEST_PHRASE = 24
"""The longest phrase that restores a wallet."""
MOST_FOREIGN = 0.3
"""Share of letters beyond ASCII in a password; texts for people who do not read English have more, and no digit."""
MANY_MARKS = 0.15
"""Share of marks in a drawn value with blanks: a sentence has less than a tenth."""

_MARKS = re.compile(r"[^A-Za-z0-9+/=_\-]")
_PHRASE = re.compile(r"[a-z]{3,10}([-_. ])[a-z]{3,10}(?:\1[a-z]{3,10})+")
_PREFIX = re.compile(r"^(?:(?:base64|hex|b64|plain|clear|s):|django-insecure-)")
_FOURS = re.compile(r"[a-z]{4}(?:[- ][a-z]{4}){3}")
"""An application's password, as mail services give them out."""
_REGEX = re.compile(r"\[\^?(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d)|\(\?[:=!<P]|\\[dwsbn]\S*\\[dwsb][+*]")
_NO_LETTERS = re.compile(r"[^A-Za-z0-9]+")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{8,}={0,2}|[A-Za-z0-9_\-]{8,}={0,2}")


class Bar(IntEnum):
    """How sure the place is that a secret stands there."""

    QUOTED = 0
    BARE = 1
    LOOSE = 2
    STRAY = 3


def is_secret(value: str, name: SecretName, bar: Bar) -> bool:
    """Whether a value that stands with a telling name is a secret."""
    value = _PREFIX.sub("", value.strip())
    if not SHORTEST_PASSWORD <= len(value) <= LONGEST_VALUE or harmless.is_interpolated(value):
        return False
    if not value.isascii() and not (name.is_password and bar is Bar.QUOTED and _is_mostly_ascii(value)):
        return False
    value = value[:LOOKED_AT]
    if harmless.is_placeholder(value) or harmless.is_reference(value):
        return False
    if not (bar is Bar.QUOTED and name.is_password) and (is_expression(value) or _REGEX.search(value)):
        return False
    if " " in value:
        return bar is not Bar.STRAY and _is_secret_with_blanks(value, name, bar)
    if bar is Bar.STRAY:
        return looks.is_strong(value)
    inside = _decoded(value)
    if inside:
        return not (harmless.is_placeholder(inside) or harmless.is_reference(inside))
    return is_password(value, bar) if name.is_password else is_token(value, bar)


def _decoded(value: str) -> str:
    """What base64 holds, if it is text that could be a secret; a token drawn by chance holds none."""
    if not _BASE64.fullmatch(value):
        return ""
    plain = value.replace("-", "+").replace("_", "/") + "=" * (-len(value) % 4)
    text = looks.from_base64(plain).decode("ascii", "replace").strip()
    return text if len(text) >= SHORTEST_PASSWORD and text.isprintable() and text.isascii() else ""


def is_drawn(value: str) -> bool:
    """Whether letters and digits alone tell that chance drew them, and that they are no commit's."""
    return is_token(value, Bar.LOOSE) or looks.is_strong(value)


def is_password(value: str, bar: Bar) -> bool:
    """Whether a value without blanks is a password that somebody uses."""
    if len(value) < SHORTEST_PASSWORD or value.isdigit():
        return False
    if len(value) < SHORTEST_SIMPLE_PASSWORD:
        return bar is not Bar.LOOSE and (looks.character_classes(value) >= 3 or is_made_up(value))
    if is_passphrase(value):
        return bar is Bar.QUOTED or "-" in value
    if looks.is_wordy(value):
        return is_made_up(value) and (bar is not Bar.LOOSE or looks.character_classes(value) >= 3)
    if looks.character_classes(value) < 2:
        return is_drawn_letters(value)
    if bar is Bar.LOOSE and not re.search(r"\d", value) and not looks.is_strong(value):
        return False
    if (
        bar is not Bar.QUOTED
        and value.isascii()
        and not re.search(r"\d", value)
        and looks.is_wordy(_NO_LETTERS.sub(" ", value))
    ):
        return False
    return looks.entropy(value) >= (MIN_PASSWORD_ENTROPY if bar < Bar.LOOSE else MIN_ENTROPY)


def is_token(value: str, bar: Bar) -> bool:
    """Whether a value without blanks was drawn by chance."""
    if (
        len(value) < SHORTEST_TOKEN
        or value.isdigit()
        or looks.is_wordy(value)
        or looks.is_wordy(_NO_LETTERS.sub(" ", value))
    ):
        return False
    if looks.is_hex(value):
        return len(value) >= (SHORTEST_SIMPLE_TOKEN if bar is not Bar.LOOSE else SHORTEST_LOOSE_HEX)
    classes = looks.character_classes(value)
    if classes < 2 or (bar is not Bar.QUOTED and not re.search(r"\d", value)):
        return len(value) >= SHORTEST_SIMPLE_TOKEN and (is_drawn_letters(value) or looks.is_strong(value))
    if len(value) < SHORTEST_SIMPLE_TOKEN and (classes < 3 or bar is Bar.LOOSE):
        return False
    return looks.entropy(value) >= (MIN_ENTROPY if bar is Bar.QUOTED else MIN_LOOSE_ENTROPY)


def is_made_up(value: str) -> bool:
    """Words with a number, as people choose passwords: `copperLantern48`, `hunter2`."""
    parts = looks.pieces(value)
    chosen = [part.lower() for part in parts if not part.isdigit()]
    numbers = [part for part in parts if part.isdigit()]
    if not numbers or max(map(len, chosen), default=0) < SHORTEST_CHOSEN_WORD:
        return False
    return not all(harmless.is_fixture_word(word) for word in chosen if len(word) > 2)


def is_passphrase(value: str) -> bool:
    """Words picked by chance, in small letters, none of them of forms and sentences."""
    if not _PHRASE.fullmatch(value):
        return False
    picked = re.split(r"[-_. ]", value)
    if not SHORTEST_PHRASE <= len(picked) <= LONGEST_PHRASE:
        return False
    return not any(word in words.GRAMMAR or harmless.is_fixture_word(word) for word in picked)


def is_drawn_letters(value: str) -> bool:
    """Whether letters stand side by side in the value as they do in no language, so that it was drawn by chance."""
    return not _MARKS.search(value) and looks.is_odd(looks.pieces(value), COMMON_PAIRS)


def _is_secret_with_blanks(value: str, name: SecretName, bar: Bar) -> bool:
    if _FOURS.fullmatch(value):
        return name.is_password and not any(word in words.GRAMMAR or word in words.FIXTURES for word in value.split())
    if bar is not Bar.QUOTED:
        return name.called == "passphrase" and is_passphrase(value)
    if is_passphrase(value):
        return name.is_password
    marks = sum(1 for letter in value if not letter.isalnum() and letter != " ")
    return looks.character_classes(value) == 4 and marks >= MANY_MARKS * len(value)


def _is_mostly_ascii(value: str) -> bool:
    """A password with an umlaut, and no word of another script or language."""
    foreign = sum(1 for letter in value if not letter.isascii())
    return foreign <= MOST_FOREIGN * len(value) and " " not in value and bool(re.search(r"\d", value))
