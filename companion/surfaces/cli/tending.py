"""Commands that look after the store: stats, doctor, rebuild."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.api import Finding, Stats
from companion.surfaces.cli.options import AsJson, Repo, companion_for
from companion.surfaces.cli.output import print_json, print_table, print_text, progress

BROKEN_EXIT = 1
"""`doctor` and `rebuild` leave with it when something is broken, so that scripts can tell."""


def stats(as_json: AsJson = False, repo: Repo = Path()) -> None:
    """Show what is remembered of this project, by kind.

    Example: `companion stats --json`
    """
    with companion_for(repo) as companion:
        held = companion.stats()
    if as_json:
        print_json(held)
    else:
        _print_stats(held)


def doctor(
    repair: Annotated[bool, typer.Option("--repair", help="Mend what can be mended; nothing is deleted.")] = False,
    settings: Annotated[bool, typer.Option("--settings", help="List every setting with its reason.")] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Check store, indexes, models and repository; say what to do about each finding.

    Example: `companion doctor --repair`
    """
    from companion.client import examine, settings_table

    if settings:
        rows = settings_table()
        if as_json:
            print_json([{"name": n, "value": v, "default": d, "why": w} for n, v, d, w in rows])
        else:
            print_table("Settings", ("name", "value", "default", "why"), list(rows))
        return
    _print_findings(examine(repo, repair=repair), as_json=as_json)


def rebuild(as_json: AsJson = False, repo: Repo = Path()) -> None:
    """Make the search indexes and every other derived table anew.

    Example: `companion rebuild`
    """
    with companion_for(repo) as companion, progress(quiet=as_json) as bars:
        findings = companion.rebuild(bars)
    _print_findings(findings, as_json=as_json)


def _print_findings(findings: tuple[Finding, ...], *, as_json: bool) -> None:
    if as_json:
        print_json(findings)
    else:
        marks = {"ok": "ok", "warning": "look", "broken": "BROKEN"}
        print_table(
            "",
            ("", "what", "finding", "next"),
            [(marks.get(f.state, f.state), f.name, f.what, f.next_step) for f in findings],
        )
    if any(finding.state == "broken" for finding in findings):
        raise typer.Exit(BROKEN_EXIT)


def _print_stats(held: Stats) -> None:
    print_text(f"{held.project}  {held.remote or '(no remote)'}  {held.root}")
    print_table(
        "",
        ("held", "count "),
        [
            ("commits", held.commits),
            ("files", held.files),
            ("symbols", held.symbols),
            ("archived memories", held.archived),
            ("open contradictions", held.open_contradictions),
            ("served / cited / ignored", f"{held.retrieved} / {held.cited} / {held.ignored}"),
        ],
    )
    rows = [(m.kind, m.type if m.type not in ("", m.kind) else "-", m.active) for m in held.memories]
    print_table("Memories", ("kind", "type", "active "), rows)
    print_table("Languages", ("language", "files "), [*held.languages])
    ready = held.readiness
    print_text(f"Vectors for {ready.embedded} of {ready.embedded + ready.to_embed} texts.")
    for missing in ready.missing:
        print_text(f"Missing: {missing}")
    print_text(f"Store: {held.store_path}, {held.store_bytes / 1e6:.1f} MB")
