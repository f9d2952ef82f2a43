"""Text that DuckDB can keep: no lone surrogates, no NUL bytes in the middle of things."""

from __future__ import annotations


def clean(text: str) -> str:
    """The text with each lone surrogate replaced by `\ufffd`; nearly always the same object."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
