"""`companion init`: read a repository and say what was learned."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from companion.api import ScanReport
from companion.records import Skipped
from companion.records.wording import counted, enumerated
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.options import AsJson, companion_for
from companion.surfaces.cli.output import TextTable, Verbatim, print_answer, progress

_WORDS = {
    "decision": "decision",
    "habit": "habit",
    "relationship": "area of work",
    "episode": "past change",
    "fact": "fact",
    "pattern": "pattern",
    "workflow": "workflow",
}
"""What people call a type of memory, or else its kind."""
EXAMPLES_A_REASON = 3
"""Paths named for each reason that something was skipped; `--json` lists them all."""
COMMAND_CHARACTERS = 32
"""A longer command has its comment below it: together they would not fit 80 columns, and are to be copied."""
TOLD_FROM_S = 0.5
"""Seconds from which it is told that vectors were made where nothing is new."""


def init(
    path: Annotated[Path, Positional(help="The repository, or any folder in it.")] = Path(),
    full: Annotated[bool, Option("--full", help="Read everything again, not just what is new.")] = False,
    vectors: Annotated[bool, Option("--vectors/--no-vectors", help="Make vectors for search by meaning too.")] = True,
    as_json: AsJson = False,
) -> None:
    """Scan a repository: history, code, declared facts. Run it again whenever you like.

    The first context is ready before the vectors are; stopping this command then loses nothing.

    Example: `companion init ~/src/flask`
    """
    with companion_for(path) as companion, progress(quiet=as_json) as bars:
        report = companion.scan(bars, full=full, embed=vectors)
    print_answer(report, list(_told(report)), as_json)


def _told(report: ScanReport) -> Iterator[str | TextTable | Verbatim]:
    yield f"{report.project} at {report.root}" + (f", branch {report.branch}" if report.branch else "")
    yield _read(report)
    learned = Counter(_WORDS.get(row.type) or _WORDS[row.kind] for row in report.learned for _ in range(row.active))
    yield f"Remembers {enumerated([counted(number, word) for word, number in learned.most_common()]) or 'nothing yet'}."
    if report.contradictions:
        yield f"{counted(report.contradictions, 'contradiction')} found: `companion contradictions` lists them."
    if report.skipped:
        yield TextTable("Skipped", ("why", "paths ", "for example"), list(_skipped(report.skipped)))
    yield from (f"Note: {note}" for note in report.notes)
    following = list(_next(report))
    wide = max(len(command) for command, _ in following)
    between = "  # " if wide <= COMMAND_CHARACTERS else "\n      # "
    wide = wide if wide <= COMMAND_CHARACTERS else 0
    yield Verbatim("\n".join(["Next:", *(f"  {command:<{wide}}{between}{says}" for command, says in following)]))


def _read(report: ScanReport) -> str:
    """What was read, how much of it is new, and how long that took."""
    whole = f"{counted(report.commits_total, 'commit')} and {counted(report.files_total, 'file')}"
    if not (report.commits_new or report.files_new or report.files_gone):
        after = report.total_s - report.first_context_s
        more = f", then made vectors for {after:.1f} s" if after >= TOLD_FROM_S else ""
        return f"Nothing is new in {whole}: looked for {report.first_context_s:.1f} s{more}."
    gone = f" ({report.files_gone:,} gone)" if report.files_gone else ""
    new = f"{counted(report.commits_new, 'commit')} and {counted(report.files_new, 'file')}{gone}"
    ready = report.readiness
    later = ", the others while the service has nothing to do" if ready.embedded and ready.to_embed else ""
    vectors = f"; vectors for {ready.embedded:,} of {ready.embedded + ready.to_embed:,} texts{later}"
    first = report.commits_new == report.commits_total and report.files_new == report.files_total
    said = f"Read {new}" if first else f"Read {new}, of {whole}"
    return f"{said}: contexts complete after {report.first_context_s:.1f} s, all after {report.total_s:.1f} s{vectors}."


def _next(report: ScanReport) -> Iterator[tuple[str, str]]:
    """What to type next, of this very repository where something of it is worth asking about."""
    path, _, line = report.worth_asking.rpartition(":")
    if path and line.isdigit():
        yield f"companion why {shlex.quote(report.worth_asking)}", "why this line is as it is"
    else:
        path = report.worth_asking or "FILE"
    yield f"companion context {shlex.quote(path)}", "what to know before changing this file"
    yield "companion connect", "which editors and assistants here can use it"


def _skipped(skipped: Sequence[Skipped]) -> Iterator[tuple[object, ...]]:
    """The reasons why something was skipped, the most frequent first, each with some paths."""
    reasons = Counter(item.reason for item in skipped)
    for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
        some = [item.path for item in skipped if item.reason == reason][:EXAMPLES_A_REASON]
        yield reason, count, ", ".join(some) + (", …" if count > len(some) else "")
