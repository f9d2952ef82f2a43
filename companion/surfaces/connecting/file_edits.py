"""Set-up text in a user's files: whole files of ours, a marked block or an entry in a file that holds other things."""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import os
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from companion.errors import UsageError
from companion.surfaces.connecting.settings import with_entry, without_entry

OURS = "companion connect"
"""Stands in the first lines of every file that is ours as a whole; nothing else is ever removed."""
FIRST_LINES = 8
"""Lines that are searched for it."""
KEPT_MAX = 5
"""Copies that are kept of one settings file; each is what it was before one `connect`."""


class WholeFile(Struct, frozen=True):
    """A file that is ours from its first line to its last."""

    path: Path
    text: str


class ConfigBlock(Struct, frozen=True):
    """Lines of ours between two marks, in a file that holds other things too; `comment` begins a comment there."""

    path: Path
    text: str
    comment: str


class ConfigEntry(Struct, frozen=True):
    """A value under nested names, in a JSON file that holds other things too; with a `mark`, one of a list there.

    `begun` is what a file begins with that holds nothing else.
    """

    path: Path
    keys: tuple[str, ...]
    value: Mapping[str, object]
    mark: str = ""
    begun: str = ""

    @property
    def text(self) -> str:
        """The entry as it would stand alone."""
        return self.within("")

    def within(self, text: str) -> str:
        """A file with the entry in it. Raises UsageError."""
        return with_entry(text or self.begun, self.keys, self.value, self.mark)


Piece = WholeFile | ConfigBlock | ConfigEntry


class FileEdit(Struct, frozen=True):
    """A file as it is and as it is to be; None: there is no such file. `ours` is what we put there."""

    path: Path
    before: str | None
    after: str | None
    ours: str = ""

    def diff(self) -> str:
        """The change as people read it."""
        lines = difflib.unified_diff(
            (self.before or "").splitlines(keepends=True),
            (self.after or "").splitlines(keepends=True),
            str(self.path) if self.before is not None else "(no file yet)",
            str(self.path) if self.after is not None else "(removed)",
        )
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def edits_of(pieces: Iterable[Piece], *, undo: bool) -> list[FileEdit]:
    """The edits that bring pieces in or take them out, one a file, however many pieces it takes. Raises UsageError."""
    found: dict[Path, FileEdit] = {}
    for piece in pieces:
        known = found.get(piece.path)
        text = known.after if known is not None else _read(piece.path)
        edit = _taken_from(piece, text) if undo else _put_into(piece, text)
        if known is not None:
            ours = (
                piece.within(known.ours) if isinstance(piece, ConfigEntry) else f"{known.ours}\n{edit.ours}".strip("\n")
            )
            edit = FileEdit(piece.path, known.before, edit.after, ours)
        found[piece.path] = edit
    return list(found.values())


def _put_into(piece: Piece, before: str | None) -> FileEdit:
    match piece:
        case WholeFile():
            if before is not None and not _is_ours(before):
                raise UsageError(
                    f"{piece.path} is there already and was not written by Companion.",
                    "Move it away, or take what you need from `companion connect NAME --print`.",
                )
            after = piece.text
        case ConfigBlock():
            after = _with_block(before or "", piece)
            if piece.path.suffix == ".toml":
                _need_toml(piece.path, after)
        case ConfigEntry():
            after = _edited(piece.path, lambda: piece.within(before or ""))
    return FileEdit(piece.path, before, after, piece.text)


def _taken_from(piece: Piece, before: str | None) -> FileEdit:
    if before is None:
        return FileEdit(piece.path, None, None)
    left: str | None
    match piece:
        case WholeFile():
            left = "" if _is_ours(before) else before
        case ConfigBlock():
            left = _without_block(before, piece.comment)
        case ConfigEntry():
            left = _edited(
                piece.path, lambda: without_entry(before, piece.keys, piece.mark) if before.strip() else before
            )
            if left != before and left.split() == piece.begun.split():
                left = ""
    return FileEdit(piece.path, before, left if left.strip() or left == before else None)


def _need_toml(path: Path, text: str) -> None:
    """Refuse what would be no TOML, as where the user has a table of the same name; two are an error."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise UsageError(
            f"{path} would not be valid TOML with our lines: {wrong}.", "Fix it, or use `--print` and add the lines."
        ) from wrong


def _edited(path: Path, edit: Callable[[], str]) -> str:
    try:
        return edit()
    except UsageError as wrong:
        raise UsageError(f"{path} cannot be changed. {wrong.what}", wrong.next_step) from wrong


def keep_before(edit: FileEdit, folder: Path) -> Path | None:
    """Keep a file as it is before a change, if it goes on holding other things; the copy's path.

    The copy is for the user alone: settings hold keys. Of each file the last few are kept.
    """
    if edit.before is None or edit.after is None or edit.after == edit.ours:
        return None
    where = hashlib.sha256(os.fsencode(edit.path.absolute())).hexdigest()[:8]
    folder = folder / f"{edit.path.name.lstrip('.')}-{where}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    older = sorted(folder.iterdir())
    number = int(older[-1].name) + 1 if older and older[-1].name.isdigit() else 1
    copy = folder / f"{number:06}"
    handle = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as opened:
        opened.write(edit.before)
    for one in older[: max(0, len(older) + 1 - KEPT_MAX)]:
        one.unlink(missing_ok=True)
    return copy


def write(edit: FileEdit) -> None:
    """Carry an edit out: the file appears whole or stays as it was."""
    if edit.after is None:
        edit.path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            edit.path.parent.rmdir()  # it may hold other things, and then it stays
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
        raise UsageError(f"{path} cannot be read: {wrong}.", "Fix it, or use `--print` and add the lines.") from wrong


def _is_ours(text: str) -> bool:
    return any(OURS in line for line in text.splitlines()[:FIRST_LINES])


def _marks(comment: str) -> tuple[str, str]:
    return f"{comment} >>> {OURS} (take out with --undo)", f"{comment} <<< {OURS}"


def _with_block(text: str, piece: ConfigBlock) -> str:
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
