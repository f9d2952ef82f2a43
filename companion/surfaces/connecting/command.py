"""`companion connect`: what it would write, a question, then the writing; and the way back."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from companion.client.companions import work_tree
from companion.config import data_home
from companion.errors import NotARepository, UsageError
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.options import AsJson, confirmed
from companion.surfaces.cli.output import Part, TextTable, print_answer, print_json, print_text
from companion.surfaces.connecting.file_edits import FileEdit, edits_of, keep_before, write
from companion.surfaces.connecting.targets import Setup, SetupTarget, Target, named, program, targets

KEPT_NAME = "settings-before"
"""Folder in the data folder with settings files as they were."""


def connect(
    name: Annotated[
        str, Positional(metavar="[PROGRAM]", help="An editor or assistant, such as neovim or claude-code.")
    ] = "",
    print_only: Annotated[bool, Option("--print", help="Show what would be written, write nothing.")] = False,
    undo: Annotated[bool, Option("--undo", "--remove", help="Remove what was written.")] = False,
    everywhere: Annotated[
        bool, Option("--global", help="An assistant's settings for all repositories, not this one's.")
    ] = False,
    yes: Annotated[bool, Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Connect an editor or an assistant: show its set-up, ask, write it. Without a name: list those found here.

    Settings that hold other things too keep them, comments included; a copy of what was there stays in the data
    folder.

    Example: `companion connect claude-code`
    """
    if not name:
        _list(as_json=as_json)
        return
    found = named(name, targets())
    setups = [target.setup(_place(target, everywhere=everywhere)) for target in found]
    edits = edits_of((piece for setup in setups for piece in setup.pieces), undo=undo)
    changes = [edit for edit in edits if edit.before != edit.after]
    kept: list[Path] = []
    if not print_only and changes:
        _ask(changes, yes=yes or as_json)
        for edit in changes:
            kept += filter(None, [keep_before(edit, data_home() / KEPT_NAME)])
            write(edit)
    if as_json:
        print_json(_told(name, setups, changes, kept, written=not print_only))
    else:
        _say(setups, edits if print_only else changes, kept, print_only=print_only, undo=undo)


def _place(target: Target, *, everywhere: bool) -> SetupTarget:
    """For whom a set-up is made: this repository, where the target can be set up for one, else the user."""
    if everywhere or not target.for_projects:
        return SetupTarget(program())
    here = Path.cwd()
    root = work_tree(here)
    if root is None:
        raise NotARepository(
            f"{here} is not inside a git repository.", f"Go to one, or run `companion connect {target.name} --global`."
        )
    return SetupTarget(program(), root)


def _list(*, as_json: bool) -> None:
    """Who is on this machine with the files that would be written, and the names of the others."""
    known = [(one, one.is_here(), _would_write(one)) for one in targets()]
    told = [
        {"name": one.name, "what": one.what, "title": one.title, "found": here, "writes": writes}
        for one, here, writes in known
    ]
    rows = [(one.name, one.title, ", ".join(map(_short, writes))) for one, here, writes in known if here]
    others = sorted({one.name for one, _, _ in known if one.signs} - {name for name, _, _ in rows})
    parts: list[Part] = [TextTable("Found on this machine", ("name", "what", "would write"), rows)] if rows else []
    parts.append(f"Not found here: {', '.join(others)}. For any other editor: companion connect other")
    parts.append(f"Next: companion connect {rows[0][0] if rows else 'NAME'}   (shows the lines, and asks)")
    print_answer(told, parts, as_json)


def _would_write(target: Target) -> list[str]:
    """The files of a set-up: for the repository where there is one, else for the user."""
    root = work_tree(Path.cwd()) if target.for_projects else None
    return list(dict.fromkeys(str(piece.path) for piece in target.setup(SetupTarget(program(), root)).pieces))


def _short(path: str) -> str:
    """A path as people here would say it: from the repository, or from home."""
    for base, mark in ((work_tree(Path.cwd()), ""), (Path.home(), "~/")):
        if base is not None and Path(path).is_relative_to(base):
            return mark + Path(path).relative_to(base).as_posix()
    return path


def _ask(changes: Sequence[FileEdit], *, yes: bool) -> None:
    """Show the changes and ask; raises UsageError where nobody can answer, or the answer is no."""
    if yes:
        return
    for edit in changes:
        print_text(edit.diff())
    if not sys.stdin.isatty():
        raise UsageError("Nothing was written: nobody could be asked.", "Add `--yes`, or `--print` to see it only.")
    if not confirmed("Write this?"):
        raise UsageError("Nothing was written.", "`--print` shows the lines, to place them yourself.")


def _say(
    setups: Sequence[Setup], edits: Sequence[FileEdit], kept: Sequence[Path], *, print_only: bool, undo: bool
) -> None:
    if print_only:
        for edit in edits:
            print_text(f"# {edit.path}\n\n{edit.ours or '(removed)'}")
    elif not edits and any(setup.pieces for setup in setups):
        print_text("There is nothing to remove." if undo else "Everything is in place already.")
    for edit in [] if print_only else edits:
        print_text(f"{'Removed' if edit.after is None else 'Wrote'} {edit.path}")
    for copy in kept:
        print_text(f"As it was: {copy}")
    for setup in [] if undo else setups:
        for line in filter(None, (setup.by_hand, setup.then)):
            print_text(line)


def _told(
    name: str, setups: Sequence[Setup], changes: Sequence[FileEdit], kept: Sequence[Path], *, written: bool
) -> dict[str, object]:
    """All of it for a program; of a file that holds other things too, our part alone."""
    return {
        "name": name,
        "written": written,
        "files": [{"path": str(edit.path), "text": edit.ours, "removed": edit.after is None} for edit in changes],
        "kept": kept,
        "by_hand": "\n".join(setup.by_hand for setup in setups if setup.by_hand),
        "then": "\n".join(setup.then for setup in setups),
    }


app = connect
"""What the entry point names."""
