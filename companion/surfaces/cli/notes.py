"""Commands of notes: what lies on the desk, how it is written, and what an assistant is told of it."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from companion.errors import UsageError
from companion.records.notes import NotePage, Preamble
from companion.surfaces.cli.commands import Companion, command, words_for
from companion.surfaces.cli.declared import CommandGroup, Option, Positional
from companion.surfaces.cli.options import AsJson, Repo, companion_for
from companion.surfaces.cli.output import Aside, Shown, TextTable, print_answer

EDITORS = ("COMPANION_EDITOR", "VISUAL", "EDITOR")
"""Environment variables that name the editor, the first that is set."""
Name = Annotated[
    str, Positional(metavar="NAME", help="status, today, journal, identity, project, compaction or your own.")
]

notes_app = CommandGroup("Notes: pages that stay in sight.")


@notes_app.by_itself
@words_for("notes")
def notes(found: Sequence[NotePage]) -> Shown:
    """List the notes that are there: status, identity, pages of days, journal, notebooks.

    Example: `companion notes`
    """
    if not found:
        return "There are no notes yet. Begin one: companion notes edit today"
    return TextTable("", ("note", "changed", "size ", "file"), [_row(page) for page in found])


def _page(page: NotePage) -> Shown:
    if page.problem:
        raise UsageError(f"{page.path}: {page.problem}", "Fix it, or move it away.")
    cut = f"{page.cut_bytes:,} more bytes are in {page.path}." if page.cut_bytes else ""
    return ["\n".join(page.text.splitlines()), *([Aside(cut)] if cut else [])]


@notes_app.command()
@command(_page, anywhere=True)
def show(companion: Companion, name: Name) -> NotePage:
    """Show a note, without secrets.

    Example: `companion notes show status`
    """
    (page,) = companion.notes(name)
    return page


@notes_app.command()
def edit(
    name: Name,
    print_path: Annotated[bool, Option("--print", help="Make the file and print its path only.")] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Open a note in your editor; one that is not there yet is begun.

    Example: `companion notes edit today`
    """
    with companion_for(repo, anywhere=True) as companion:
        file = companion.place_note(name)
    if as_json or print_path:
        print_answer({"path": file}, str(file), as_json)
    else:
        _open(file)


def _fields(page: NotePage) -> str:
    return "\n".join(f"{one.name}: {one.value}" for one in page.fields) or "The status is empty."


@notes_app.command("set")
@command(_fields, anywhere=True)
def set_(
    companion: Companion,
    fields: Annotated[list[str], Positional(metavar="NAME=VALUE", help="A field; without a value it goes.")],
) -> NotePage:
    """Set fields of the status, each with the present time; nothing else in it is touched.

    Example: `companion notes set "branch=money" "next=fix the rounding"`
    """
    return companion.update_status(dict(map(_field, fields)))


@notes_app.command()
@words_for("preamble")
def preamble(made: Preamble) -> Shown:
    """Show what an assistant is given first: the notes, whole, within the setting `preamble_tokens`.

    Example: `companion notes preamble`
    """
    size = f"{made.tokens:,} of {made.budget_tokens:,} tokens, the same bytes ({made.digest}) until a note changes."
    return ["\n".join(made.text.splitlines()), Aside(size), *(Aside(f"Not whole: {one}") for one in made.left_out)]


def _row(page: NotePage) -> tuple[object, ...]:
    changed = f"{page.changed_at:%Y-%m-%d %H:%M}" if page.changed_at else "-"
    return (page.name, changed, f"{page.size_bytes:,}", f"{page.path}  {page.problem}".strip())


def _field(given: str) -> tuple[str, str]:
    name, sign, value = given.partition("=")
    if not sign:
        raise UsageError(f"`{given}` sets nothing.", 'Write it as NAME=VALUE: `companion notes set "branch=money"`.')
    return name, value


def _open(file: Path) -> None:
    """Have the user's editor open a file, and wait until it is closed."""
    named = next((said for name in EDITORS if (said := os.environ.get(name, "").strip())), "")
    command = _words(named) or ["notepad" if os.name == "nt" else "vi"]
    try:
        done = subprocess.run([*command, str(file)], check=False)
    except OSError as wrong:
        raise UsageError(
            f"{command[0]} cannot be started: {wrong.strerror}.", f"Set EDITOR, or open {file} yourself."
        ) from wrong
    if done.returncode:
        raise UsageError(f"{command[0]} ended with {done.returncode}.", f"The note is in {file}.")


def _words(command: str) -> list[str]:
    """A command line in its words; a backslash of Windows is one of its signs."""
    if os.name == "nt":
        return [word.strip('"') for word in shlex.split(command, posix=False)]
    return shlex.split(command)
