"""What no other module knows: the line that looks most like an error, else the first one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.signals.errors.found import FoundError, RawFrame, number

_TYPED = re.compile(
    r"(?:.*?\s)?([\w$.:\\]*[A-Z][\w$]*(?:Error|Exception|Fault|Panic|Failure|Violation))"
    r"(?:: ?(.*))?$"
)
_WORD = re.compile(
    r"(?:.*?\b)?((?:fatal )?error|panic|failed|failure|exception|critical)\b[^:\w]{0,3}: ?(.+)$", re.IGNORECASE
)
_PLACE = re.compile(r"(?:^|[\s(\[\"'`])((?:[A-Za-z]:[\\/])?[\w@./\\+-]{1,200}\.[A-Za-z]\w{0,9}):(\d+)(?!\d)")
PLACES_MAX = 10
"""Places read out of a text that nobody knows the form of."""


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """One error, if there is any line at all."""
    filled = [at for at, line in enumerate(lines) if line.strip()]
    if not filled:
        return
    places = [RawFrame(place.group(1), number(place.group(2))) for at in filled for place in _PLACE.finditer(lines[at])]
    frames = tuple(places[:PLACES_MAX])
    for pattern in (_TYPED, _WORD):
        for at in filled:
            if found := pattern.match(lines[at]):
                yield FoundError("plain", found.group(1), (found.group(2) or "").strip(), frames, at, at)
                return
    best = next((at for at in filled if _PLACE.search(lines[at])), filled[0])
    yield FoundError("plain", "", lines[best].strip(), frames, best, best)
