r"""The status: one line a field, as `- water: 24 oz (2026-01-05 09:00 UTC)`. Anything else in it is left as it is.

A field may be written by hand without its time. Setting one changes its own line alone, and a new one comes
after the last; line ends stay what they are. What stands in a block of code is no field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from msgspec import Struct

from companion.errors import UsageError
from companion.records.notes import StatusField

NAME_MAX = 60
"""Characters of a field's name: some words."""
VALUE_MAX = 500
"""Characters of a field's value: a long sentence; more belongs in the journal."""
FIELDS_MOST = 50
"""Fields set at once."""
STATUS_MAX_BYTES = 1_000_000
"""A larger file is no status, and rewriting it for one field would take longer than anybody waits."""
BEGINNING = "# Status\n"
_TIME = "%Y-%m-%d %H:%M"

_FIELD = re.compile(
    r"(?P<before>[ \t]*[-*+][ \t]+)(?P<name>[^:\r\n]+?)[ \t]*:(?:[ \t]+(?P<value>[^\r\n]*?))?"
    r"(?:[ \t]*\((?P<at>\d{4}-\d\d-\d\d \d\d:\d\d) UTC\))?[ \t]*(?P<end>\r?\n|\r?\Z)"
)
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
_FENCE = re.compile(r"[ \t]*(```|~~~)")
_NAME = re.compile(r"\w[\w ./+-]*")


class _Line(Struct, frozen=True):
    """A line of the status with its end; `field` is the match where it is one."""

    text: str
    field: re.Match[str] | None


def fields_of(text: str) -> tuple[StatusField, ...]:
    """The fields, in the order of their lines."""
    return tuple(
        StatusField(_plain(line.field["name"]), line.field["value"] or "", _moment(line.field["at"]))
        for line in _lines(text)
        if line.field is not None
    )


def with_fields(content: bytes, wanted: Mapping[str, str], now: datetime) -> bytes:
    """The file with these fields set to their values and the time; an empty value takes a field out.

    Raises UsageError, and changes nothing, where the file is no text or says a wanted field twice.
    """
    if len(content) > STATUS_MAX_BYTES:
        raise UsageError(f"The status has {len(content):,} bytes.", "Shorten it: `companion notes edit status`.")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise UsageError(
            "The status is not UTF-8 text and is left unchanged.",
            "Fix it or move it away: `companion notes` says where it lies.",
        )
    for name, value in wanted.items():
        text = _with_field(text or BEGINNING, name, value, now)
    return text.encode("utf-8")


def checked(fields: Mapping[str, str]) -> dict[str, str]:
    """Fields as they may be set, values on one line. Raises UsageError."""
    if not 1 <= len(fields) <= FIELDS_MOST:
        raise UsageError(f"{len(fields)} fields cannot be set at once.", f"Give 1 to {FIELDS_MOST}.")
    fit: dict[str, str] = {}
    for name, value in fields.items():
        plain, said = " ".join(name.split()), " ".join(value.split())
        if not _NAME.fullmatch(plain) or len(plain) > NAME_MAX:
            raise UsageError(f"No field can be called {name[:NAME_MAX]!r}.", "Use letters, digits, blanks and hyphens.")
        if len(said) > VALUE_MAX:
            raise UsageError(
                f"The value of `{plain}` has {len(said):,} characters.",
                f"Say it in {VALUE_MAX}; more belongs in the journal.",
            )
        fit[plain] = said
    return fit


def _with_field(text: str, name: str, value: str, now: datetime) -> str:
    lines = list(_lines(text))
    at = [n for n, line in enumerate(lines) if line.field is not None and _key(line.field["name"]) == _key(name)]
    if len(at) > 1:
        told = ", ".join(str(n + 1) for n in at)
        raise UsageError(f"The status says `{name}` in lines {told}.", "Keep one: `companion notes edit status`.")
    texts = [line.text for line in lines]
    said = f"{value} ({now.strftime(_TIME)} UTC)"
    if at:
        found = lines[at[0]].field
        assert found is not None
        texts[at[0]] = f"{found['before']}{found['name']}: {said}{found['end']}" if value else ""
        return "".join(texts)
    return _appended(lines, texts, f"- {name}: {said}") if value else text


def _appended(lines: list[_Line], texts: list[str], line: str) -> str:
    """The text with a line after its last field, else at its end, with the line end that is used there."""
    end = "\r\n" if texts and texts[0].endswith("\r\n") else "\n"
    known = [n for n, one in enumerate(lines) if one.field is not None]
    place = known[-1] + 1 if known else len(texts)
    before, after = "".join(texts[:place]), "".join(texts[place:])
    if before and not before.endswith("\n"):
        before += end
    if before and not known and texts[-1].strip():
        before += end
    return f"{before}{line}{end}{after}"


def _lines(text: str) -> Iterator[_Line]:
    fence = ""
    for line in _LINE.findall(text):
        mark = _FENCE.match(line)
        if mark and fence in {"", mark[1]}:
            fence = "" if fence else mark[1]
        yield _Line(line, None if fence or mark else _FIELD.fullmatch(line))


def _plain(name: str) -> str:
    """A field's name without marks of Markdown."""
    return " ".join(re.sub(r"[*_`]{2}|[*`]", "", name).split())


def _key(name: str) -> str:
    return _plain(name).casefold()


def _moment(said: str | None) -> datetime | None:
    try:
        return datetime.strptime(said, _TIME) if said else None
    except ValueError:
        return None
