"""Which passages get a vector, what of them is embedded, and in which order: those worth it, most useful first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from companion.records import FileRole, Passage, PassageKind
from companion.records.roles import role_of
from companion.store.text.documents import text_hash, text_key
from companion.syntax.languages import role_by_name

MEANT_CHARACTERS = 600
"""Characters that are embedded: the model sees 128 word pieces, hardly more."""

KEYS_KEPT = 8_000
"""Passages of which the key is kept: those of twenty contexts, which are kept themselves."""

_RANKS = {PassageKind.DOCUMENT: 0, PassageKind.DOCSTRING: 1, PassageKind.CHUNK: 1, PassageKind.COMMIT: 2}
KEY_DIGITS = 16
"""Digits of a key, written in hexadecimal."""
_LAST_SECOND = 9_999_999_999


def meant(passage: Passage) -> str:
    """What is embedded of a passage; empty for what its words alone find.

    These are the paragraphs of documents, definitions and what is said of them outside of tests, sections of settings
    with their comments, and commits that say more than their subject.
    """
    kind, text = passage.kind, passage.text.strip()
    if kind is PassageKind.COMMIT:
        return text[:MEANT_CHARACTERS] if "\n" in text else ""
    if kind is not PassageKind.DOCUMENT and role_of(passage.path, "") is FileRole.TEST:
        return ""
    heading = " > ".join((*passage.headings[-1:], passage.title))
    if kind in {PassageKind.DOCUMENT, PassageKind.DOCSTRING}:
        return f"{heading}\n{text}"[:MEANT_CHARACTERS]
    if kind is PassageKind.CHUNK and passage.symbol:
        return f"{passage.path} {passage.title}\n{text}"[:MEANT_CHARACTERS]
    if kind is PassageKind.COMMENT or (kind is PassageKind.CHUNK and _is_settings(passage.path)):
        return f"{passage.path} {heading}\n{text}"[:MEANT_CHARACTERS]
    return ""


def _is_settings(path: str) -> bool:
    return role_by_name(path) is FileRole.CONFIG


@lru_cache(maxsize=KEYS_KEPT)
def meaning_of(passage: Passage) -> int:
    """What the vector of a passage is known by; 0 for one that has none."""
    text = meant(passage)
    return text_key(text_hash(text)) if text else 0


def turn_of(passage: Passage, second: int | None) -> str:
    """When a passage gets its vector, as the index keeps it: its sort, then its file, or how old its commit is."""
    return f"{_RANKS.get(passage.kind, 3)}{passage.path or f'{_LAST_SECOND - (second or 0):010d}'}"


def in_turn(kept: Iterable[str], places: Mapping[str, int]) -> list[int]:
    """Keys of what is to have a vector, from `turn_of` with the key behind it, in the order in which they get it.

    Documents come first, then code, then commits, newest first; files by their `places`, those without one last.
    """
    split = ((one[0], one[1:-KEY_DIGITS], one[-KEY_DIGITS:]) for one in kept)
    return [int(key, 16) for *_, key in sorted((rank, places.get(of, len(places)), of, key) for rank, of, key in split)]
