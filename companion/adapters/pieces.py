"""Token counts of o200k without its library, which takes a second to load: exact, and none where that is not certain.

A text is cut into pieces by the vocabulary's own pattern; a piece that is no token is merged, the lowest rank first.
Letters, digits and blanks beyond ASCII are left to the library, which has their classes; punctuation is all alike.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path

PIECE_BYTES = 100
"""Merging takes the square of a piece's length; longer ones, as lines of one sign, are left to the library."""
REMEMBERED_PIECES = 50_000
"""Distinct pieces kept with their counts: those of a large project, some 8 MB."""

_ENDING = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_PIECE = re.compile(
    rf"[^\r\nA-Za-z0-9]?[A-Z]*[a-z]+{_ENDING}|[^\r\nA-Za-z0-9]?[A-Z]+[a-z]*{_ENDING}|[0-9]{{1,3}}"
    r"| ?[^\sA-Za-z0-9]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    re.ASCII,
)


class Pieces:
    """Counts pieces with the vocabulary file that lies in the library's folder; loaded at the first count."""

    ENCODING = "o200k"

    def __init__(self) -> None:
        self._of_piece = lru_cache(maxsize=REMEMBERED_PIECES)(self._merged)

    def count(self, text: str) -> int | None:
        """The number of tokens of a text; None where only the library can tell."""
        beyond = {sign for sign in set(text) if not sign.isascii()}
        if not self._ranks or any(unicodedata.category(sign)[0] not in "PS" for sign in beyond):
            return None
        shapes = text.translate({ord(sign): "!" for sign in beyond})
        counts = [self._of_piece(text[one.start() : one.end()]) for one in _PIECE.finditer(shapes)]
        return None if 0 in counts else sum(counts)

    def _merged(self, piece: str) -> int:
        """How many tokens a piece is; 0 for one that is too long to be told here."""
        whole, ranks = piece.encode(), self._ranks
        if whole in ranks:
            return 1
        if len(whole) > PIECE_BYTES:
            return 0
        parts = [whole[at : at + 1] for at in range(len(whole))]
        while len(parts) > 1:
            pairs = (ranks.get(parts[at] + parts[at + 1], len(ranks)) for at in range(len(parts) - 1))
            rank, at = min((rank, at) for at, rank in enumerate(pairs))
            if rank == len(ranks):
                break
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return len(parts)

    @cached_property
    def _ranks(self) -> dict[bytes, int]:
        """Each token with its rank; nothing where the file is not as it was when this was written.

        It has their number in four bytes, and then each in the order of ranks: length in two, bytes, rank in four.
        """
        found = find_spec("quicktok")
        file = Path(found.origin or "").parent / "data" / "o200k.vocab" if found else Path()
        if not file.is_file():
            return {}
        data, at, ranks = file.read_bytes(), 4, {}
        for rank in range(int.from_bytes(data[:4], "little")):
            end = at + 2 + int.from_bytes(data[at : at + 2], "little")
            ranks[data[at + 2 : end]] = rank
            at = end + 4
        whole = at == len(data) and data[-4:] == (len(ranks) - 1).to_bytes(4, "little")
        return ranks if whole else {}
