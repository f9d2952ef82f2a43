"""What only opens a sentence, taken off: fillers, and phrases such as "we decided to", by what they open."""

from __future__ import annotations

import re

from companion.language.phrases import opens

_WORD = re.compile(r"[^\W_]")
_GOES_ON = re.compile(r"['’/-]\w")
"""Behind a phrase that is only the first part of a longer word: "so-called", "let's"."""
_MARK_BEFORE_WORD = re.compile(r"\W*[^\w\s]\W*\w")


def unopened(text: str, *kinds: str) -> str:
    """The text from where it says something: without fillers, and without openings of these kinds."""
    start, _ = _opened(text, kinds)
    return text[start:]


def opening(text: str, *kinds: str) -> str:
    """Which of these kinds of opening a text begins with, fillers aside; empty for none."""
    return _opened(text, kinds)[1]


def sets_against(text: str) -> bool:
    """Whether a text opens with a "no", "wait" or "actually": what follows stands against what was said before it."""
    rest = _from_word(text)
    while rest and not _phrase(rest, "openings.contrast"):
        if not (end := _filler(rest)):
            return False
        rest = _from_word(rest[end:])
    return bool(rest)


def _opened(text: str, kinds: tuple[str, ...]) -> tuple[int, str]:
    """Where a text goes on after fillers and openings, and the kind of the first opening; 0 where nothing follows."""
    rest, found = _from_word(text), ""
    while rest:
        end = _filler(rest)
        for kind in kinds:
            if not end and (end := _loose_phrase(rest, f"openings.openings.{kind}")):
                found = found or kind
        if not end:
            break
        rest = _from_word(rest[end:])
    return len(text) - len(rest) if rest and len(rest) < len(_from_word(text)) else 0, found


def _filler(text: str) -> int:
    """Where a text goes on behind the filler that it begins with, 0 for none; some are fillers before a mark alone."""
    end, marked = _phrase(text, "openings.fillers"), _phrase(text, "openings.before_a_mark")
    return marked if marked > end and _MARK_BEFORE_WORD.match(text, marked) else end


def _loose_phrase(text: str, phrases: str) -> int:
    """The same of a phrase in which soft words may stand, and with which the text is not over after one word."""
    end = _phrase(text, phrases, between="openings.soft") if " " in text.strip() else 0
    while end and (soft := _phrase(rest := _from_word(text[end:]), "openings.soft")) and _from_word(rest[soft:]):
        end = len(text) - len(rest) + soft
    return end


def _phrase(text: str, phrases: str, *, between: str = "") -> int:
    end = opens(text, phrases, between=between)
    return 0 if _GOES_ON.match(text, end) else end


def _from_word(text: str) -> str:
    """The text from its first word on; empty where it has none."""
    found = _WORD.search(text)
    return text[found.start() :] if found else ""
