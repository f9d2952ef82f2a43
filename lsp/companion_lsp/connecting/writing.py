"""Set-up text in a user's files: whole files of ours, or a marked block in a file that holds other things."""

from __future__ import annotations

import difflib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from companion.errors import UsageError

OURS = "companion connect"
"""Stands in the first lines of every file that is ours as a whole; nothing else is ever removed."""
FIRST_LINES = 8
"""Lines that are searched for it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A text and where it goes. With a `comment` sign it is a block between two marks, else a whole file."""

    path: Path
    text: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """A file as it is and as it is to be; None: there is no such file."""

    path: Path
    before: str | None
    after: str | None

    def diff(self) -> str:
        """The change as people read it."""
        lines = difflib.unified_diff(
            (self.before or "").splitlines(keepends=True),
            (self.after or "").splitlines(keepends=True),
            str(self.path) if self.before is not None else "(no file yet)",
            str(self.path) if self.after is not None else "(removed)",
        )
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def put(piece: Piece) -> Edit:
    """The edit that brings a piece in; no change if it is there already.

    Raises UsageError for a file in the way that is not ours.
    """
    before = _read(piece.path)
    if piece.comment:
        return Edit(piece.path, before, _with_block(before or "", piece))
    if before is not None and not _is_ours(before):
        raise UsageError(
            f"{piece.path} is there already and was not written by Companion.",
            "Move it away, or take what you need from `companion connect EDITOR --print`.",
        )
    return Edit(piece.path, before, piece.text)


def take_out(piece: Piece) -> Edit:
    """The edit that takes a piece out again; no change where it is not there or not ours."""
    before = _read(piece.path)
    if before is None:
        return Edit(piece.path, None, None)
    if not piece.comment:
        return Edit(piece.path, before, None if _is_ours(before) else before)
    left = _without_block(before, piece.comment)
    return Edit(piece.path, before, left if left.strip() else None)


def write(edit: Edit) -> None:
    """Carry an edit out: the file appears whole or stays as it was."""
    if edit.after is None:
        edit.path.unlink(missing_ok=True)
        return
    target = edit.path.resolve()  # a file that is kept elsewhere and linked here stays a link
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as opened:
            opened.write(edit.after)
        if target.exists():
            Path(beside).chmod(target.stat().st_mode & 0o777)
        else:
            Path(beside).chmod(0o644)
        Path(beside).replace(target)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _read(path: Path) -> str | None:
    try:
        with path.open(encoding="utf-8", newline="") as opened:
            return opened.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as wrong:
        raise UsageError(f"{path} cannot be read: {wrong}.", "Mend it, or use `--print` and add the lines.") from wrong


def _is_ours(text: str) -> bool:
    return any(OURS in line for line in text.splitlines()[:FIRST_LINES])


def _marks(comment: str) -> tuple[str, str]:
    return f"{comment} >>> {OURS} (take out with --undo)", f"{comment} <<< {OURS}"


def _with_block(text: str, piece: Piece) -> str:
    rest = _without_block(text, piece.comment)
    first, last = _marks(piece.comment)
    gap = "" if not rest or rest.endswith("\n\n") else "\n" if rest.endswith("\n") else "\n\n"
    return f"{rest}{gap}{first}\n{piece.text.rstrip()}\n{last}\n"


def _without_block(text: str, comment: str) -> str:
    first, last = _marks(comment)
    kept: list[str] = []
    inside = False
    lines = text.splitlines(keepends=True)
    if any(line.strip() == first for line in lines) != any(line.strip() == last for line in lines):
        raise UsageError("One of the two marks around Companion's lines is gone.", f"Put it back: `{first}`, `{last}`.")
    for line in lines:
        if line.strip() == first:
            inside = True
            if kept and not kept[-1].strip():
                kept.pop()  # the empty line that was put before the block
        elif line.strip() == last and inside:
            inside = False
        elif not inside:
            kept.append(line)
    return "".join(kept)
