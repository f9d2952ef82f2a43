"""Times of day in prose: "16:00", "4 pm" and "noon" are minutes of a day, told in a zone or in none."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ZONES = {
    "utc": 0, "gmt": 0, "z": 0, "bst": 1, "cet": 1, "cest": 2, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "pst": -8,
    "pdt": -7,
}  # fmt: skip
"""Hours ahead of Greenwich."""
_NAMED = {"noon": 12, "midday": 12, "midnight": 0}
_CLOCK = re.compile(
    r"(?<![\w:.])(?:(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?:\s?(?P<half>[ap])\.?m\b\.?)?(?![:\d])"
    r"|(?P<of_half>1[0-2]|[1-9])\s?(?P<told>[ap])\.?m\b\.?|(?P<named>noon|midday|midnight)\b)"
    rf"(?:\s*(?P<zone>{'|'.join(_ZONES)})\b)?",
    re.IGNORECASE,
)
_HALF_DAY, _HOUR, _DAY = 12, 60, 24 * 60


def clocks(text: str) -> Iterator[tuple[re.Match[str], int, str]]:
    """Every time of day: where it stands, its minute (of Greenwich where a zone is told), "utc" or no zone."""
    for match in _CLOCK.finditer(text):
        hour = _NAMED.get((match["named"] or "").lower(), int(match["hour"] or match["of_half"] or 0))
        if half := (match["half"] or match["told"] or "").lower():
            hour = hour % _HALF_DAY + (_HALF_DAY if half == "p" else 0)
        zone = (match["zone"] or "").lower()
        minute = hour * _HOUR + int(match["minute"] or 0) - _ZONES.get(zone, 0) * _HOUR
        yield match, minute % _DAY, "utc" if zone else ""
