"""What stands in whatever is told: how much of an id, how it came in, how long ago, and no sign that steers."""

from __future__ import annotations

import re
from datetime import datetime

from companion.records import Memory
from companion.records.memory import sharer
from companion.records.wording import counted

ID_SHOWN = 12
"""Signs of an id that are shown; any beginning that fits one alone is enough to name it."""
STILL_ASKING = "More of its story is still being read."
"""What stands last in an answer about a line that did not wait for git."""
CAME_BY = {
    "scan": "read from the repository",
    "shadow-extraction": "taken from a conversation",
    "seeded-profile": "from a starting profile",
    "curated-fold": "put together by a person",
    "by-hand": "noted by hand",
    "import": "imported",
}
"""The ways by which a memory comes in, in words."""
ASSISTANT = "assistant "
"""What stands before the name of the assistant in the origin of what one told."""
_AGES = (
    (365 * 86_400, "year"),
    (30 * 86_400, "month"),
    (7 * 86_400, "week"),
    (86_400, "day"),
    (3_600, "hour"),
    (60, "minute"),
)

_BIDIRECTIONAL = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Marks that turn the direction of reading: `exe.txt` can be shown where `txt.exe` is meant."""
_UNPRINTABLE = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{_BIDIRECTIONAL}]")


_JUDGES = re.compile(r" \+ |, ")
_OWN_JUDGE = re.compile(r"\A(rules|reader) [\w.@-]+\Z")


def line(done: str, memory: Memory) -> str:
    """What was done with a memory, its id and what it says."""
    return f"{done} {memory.id[:ID_SHOWN]}: {memory.draft.levels.summary}"


def on_a_line(text: str) -> str:
    """Text on one line, a dash between its title and the rest."""
    title, _, rest = text.partition("\n\n")
    return " - ".join(filter(None, (" ".join(part.split()) for part in (title, rest))))


def rank(number: int) -> str:
    """A place in an order: 1st, 2nd, 11th."""
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def judged_by(judge: str) -> str:
    """Who found a contradiction, without versions that tell a person nothing."""
    return " and ".join(_OWN_JUDGE.sub(r"\1", name) for name in _JUDGES.split(judge) if name) or "comparing values"


def came_by(source: str, origin: str = "") -> str:
    """How a memory came in, in words; of what an assistant told its name, which stands in the origin or the source."""
    if by := sharer(origin):
        return f"shared by {by}"
    name = next((one.removeprefix(ASSISTANT) for one in (origin, source) if one.startswith(ASSISTANT)), "")
    return f"said by an assistant ({name})" if name else CAME_BY.get(source, source)


def ago(moment: datetime | None, now: datetime) -> str:
    """How long ago a moment was, in the largest unit that fits; empty if it is not known."""
    if moment is None:
        return ""
    seconds = (now - moment).total_seconds()
    for size, name in _AGES:
        if seconds >= size:
            return f"{counted(int(seconds // size), name)} ago"
    return "just now" if seconds >= 0 else f"{moment:%Y-%m-%d}"


def printable(text: str) -> str:
    r"""Text that steers no terminal and reads in the order it has.

    Control characters and undecoded bytes are shown as `\xNN`, marks that turn the direction as `\uNNNN`.
    """
    return _UNPRINTABLE.sub(_shown, text)


def _shown(found: re.Match[str]) -> str:
    code = ord(found[0])
    undecoded_or_control = code <= 0xFF or 0xD800 <= code <= 0xDFFF
    return f"\\x{code & 0xFF:02x}" if undecoded_or_control else f"\\u{code:04x}"
