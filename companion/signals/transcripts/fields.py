"""What stands in the JSON that assistants write, taken out with care: nothing is sure to be there, or of its type."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from companion.signals.transcripts.said import NotOfThisForm

EPOCH_MS_MOST = 253_402_300_799_000
"""The last millisecond of the year 9999: a larger number is no time."""
BESIDE_BYTES = 16_000_000
"""Of a file beside a log: a list of all tasks with some ten thousand of them."""
_TEXTS = ("", "text", "input_text", "output_text")
"""Types of the parts of a message that are words."""


def json_of(content: object) -> Any:
    """What stands in JSON, bytes or text. Raises NotOfThisForm, for what nests too deep as well."""
    text = content.decode("utf-8-sig", "replace") if isinstance(content, bytes) else content
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError) as wrong:
        raise NotOfThisForm("it is not JSON") from wrong


def record_of(content: object) -> Mapping[str, object]:
    """The object that stands in JSON. Raises NotOfThisForm."""
    given = json_of(content)
    if not isinstance(given, dict):
        raise NotOfThisForm("it is not an object")
    return given


def record_or_empty(content: object) -> Mapping[str, object]:
    """The object that stands in JSON; an empty one where none does."""
    try:
        return record_of(content)
    except NotOfThisForm:
        return {}


def json_beside(path: Path) -> object:
    """What stands in a file of JSON beside a log; None where there is none."""
    try:
        return json_of(bytes_beside(path))
    except NotOfThisForm:
        return None


def bytes_beside(path: Path) -> bytes:
    """What stands in a file beside a log; nothing where there is none."""
    try:
        with path.open("rb") as file:
            return file.read(BESIDE_BYTES)
    except OSError:
        return b""


def objects(given: object) -> Iterator[Mapping[str, object]]:
    """The objects in a list; nothing for what is none."""
    if isinstance(given, list):
        yield from (one for one in given if isinstance(one, dict))


def text_of(given: object, *names: str) -> str:
    """A text, or the one inside objects under these names; nothing where there is none."""
    for name in names:
        given = given.get(name) if isinstance(given, dict) else None
    return given if isinstance(given, str) else ""


def texts_of(content: object) -> list[str]:
    """The words of a text, of a part of a message or of a list of parts; thoughts, pictures and calls have none."""
    parts = content if isinstance(content, list) else [content]
    texts = [
        one if isinstance(one, str) else text_of(one, "text")
        for one in parts
        if isinstance(one, str)
        or (text_of(one, "type") in _TEXTS and not (isinstance(one, dict) and one.get("thought")))
    ]
    return [text for text in texts if text]


def moment_of(given: object) -> datetime | None:
    """A time as logs write it, in ISO 8601 or as milliseconds, naive UTC; None for what is none."""
    try:
        if isinstance(given, str):
            at = datetime.fromisoformat(given)
            return at if at.tzinfo is None else at.astimezone(UTC).replace(tzinfo=None)
        if isinstance(given, (int, float)) and not isinstance(given, bool) and 0 < given <= EPOCH_MS_MOST:
            return datetime.fromtimestamp(given / 1000, UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        pass
    return None


def folder_of_uri(given: str) -> str:
    """The folder that a `file:` address names; nothing for any other address."""
    parts = urlsplit(given)
    return url2pathname(unquote(parts.path)) if parts.scheme == "file" else ""
