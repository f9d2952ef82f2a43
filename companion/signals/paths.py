r"""Any bytes git calls a path, as printable text that names the same file, and back.

A path in a record is UTF-8 text on one line. What cannot be shown is written as `\xNN`, byte by byte:
bytes that are not UTF-8, control characters, line separators, and marks that turn the direction of
writing (they would let a name pass for another). A backslash that stands before something that looks
like such an escape is escaped too, so no two files share a name: `raw_path(shown_path(b)) == b`.
"""

from __future__ import annotations

import re

_UNSHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]|\\\\(?=x[0-9a-f]{2})")
_ESCAPE = re.compile(rb"\\x([0-9a-f]{2})")


def shown_path(raw: bytes) -> str:
    """The path as it stands in records."""
    text = raw.decode("utf-8", "surrogateescape")
    if text.isascii() and text.isprintable() and "\\" not in text:
        return text
    return _UNSHOWN.sub(lambda found: _escaped(found.group()), text)


def raw_path(path: str) -> bytes:
    """The bytes on disk of a path that `shown_path` has written."""
    raw = path.encode("utf-8", "surrogateescape")
    if b"\\" not in raw:
        return raw
    return _ESCAPE.sub(lambda found: bytes.fromhex(found.group(1).decode()), raw)


def _escaped(character: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))
