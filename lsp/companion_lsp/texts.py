"""Texts for editors: lines of a hover, with what was remembered shown as text whatever it holds."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

from companion.surfaces.cli.told import ID_SHOWN, ago

if TYPE_CHECKING:
    from companion.records import CodeLens, Why, WhyLine

_MARKS = re.compile(r"[\\`*\[\]<~&@]|(?<!\w)_|_(?!\w)|:(?=//)|(?<=www)\.")
"""Signs that Markdown or its extensions give a meaning within a line; a backslash takes it from each of them.
Those that mean something at the start of a line only never stand there: a word of ours comes first."""
COMMAND_EXPAND = "companion.expand"


def escaped(text: str) -> str:
    """A text that Markdown shows as it is, on one line: no link, no image, no heading, no tag."""
    return _MARKS.sub(lambda sign: f"\\{sign.group()}", " ".join(text.split()))


def code(text: str) -> str:
    """A name as code; a backtick in it cannot end it."""
    return f"`{' '.join(text.split()).replace('`', 'ˋ')}`"


def hover_markdown(why: Why, now: datetime, root: str, *, links: bool) -> str:
    """A heading and a line for each reason; `links` adds a command that opens what is behind it."""
    rows = [f"**Companion** {code(why.symbol or why.path)}"]
    for line in why.lines:
        link = f" [open]({command_link(COMMAND_EXPAND, {'id': line.id, 'root': root})})" if links and line.id else ""
        rows.append(f"- {escaped(line.text)} — *{escaped(_whence(line, now))}*{link}")
    return "\n".join(rows)


def hover_plain(why: Why, now: datetime) -> str:
    """Why a place is as it is, as plain text for a client that shows no Markdown."""
    rows = [f"Companion: {why.symbol or why.path}"]
    rows += [f"- {' '.join(line.text.split())} ({_whence(line, now)})" for line in why.lines]
    return "\n".join(rows)


def why_document(why: Why, line: int, now: datetime) -> str:
    """Why a line is as it is (0: the file), as a document: what it is part of, each reason above where it is from."""
    parts = [f"# Why {why.path}:{line} is as it is" if line else f"# What is known of {why.path}"]
    if why.symbol:
        parts.append(f"It is part of {why.symbol}, lines {why.first_line} to {why.last_line}.")
    for one in why.lines:
        behind = f" ({one.id[:ID_SHOWN]})" if one.id else ""
        parts.append(f"- {' '.join(one.text.split())}\n  {_whence(one, now)}{behind}")
    return "\n\n".join(parts if why.lines else [*parts, "Nothing is known of it."]) + "\n"


def lens_title(mark: CodeLens, now: datetime) -> str:
    """What a lens says: how much is remembered, and how long ago it changed."""
    parts = [f"{mark.memories} remembered"] if mark.memories else []
    if changed := ago(mark.changed_at, now):
        parts.append(f"changed {changed}")
    said = " · ".join(parts) or "nothing remembered"
    return said if mark.symbol else f"this file: {said}"


def unlinked(text: str) -> str:
    """A text for a message box: some editors make links of Markdown in it, commands included."""
    return " ".join(text.split()).replace("](", "] (")


def command_link(command: str, argument: object) -> str:
    """A `command:` link of VS Code, which only clients that say so can follow."""
    return f"command:{command}?{quote(json.dumps([argument]), safe='')}"


def _whence(line: WhyLine, now: datetime) -> str:
    when = ago(line.at, now)
    return f"{line.source}, {when}" if when else line.source
