"""`companion connect`: what it would write, a question, then the writing; and the way back."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from companion.errors import UsageError
from companion.surfaces.cli.options import AsJson
from companion.surfaces.cli.output import print_json, print_table, print_text
from companion_lsp.connecting.editors import EDITORS, Editor, Setup, program
from companion_lsp.connecting.writing import Edit, put, take_out, write

app = typer.Typer(add_completion=False)


def _named(name: str) -> Editor:
    for editor in EDITORS:
        if editor.name == name.lower():
            return editor
    known = ", ".join(editor.name for editor in EDITORS)
    raise UsageError(f"There is no set-up for `{name}`.", f"Choose one of: {known}.")


def _complete(typed: str) -> list[str]:
    return [editor.name for editor in EDITORS if editor.name.startswith(typed)]


@app.command()
def connect(
    editor: Annotated[
        str, typer.Argument(help="neovim, emacs, helix, zed, sublime or other.", autocompletion=_complete)
    ] = "",
    print_only: Annotated[bool, typer.Option("--print", help="Show what would be written, write nothing.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Take out what was written.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Connect an editor: show its set-up, ask, write it. Without a name: list the editors.

    Example: `companion connect neovim`
    """
    if not editor:
        _list(as_json=as_json)
        return
    setup = _named(editor).setup(program())
    edits = [take_out(piece) if undo else put(piece) for piece in setup.pieces]
    changes = [edit for edit in edits if edit.before != edit.after]
    if not print_only and changes:
        _ask(changes, yes=yes or as_json)
        for edit in changes:
            write(edit)
    if as_json:
        print_json(_told(editor, setup, changes, written=not print_only))
    else:
        _say(setup, edits if print_only else changes, print_only=print_only, undo=undo)


def _list(*, as_json: bool) -> None:
    if as_json:
        print_json([{"name": editor.name, "title": editor.title} for editor in EDITORS])
    else:
        print_table("Editors", ("name", "editor"), [(editor.name, editor.title) for editor in EDITORS])


def _ask(changes: list[Edit], *, yes: bool) -> None:
    """Show the changes and ask; raises UsageError where nobody can answer, or the answer is no."""
    if yes:
        return
    for edit in changes:
        print_text(edit.diff())
    if not sys.stdin.isatty():
        raise UsageError("Nothing was written: nobody could be asked.", "Add `--yes`, or `--print` to see it only.")
    if not typer.confirm("Write this?", default=False):
        raise UsageError("Nothing was written.", "`--print` shows the lines, to place them yourself.")


def _say(setup: Setup, edits: list[Edit], *, print_only: bool, undo: bool) -> None:
    if print_only:
        for edit in edits:
            print_text(f"# {edit.path}\n\n{edit.after if edit.after is not None else '(removed)'}")
    elif not edits and setup.pieces:
        print_text("There is nothing to take out." if undo else "Everything is in place already.")
    for edit in [] if print_only else edits:
        print_text(f"{'Removed' if edit.after is None else 'Wrote'} {edit.path}")
    if not undo:
        for line in filter(None, (setup.by_hand, setup.then)):
            print_text(line)


def _told(editor: str, setup: Setup, changes: list[Edit], *, written: bool) -> dict[str, object]:
    return {
        "editor": editor,
        "written": written,
        "files": [{"path": str(edit.path), "text": edit.after} for edit in changes],
        "by_hand": setup.by_hand,
        "then": setup.then,
    }
