"""Text that DuckDB can keep: no lone surrogates, no NUL bytes in the middle of things; and ids made of texts."""

from __future__ import annotations

import hashlib
from enum import Enum


def clean(text: str) -> str:
    """The text with each lone surrogate replaced by `\ufffd`; nearly always the same object."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def plain(value: object) -> object:
    """A value as DuckDB takes it, or a list of such: an enumeration's value, texts clean."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str):
        return clean(value)
    return [plain(item) for item in value] if isinstance(value, tuple | list) else value


def hashed_id(tag: str, *parts: str) -> str:
    """The id of what some texts name: always the same, 32 characters that begin with `tag`."""
    return tag + hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()[:30]
