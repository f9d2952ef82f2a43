"""Bytes of a file: the id that git gives them, and their text."""

from __future__ import annotations

import codecs
import hashlib


def blob_id(content: bytes) -> str:
    """The id that git gives these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def decoded(content: bytes) -> str:
    """The text of a file: UTF-8, or UTF-16 if it says so; what cannot be decoded is replaced."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "replace")
    return content.decode("utf-8", "replace")
