"""Token counts of o200k without its library, which takes a second to load: exact, and none where that is not certain.

A text is cut into pieces by the vocabulary's own pattern; a piece that is no token is merged, the lowest rank first.
Signs beyond ASCII are cut as an ASCII sign of their class is. What class they are of is known where Unicode has not
changed its mind since 3.2 and for all punctuation; other signs are left to the library.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from weakref import WeakValueDictionary

PIECE_BYTES = 400
"""Merging takes the square of a piece's length; longer ones, as drawings of one sign, are left to the library."""
REMEMBERED_PIECES = 50_000
"""Distinct pieces kept with their counts: those of a large project, some 8 MB."""
REMEMBERED_SIGNS = 10_000
"""Distinct signs beyond ASCII kept with what they are like: those of a large project in Chinese, under 1 MB."""

_CASELESS, _MARK = "\x80", "\x81"
"""Stand for letters without case and for marks on letters; there is no such class among ASCII signs."""
_SHAPES = {
    **dict.fromkeys(("Lu", "Lt"), "A"),
    "Ll": "a",
    **dict.fromkeys(("Lm", "Lo"), _CASELESS),
    **dict.fromkeys(("Mn", "Mc", "Me"), _MARK),
    **dict.fromkeys(("Nd", "Nl", "No"), "0"),
    **dict.fromkeys(("Zs", "Zl", "Zp"), "\t"),
}
"""What stands for signs of each category in the pattern: one that the pattern treats alike."""
_LONG_S = "\u017f"
"""Is an `s` where case does not count, as in the endings below."""

_ENDING = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_UPPER, _LOWER = rf"[A-Z{_CASELESS}{_MARK}]", rf"[a-z{_CASELESS}{_MARK}]"
_OTHER = rf"A-Za-z0-9{_CASELESS}"
_PIECE = re.compile(
    rf"[^\r\n{_OTHER}]?{_UPPER}*{_LOWER}+{_ENDING}|[^\r\n{_OTHER}]?{_UPPER}+{_LOWER}*{_ENDING}|[0-9]{{1,3}}"
    rf"| ?[^\s{_OTHER}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    re.ASCII,
)


class Ranks(dict[bytes, int]):
    """Each token with its rank; one vocabulary for all who count at the same time, gone with the last of them."""


_IN_USE: WeakValueDictionary[Path, Ranks] = WeakValueDictionary()
"""Vocabularies by their files: reading one takes a tenth of a second and 25 MB."""


class Pieces:
    """Counts pieces with the vocabulary file that lies in the library's folder; loaded at the first count."""

    ENCODING = "o200k"

    def count(self, text: str) -> int | None:
        """The number of tokens of a text; None where only the library can tell."""
        if not self._ranks:
            return None
        shapes = text
        if not text.isascii():
            like = {ord(sign): _shape(sign) for sign in set(text) if not sign.isascii()}
            if "" in like.values():
                return None
            shapes = text.translate(like)
        counts = [self._of_piece(text[one.start() : one.end()]) for one in _PIECE.finditer(shapes)]
        return None if 0 in counts else sum(counts)

    @cached_property
    def _of_piece(self) -> Callable[[str], int]:
        return lru_cache(maxsize=REMEMBERED_PIECES)(partial(_merged, self._ranks))

    @cached_property
    def _ranks(self) -> Ranks:
        found = find_spec("quicktok")
        file = Path(found.origin or "").parent / "data" / "o200k.vocab" if found else Path()
        if (ranks := _IN_USE.get(file)) is None:
            ranks = _IN_USE[file] = _read(file) if file.is_file() else Ranks()
        return ranks


def _read(file: Path) -> Ranks:
    """A file's tokens; none where it is not as it was when this was written.

    It has their number in four bytes, and then each in the order of ranks: length in two, bytes, rank in four. No
    token is so long that the second byte of its length is needed: one that were would put all that follow out of
    place, which their end tells.
    """
    data, at, ranks = file.read_bytes(), 6, Ranks()
    for rank in range(int.from_bytes(data[:4], "little")):
        end = at + data[at - 2]
        ranks[data[at:end]] = rank
        at = end + 6
    whole = at - 2 == len(data) and data[-4:] == (len(ranks) - 1).to_bytes(4, "little")
    return ranks if whole else Ranks()


def _merged(ranks: Mapping[bytes, int], piece: str) -> int:
    """How many tokens a piece is; 0 for one that is too long to be told here."""
    whole = piece.encode()
    if whole in ranks:
        return 1
    if len(whole) > PIECE_BYTES:
        return 0
    none = len(ranks)
    parts = [whole[at : at + 1] for at in range(len(whole))]
    pairs = [ranks.get(whole[at : at + 2], none) for at in range(len(whole) - 1)]
    while pairs and (rank := min(pairs)) < none:
        at = pairs.index(rank)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        del pairs[at]
        if at:
            pairs[at - 1] = ranks.get(parts[at - 1] + parts[at], none)
        if at < len(pairs):
            pairs[at] = ranks.get(parts[at] + parts[at + 1], none)
    return len(parts)


@lru_cache(maxsize=REMEMBERED_SIGNS)
def _shape(sign: str) -> str:
    """What stands for a sign beyond ASCII in the pattern; nothing where its class is not certain."""
    category = unicodedata.category(sign)
    if category[0] in "PS":
        return "!"
    sure = unicodedata.ucd_3_2_0.category(sign) == category and sign != _LONG_S
    return _SHAPES.get(category, "") if sure else ""
