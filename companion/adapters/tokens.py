"""Exact token counts, offline: the vocabularies come inside the quicktok package."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from threading import Thread
from typing import Any

from companion.adapters.pieces import Pieces
from companion.errors import UsageError

ENCODINGS = {"o200k": "o200k_base", "cl100k": "cl100k_base"}
"""Names people use, and the library's own."""
REMEMBERED_CHARACTERS = 2_000
"""Longer texts are whole contexts and bodies, which seldom come twice."""
ALONE_CHARACTERS = 300_000
"""What is counted before the library is loaded, beside the counting: it is fifteen times as fast from then on. A
context counts some 100,000."""
REMEMBERED_COUNTS = 10_000
"""Counts kept: the blocks of some fifty contexts, about 5 MB and never over 25."""


class QuickTokens:
    """Counts with a byte-pair vocabulary, without the library until that is loaded, which takes a second.

    Contexts for neighbouring files show the same memories, so counts are kept for a while.
    """

    def __init__(self, encoding: str = "o200k") -> None:
        if encoding not in ENCODINGS:
            known = ", ".join(ENCODINGS)
            raise UsageError(f"There is no tokenizer `{encoding}`.", f"Choose one of: {known}.")
        self.name = encoding
        self._pieces = Pieces() if encoding == Pieces.ENCODING else None
        self._alone = ALONE_CHARACTERS
        self._short: Callable[[str], int] = lru_cache(maxsize=REMEMBERED_COUNTS)(self._counted)

    def unload(self) -> None:
        """Let go of the vocabulary: it is loaded again at the next count of something new."""
        self._pieces = Pieces() if self.name == Pieces.ENCODING else None
        self._alone = ALONE_CHARACTERS
        self.__dict__.pop("_tokenizer", None)

    @cached_property
    def _tokenizer(self) -> Any:  # the library has no types
        import quicktok

        return quicktok.Tokenizer(ENCODINGS[self.name], "")  # `get_encoding` would keep it for good

    def count(self, text: str) -> int:
        """The number of tokens of `text`; text that spells a special token counts as plain text."""
        if not text:
            return 0
        return self._short(text) if len(text) <= REMEMBERED_CHARACTERS else self._counted(text)

    def _counted(self, text: str) -> int:
        pieces = self._pieces
        if pieces is not None:
            before, self._alone = self._alone, self._alone - len(text)
            if before > 0 >= self._alone:
                Thread(target=self._load, daemon=True).start()
            alone = pieces.count(text)
            if alone is not None:
                return alone
            self._load()
        written = text.encode("utf-8", "replace")  # a lone surrogate has no UTF-8 form: it counts as a `?`
        return int(self._tokenizer.count(written.decode("utf-8")))

    def _load(self) -> None:
        """Have the library count from now on."""
        _ = self._tokenizer
        self._pieces = None
