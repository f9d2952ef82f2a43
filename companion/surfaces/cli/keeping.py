"""Commands that keep: remember, forget, revive, pin, export, import, backup."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from companion.api import Note
from companion.errors import UsageError
from companion.records import Kind, Memory, Scope, Visibility
from companion.surfaces.cli.commands import CommandAnswer, Companion, command
from companion.surfaces.cli.options import AsJson, MemoryId, Repo, choice_of, companion_for
from companion.surfaces.cli.output import counted, plain, print_answer
from companion.surfaces.cli.settling import told_contradiction
from companion.surfaces.cli.told import ID_SHOWN, line

PATHS_SHOWN = 20
"""Files of an export that are shown: a screen."""
NOTE_MAX_CHARACTERS = 20_000
"""A note longer than a few pages is a document; keep it as a file."""


@command()
def remember(
    companion: Companion,
    as_json: bool,
    text: Annotated[str, typer.Argument(help="What to remember.")],
    kind: Annotated[str, typer.Option(help="fact, episode, pattern or workflow.")] = "fact",
    scope: Annotated[str, typer.Option(help="The path it applies to.")] = "",
    visibility: Annotated[str, typer.Option(help="user-private, project-shared or system.")] = "user-private",
    pin: Annotated[bool, typer.Option("--pin", help="Keep it in every context.")] = False,
    label: Annotated[str, typer.Option(help="Your name for it.")] = "",
) -> CommandAnswer:
    """Remember something by hand. Secrets in it are redacted first.

    Example: `companion remember "staging runs Python 3.12" --scope deploy --pin`
    """
    if not text.strip():
        raise UsageError("There is nothing to remember.", 'Write it in quotes: companion remember "…"')
    if len(text) > NOTE_MAX_CHARACTERS:
        raise UsageError(
            f"{len(text)} characters are too many for one memory (at most {NOTE_MAX_CHARACTERS}).",
            "Keep it as a file in the repository, or split it.",
        )
    note = Note(
        text=text.strip(),
        kind=choice_of(Kind, kind, "kind"),
        scope=Scope(path=scope),
        visibility=choice_of(Visibility, visibility, "visibility"),
        pinned=pin,
        label=label,
    )
    kept = companion.remember(note)
    notices = list(companion.notices()) if as_json else []  # else they are told at the end, as always
    record = plain(kept)
    assert isinstance(record, dict)
    told = [line("Remembered", kept), f"It is {kept.is_now}.", f"Undo: companion forget {kept.id[:ID_SHOWN]}"]
    told += [f"\nIt contradicts what is known:\n{told_contradiction(one)}" for one in kept.contradicts]
    return CommandAnswer({**record, "notices": notices}, "\n".join(told))


def forget(
    id_: MemoryId,
    for_good: Annotated[
        bool, typer.Option("--for-good", help="Delete what you told, with every copy: it cannot be undone.")
    ] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Archive a memory: it leaves every context; `search --archived` still finds it.

    Example: `companion forget m1a2b3c4`
    """
    with companion_for(repo, anywhere=for_good) as companion:
        gone = companion.erase(id_) if for_good else companion.forget(id_)
    if isinstance(gone, Memory):
        shown = f"{line('Forgotten', gone)}\nUndo: companion revive {gone.id[:ID_SHOWN]}"
    else:
        also = f", and {counted(gone.items, 'open item')} of the same words" if gone.items else ""
        shown = f"Deleted for good{also}."
    print_answer(gone, shown, as_json)


@command(partial(line, "Back again"))
def revive(companion: Companion, id_: MemoryId) -> Memory:
    """Bring back a memory that was forgotten, by you or by a run: `search --archived` shows which there are.

    Example: `companion revive m1a2b3c4`
    """
    return companion.revive(id_)


@command()
def pin(
    companion: Companion,
    id_: MemoryId,
    off: Annotated[bool, typer.Option("--off", help="Take the pin out.")] = False,
) -> CommandAnswer:
    """Pin a memory: it is in every context and cannot be forgotten until the pin is taken out.

    Example: `companion pin m1a2b3c4`
    """
    kept = companion.pin(id_, on=not off)
    return CommandAnswer(kept, line("No longer pinned" if off else "Pinned", kept))


def export(
    folder: Annotated[Path, typer.Argument(help="Where to write; made if missing.")] = Path("companion-export"),
    project: Annotated[bool, typer.Option("--project", help="Only the memories of this project.")] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Write everything that is kept: Markdown to read, JSON Lines to read back.

    That is memories of all projects with their versions and sources, conversations as they were held, what they left
    open, acts, answers, runs and your notes. Secrets and what you deleted are not in it.

    Example: `companion export ~/companion-export`
    """
    with companion_for(repo, anywhere=not project) as companion:
        written = companion.export(folder, everything=not project)
    more = len(written) - PATHS_SHOWN
    last = [f"and {more} more in {folder}"] if more > 0 else []
    print_answer(written, "\n".join([*map(str, written[:PATHS_SHOWN]), *last]), as_json)


@command(anywhere=True)
def import_(
    companion: Companion,
    file: Annotated[Path, typer.Argument(help="A folder that `export` wrote, or the JSON Lines in it.")],
) -> CommandAnswer:
    """Read an export back. Nothing is imported twice; a faulty file imports nothing.

    An export of everything gives an empty store the same content, and any other what it lacks. What was read from
    repositories (code, history) comes back by `companion init` in them.

    Example: `companion import ~/companion-export`
    """
    count = companion.import_file(file)
    return CommandAnswer({"imported": count}, f"{counted(count, 'memory')} imported.")


@command()
def backup(
    companion: Companion,
    target: Annotated[Path | None, typer.Argument(help="The file to write.", show_default="the data folder")] = None,
) -> CommandAnswer:
    """Make a consistent copy of the whole store.

    Example: `companion backup /media/stick/companion.duckdb`
    """
    copy = companion.backup(target)
    return CommandAnswer({"backup": copy}, f"Backup written to {copy}")
