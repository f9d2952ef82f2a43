"""Commands of notes: what lies on the desk, how it is written, and what an assistant is told of it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from companion.config import data_home
from companion.errors import UsageError
from companion.records.notes import NotePage
from companion.surfaces.cli.options import AsJson, Repo, companion_for
from companion.surfaces.cli.output import print_answer, print_json, print_note, print_table, print_text
from companion.surfaces.cli.told import printable

EDITORS = ("COMPANION_EDITOR", "VISUAL", "EDITOR")
"""Environment variables that name the editor, the first that is set."""
OWN_FOLDER = "notes"
"""In the data folder: the user's own notes."""
IN_REPOSITORY = ".companion/notes"

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="status, today, journal, identity, project, compaction or your own.")
]

notes_app = typer.Typer(invoke_without_command=True, help="Notes: pages that stay in sight.")


@notes_app.callback()
def notes(ctx: typer.Context, as_json: AsJson = False, repo: Repo = Path()) -> None:
    """List the notes that are there: status, identity, pages of days, journal, notebooks.

    Example: `companion notes`
    """
    if ctx.invoked_subcommand is not None:
        return
    with companion_for(repo, anywhere=True) as companion:
        found = companion.notes()
    if as_json:
        print_json(found)
    elif found:
        print_table("", ("note", "changed", "size ", "file"), [_row(page) for page in found])
    else:
        print_text("There are no notes yet. Begin one: companion notes edit today")


@notes_app.command()
def show(name: Name, as_json: AsJson = False, repo: Repo = Path()) -> None:
    """Show a note, without secrets.

    Example: `companion notes show status`
    """
    with companion_for(repo, anywhere=True) as companion:
        (page,) = companion.notes(name)
    if as_json:
        print_json(page)
        return
    if page.problem:
        raise UsageError(f"{page.path}: {page.problem}", "Mend it, or move it away.")
    print_text("\n".join(printable(line) for line in page.text.splitlines()))
    if page.cut_bytes:
        print_note(f"{page.cut_bytes:,} more bytes stand in {page.path}.")
    if page.written_by:
        print_note(f"In the repository, written by {', '.join(page.written_by)}.")


@notes_app.command()
def edit(
    name: Name,
    print_path: Annotated[bool, typer.Option("--print", help="Make the file and say where it lies, no more.")] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Open a note in your editor; one that is not there yet is begun.

    Example: `companion notes edit today`
    """
    with companion_for(repo, anywhere=True) as companion:
        file = companion.place_note(name)
    if as_json:
        print_json({"path": file})
    elif print_path:
        print_text(printable(str(file)))
    else:
        _open(file)


@notes_app.command("set")
def set_(
    fields: Annotated[list[str], typer.Argument(metavar="NAME=VALUE", help="A field; without a value it goes.")],
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Set fields of the status, each with the present time; nothing else in it is touched.

    Example: `companion notes set "branch=money" "next=mend the rounding"`
    """
    given = dict(_field(one) for one in fields)
    with companion_for(repo, anywhere=True) as companion:
        page = companion.update_status(given)
    print_answer(
        page, "\n".join(f"{one.name}: {printable(one.value)}" for one in page.fields) or "The status is empty.", as_json
    )


@notes_app.command()
def path(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="A note that is there; none: the folder.")] = "",
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Say where the notes lie, or one of them.

    Example: `companion notes path status`
    """
    where = str(data_home() / OWN_FOLDER)
    if name:
        with companion_for(repo, anywhere=True) as companion:
            (page,) = companion.notes(name)
        where = page.path
    print_json({"path": where}) if as_json else print_text(printable(where))


@notes_app.command()
def preamble(as_json: AsJson = False, repo: Repo = Path()) -> None:
    """Show what an assistant is told first: the notes, whole, within the setting `preamble_tokens`.

    Example: `companion notes preamble`
    """
    with companion_for(repo, anywhere=True) as companion:
        made = companion.preamble()
    if as_json:
        print_json(made)
        return
    print_text("\n".join(printable(line) for line in made.text.splitlines()))
    print_note(
        f"{made.tokens:,} of {made.budget_tokens:,} tokens, the same bytes ({made.digest}) until a note changes."
    )
    for one in made.left_out:
        print_note(f"Not whole: {one}")


@notes_app.command()
def repository(
    on: Annotated[bool | None, typer.Option("--on/--off", help="Agree, or no more.", show_default=False)] = None,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Use notes that lie in this repository's `.companion/notes`: read by every assistant, written by whoever commits.

    Example: `companion notes repository --on`
    """
    if on is None:
        on = not as_json and _agreed()
    with companion_for(repo) as companion:
        found = companion.use_repository_notes(on=on)
    if as_json:
        print_json({"on": on, "notes": found})
    elif on:
        names = ", ".join(page.name for page in found) or "none yet; begin one: companion notes edit repository/plan"
        print_text(f"Notes in this repository are in use: {names}")
    else:
        print_text("Notes in this repository are not used.")


def _agreed() -> bool:
    """Whether the user says yes. Raises UsageError where nobody can be asked."""
    if not sys.stdin.isatty():
        raise UsageError("Nobody can be asked here.", "Say it: `companion notes repository --on`, or `--off`.")
    return typer.confirm(f"Show pages of {IN_REPOSITORY} to assistants, and let you edit them there?")


def _row(page: NotePage) -> tuple[object, ...]:
    changed = f"{page.changed_at:%Y-%m-%d %H:%M}" if page.changed_at else "-"
    says = page.problem or (f"by {', '.join(page.written_by)}" if page.written_by else "")
    return (printable(page.name), changed, f"{page.size_bytes:,}", printable(f"{page.path}  {says}".strip()))


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
        raise UsageError(f"{command[0]} ended with {done.returncode}.", f"The note lies in {file}.")


def _words(command: str) -> list[str]:
    """A command line in its words; a backslash of Windows is one of its signs."""
    if os.name == "nt":
        return [word.strip('"') for word in shlex.split(command, posix=False)]
    return shlex.split(command)
