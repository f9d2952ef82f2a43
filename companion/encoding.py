"""The text of a file, in whatever encoding its bytes are."""

from __future__ import annotations

import codecs
import re

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DECLARED = re.compile(rb"\A(?:[^\n]*\n)?[^\n]*?\b(?:coding|charset|encoding)[:=][ \t]*[\"']?([A-Za-z][-\w.]*)")
"""In the first two lines, as Python, Ruby, Emacs, Vim, XML and CSS declare it."""
_CHARSETS = re.compile(r"(?:latin|iso|windows|cp|koi8|mac|big5|gb|shift|sjis|euc|hz|tis|viscii|utf)", re.IGNORECASE)
"""What sets of characters are called; there are codecs of other sorts, some of which take very long."""
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
USUAL_BEFORE = "cp1252"
"""What most files in Latin letters are that are no UTF-8 and do not say."""


def decoded(content: bytes) -> str:
    """What its mark says, else UTF-8; if that fails more often than it fits, what it declares, or Windows-1252.

    What cannot be decoded is replaced.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "replace")
    text = content.decode("utf-8", "replace")
    wrong = text.count(_UNKNOWN)
    if not wrong or 2 * wrong <= sum(not sign.isascii() for sign in text):
        return text
    declared = _DECLARED.match(content)
    name = declared[1].decode() if declared else ""
    return content.decode(name if _CHARSETS.match(name) and _is_known(name) else USUAL_BEFORE, "replace")


def _is_known(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name != "utf-7"
    except LookupError:
        return False
