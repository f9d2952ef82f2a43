"""What sort of thing a question asks for, by the word that it begins with.

`Where is a panic caught?` wants a place in the code, `when was it added?` a commit, `how many may there be?` what holds
today: a document, a setting, the code. What is no question asks for all alike. It is a leaning, not a filter: another
sort comes first where it says enough more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from companion.records import PassageKind

_QUESTION = re.compile(
    r"(?:where|which|what|who|whose|why|how|when|since when|in which|is|are|do|does|can|may|must|should)\b"
)
_PLACE = re.compile(r"where\b|(?:in )?(?:which|what) (?:code|function|class|method|type|file|module|package)\b")
_PAST = re.compile(r"(?:since )?when\b|(?:in )?(?:which|what) (?:commit|change)\b|(?:why )?(?:was|were|did)\b")

LESS = 0.7
"""What a sort counts that is not asked for, beside the one that is."""

Leaning = Mapping[str, float]

_ALL_ALIKE: Leaning = MappingProxyType({})
_TO_CODE: Leaning = MappingProxyType({PassageKind.COMMIT.value: LESS, PassageKind.DOCUMENT.value: LESS})
_TO_TODAY: Leaning = MappingProxyType({PassageKind.COMMIT.value: LESS})


def leaning(text: str) -> Leaning:
    """What each sort of passage counts for a question; 1 where it is not named."""
    said = text.strip().lower()
    if _PAST.match(said):
        return _ALL_ALIKE
    if _PLACE.match(said):
        return _TO_CODE
    return _TO_TODAY if said.endswith("?") or _QUESTION.match(said) else _ALL_ALIKE
