"""Commands that keep: remember, forget, revive, pin, export, import, backup."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.api import Note
from companion.errors import UsageError
from companion.records import Kind, Scope, Visibility
from companion.surfaces.cli.asking import _choice
from companion.surfaces.cli.options import AsJson, Repo, companion_for
from companion.surfaces.cli.output import counted, plain, print_answer, print_json, print_text

PATHS_SHOWN = 20
"""Files of an export that are shown: a screen."""
NOTE_MAX_CHARACTERS = 20_000
"""A note longer than a few pages is a document; keep it as a file."""


def remember(
    text: Annotated[str, typer.Argument(help="What to remember.")],
    kind: Annotated[str, typer.Option(help="fact, episode, pattern or workflow.")] = "fact",
    scope: Annotated[str, typer.Option(help="The path it applies to.")] = "",
    visibility: Annotated[str, typer.Option(help="user-private, project-shared or system.")] = "user-private",
    pin: Annotated[bool, typer.Option("--pin", help="Keep it in every context.")] = False,
    label: Annotated[str, typer.Option(help="Your name for it.")] = "",
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
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
        kind=_choice(Kind, kind, "kind"),
        scope=Scope(path=scope),
        visibility=_choice(Visibility, visibility, "visibility"),
        pinned=pin,
        label=label,
    )
    with companion_for(repo) as companion:
        kept = companion.remember(note)
        notices = companion.notices() if as_json else ()
    if as_json:
        told = plain(kept)
        assert isinstance(told, dict)
        print_json({**told, "notices": list(notices)})
    else:
        print_text(f"Remembered {kept.id[:12]}: {kept.draft.levels.summary}")
        print_text(f"Undo: companion forget {kept.id[:12]}")


def forget(
    id_: Annotated[str, typer.Argument(metavar="ID", help="A memory's id or the start of one.")],
    for_good: Annotated[
        bool, typer.Option("--for-good", help="Delete what you told, with every copy: it cannot be undone.")
    ] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Archive a memory: it leaves every context; `search --archived` still finds it.

    Example: `companion forget m1a2b3c4`
    """
    if for_good:
        with companion_for(repo, anywhere=True) as companion:
            erased = companion.erase(id_)
        if as_json:
            print_json(erased)
            return
        also = f", and {counted(erased.items, 'open item')} of the same words" if erased.items else ""
        print_text(f"Deleted for good{also}.")
        return
    with companion_for(repo) as companion:
        gone = companion.forget(id_)
    if as_json:
        print_json(gone)
    else:
        print_text(f"Forgotten {gone.id[:12]}: {gone.draft.levels.summary}")
        print_text(f"Undo: companion revive {gone.id[:12]}")


def revive(
    id_: Annotated[str, typer.Argument(metavar="ID", help="A memory's id or the start of one.")],
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Bring back a memory that was forgotten, by you or by a run: `search --archived` shows which there are.

    Example: `companion revive m1a2b3c4`
    """
    with companion_for(repo) as companion:
        back = companion.revive(id_)
    print_answer(back, f"Back again {back.id[:12]}: {back.draft.levels.summary}", as_json)


def pin(
    id_: Annotated[str, typer.Argument(metavar="ID", help="A memory's id or the start of one.")],
    off: Annotated[bool, typer.Option("--off", help="Take the pin out.")] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Pin a memory: it is in every context and cannot be forgotten until the pin is taken out.

    Example: `companion pin m1a2b3c4`
    """
    with companion_for(repo) as companion:
        kept = companion.pin(id_, on=not off)
    print_answer(
        kept, f"{'No longer pinned' if off else 'Pinned'} {kept.id[:12]}: {kept.draft.levels.summary}", as_json
    )


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
    if as_json:
        print_json(written)
    else:
        shown = written if len(written) <= PATHS_SHOWN else written[:PATHS_SHOWN]
        print_text("\n".join(map(str, shown)))
        if len(written) > len(shown):
            print_text(f"and {len(written) - len(shown)} more in {folder}")


def import_(
    file: Annotated[Path, typer.Argument(help="A folder that `export` wrote, or the JSON Lines in it.")],
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Read an export back. Nothing is imported twice; a faulty file imports nothing.

    An export of everything gives an empty store the same content, and any other what it lacks. What was read from
    repositories (code, history) comes back by `companion init` in them.

    Example: `companion import ~/companion-export`
    """
    with companion_for(repo, anywhere=True) as companion:
        count = companion.import_file(file)
    print_answer({"imported": count}, f"{counted(count, 'memory')} imported.", as_json)


def backup(
    target: Annotated[Path | None, typer.Argument(help="The file to write.", show_default="the data folder")] = None,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Make a consistent copy of the whole store.

    Example: `companion backup /media/stick/companion.duckdb`
    """
    with companion_for(repo) as companion:
        copy = companion.backup(target)
    print_answer({"backup": copy}, f"Backup written to {copy}", as_json)
