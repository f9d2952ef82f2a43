"""Commands that look after the store: stats, doctor, rebuild, export, import, backup."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from companion.api import Finding, Stats
from companion.records.wording import counted
from companion.surfaces.cli.commands import CommandAnswer, Companion, command, words_for
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.options import AsJson, Repo, companion_for
from companion.surfaces.cli.output import Shown, TextTable, print_answer, progress

BROKEN_EXIT = 1
"""`doctor` and `rebuild` leave with it when something is broken, so that scripts can tell."""
PATHS_SHOWN = 20
"""Files of an export that are shown: a screen."""


@words_for("stats")
def stats(held: Stats) -> Shown:
    """Show what is remembered of this project, by kind.

    Example: `companion stats --json`
    """
    ready = held.readiness
    rows = [
        ("commits", held.commits),
        ("files", held.files),
        ("symbols", held.symbols),
        ("archived memories", held.archived),
        ("open contradictions", held.open_contradictions),
        ("served / cited / ignored", f"{held.retrieved} / {held.cited} / {held.ignored}"),
    ]
    memories = [(m.kind, m.type if m.type not in ("", m.kind) else "-", m.active) for m in held.memories]
    return [
        f"{held.project}  {held.remote or '(no remote)'}  {held.root}",
        TextTable("", ("held", "count "), rows),
        TextTable("Memories", ("kind", "type", "active "), memories),
        TextTable("Languages", ("language", "files "), held.languages),
        f"Vectors for {ready.embedded} of {ready.embedded + ready.to_embed} texts.",
        *(f"Missing: {missing}" for missing in ready.missing),
        f"Store: {held.store_path}, {held.store_bytes / 1e6:.1f} MB",
    ]


def doctor(
    repair: Annotated[bool, Option("--repair", help="Repair what can be repaired; nothing is deleted.")] = False,
    settings: Annotated[bool, Option("--settings", help="List every setting with its reason.")] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Check store, indexes, models and repository; say what to do about each finding.

    Example: `companion doctor --repair`
    """
    from companion.client import examine, settings_table

    if settings:
        columns, rows = ("name", "value", "default", "why"), settings_table()
        named = [dict(zip(columns, row, strict=True)) for row in rows]
        print_answer(named, TextTable("Settings", columns, rows), as_json)
    else:
        _print_findings(examine(repo, repair=repair), as_json=as_json)


def rebuild(as_json: AsJson = False, repo: Repo = Path()) -> None:
    """Rebuild the search indexes and every other derived table.

    Example: `companion rebuild`
    """
    with companion_for(repo) as companion, progress(quiet=as_json) as bars:
        findings = companion.rebuild(bars)
    _print_findings(findings, as_json=as_json)


def export(
    folder: Annotated[Path, Positional(help="Where to write; made if missing.")] = Path("companion-export"),
    project: Annotated[bool, Option("--project", help="Only the memories of this project.")] = False,
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
    file: Annotated[Path, Positional(help="A folder that `export` wrote, or the JSON Lines in it.")],
) -> CommandAnswer:
    """Read an export back. Nothing is imported twice; a faulty file imports nothing.

    An export of everything gives an empty store the same content, and any other what it lacks. What was read from
    repositories (code, history) comes back by `companion init` in them.

    Example: `companion import ~/companion-export`
    """
    count = companion.import_file(file)
    then = "Next: `companion init` in each repository, which reads its code and history."
    return CommandAnswer({"imported": count}, f"{counted(count, 'memory')} imported.\n{then}")


@command()
def backup(
    companion: Companion,
    target: Annotated[Path | None, Positional(help="The file to write.", show_default="the data folder")] = None,
) -> CommandAnswer:
    """Make a consistent copy of the whole store.

    Example: `companion backup /media/stick/companion.duckdb`
    """
    copy = companion.backup(target)
    return CommandAnswer({"backup": copy}, f"Backup written to {copy}")


def _print_findings(findings: Sequence[Finding], *, as_json: bool) -> None:
    print_answer(findings, list(_told(findings)), as_json)
    if any(one.state == "broken" for one in findings):
        raise SystemExit(BROKEN_EXIT)


def _told(findings: Sequence[Finding]) -> Iterator[str | TextTable]:
    """What is wrong with what to do about it, the worst first; then what is well, a line each."""
    for state, mark in (("broken", "BROKEN"), ("warning", "Look")):
        for one in findings:
            if one.state == state:
                yield f"{mark}: {one.name}. {one.what}\n  Next: {one.next_step}\n"
    well = [(one.name, one.what) for one in findings if one.state == "ok"]
    yield TextTable("", ("well", ""), well)
    if len(well) == len(findings):
        yield "All is well."
