"""Rows as an editor's trees draw them: icons, Markdown in which every text is escaped, what is read aloud."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from companion.escape import markdown_literal
from companion.surfaces.wording import ago
from companion_lsp import convert
from companion_lsp.addresses import MEMORY, MEMORY_ID, NEWER, OLDER, VirtualDocument

if TYPE_CHECKING:
    from companion.surfaces.rows import ListRow

ICONS = {
    "blocker": "error",
    "commit": "git-commit",
    "contradiction": "warning",
    "conversation": "comment-discussion",
    "decision": "law",
    "declared": "settings",
    "episode": "git-commit",
    "error": "bug",
    "file": "file",
    "history": "history",
    "more": "ellipsis",
    "notice": "info",
    "pattern": "symbol-structure",
    "person": "person",
    "question": "question",
    "side": "quote",
    "step": "git-commit",
    "talk": "comment-discussion",
    "thread": "circle-large-outline",
    "topic": "search",
    "workflow": "list-ordered",
    "places": "files",
    "tests": "beaker",
    "together": "git-compare",
    "past": "history",
    "rules": "law",
    "review": "comment-discussion",
    "contradictions": "warning",
    "threads": "checklist",
    "decisions": "law",
    "fixes": "bug",
    "people": "organization",
    "workflows": "list-ordered",
    "search": "search",
    "rest": "ellipsis",
}
"""An icon for each sort of row and for each group by its name; NO_ICON for all else."""
NO_ICON = "note"
OPENED = {
    "contradiction": "settle",
    "talk": "review",
    "thread": "search",
    "topic": "search",
    "more": "more",
    "file": "source",
}
"""What opening a row does, where it is more than to show a file or a document."""
DATED = {"episode", "error", "commit", "history", "step", "talk"}
"""Sorts of which one asks first when it was."""
NEVER_OPENED = {"group", "notice", "conversation"}
WHOLE = {"contradiction", "side", "file", "group", "notice", "more", "topic", "step"}
"""Sorts whose labels nothing parts: names, and the steps of a story, whose panel is wide."""
SPEAKING = {"contradiction", "file", "group", "more", "notice", "question", "blocker", "side", "thread", "talk"}
"""Sorts whose icons say more than their group does."""

NARROW = 32
"""Characters of a label: what a side bar of 300 pixels shows beside a check box. The others stand beside it."""
WIDE = frozenset({"", "search", "more"})
"""Groups of rows of several sorts, which only their icons tell apart; elsewhere the group says what its rows are."""

_BEGINS = (
    "after and as at because before but by during for from if in instead into like of on onto or over since so than "
    "through to under unless until via when where which while with without"
)
"""Words of English that begin another phrase: all of them that are common."""
_JOINT = re.compile(rf"(?<=[,;]) +| +(?=[(\u2013\u2014-]|(?:{_BEGINS.replace(' ', '|')}) )", re.IGNORECASE)
"""Where a phrase has ended: behind a comma, before a dash, a parenthesis, or a word that begins another phrase."""


class DrawnRow(TypedDict, total=False):
    """A row as it goes to an editor; lines count from 1. `opens` says what opening it does, and with what."""

    id: str
    sort: str
    label: str
    description: str
    icon: str
    tooltip: str
    spoken: str
    context: str
    fold: str
    text: str
    opens: tuple[str, str]
    uri: str
    line: int
    last: int
    rows: list[DrawnRow]


def drawn(row: ListRow, root: Path, now: datetime, above: str = "") -> DrawnRow:
    """A row, and those below it, of the work tree `root`, in the group that is named `above`.

    How long ago it was stands first beside what happened; before it the rest of a label that is long.
    """
    when = ago(row.at, now)
    beside = " · ".join(filter(None, (when if row.sort in DATED else "", row.description)))
    label, rest = (row.label, "") if row.sort in WHOLE else parted(row.label)
    path = _inside(root, row.file)
    group = row.id if row.sort == "group" and row.id != "rest" else above
    below = [drawn(one, root, now, group) for one in row.rows]
    opens = _opens(row, root)
    closer = [f"**{markdown_literal(row.label)}**", *map(_paragraph, row.lines), *([when] if when else [])]
    shown = DrawnRow(
        id=row.id,
        sort=row.sort,
        label=label,
        description=" · ".join(filter(None, (rest, beside))),
        icon=_icon(row) if above in WIDE or row.sort in SPEAKING or "pinned" in row.marks else "",
        tooltip="\n\n".join(closer),
        spoken=_spoken(row, beside),
        context=" ".join(_words(row, path)),
        fold="never" if not below else "collapsed" if row.folded or row.sort != "group" else "expanded",
        text=row.text,
        opens=("preview", opens[1]) if above == "search" and opens[0] == "source" else opens,
        rows=below,
    )
    if row.sort == "contradiction":
        for sort, side in zip((OLDER, NEWER), below, strict=False):
            side["opens"] = ("document", VirtualDocument(sort, row.id, root).uri())
    if path is not None:
        shown["uri"] = convert.uri_of(path)
        if row.line:
            shown["line"], shown["last"] = row.line, row.last or row.line
    return shown


def parted(label: str) -> tuple[str, str]:
    """The phrases of a label that fill half of a narrow side bar or more, and the rest; words where none ends there."""
    label = label if label.endswith("..") else label.removesuffix(".")
    if len(label) <= NARROW:
        return label, ""
    joints = (one.start() for one in _JOINT.finditer(label) if NARROW // 2 <= one.start() <= NARROW)
    ends = [at for at in joints if label[:at].count("(") == label[:at].count(")")]
    end = ends[-1] if ends else label.rfind(" ", 0, NARROW + 1)
    return (label[:end].rstrip(), label[end:].strip()) if end > 0 else (label, "")


def _icon(row: ListRow) -> str:
    if "pinned" in row.marks:
        return "pinned"
    names = {"group": (row.id,), "thread": (row.word, row.sort)}.get(row.sort, (row.sort,))
    return next((ICONS[name] for name in names if name in ICONS), NO_ICON)


def _opens(row: ListRow, root: Path) -> tuple[str, str]:
    if row.sort in NEVER_OPENED:
        return ("", "")
    if (does := OPENED.get(row.sort)) is not None:
        return (does, row.text if row.sort == "thread" else row.id.removeprefix("topic:"))
    return ("document", VirtualDocument(MEMORY, row.id, root, title=row.label).uri())


def _words(row: ListRow, path: Path | None) -> list[str]:
    """Words that an editor's menus look for: `memory`, `source`, `pinned` and the like."""
    words = [row.sort] if row.sort in {"group", "notice", "more"} else ["item", row.sort]
    if row.id.startswith(MEMORY_ID):
        words += ["memory", "pinned" if "pinned" in row.marks else "loose"]
    return [*words, "source"] if path is not None else words


