"""Commands of the night: what consolidating would change."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.api import NightPlan
from companion.records import Change, touched
from companion.surfaces.cli.options import AsJson, Repo, companion_for
from companion.surfaces.cli.output import print_json, print_table, print_text

SHOWN = 40
"""Changes listed for people: two screens; `--json` has all."""


def register(app: typer.Typer) -> None:
    """Add this module's commands."""
    app.command("consolidate")(consolidate)


def consolidate(
    dry_run: Annotated[
        bool, typer.Option("--dry-run/--apply", help="Plan only. Applying a plan is not possible yet and is refused.")
    ] = True,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Show what a night would tidy: what is said twice, what is long, what is forgotten, what disagrees.

    Example: `companion consolidate --dry-run`
    """
    with companion_for(repo) as companion:
        plan = companion.consolidate(dry_run=dry_run)
    if as_json:
        print_json(plan)
    else:
        _show(plan)


def _show(plan: NightPlan) -> None:
    rows = [
        ("said twice, to be merged", plan.deduped),
        (f"old episodes, to be offered shorter ({plan.tokens_saved:,} tokens less)", plan.compressed),
        ("unused or superseded, to be archived", plan.forgotten),
        ("open contradictions, for you to settle", plan.contradictions_found),
    ]
    print_table("What a night would do", ("change", "memories"), rows)
    if not plan.changes:
        return
    print_table(
        "Changes",
        ("step", "memory", "reason"),
        [(one.step, _about(one.change), one.change.reason) for one in plan.changes[:SHOWN]],
    )
    if len(plan.changes) > SHOWN:
        print_text(f"{len(plan.changes) - SHOWN:,} more: see `companion consolidate --json`.")


def _about(change: Change) -> str:
    return " ".join(touched(change)[:2])
