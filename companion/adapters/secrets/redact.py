"""The scanner: spans of secrets in a text, and the text with each replaced."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from msgspec import Struct

from companion.adapters.secrets import assignments, blocks, carriers, formats

REMEMBERED_CHARACTERS = 200
"""Longer texts seldom come twice; nearly every subject and summary is shorter."""
REMEMBERED_TEXTS = 100_000
"""Twice the commits of a large project, since subjects come again only after all were read: 40 MB at most."""

_ESCAPED_BLANK = re.compile(r"\\[nrt]")


class SecretSpan(Struct, frozen=True):
    """A secret's place in a text (characters, end excluded) and what kind it is."""

    start: int
    end: int
    kind: str


def find_secrets(text: str) -> tuple[SecretSpan, ...]:
    """Secrets in a text, first to last, overlapping ones joined (the first one names the kind)."""
    joined: list[SecretSpan] = []
    for start, end, kind in sorted(set(_spans(text))):
        if joined and start < joined[-1].end:
            joined[-1] = SecretSpan(joined[-1].start, max(end, joined[-1].end), joined[-1].kind)
        else:
            joined.append(SecretSpan(start, end, kind))
    return tuple(joined)


class SecretRedactor:
    """Redacts, and remembers short texts: a commit's subject passes three times in a scan."""

    def __init__(self) -> None:
        self._short: Callable[[str], str] = lru_cache(maxsize=REMEMBERED_TEXTS)(redacted_text)

    def redact(self, text: str) -> str:
        """The text without its secrets; see `redacted_text`."""
        return self._short(text) if len(text) <= REMEMBERED_CHARACTERS else redacted_text(text)


def redacted_text(text: str) -> str:
    """The text with each secret replaced by `[redacted KIND]`, on as many lines; what is redacted already stays."""
    found = find_secrets(text)
    if not found:
        return text
    parts: list[str] = []
    at = 0
    for secret in found:
        lines = text.count("\n", secret.start, secret.end)
        parts += [text[at : secret.start], f"[redacted {secret.kind}]", "\n" * lines]
        at = secret.end
    return "".join([*parts, text[at:]])


def redacted_source(data: bytes) -> bytes:
    """A file's bytes without secrets, on as many lines; the same bytes where there are none.

    Bytes that are no UTF-8 stay as they are, but for UTF-16 with its mark, which comes back as UTF-8.
    """
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = data.decode("utf-16", "replace") if wide else data.decode("utf-8", "surrogateescape")
    left = redacted_text(text)
    return data if left == text else left.encode("utf-8", "surrogateescape")


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    lower = _lowered(text)
    yield from formats.find(text)
    if "\\" in text:  # in quoted text a secret may follow `\n`: the letter is no part of it
        yield from formats.find(_ESCAPED_BLANK.sub("  ", text))
    yield from blocks.find(text)
    yield from assignments.find(text, lower)
    yield from carriers.find(text, lower)
    yield from carriers.find_in_clusters(text, lower)


def _lowered(text: str) -> str:
    """The text in lower case, letter by letter: the one letter that would become two is replaced before."""
    return text.replace("\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}", "i").lower()
