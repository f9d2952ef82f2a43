"""A statement in plainer words, and cut where a "not" ends: how English says one thing in many ways."""

from __future__ import annotations

import re
from itertools import pairwise

from companion.language.phrases import opens, parted, places, rewritten

_STOP = re.compile(r"(?<=[.!?])\s+|\n+")
_BREAK = re.compile(r"(?<=[.;!?])\s+|(?<=:)\s+(?=\S+ \S+ \S+)|\s+[-–—]+\s+|[;()]")
"""The marks at which a "not" ends; the words are in `data/phrasing.toml`."""
_CONTRACTED = re.compile(r"n['’]t\b", re.IGNORECASE)
_CALL = re.compile(r"(?<=\w)\(\)")
"""The marks of a call end no thought."""
_JOINED = re.compile(r"\+(?=[a-z])", re.IGNORECASE)
_NO_FLAG = re.compile(r"(?<![\w-])--?f?no-(?=\w)", re.IGNORECASE)
_RUN = re.compile(r"(\s)\s++")


def spaced(text: str) -> str:
    """A text with one space where there were several, so that no expression has to walk a page of them."""
    return _RUN.sub(r"\1", text)


def stretches(text: str) -> list[str]:
    """The sentences of a text by their stops and by its lines, whatever they are: as much as a safe guess needs."""
    return _STOP.split(text)


def plain(text: str) -> str:
    """A text with contractions written out, and with moves, replacements and owners said plainly."""
    text = _CONTRACTED.sub(" not", text).replace("can not", "cannot")
    text = rewritten(text, "phrasing.plainer")
    return _CALL.sub("", _NO_FLAG.sub("no ", _JOINED.sub(" ", text)))


def pieces(text: str) -> list[str]:
    """The clauses of a text: a "not" reaches to the end of its own and no further.

    A condition that stands in front ends at its comma.
    """
    breaks = [start for start, _ in places(text, "phrasing.breaks")]
    starts = {start for start in breaks if text[:start][-1:].isspace()}
    starts |= {start for start, _ in places(text, "phrasing.behind_comma") if text[:start].rstrip().endswith(",")}
    fronted = {0, *(found.end() for found in _BREAK.finditer(text))}.intersection(breaks)
    starts |= {comma + 1 for start in fronted if (comma := text.find(", ", start)) > 0}
    cuts = [(start, start) for start in starts] + [found.span() for found in _BREAK.finditer(text)]
    ends = sorted({0, len(text), *(place for cut in cuts for place in cut)})
    found = (text[start:end].strip(" \t\n,.;:!?") for start, end in pairwise(ends) if (start, end) not in cuts)
    return [piece for piece in found if any(letter.isalnum() for letter in piece)]


def unbounding(piece: str) -> str:
    """A clause without words that look like a denial and only bound a number, or belong to another word."""
    for start, end in places(piece, "words.bounding"):
        piece = f"{piece[:start]}{' ' * (end - start)}{piece[end:]}"
    return piece


def sequence(text: str) -> tuple[str, str] | None:
    """What a sentence says comes first, and what second; None where it tells of no order."""
    text = text.replace(", then ", " and only then ")
    fronted, comma, rest = text.partition(", ")
    if comma and (end := opens(fronted, "words.fronted")):
        return (rest, fronted[end:]) if opens(fronted, "words.earlier") else (fronted[end:], rest)
    for joints, turned in (("words.earlier", False), ("words.later", True)):
        first, joint, second = parted(text, joints)
        if joint and first and second:
            return (second, first) if turned else (first, second)
    return None
