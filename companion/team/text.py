"""A record of a team as text: what a server and a file are given, what is read from there, and its name.

Sorted keys, empty fields left out: the same record gives the same bytes, and a field that a later version adds does not
rename what has no use for it. Files have a field a line, so that a review shows one line for each change.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from companion.errors import UsageError
from companion.records.team import SharedVersion, TeamRecord
from companion.wire import TAG, decode_any, encode, from_json

ID_DIGITS = 32
"""Hexadecimal digits of a record's id, as of the store's own digests: no two of a billion meet."""
_LENGTHS = ("full", "summary", "compressed", "index")
_ALWAYS = {"type": "", "subject": "", "attribute": "", "value": "", "origin": ""}
"""What a draft has to say, where it is left out for being empty."""
NEWER = "it was written by a newer version of companion: `pip install --upgrade companion-context`"
"""Why a record is not read that may be read one day."""


def record_id(record: TeamRecord) -> str:
    """The digest of a record's line."""
    return hashlib.sha256(line(record).encode()).hexdigest()[:ID_DIGITS]


def line(record: TeamRecord) -> str:
    """A record as one line, as stores and servers keep it."""
    return json.dumps(_told(record), ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def written(record: TeamRecord) -> str:
    """A record as a file has it, ending with a line break."""
    return json.dumps(_told(record), ensure_ascii=False, allow_nan=False, sort_keys=True, indent=1) + "\n"


def _told(record: TeamRecord) -> dict[str, Any]:
    data: Any = encode(record, TeamRecord)
    if isinstance(record, SharedVersion):
        draft = data["draft"]
        draft["levels"] = _without_repeats(draft["levels"])
        data["draft"] = _filled(draft | {"scope": _filled(draft["scope"])})
    return _filled(data)


def read(text: bytes) -> TeamRecord:
    """The record that a text says, however it is spaced. Raises UsageError, which says what is wrong with it."""
    data = from_json(text)
    if not isinstance(data, dict):
        raise UsageError("It is not a record of a team.")
    if isinstance(tag := data.get(TAG), str) and tag not in _KNOWN:
        raise UsageError(f"It is a {tag[:ID_DIGITS]!r}: {NEWER}.")
    if isinstance(draft := data.get("draft"), dict):
        levels = draft.get("levels")
        data["draft"] = _ALWAYS | draft | {"levels": _repeated(levels) if isinstance(levels, dict) else levels}
    record: TeamRecord = decode_any(TeamRecord, data)
    if b"\\u" in text.lower():  # only so can half a character stand in it
        try:
            line(record).encode()
        except UnicodeEncodeError:
            raise UsageError("It holds half a character.") from None
    return record


_KNOWN = frozenset(one.__name__ for one in TeamRecord.__args__)


def _filled(data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that say something."""
    return {name: value for name, value in data.items() if value or type(value) in {int, float}}


def _without_repeats(levels: Mapping[str, str]) -> dict[str, str]:
    """The lengths of a text, but for those that say what the one before them says."""
    before = (None, *(levels[name] for name in _LENGTHS))
    return {name: levels[name] for name, longer in zip(_LENGTHS, before, strict=False) if levels[name] != longer}


def _repeated(levels: Mapping[str, object]) -> dict[str, object]:
    whole = dict(levels)
    for longer, name in pairwise(_LENGTHS):
        whole.setdefault(name, whole.get(longer))
    return whole
