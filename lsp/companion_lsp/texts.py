"""Texts for editors: lines of a hover, with what was remembered shown as text whatever it holds."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

from companion.escape import markdown_literal, markdown_name, one_line, visible_text
from companion.surfaces.wording import STILL_ASKING, ago

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.records import CodeLens, StoryStep, Why, WhyLine

COMMAND_EXPAND = "companion.expand"
HOVER_ROWS = 11
"""Rows of a hover with its heading: ten are read, more hide the code."""
LENS_CHARACTERS = 60
"""Characters of a commit's subject above a definition: with the date, half of a line of code."""


def hover_markdown(why: Why, now: datetime, root: str, *, links: bool) -> str:
    """A heading, the commit of the line, the story, and a line for each decision, error and rule.

    `links` adds commands that open what is behind one; what a forge shows is linked to that.
    """
    rows = [f"**Companion** {markdown_name(why.symbol or why.path)}"]
    for lead, step in told_steps(why):
        shown = [f"[{markdown_literal(one.name)}]({one.url})" for one in step.links if one.url]
        if not shown:
            opens = command_link(COMMAND_EXPAND, {"id": step.sha, "root": root})
            shown = [f"[{one.name}]({opens})" if links else one.name for one in step.links[-1:]]
        about = f" — *{markdown_literal(by)}*" if (by := _by(step, now)) else ""
        rows.append(f"- {lead}{markdown_literal(step.text)}{about}{''.join(f' {one}' for one in shown)}")
    for line in why.lines[: HOVER_ROWS - len(rows)]:
        link = f" [open]({command_link(COMMAND_EXPAND, {'id': line.id, 'root': root})})" if links and line.id else ""
        rows.append(f"- {markdown_literal(line.text)} — *{markdown_literal(_whence(line, now))}*{link}")
    return "\n".join([*rows, f"- *{STILL_ASKING}*"] if why.asking else rows)


def why_markdown(why: Why, way_to: Callable[[str], str]) -> str:
    """All of why a line is as it is, to be shown rendered; `way_to` gives the link to what is behind an id."""
    place = markdown_name(f"{why.path}:{why.line}" if why.line else why.path)
    within = f" is part of {markdown_name(why.symbol)}, lines {why.first_line} to {why.last_line}" if why.symbol else ""
    parts = [f"- {_whole(lead, step, way_to)}" for lead, step in told_steps(why)]
    for line in why.lines:
        about = markdown_literal(", ".join(filter(None, (line.source, f"{line.at:%Y-%m-%d}" if line.at else ""))))
        parts.append(f"- {markdown_literal(line.text)}  \n  {f'[{about}]({way_to(line.id)})' if line.id else about}")
    parts += [markdown_literal(said) for said in (why.end, STILL_ASKING if why.asking else "") if said]
    return "\n\n".join([place + within, *(parts or ["Nothing is known of it."])])


def hover_plain(why: Why, now: datetime) -> str:
    """Why a place is as it is, as plain text for a client that shows no Markdown."""
    rows = [f"Companion: {why.symbol or why.path}"]
    rows += [f"- {lead}{' '.join(step.text.split())}{_beside(_by(step, now))}" for lead, step in told_steps(why)]
    rows += [f"- {' '.join(line.text.split())} ({_whence(line, now)})" for line in why.lines[: HOVER_ROWS - len(rows)]]
    return "\n".join([*rows, f"- {STILL_ASKING}"] if why.asking else rows)


def told_steps(why: Why) -> Iterator[tuple[str, StoryStep]]:
    """The commits of a story with what stands before each: the one of the line first, then from the oldest on."""
    if why.written is not None:
        yield "This line: " if why.line else "Changed last: ", why.written
    yield from (("", step) for step in why.others)


def lens_title(mark: CodeLens, now: datetime) -> str:
    """What a lens says: how long ago the last commit was and what it was about, and how much is remembered."""
    parts = (
        [f"changed {when}: {_subject(mark)}" if mark.says else f"changed {when}"]
        if (when := ago(mark.changed_at, now))
        else []
    )
    parts += [f"{mark.memories} remembered"] if mark.memories else []
    said = " · ".join(parts) or "nothing remembered"
    return said if mark.symbol else f"this file: {said}"


def _subject(mark: CodeLens) -> str:
    """The subject of a commit as a lens shows it, which is plain text: without what the file's name says already."""
    from companion.surfaces import rows

    text = " ".join(rows.subject(visible_text(mark.says), mark.path)[0].replace("`", "").split())
    return one_line(text, LENS_CHARACTERS)


def unlinked(text: str) -> str:
    """A text for a message box: some editors make links of Markdown in it, commands included."""
    return " ".join(text.split()).replace("](", "] (")


def command_link(command: str, argument: object) -> str:
    """A `command:` link of VS Code, which only clients that say so can follow."""
    return f"command:{command}?{quote(json.dumps([argument]), safe='')}"


def _whence(line: WhyLine, now: datetime) -> str:
    when = ago(line.at, now)
    return f"{line.source}, {when}" if when else line.source


def _by(step: StoryStep, now: datetime) -> str:
    """Who made a commit, and how long ago."""
    return ", ".join(filter(None, (step.author, ago(step.at, now))))


def _whole(lead: str, step: StoryStep, way_to: Callable[[str], str]) -> str:
    """A commit, its reason, and a line with who made it, its day and links to what is behind it."""
    targets = ((one, one.url or (way_to(one.name) if one.sort == "commit" else "")) for one in step.links)
    links = (f"{one.sort} {f'[{one.name}]({to})' if to else markdown_literal(one.name)}" for one, to in targets)
    by = ", ".join(filter(None, (f"{step.at:%Y-%m-%d}" if step.at else "", markdown_literal(step.author), *links)))
    return "  \n  ".join(filter(None, (f"**{lead}{markdown_literal(step.text)}**", markdown_literal(step.detail), by)))


def _beside(text: str) -> str:
    return f" ({text})" if text else ""
