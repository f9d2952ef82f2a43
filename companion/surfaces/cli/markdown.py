"""Text that somebody else wrote, on a page of Markdown of ours: it shows as it is and opens nothing."""

from __future__ import annotations

import re

from companion.escape import shortened

_SPECIAL = re.compile(r"([\\`*_\[\]|~#])")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")
"""What has no shape of its own and could steer how the rest is shown."""


def escaped(text: str, most: int) -> str:
    """Text of a memory in one line that Markdown shows as it is, at most so many signs of it."""
    cut = shortened(" ".join(_UNSEEN.sub(" ", text).split()), most)
    return _SPECIAL.sub(r"\\\1", cut.replace("&", "&amp;").replace("<", "&lt;"))


def coded(text: str) -> str:
    """A path or name as code, whatever is in it."""
    plain = " ".join(_UNSEEN.sub(" ", text).split()).replace("`", "'")
    return f"`{plain}`"