def _spoken(row: ListRow, beside: str) -> str:
    """What a screen reader says: nothing is said by an icon or a colour alone."""
    if row.sort == "contradiction":
        parts = ["Contradiction", *(f"{side.text} ({side.description})" for side in row.rows or (row,))]
    elif row.sort == "group":
        parts = [f"{row.label}, {row.description}", *row.lines]
    else:
        word = row.word if row.word != row.label else ""
        return ", ".join(filter(None, (row.label, word, *row.marks, beside)))
    return ". ".join(part.rstrip(".") for part in parts) + "."


def _paragraph(text: str) -> str:
    """Text as Markdown shows it; our own lists stay lists."""
    lines = []
    for line in text.split("\n"):
        bullet = line[: len(line) - len(line.lstrip(" -"))] if line.lstrip().startswith("- ") else ""
        lines.append(bullet + markdown_literal(line.removeprefix(bullet)))
    return "\n".join(lines)


def _inside(root: Path, file: str) -> Path | None:
    """A file of the work tree by its relative path; None for anything else."""
    if not file or "\0" in file:
        return None
    path = (root / file).resolve()
    return path if path.is_relative_to(_resolved(root)) and path.is_file() else None


@lru_cache(maxsize=16)
def _resolved(root: Path) -> Path:
    """A work tree without links, looked up once: each row of it asks."""
    return root.resolve()
