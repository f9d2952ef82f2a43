"""Styles and scripts: ours, and the libraries that others wrote.

Everything is read once and served under an address that changes with its content, so that a browser keeps it.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from msgspec import Struct

FOLDER = Path(__file__).parent / "static"
TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
STAMP_DIGITS = 12
"""Digits of a checksum in an address: as many as tell two editions of one file apart."""


class File(Struct, frozen=True):
    """One file as it is served."""

    content: bytes
    media_type: str
    stamp: str


@cache
def files() -> dict[str, File]:
    """Every file that is served, by its name below `static/`."""
    found: dict[str, File] = {}
    for path in sorted(FOLDER.rglob("*")):
        if path.suffix in TYPES:
            content = path.read_bytes()
            stamp = hashlib.sha256(content).hexdigest()[:STAMP_DIGITS]
            found[path.relative_to(FOLDER).as_posix()] = File(content, TYPES[path.suffix], stamp)
    return found


def address(name: str) -> str:
    """Where a browser finds a file. Raises KeyError for one that there is not."""
    return f"/static/{files()[name].stamp}/{name}"
