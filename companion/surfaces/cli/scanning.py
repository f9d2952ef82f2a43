"""`companion init`: read a repository and say what was learned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from companion.api import ScanReport
from companion.records import Skipped
from companion.surfaces.cli.options import AsJson, companion_for
from companion.surfaces.cli.output import TextTable, counted, print_answer, progress

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
    print_answer(report, list(_told(report)), as_json)


def _told(report: ScanReport) -> Iterator[str | TextTable]:
    yield f"{report.project} at {report.root}" + (f", branch {report.branch}" if report.branch else "")
    rows = [
        ("commits", report.commits_new, report.commits_total),
        ("files", report.files_new, report.files_total),
    ]
    yield TextTable("", ("Read", "new ", "in all "), rows)
    learned = [(row.kind, row.type or "-", row.active) for row in report.learned]
    yield TextTable("Learned", ("kind", "type", "memories "), learned or [("nothing yet", "-", 0)])
    yield f"{report.added} new, {report.changed} changed, {report.retired} retired in this run."
    if report.contradictions:
        yield f"{counted(report.contradictions, 'contradiction')} found: `companion contradictions` lists them."
    if report.skipped:
        yield TextTable("Skipped", ("why", "paths ", "for example"), list(_skipped(report.skipped)))
    ready = report.readiness
    yield (
        f"First context ready after {report.first_context_s:.1f} s, all after {report.total_s:.1f} s; "
        f"vectors for {ready.embedded} of {ready.embedded + ready.to_embed} texts."
    )
    yield from (f"Note: {note}" for note in report.notes)
    yield "Next: companion context --file FILE"


def _skipped(skipped: Sequence[Skipped]) -> Iterator[tuple[object, ...]]:
    """The reasons why something was skipped, the most frequent first, each with some paths."""
    reasons = Counter(item.reason for item in skipped)
    for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
        some = [item.path for item in skipped if item.reason == reason][:EXAMPLES_A_REASON]
        yield reason, count, ", ".join(some) + (", …" if count > len(some) else "")
