"""`companion init`: read a repository and say what was learned."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from companion.api import ScanReport
from companion.surfaces.cli.options import AsJson, companion_for
from companion.surfaces.cli.output import counted, print_json, print_table, print_text, progress

EXAMPLES_A_REASON = 3
"""Paths named for each reason that something was skipped; `--json` lists them all."""


def init(
    path: Annotated[Path, typer.Argument(help="The repository, or any folder in it.")] = Path(),
    full: Annotated[bool, typer.Option("--full", help="Read everything again, not just what is new.")] = False,
    vectors: Annotated[
        bool, typer.Option("--vectors/--no-vectors", help="Make vectors for search by meaning too.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Scan a repository: history, code, declared facts. Run it again whenever you like.

    The first context is ready before the vectors are; stopping this command then loses nothing.

    Example: `companion init ~/src/flask`
    """
    with companion_for(path) as companion, progress(quiet=as_json) as bars:
        report = companion.scan(bars, full=full, embed=vectors)
    if as_json:
        print_json(report)
    else:
        _print_report(report)


def _print_report(report: ScanReport) -> None:
    print_text(f"{report.project} at {report.root}" + (f", branch {report.branch}" if report.branch else ""))
    print_table(
        "",
        ("Read", "new ", "in all "),
        [
            ("commits", report.commits_new, report.commits_total),
            ("files", report.files_new, report.files_total),
        ],
    )
    learned = [(row.kind, row.type or "-", row.active) for row in report.learned]
    print_table("Learned", ("kind", "type", "memories "), learned or [("nothing yet", "-", 0)])
    print_text(f"{report.added} new, {report.changed} changed, {report.retired} retired in this run.")
    if report.contradictions:
        print_text(f"{counted(report.contradictions, 'contradiction')} found: `companion contradictions` lists them.")
    _print_skipped(report)
    ready = report.readiness
    print_text(
        f"First context ready after {report.first_context_s:.1f} s, all after {report.total_s:.1f} s; "
        f"vectors for {ready.embedded} of {ready.embedded + ready.to_embed} texts."
    )
    for note in report.notes:
        print_text(f"Note: {note}")
    print_text("Next: companion context --file FILE")


def _print_skipped(report: ScanReport) -> None:
    if not report.skipped:
        return
    reasons = Counter(item.reason for item in report.skipped)
    rows: list[tuple[object, ...]] = []
    for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
        some = [item.path for item in report.skipped if item.reason == reason][:EXAMPLES_A_REASON]
        rows.append((reason, count, ", ".join(some) + (", …" if count > len(some) else "")))
    print_table("Skipped", ("why", "paths ", "for example"), rows)
