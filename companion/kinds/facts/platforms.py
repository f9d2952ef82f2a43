"""Which version of a platform a sentence names, and whether newer ones will do too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from companion.kinds import subjects as s
from companion.kinds.facts.canonical import minimum_version
from companion.language.amounts import AT_LEAST
from companion.language.phrases import places
from companion.language.quantities import Quantity, quantities
from companion.language.word_lists import word_set

_WORD = re.compile(r"[^\W\d]+|[,;]")


class Platform(Struct, frozen=True):
    """A platform: its subject, the attribute of its least version, and how many numbers of one count.

    `spoken` is how people write it: what a document says is worded as a manifest's fact is.
    """

    subject: str
    attribute: str
    spoken: str
    language: str
    parts: int


_PLATFORMS = (
    Platform("python", s.MIN_PYTHON, "Python", "python", 2),
    Platform("node", "min_node", "Node.js", "javascript", 1),
    Platform("go", "min_go", "Go", "go", 2),
    Platform("rust", s.MSRV, "Rust", "rust", 3),
    Platform("java", "min_java", "Java", "java", 1),
    Platform("php", "min_php", "PHP", "php", 2),
    Platform("ruby", "min_ruby", "Ruby", "ruby", 2),
)


class PlatformVersion(Struct, frozen=True):
    """A version of a platform, with the place of its name; `least` says that newer ones will do too."""

    platform: Platform
    version: str
    least: bool
    start: int


def versions_named(text: str) -> Iterator[PlatformVersion]:
    """The platforms of which a sentence names one version: of several the oldest cannot be told for sure."""
    amounts = quantities(text) if any(character.isdigit() for character in text) else ()
    for platform in _PLATFORMS if amounts else ():
        found = [
            PlatformVersion(platform, minimum_version(one.quote, platform.parts), one.bound == AT_LEAST, start)
            for start, end in places(text, f"written.platforms.{platform.subject}")
            for at, one in enumerate(amounts)
            if _joined(text, end, one.place, "between") and not _goes_on(text, amounts[at : at + 2])
            if text[start - 1 : start] != "-"
        ]
        if len({one.version for one in found}) == 1:
            yield found[0]


def _goes_on(text: str, amounts: Sequence[Quantity]) -> bool:
    """Whether a number is the first of several: `3.4 and newer, and 2.7`, `3.8 to 3.11`."""
    first, *more = amounts
    several = len(re.findall(r"\d+(?:\.\d+)*", first.quote)) > 1
    return several or any(_joined(text, first.place + len(first.quote), one.place, "listing") for one in more)


def _joined(text: str, end: int, start: int, words: str) -> bool:
    """Whether nothing but such words stands between two places of a text."""
    return end <= start and set(_WORD.findall(text[end:start].lower())) <= word_set("written", words)
