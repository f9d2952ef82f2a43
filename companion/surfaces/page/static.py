"""Styles and scripts: ours, and the libraries that others wrote, each with version, licence and checksum.

Everything is read once and served under an address that changes with its content, so that a browser keeps it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "static"
TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
STAMP_DIGITS = 12
"""Digits of a checksum in an address: as many as tell two editions of one file apart."""


@dataclass(frozen=True, slots=True)
class Vendored:
    """A file of somebody else's, as its publisher packed it for npm."""

    file: str
    package: str
    version: str
    licence: str
    sha256: str


VENDORED = (
    Vendored(
        "vendored/htmx.min.js",
        "htmx.org",
        "2.0.11",
        "0BSD",
        "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717",
    ),
    Vendored(
        "vendored/uPlot.iife.min.js",
        "uplot",
        "1.6.32",
        "MIT",
        "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
    ),
    Vendored(
        "vendored/uPlot.min.css",
        "uplot",
        "1.6.32",
        "MIT",
        "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
    ),
)
"""To take a newer one: `npm pack PACKAGE@VERSION`, copy the file and the licence, and put its sha256 here."""


@dataclass(frozen=True, slots=True)
class File:
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
