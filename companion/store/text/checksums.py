"""Whether the files of an index are as they were written: each ends with a sum of what is before."""

from __future__ import annotations

import json
import zlib
from contextlib import suppress
from pathlib import Path

_END = 8
"""Bytes behind the footer: its length, then a number that tells a footer."""
_AT_ONCE = 1 << 20


def wrong_in(folder: Path) -> str:
    """The first file of an index that is not as it was written, in words; empty if all are.

    What a killed process was writing belongs to no index yet.
    """
    try:
        meta = json.loads((folder / "meta.json").read_text("utf-8"))
        committed = {str(segment["segment_id"]).replace("-", "") for segment in meta["segments"]}
    except (ValueError, KeyError, TypeError) as wrong:
        return f"meta.json: {wrong}"
    for path in sorted(folder.iterdir()):
        with suppress(FileNotFoundError):  # it was merged away meanwhile
            if path.stem in committed and (said := _wrong(path)):
                return f"{path.name}: {said}"
    return ""


def _wrong(path: Path) -> str:
    size = path.stat().st_size
    if size < _END:
        return "cut off"
    with path.open("rb") as file:
        file.seek(size - _END)
        length = int.from_bytes(file.read(4), "little")
        body = size - _END - length
        if not 0 < length < size:
            return "its footer is cut off"
        file.seek(body)
        try:
            told = int(json.loads(file.read(length))["crc"])
        except (ValueError, KeyError, TypeError):
            return "its footer cannot be read"
        file.seek(0)
        found, left = 0, body
        while left > 0 and (part := file.read(min(_AT_ONCE, left))):
            found = zlib.crc32(part, found)
            left -= len(part)
    return "" if found == told else "it has changed since it was written"
